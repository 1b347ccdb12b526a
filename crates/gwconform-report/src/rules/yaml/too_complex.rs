use super::{IssueText, plain};
use crate::rules::{Remedy, YamlContext, rule};

rule!(
    "too_complex.md",
    YamlContext(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
