use super::{IssueText, plain};
use crate::rules::Remedy;

rule!(
    "control_character.md",
    Yaml(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
