use super::row::{self, Help, Text, ValueText, Weight};
use crate::rules::{Findings, ReadmeContext, rule};

rule! { "row_spelling.md", ReadmeContext(check), Text, ValueText<'_>, Help }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row::check(cx, Weight::Spelling, out);
}
