//! Compares a report with the report that the suite printed in the log, value by value.

use std::collections::BTreeMap;

use super::{Claim, Difference, PrintedChange};
use crate::log::Printed;
use gwconform_base::api::SUBJECT;
use gwconform_base::release::stated::NO_RELEASE;
use gwconform_base::text::node_path::path_to;
use gwconform_yaml as yaml;
use gwconform_yaml::{Kind, NodeId, Yaml};

/// Comparison of the submitted report with the printed report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PrintedState {
    /// The log contains no complete report.
    #[default]
    No,
    /// The bytes are identical.
    Same,
    /// Only line ends or trailing whitespace differ.
    LineEnds,
    /// Only the notation differs.
    Notation,
    /// The content differs.
    Differs,
}

/// Removes differences that log tools introduce.
pub(super) fn normalized(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}

pub(super) fn changes(claim: &Claim<'_>) -> (PrintedState, Vec<Difference>) {
    let Some(printed) = &claim.run.said.printed else {
        return (PrintedState::No, Vec::new());
    };
    let text = claim.source.text();
    if text == printed.text {
        return (PrintedState::Same, Vec::new());
    }
    if normalized(text) == normalized(&printed.text) {
        return (PrintedState::LineEnds, Vec::new());
    }
    if printed.is_cut {
        return (PrintedState::No, Vec::new());
    }
    let found = values(claim, printed);
    let is_notation = |one: &Difference| {
        let change = PrintedChange::Notation;
        matches!(one, Difference::Printed { change: own, .. } if *own == change)
    };
    let state = match &found[..] {
        [] => PrintedState::Same,
        [one] if is_notation(one) => PrintedState::Notation,
        _ => PrintedState::Differs,
    };
    (state, found)
}

type Values = BTreeMap<String, (String, NodeId)>;

fn values_of(yaml: &Yaml<'_>, root: NodeId) -> Values {
    let mut values = Values::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match yaml.kind(node) {
            Kind::Map(entries) => open.extend(entries.iter().map(|entry| entry.value)),
            Kind::Seq(items) => open.extend(items),
            _ => {
                let text = yaml.text(node).unwrap_or_default().to_owned();
                values.insert(path_to(yaml, node), (text, node));
            }
        }
    }
    values
}

fn values(claim: &Claim<'_>, printed: &Printed) -> Vec<Difference> {
    let other = yaml::load(&printed.text);
    let roots = other.documents.iter();
    let Some(root) = roots.filter_map(|document| document.root).next() else {
        return vec![Difference::Printed {
            node: claim.root,
            expected: None,
            change: PrintedChange::Added,
            line: 0,
        }];
    };
    let ours = values_of(claim.yaml, claim.root);
    let theirs = values_of(&other, root);
    let breaks = |offset: u32| {
        let before = printed.text.get(..offset as usize).unwrap_or_default();
        memchr::memchr_iter(b'\n', before.as_bytes()).count()
    };
    let line_of = |node: NodeId| breaks(other.span(node).start);
    let mut found = Vec::new();
    let mut is_version_replaced = false;
    for (path, (text, node)) in &ours {
        let Some((expected, place)) = theirs.get(path) else {
            found.push(Difference::Printed {
                node: *node,
                expected: None,
                change: PrintedChange::Added,
                line: 0,
            });
            continue;
        };
        if path.strip_prefix('/') == Some(SUBJECT.release_field) && expected == NO_RELEASE {
            is_version_replaced = true;
        } else if expected != text {
            found.push(Difference::Printed {
                node: *node,
                expected: Some(expected.clone()),
                change: PrintedChange::Value,
                line: line_of(*place),
            });
        }
    }
    for (path, (text, place)) in &theirs {
        if !ours.contains_key(path) {
            found.push(Difference::Printed {
                node: parent(claim, path),
                expected: Some(text.clone()),
                change: PrintedChange::Removed,
                line: line_of(*place),
            });
        }
    }
    if found.is_empty() && !is_version_replaced {
        found.push(notation(claim, printed));
    }
    found
}

fn parent(claim: &Claim<'_>, path: &str) -> NodeId {
    let mut open = vec![claim.root];
    let mut nearest = (claim.root, 0);
    while let Some(node) = open.pop() {
        let own = path_to(claim.yaml, node);
        let is_above = path
            .strip_prefix(&own)
            .is_some_and(|rest| rest.starts_with('/'));
        if !is_above && node != claim.root {
            continue;
        }
        if own.len() > nearest.1 {
            nearest = (node, own.len());
        }
        match claim.yaml.kind(node) {
            Kind::Map(entries) => open.extend(entries.iter().map(|entry| entry.value)),
            Kind::Seq(items) => open.extend(items),
            _ => {}
        }
    }
    nearest.0
}

fn notation(claim: &Claim<'_>, printed: &Printed) -> Difference {
    let text = claim.source.text();
    let same = text.lines().zip(printed.text.lines());
    let same = same.take_while(|(ours, theirs)| ours.trim_end() == theirs.trim_end());
    let at = same.count();
    let offset: usize = text.split_inclusive('\n').take(at).map(str::len).sum();
    let node = claim
        .yaml
        .node_from(u32::try_from(offset).unwrap_or(u32::MAX));
    Difference::Printed {
        node: node.unwrap_or(claim.root),
        expected: printed
            .text
            .lines()
            .nth(at)
            .map(|line| line.trim().to_owned()),
        change: PrintedChange::Notation,
        line: at,
    }
}
