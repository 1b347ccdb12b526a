use super::fixes::PageText;
use super::row_comparison::{self, Help, LinkText, Text, Weight};
use crate::rules::{Findings, ReadmeContext, rule};

rule! { "row_link.md", ReadmeContext(check), Text, LinkText<'_>, PageText, Help }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row_comparison::check(cx, Weight::Link, out);
}
