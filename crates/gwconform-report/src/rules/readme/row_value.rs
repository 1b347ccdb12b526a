use super::row_comparison::{self, Help, Text};
use super::row_differences::{ValueText, Weight};
use crate::rules::{Findings, ReadmeContext, Remedy, rule};

rule! { "row_value.md", ReadmeContext(check), Text, ValueText<'_>, Help, Remedy }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row_comparison::compare(cx, Weight::Value, out);
}
