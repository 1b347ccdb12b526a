use super::row_comparison::{self, Help, Text};
use super::row_differences::{LinkText, PageText, Weight};
use crate::rules::{Findings, ReadmeContext, rule};

rule! { "row_link.md", ReadmeContext(check), Text, LinkText<'_>, PageText, Help }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row_comparison::compare(cx, Weight::Link, out);
}
