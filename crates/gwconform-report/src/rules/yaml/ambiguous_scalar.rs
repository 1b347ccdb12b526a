use super::{IssueText, plain};
use crate::rules::{Remedy, YamlContext, rule};

rule!(
    "ambiguous_scalar.md",
    YamlContext(|cx, out| plain(&RULE, cx, out)),
    IssueText,
    Remedy
);
