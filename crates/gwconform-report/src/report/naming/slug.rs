//! Creates URL slugs and portable file names.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum bytes of a name that is made of a report, before a number is appended.
pub const MAX_LENGTH: usize = 100;

/// Name of lower-case ASCII letters, digits and hyphens, never empty.
pub fn slug(parts: &[&str]) -> String {
    let mut slug = String::new();
    for part in parts {
        for word in part.split(|c: char| !c.is_ascii_alphanumeric()) {
            if word.is_empty() {
                continue;
            }
            if !slug.is_empty() {
                slug.push('-');
            }
            slug.push_str(&word.to_ascii_lowercase());
        }
    }
    slug.truncate(MAX_LENGTH);
    let trimmed = slug.trim_end_matches('-');
    if trimmed.is_empty() {
        "unnamed".to_owned()
    } else if is_device(trimmed) {
        format!("{trimmed}-") + "x"
    } else {
        trimmed.to_owned()
    }
}

/// Windows reserves device names with any extension.
pub(super) fn is_device(name: &str) -> bool {
    let lower_case = name.to_ascii_lowercase();
    let is_numbered = |device: &str| {
        let number = lower_case.strip_prefix(device);
        matches!(
            number,
            Some("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9")
        )
    };
    matches!(lower_case.as_str(), "con" | "prn" | "aux" | "nul")
        || ["com", "lpt"].into_iter().any(is_numbered)
}

/// Whether a name is safe in URLs and file systems.
pub(crate) fn is_file_name(name: &str) -> bool {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.len() <= MAX_LENGTH && name.chars().all(is_safe) && !is_device(name)
}

/// Names that can be files in one folder. If names differ only in case, the first wins. `names`
/// must be in order of precedence.
pub fn file_names<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeSet<&'n str> {
    let mut taken = BTreeSet::new();
    let fit = names.into_iter().filter(|name| is_file_name(name));
    fit.filter(|name| taken.insert(name.to_ascii_lowercase()))
        .collect()
}

/// Appends the lowest free number, from 2, to slugs that are in `given` or repeated. `wanted` must
/// be in order of precedence.
pub fn distinct(wanted: &[String], given: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = wanted.iter().chain(given).cloned().collect();
    // Used numbers are never freed, so continue from the last one.
    let mut next: BTreeMap<&str, u64> = given.iter().map(|slug| (slug.as_str(), 2)).collect();
    let mut distinct = Vec::new();
    for slug in wanted {
        let Some(number) = next.get_mut(slug.as_str()) else {
            next.insert(slug, 2);
            distinct.push(slug.clone());
            continue;
        };
        let mut numbered = format!("{slug}-{number}");
        while taken.contains(&numbered) {
            *number += 1;
            numbered = format!("{slug}-{number}");
        }
        taken.insert(numbered.clone());
        distinct.push(numbered);
    }
    distinct
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{distinct, file_names, is_file_name, slug};

    #[test]
    fn slugs_are_fit_for_addresses() {
        assert_eq!(
            slug(&["Acme Cloud", "Service_Mesh.v2"]),
            "acme-cloud-service-mesh-v2"
        );
        assert_eq!(slug(&["../..", "a/b\0"]), "a-b");
        assert_eq!(slug(&["Ämter", "é"]), "mter");
        assert_eq!(slug(&["", "😀"]), "unnamed");
        assert_eq!(slug(&["", "NUL"]), "nul-x");
        assert!(slug(&[&"x".repeat(10_000)]).len() <= 100);
    }

    fn searched(wanted: &[String], given: &[String]) -> Vec<String> {
        let mut taken: BTreeSet<String> = wanted.iter().chain(given).cloned().collect();
        let mut seen: BTreeSet<&String> = given.iter().collect();
        let mut distinct = Vec::new();
        for slug in wanted {
            if seen.insert(slug) {
                distinct.push(slug.clone());
                continue;
            }
            let mut numbered = (2_u64..).map(|number| format!("{slug}-{number}"));
            let free = numbered.find(|numbered| !taken.contains(numbered)).unwrap();
            taken.insert(free.clone());
            distinct.push(free);
        }
        distinct
    }

    proptest! {
        #[test]
        fn numbers_are_the_lowest_that_are_free(
            first in vec("[ab](-[2-4]){0,2}", 0..20),
            wanted in vec("[ab](-[2-4]){0,2}", 0..40),
        ) {
            let given = distinct(&first, &[]);
            let more = distinct(&wanted, &given);
            prop_assert_eq!(&more, &searched(&wanted, &given));
            let all: BTreeSet<_> = given.iter().chain(&more).collect();
            prop_assert_eq!(all.len(), first.len() + wanted.len());
        }
    }

    /// If the search started at 2 for each slug, this test would take too long.
    #[test]
    fn many_equal_slugs_become_distinct() {
        let wanted = vec!["unnamed".to_owned(); 200_000];
        assert_eq!(distinct(&wanted, &[]).last().unwrap(), "unnamed-200000");
    }

    #[test]
    fn names_are_files_of_every_system() {
        for name in [
            "con", "NUL", "Com1", "lpt9", "AUX", "", "a/b", "a.b", "ä", "..",
        ] {
            assert!(!is_file_name(name), "{name}");
        }
        for name in [
            "HTTPRouteCORS",
            "console",
            "com",
            "com0",
            "com10",
            "comx",
            "a-b_c",
        ] {
            assert!(is_file_name(name), "{name}");
        }
        let names = ["HTTPRouteCORS", "httproutecors", "Nul", "A", "a", "B"];
        assert_eq!(
            file_names(names),
            BTreeSet::from(["HTTPRouteCORS", "A", "B"])
        );
    }

    #[test]
    fn equal_slugs_become_distinct() {
        let wanted = ["a", "a", "a-2", "b", "a"].map(str::to_owned);
        assert_eq!(distinct(&wanted, &[]), ["a", "a-3", "a-2", "b", "a-4"]);
    }
}
