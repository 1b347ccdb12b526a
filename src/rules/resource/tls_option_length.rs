//! `resource/tls-option-length`: the implementer's guide, "Overall Guidelines for TLS Extensions", 2

use super::{ResourceContext, WITH_OPTIONS, option_place, tls_options};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/tls-option-length",
    include_str!("tls_option_length.md"),
    Check::Resource(&[WITH_OPTIONS], check),
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
