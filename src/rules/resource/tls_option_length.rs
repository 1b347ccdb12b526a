//! `resource/tls-option-length`: the implementer's guide, "Overall Guidelines for TLS Extensions", 2

use super::{ResourceContext, WITH_OPTIONS, option_place, rule, tls_options};
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = rule(
    "resource/tls-option-length",
    Severity::Warning,
    include_str!("tls_option_length.md"),
    &[WITH_OPTIONS],
    check,
);

/// "We strongly recommend keeping the values below 50 characters."
const BELOW: usize = 50;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        for (name, value) in tls_options(object) {
            let length = value.text().map_or(0, |text| text.value.chars().count());
            if length >= BELOW {
                let message = format!(
                    "the TLS option `{}` has {length} characters, expected fewer than {BELOW}",
                    in_code(&name.value)
                );
                out.at(option_place(name, value), message)
                    .help("refer to what is long by a short name");
            }
        }
    }
}
