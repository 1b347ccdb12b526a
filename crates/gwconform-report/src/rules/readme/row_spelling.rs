use super::row_comparison::{self, Help, Text};
use super::row_differences::{ValueText, Weight};
use crate::rules::{Findings, ReadmeContext, rule};

rule! { "row_spelling.md", ReadmeContext(check), Text, ValueText<'_>, Help }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row_comparison::compare(cx, Weight::Spelling, out);
}
