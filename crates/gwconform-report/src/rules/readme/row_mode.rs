use super::row::{self, Help, Text, ValueText, Weight};
use crate::rules::{Findings, ReadmeContext, Remedy, rule};

rule! { "row_mode.md", ReadmeContext(check), Text, ValueText<'_>, Help, Remedy }

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    row::check(cx, Weight::Mode, out);
}
