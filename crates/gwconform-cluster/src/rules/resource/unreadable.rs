use super::ResourceContext;
use crate::File;
use crate::rules::Findings;
use gwconform_base::text::diagnostic::{Anchor, Place, Subject};
use gwconform_base::text::message::Message;
use gwconform_base::text::node_path::path_at;
use gwconform_base::text::source::Span;
use gwconform_report::rules::yaml::{IssueText, SyntaxText};
use gwconform_yaml::{YamlIssue, YamlIssueKind};

resource_rule! {
    "unreadable.md", &[], check, Text, IssueText, SyntaxText;
    NotUtf8 => "not UTF-8",
    Syntax => "not valid YAML",
    DuplicateKey => "duplicate key",
    Alias => "the alias is not followed",
    MergeKey => "the merge key is not followed",
    Template => "a Helm template",
    GoTemplate => "a Go template",
    TooDeep => "nested too deeply",
    TooMany => "too many values",
    FirstKey => "first one here",
    WriteUtf8 => "write UTF-8, as `kubectl get -o yaml` does: the rest was not read",
    Correct => "fix this error: the rest of the document was not read",
    Render => "render the chart first: `helm template . | gwconform resources -`",
    RenderGo => "render the template first, with the program that it belongs to",
    Split => "split the input into several files: the rest was not read",
    RemoveKey => "remove one of the two: the API server uses only one",
    WriteOut => "write out the value: an alias requires an anchor before it in the same document, and the aliases of a document may refer to at most 10000 values in total",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for file in cx.cluster.files {
        let source = file.source;
        if source.valid_len() < source.text().len() {
            let span = Span::new(source.valid_len(), source.valid_len() + 1);
            let anchor = Anchor::new(Place::span(source, span), Subject::new("encoding"));
            out.at(anchor, Text::NotUtf8).help(Text::WriteUtf8);
        }
        for issue in &file.yaml.issues {
            of_issue(file, issue, out);
        }
    }
}

fn of_issue(file: &File<'_>, issue: &YamlIssue, out: &mut Findings) {
    let source = file.source;
    let place = Place::span(source, issue.span);
    let path = || path_at(&file.yaml, issue.span.start);
    let (subject, plain, help) = match issue.kind {
        YamlIssueKind::Syntax => ("syntax".to_owned(), Text::Syntax, Text::Correct),
        YamlIssueKind::Template => ("template".to_owned(), Text::Template, Text::Render),
        YamlIssueKind::GoTemplate => ("template".to_owned(), Text::GoTemplate, Text::RenderGo),
        YamlIssueKind::TooDeep => ("depth".to_owned(), Text::TooDeep, Text::Correct),
        YamlIssueKind::TooManyNodes => ("size".to_owned(), Text::TooMany, Text::Split),
        YamlIssueKind::DuplicateKey => (path(), Text::DuplicateKey, Text::RemoveKey),
        YamlIssueKind::Alias => (path(), Text::Alias, Text::WriteOut),
        YamlIssueKind::MergeKey => (path(), Text::MergeKey, Text::WriteOut),
        _ => return,
    };
    // Message fields can contain secrets.
    let message = if place.is_secret() && !issue.message.fields().is_empty() {
        Message::from(plain)
    } else {
        Message::from(&issue.message)
    };
    let finding = out.at(Anchor::new(place, Subject::new(subject)), message);
    if let Some(other) = issue.other {
        finding.label(Place::span(source, other), Text::FirstKey);
    }
    finding.help(help);
}
