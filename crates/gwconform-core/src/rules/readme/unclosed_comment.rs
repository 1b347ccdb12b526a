use crate::rules::{Findings, ReadmeContext};

rule! {
    "unclosed_comment.md", Readme(check), Text;
    NotClosed => "the comment is not closed, so everything after it is hidden",
    Close => "close it with `-->`",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(comment) = cx.readme.unclosed_comment else {
        return;
    };
    let mut start = comment;
    start.end = start.end.min(start.start + 4);
    out.at(cx.about(start, "comment"), Text::NotClosed)
        .help(Text::Close);
}
