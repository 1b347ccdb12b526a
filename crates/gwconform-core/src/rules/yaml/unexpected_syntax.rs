use super::{IssueText, plain};
use crate::rules::Remedy;

rule!(
    "unexpected_syntax.md",
    Yaml(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
