use std::ops::ControlFlow;

use granit_parser::{ErrorKind, ScanError};

use super::issue_texts::IssueText;
use super::load::Loader;
use super::{MAX_DEPTH, MAX_FLAWS, YamlIssue, YamlIssueKind, locate, syntax_error};
use crate::Span;
use crate::message_text::Text;

impl Loader<'_> {
    pub(super) fn directive_issues(&mut self, start: usize) {
        let before = self.text.get(self.cursor..start).unwrap_or_default();
        let mut at = self.cursor;
        for line in before.split_inclusive('\n') {
            let directive = line.trim_start_matches('\u{feff}').trim_end();
            if directive.starts_with('%') {
                let from = at + line.len() - line.trim_start_matches('\u{feff}').len();
                let span = Span::new(from, from + directive.len());
                let directive = self.quoted(span);
                let text = IssueText::Directive { directive };
                self.issue(YamlIssueKind::Directive, span, text);
            }
            at += line.len();
        }
    }

    pub(super) fn tag_issue(&mut self, span: &granit_parser::Span) {
        let Some(start) = span.tag_start().and_then(|start| self.offset(start)) else {
            return;
        };
        let end = span.tag_span().and_then(|tag| self.offset(tag.end));
        let span = Span::new(start, end.unwrap_or(start));
        let tag = self.quoted(span);
        self.issue(YamlIssueKind::Tag, span, IssueText::Tag { tag });
    }

    pub(super) fn room(&mut self, at: usize) -> ControlFlow<()> {
        let most = self.max_nodes;
        if self.tree.nodes.len() + self.tree.documents.len() < most {
            return ControlFlow::Continue(());
        }
        let text = IssueText::TooManyValues { most };
        self.stop(YamlIssueKind::TooManyNodes, Span::at(at), text.into())
    }

    pub(super) fn room_for_document(&mut self, at: usize) -> ControlFlow<()> {
        let most = self.max_documents;
        if self.tree.documents.len() < most {
            return ControlFlow::Continue(());
        }
        let text = IssueText::TooManyDocuments { most };
        self.stop(YamlIssueKind::TooManyNodes, Span::at(at), text.into())
    }

    pub(super) fn too_deep(&mut self, at: usize) -> ControlFlow<()> {
        let text = IssueText::TooDeep { most: MAX_DEPTH };
        self.stop(YamlIssueKind::TooDeep, Span::at(at), text.into())
    }

    pub(super) fn syntax_error(&mut self, error: &ScanError) -> ControlFlow<()> {
        let at = self.offset(*error.marker()).unwrap_or(self.cursor);
        if *error.kind() == ErrorKind::RecursionLimitExceeded {
            return self.too_deep(at);
        }
        if let Some(manifests) = &mut self.manifests {
            manifests.is_quote_outdented = *error.kind() == ErrorKind::InvalidQuotedScalarIndent;
        }
        let quote = locate::find(self.text, self.cursor, at, b"\"'");
        let (message, span) = syntax_error::explain(error.kind(), self.text, at, quote);
        self.stop(YamlIssueKind::Syntax, span, message)
    }

    /// Adds an issue that stops parsing. The limits for issues do not apply.
    pub(super) fn stop(
        &mut self,
        kind: YamlIssueKind,
        span: Span,
        message: Text,
    ) -> ControlFlow<()> {
        self.tree.issues.push(YamlIssue {
            kind,
            span,
            message,
            other: None,
        });
        self.tree.read_to = self.cursor;
        ControlFlow::Break(())
    }

    pub(super) fn issue(&mut self, kind: YamlIssueKind, span: Span, message: impl Into<Text>) {
        self.issue_with_other(kind, span, message, None);
    }

    pub(super) fn issue_with_other(
        &mut self,
        kind: YamlIssueKind,
        span: Span,
        message: impl Into<Text>,
        other: Option<Span>,
    ) {
        if let Some(manifests) = &mut self.manifests {
            manifests.issues += 1;
        }
        let kept = self.kept.entry(kind).or_insert(0);
        if *kept >= MAX_FLAWS {
            *self.tree.issues_left_out.entry(kind).or_insert(0) += 1;
            return;
        }
        *kept += 1;
        let message = message.into();
        self.tree.issues.push(YamlIssue {
            kind,
            span,
            message,
            other,
        });
    }

    pub(super) fn quoted(&self, span: Span) -> String {
        self.text.get(span.range()).unwrap_or_default().to_owned()
    }
}
