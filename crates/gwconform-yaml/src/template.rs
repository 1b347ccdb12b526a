use std::ops::ControlFlow;

use super::YamlIssueKind;
use super::issue_texts::IssueText;
use super::load::Loader;
use crate::Span;

/// Objects and functions that only Helm defines.
const HELM_NAMES: [&str; 6] = [
    ".Values",
    ".Release.",
    ".Chart.",
    ".Capabilities.",
    "include \"",
    "include (",
];

impl Loader<'_> {
    /// Only the first template in a text is reported.
    pub(super) fn template(&mut self, at: usize) -> ControlFlow<()> {
        let manifests = self.manifests.get_or_insert_default();
        if std::mem::replace(&mut manifests.has_template, true) {
            self.tree.read_to = self.cursor;
            return ControlFlow::Break(());
        }
        let is_helm = HELM_NAMES.iter().any(|name| self.text.contains(name));
        let (kind, text) = if is_helm {
            (YamlIssueKind::Template, IssueText::Template)
        } else {
            (YamlIssueKind::GoTemplate, IssueText::GoTemplate)
        };
        self.stop(kind, Span::new(at, at + 2), text.into())
    }

    /// Reports a syntax error at `{{` as a template, because no object has a mapping as a key.
    pub(super) fn refuse_template(&mut self, at: usize) -> ControlFlow<()> {
        let is_template = self
            .text
            .get(at..)
            .is_some_and(|rest| rest.starts_with("{{"));
        if self.manifests.is_some() && is_template {
            self.template(at)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Finds a tag on the line at `stopped` or at the start of a line. Other tags are ignored, because
/// the strings of alert rules contain tags.
pub(super) fn tag(text: &str, stopped: usize) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let is_near = start <= stopped && stopped <= end;
        if let Some(tag) = line.find("{{")
            && (is_near || line[..tag].trim_start().is_empty())
        {
            return Some(start + tag);
        }
        start = end;
    }
    None
}
