use super::{ResourceContext, WITH_OPTIONS, option_place, tls_options};
use crate::rules::Findings;

resource_rule! {
    "tls_option_length.md", &[WITH_OPTIONS], check, Text<'a>;
    TooLong { name: &'a str, length: usize, below: usize } => "the value of the TLS option {name} has {length} characters; expected fewer than {below}",
    Refer => "store the value elsewhere, and refer to it by a short name",
}

/// Exclusive maximum from the spec ("keeping the values below 50 characters").
const BELOW: usize = 50;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (_, object) in cx.living(WITH_OPTIONS) {
        for (name, value) in tls_options(object) {
            let length = value.text().map_or(0, |text| text.value.chars().count());
            if length >= BELOW {
                out.at(
                    option_place(name, value),
                    Text::TooLong {
                        name: name.value,
                        length,
                        below: BELOW,
                    },
                )
                .help(Text::Refer);
            }
        }
    }
}
