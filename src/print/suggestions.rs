//! Renders suggested changes as the request body of a GitHub review (`POST
//! /repos/{owner}/{repo}/pulls/{number}/reviews`).

use std::io::{self, Write};

use serde::Serialize;

use super::{RenderInput, fixable};
use gwconform_base::text::counted;
use gwconform_base::text::escape::{markdown_comment, markdown_fence};
use gwconform_base::text::message::Message;
use gwconform_report::review::Suggestion;

#[derive(Serialize)]
struct Request {
    /// Always `COMMENT`. Without an event, GitHub would leave the review pending.
    event: &'static str,
    body: String,
    comments: Vec<Comment>,
}

#[derive(Serialize)]
struct Comment {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_side: Option<&'static str>,
    line: usize,
    side: &'static str,
    body: String,
}

/// Makes line numbers refer to the new version of the file.
const SIDE: &str = "RIGHT";

/// Writes the request body.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let suggestions = shown.review.map_or(&[][..], |review| &review.suggestions);
    let mut body = format!(
        "{} by gwconform",
        counted(suggestions.len(), "suggested change")
    );
    // GitHub accepts suggestions only for lines of the change, and a missing row can belong into a
    // README that the change does not touch.
    if let Some((text, command)) = fixable(shown) {
        body.push_str(&format!(
            "\n\n{text}{}",
            markdown_comment(&Message::code(command))
        ));
    }
    let request = Request {
        event: "COMMENT",
        body,
        comments: suggestions.iter().map(comment).collect(),
    };
    gwconform_base::text::json::write(&request, out)
}

fn comment(suggestion: &Suggestion) -> Comment {
    let is_one = suggestion.first_line == suggestion.last_line;
    Comment {
        path: suggestion.path.clone(),
        start_line: (!is_one).then_some(suggestion.first_line),
        start_side: (!is_one).then_some(SIDE),
        line: suggestion.last_line,
        side: SIDE,
        body: body(suggestion),
    }
}

fn body(suggestion: &Suggestion) -> String {
    let mut body = String::new();
    for message in &suggestion.messages {
        body.push_str(&format!("{}\n\n", markdown_comment(message)));
    }
    let fence = markdown_fence(suggestion.lines.iter().map(String::as_str));
    body.push_str(&format!("{fence}suggestion\n"));
    for line in &suggestion.lines {
        body.push_str(line);
        body.push('\n');
    }
    body.push_str(&fence);
    body
}
