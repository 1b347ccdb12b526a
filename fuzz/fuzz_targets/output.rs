//! Fuzzes output formats with arbitrary strings in a finding. Each format must preserve the
//! strings. Parts of the input are separated by 0xff, which never occurs in UTF-8.

#![no_main]

use gwconform::print::{self, RenderInput};
use gwconform::rules;
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Place, Severity, Subject};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::{Source, Span, is_invisible};
use gwconform_report::rules::check::{CheckReport, Checked, Skipped};
use gwconform_report::rules::configuration::Config;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes
        .split(|byte| *byte == 0xff)
        .map(String::from_utf8_lossy);
    let mut next = || parts.next().unwrap_or_default().into_owned();
    let [path, message, help, label, text, reason, other] = [(); 7].map(|()| next());
    let source = Source::new(path.as_str(), text.clone().into_bytes());
    let rule = rules::ALL[message.len() % rules::ALL.len()].id;
    let span = Span::new(text.len() / 4, text.len() / 2);
    let mut first = Diagnostic::new(
        rule,
        Severity::Error,
        Anchor::new(Place::span(&source, span), Subject::new(reason.as_str())),
        Message::of_text(&message),
    );
    if !help.is_empty() {
        first.help(Message::of_text(&help));
    }
    first.label(Place::path(other.as_str()), Message::of_text(&label));
    let second = Diagnostic::new(
        rule,
        Severity::Info,
        Anchor::path(other.as_str()),
        Message::of_text(&label),
    );
    let outcome = CheckReport {
        checked: vec![Checked {
            path: path.clone(),
            submission: other.clone(),
        }],
        skipped: vec![Skipped {
            path: path.clone(),
            reason,
        }],
        findings: vec![first, second],
        ..CheckReport::default()
    };
    let config = Config::default();
    let shown = RenderInput::new(&outcome, &config);

    let mut human = Vec::new();
    print::human::write(shown, print::Styling::Plain, &mut human).expect("a vector takes all");
    can_be_seen(&human, "human");

    let mut json = Vec::new();
    print::json::write(shown, &mut json).expect("a vector takes all");
    let json: Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["findings"][0]["path"], path.as_str());
    assert_eq!(
        json["findings"][0]["message"],
        outcome.findings[0].message.to_string().as_str()
    );

    let mut sarif = Vec::new();
    print::sarif::write(shown, &mut sarif).expect("a vector takes all");
    serde_json::from_slice::<Value>(&sarif).expect("JSON");

    let mut github = Vec::new();
    print::github::write(shown, &mut github).expect("a vector takes all");
    let github = can_be_seen(&github, "github");
    let commands = github
        .lines()
        .filter(|line| line.trim_start().starts_with("::"));
    assert_eq!(commands.count(), 2, "{github}");

    let mut junit = Vec::new();
    print::junit::write(shown, &mut junit).expect("a vector takes all");
    let junit = can_be_seen(&junit, "junit");
    roxmltree::Document::parse(&junit).expect("XML");

    let mut markdown = Vec::new();
    print::markdown::write(shown, &mut markdown).expect("a vector takes all");
    can_be_seen(&markdown, "markdown");
});

fn can_be_seen(bytes: &[u8], format: &str) -> String {
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let unseen = text.chars().find(|c| is_invisible(*c) && *c != '\n');
    assert_eq!(unseen, None, "{format}: {text:?}");
    text
}
