use memchr::memmem;

use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;

rule! {
    "line_endings.md", TextContext(check), Text, Remedy;
    Crlf => "lines end with CRLF; expected LF",
    SomeCrlf { count: usize, all: usize } => "{count} of {all} lines end with CRLF; expected LF",
    Cr => "lines end with CR; expected LF",
    SomeCr { count: usize, all: usize } => "{count} of {all} lines end with CR; expected LF",
    KeepFromGit { remedy: Message } => "{remedy}; to keep git from converting line endings, add `* text=auto eol=lf` to .gitattributes",
    SaveAndKeepFromGit => "save the file with LF line endings; to keep git from converting them, add `* text=auto eol=lf` to .gitattributes",
    Save => "save the file with LF line endings",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let Some(first) = memmem::find(text.as_bytes(), b"\r\n") else {
        return carriage_returns(cx, out);
    };
    let windows = text.matches("\r\n").count();
    let all = text.matches('\n').count();
    let place = cx.span(Span::new(first, first + 1));
    let message = if windows == all {
        Text::Crlf
    } else {
        Text::SomeCrlf {
            count: windows,
            all,
        }
    };
    out.at(place.about("CRLF"), message)
        .help(if cx.is_report {
            Text::KeepFromGit {
                remedy: Remedy::SubmitUnmodified.into(),
            }
        } else {
            Text::SaveAndKeepFromGit
        })
        .fix(with_line_feeds(cx));
}

/// YAML and Markdown treat a lone CR as a line break, but most tools do not.
fn carriage_returns(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let Some(first) = memchr::memchr(b'\r', text.as_bytes()) else {
        return;
    };
    let alone = memchr::memchr_iter(b'\r', text.as_bytes()).count();
    let all = alone + memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let message = if alone == all {
        Text::Cr
    } else {
        Text::SomeCr { count: alone, all }
    };
    out.at(cx.span(Span::new(first, first + 1)).about("CR"), message)
        .help(if cx.is_report {
            Message::from(Remedy::SubmitUnmodified)
        } else {
            Text::Save.into()
        })
        .fix(with_line_feeds(cx));
}

/// Uses a single edit, because a CRLF file would need one edit per line.
fn with_line_feeds(cx: &TextContext<'_>) -> Option<Fix> {
    let text = cx.source.text();
    let first = memchr::memchr(b'\r', text.as_bytes())?;
    let last = memchr::memrchr(b'\r', text.as_bytes())?;
    // Include the LF of the last CRLF in the edit.
    let is_last_crlf = text[last + 1..].starts_with('\n');
    let end = last + 1 + usize::from(is_last_crlf);
    let lines = text[first..end].replace("\r\n", "\n").replace('\r', "\n");
    Fix::safe("end the lines with LF").replace(cx.source, Span::new(first, end), lines)
}
