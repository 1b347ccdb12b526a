use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::file_type::FileType;
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;

rule! {
    "encoding.md", TextContext(check), Text, Remedy;
    Utf16 => "the file is UTF-16 text; expected UTF-8",
    Nul => "the file contains a NUL character; expected UTF-8 text",
    Invalid => "invalid UTF-8, so the file was not checked from here on; expected UTF-8",
    WriteToFile => "write the report with `--report-output=<file>`, because a redirection in PowerShell writes UTF-16",
    SaveAsUtf8 => "save the file as UTF-8",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let valid = cx.source.valid_len();
    let nul = memchr::memchr(0, &text.as_bytes()[..valid]);
    let invalid = text[valid..].chars().next();
    // UTF-16 text has one or the other.
    if nul.is_none() && invalid.is_none() {
        return;
    }
    let help = || {
        if cx.is_report {
            Message::from(Remedy::SubmitUnmodified)
        } else {
            Text::SaveAsUtf8.into()
        }
    };
    if cx.source.file_type() == Some(FileType::Utf16) {
        let subject = Anchor::path(cx.source.path()).about("UTF-16");
        out.at(subject, Text::Utf16).help(if cx.is_report {
            Text::WriteToFile
        } else {
            Text::SaveAsUtf8
        });
        return;
    }
    if let Some(at) = nul {
        let nul = Span::new(at, at + 1);
        out.at(cx.span(nul).about("NUL"), Text::Nul).help(help());
    }
    if let Some(bad) = invalid {
        let span = Span::new(valid, valid + bad.len_utf8());
        out.at(cx.span(span).about("invalid UTF-8"), Text::Invalid)
            .help(help());
    }
}
