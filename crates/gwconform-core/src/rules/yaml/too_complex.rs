use super::{IssueText, plain};
use crate::rules::Remedy;

rule!(
    "too_complex.md",
    Yaml(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
