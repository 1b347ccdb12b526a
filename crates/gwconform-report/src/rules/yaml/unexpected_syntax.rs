use super::{IssueText, plain};
use crate::rules::{Remedy, YamlContext, rule};

rule!(
    "unexpected_syntax.md",
    YamlContext(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
