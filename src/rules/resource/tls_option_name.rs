//! `resource/tls-option-name`: the implementer's guide, "Overall Guidelines for TLS Extensions", 1

use super::{ResourceContext, WITH_LISTENERS, is_domain_prefixed, option_place, rule};
use crate::diagnostic::Severity;
use crate::resource::listeners;
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = rule(
    "resource/tls-option-name",
    Severity::Warning,
    include_str!("tls_option_name.md"),
    &[WITH_LISTENERS],
    check,
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_LISTENERS) {
        for listener in listeners(object) {
            for (name, value) in listener.options() {
                if !is_domain_prefixed(name.value) {
                    let message = format!("the TLS option `{}` has no domain prefix", name.value);
                    out.at(option_place(name, value), message)
                        .help("name it by the domain of the implementation, such as `acme.example/certificate-name`");
                }
            }
        }
    }
}
