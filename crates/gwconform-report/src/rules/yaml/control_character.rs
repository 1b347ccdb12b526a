use super::{IssueText, plain};
use crate::rules::{Remedy, YamlContext, rule};

rule!(
    "control_character.md",
    YamlContext(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
