use super::{ResourceContext, WITH_OPTIONS, is_domain_prefixed, option_place, tls_options};
use crate::rules::Findings;

resource_rule! {
    "tls_option_name.md", &[WITH_OPTIONS], check, Text<'a>;
    NoPrefix { name: &'a str } => "the TLS option {name} has no domain prefix",
    Prefix => "prefix it with a domain of the implementation, such as `acme.example/certificate-name`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        let options = tls_options(object);
        let bare = options
            .iter()
            .filter(|(name, _)| !is_domain_prefixed(name.value));
        for &(name, value) in bare {
            let text = Text::NoPrefix { name: name.value };
            out.at(option_place(name, value), text).help(Text::Prefix);
        }
    }
}
