use super::{IssueText, plain};
use crate::rules::Remedy;

rule!(
    "ambiguous_scalar.md",
    Yaml(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
