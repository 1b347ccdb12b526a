use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::file_type::FileType;
use gwconform_base::text::message::Message;

rule! {
    "other_format.md", TextContext(check), Text, Remedy;
    Found { found: Message } => "the file is {found}; expected a report in YAML",
    LfsPointer => "a Git LFS pointer",
    Html => "a web page",
    Log => "a log of `go test`",
    Colored => "text with terminal colors",
    Markdown => "Markdown",
    Pasted => "a report with other text around it",
    Indented => "a report with indented lines, as in a log",
    Unpack => "submit the report itself, exactly as the suite wrote it",
    CommitItself => "commit the report itself, and remove its pattern from .gitattributes",
    Download => "download the file itself instead of the page that shows it",
    Extract => "extract the report with `gwconform add --from-log <log>`, or run the suite again with `--report-output=<file>`",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let file_type = || cx.source.file_type();
    let Some(file_type) = cx.is_report.then(file_type).flatten() else {
        return;
    };
    let (found, help) = match file_type {
        // Reported by text/encoding.
        FileType::Utf16 => return,
        FileType::Binary(name) => (Message::words(name), Text::Unpack.into()),
        FileType::LfsPointer => (Text::LfsPointer.into(), Text::CommitItself.into()),
        FileType::Html => (Text::Html.into(), Text::Download.into()),
        FileType::Log => (Text::Log.into(), Text::Extract.into()),
        FileType::Colored => (
            Text::Colored.into(),
            Message::from(Remedy::like("report-output", "<file>")),
        ),
        FileType::Pasted => (Text::Pasted.into(), Text::Unpack.into()),
        FileType::Indented => (Text::Indented.into(), Text::Extract.into()),
        FileType::Markdown => (Text::Markdown.into(), Text::Unpack.into()),
    };
    out.at(Anchor::path(cx.source.path()), Text::Found { found })
        .help(help);
}
