//! `resource/tls-option-name`: the implementer's guide, "Overall Guidelines for TLS Extensions", 1

use super::{ResourceContext, WITH_OPTIONS, is_domain_prefixed, option_place, tls_options};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/tls-option-name",
    include_str!("tls_option_name.md"),
    Check::Resource(&[WITH_OPTIONS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        for (name, value) in tls_options(object) {
            if !is_domain_prefixed(name.value) {
                let message = format!(
                    "the TLS option `{}` has no domain prefix",
                    in_code(&name.value)
                );
                out.at(option_place(name, value), message)
                    .help("name it by the domain of the implementation, such as `acme.example/certificate-name`");
            }
        }
    }
}
