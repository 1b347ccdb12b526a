//! Builds the path of an implementation in URLs. The path depends only on the implementation's own
//! name, and different implementations have different paths.

use std::fmt::Write as _;

use super::is_ignored;
use super::slug::{MAX_LENGTH, is_device};
use gwconform_base::text::source::Digest;

/// Digits of the hash at the end of a cut segment.
const HASH_DIGITS: usize = 32;

/// Path `organization/project`, such as `acme/operator`. Equal paths imply that
/// [`folded`](super::folded) returns equal names.
pub fn address(organization: &str, project: &str) -> String {
    format!("{}/{}", segment(organization), segment(project))
}

/// Lower-case words of a name, joined by hyphens. A character other than ASCII letters and digits
/// is the word `u_` with its code point. A name without words is `u_`, because some static hosts
/// omit files that start with an underscore. Device names, which Windows reserves, end in `_`. A
/// long segment is cut and ends in `__` and its hash.
fn segment(name: &str) -> String {
    let mut segment = String::new();
    let mut is_in_word = false;
    for c in name.chars() {
        if is_ignored(c) {
            is_in_word = false;
            continue;
        }
        for c in c.to_lowercase() {
            let is_plain = c.is_ascii_alphanumeric();
            let continues_word = is_in_word && is_plain;
            if !(segment.is_empty() || continues_word) {
                segment.push('-');
            }
            if is_plain {
                segment.push(c);
            } else {
                let _ = write!(segment, "u_{:x}", u32::from(c));
            }
            is_in_word = is_plain;
        }
    }
    if segment.is_empty() {
        segment.push_str("u_");
    } else if is_device(&segment) {
        segment.push('_');
    } else if segment.len() > MAX_LENGTH {
        let hash = Digest::new(segment.as_bytes()).to_string();
        segment.truncate(MAX_LENGTH - HASH_DIGITS - "__".len());
        segment = segment + "__" + &hash[..HASH_DIGITS];
    }
    segment
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::folded;
    use super::super::slug::is_file_name;
    use super::address;

    #[test]
    fn computes_addresses_of_names() {
        for (organization, project, expected) in [
            ("higress-group", "higress", "higress-group/higress"),
            ("higress", "group-higress", "higress/group-higress"),
            (
                "Acme  Cloud",
                "_Service_Mesh.v2-",
                "acme-cloud/service-mesh-v2",
            ),
            ("istio.io", "istio", "istio-io/istio"),
            ("acme/edge", "..", "acme-u_2f-edge/u_"),
            ("Ämter", "\u{130}zmir", "u_e4-mter/i-u_307-zmir"),
            ("東京", "a+b", "u_6771-u_4eac/a-u_2b-b"),
            ("u_e9", "é", "u-e9/u_e9"),
            ("CON", "Lpt1", "con_/lpt1_"),
            ("console", "com0", "console/com0"),
        ] {
            assert_eq!(address(organization, project), expected);
        }
    }

    #[test]
    fn long_segments_are_cut_and_stay_different() {
        let names = ["x".repeat(100), "x".repeat(101), "x".repeat(10_000)];
        let addresses = names.each_ref().map(|name| address(name, "y"));
        assert_eq!(addresses[0], format!("{}/y", names[0]));
        assert_eq!(
            addresses[1],
            format!(
                "{}__{}/y",
                "x".repeat(66),
                "c675a2e604b0cd1229c036e3ce0c8742"
            )
        );
        assert_eq!(addresses[2].len(), addresses[1].len());
        assert_ne!(addresses[2], addresses[1]);
    }

    /// Short names of few characters, so that many are equal or nearly so, and long ones.
    fn name() -> impl Strategy<Value = String> {
        let characters = "[aAbeu9_ ./éİ\u{307}K\u{212A}\u{2003}-]{0,4}";
        prop_oneof![
            8 => characters,
            1 => "(con|COM1|c-on|nul_|u_e9|aux.h)",
            1 => ("[ab]{0,2}", 96_usize..104, characters)
                .prop_map(|(start, count, end)| start + &"x".repeat(count) + &end),
            1 => ".{0,40}",
        ]
    }

    proptest! {
        #[test]
        fn equal_addresses_mean_equal_names(names in vec((name(), name()), 0..200)) {
            let mut by_address = BTreeMap::new();
            for (organization, project) in &names {
                let address = address(organization, project);
                let folded = (folded(organization), folded(project));
                let first = by_address.entry(address).or_insert_with(|| folded.clone());
                prop_assert_eq!(&*first, &folded);
            }
        }

        /// Case and the kind and number of separators are irrelevant. The names differ only in
        /// places where a separator stands.
        #[test]
        fn equal_words_mean_equal_addresses(words in vec("[a-zA-Z0-9éß/]{1,5}", 1..4)) {
            let one = words.join("-");
            let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
            let other = format!(" {}.", lower.join("_ "));
            prop_assert_eq!(address(&one, &other), address(&other, &one));
            prop_assert_eq!(folded(&one), folded(&other));
        }

        /// All characters of a file name are unreserved in URLs.
        #[test]
        fn an_address_is_two_portable_names(organization in name(), project in name()) {
            let address = address(&organization, &project);
            let segments: Vec<&str> = address.split('/').collect();
            prop_assert_eq!(segments.len(), 2);
            for segment in segments {
                prop_assert!(is_file_name(segment) && !segment.starts_with('_'), "{}", segment);
                prop_assert_eq!(&segment.to_ascii_lowercase(), segment);
            }
        }
    }
}
