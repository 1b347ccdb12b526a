//! Names for addresses.

use std::collections::BTreeSet;

/// Longest slug, in characters, without a number that tells it from others.
const MAX_LENGTH: usize = 100;

/// A name made fit for an address and a file name of every system: lower-case letters and digits
/// of ASCII, a hyphen for all else. Never empty.
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
    let slug = slug.trim_end_matches('-');
    let is_device = matches!(slug, "" | "con" | "prn" | "aux" | "nul")
        || ["com", "lpt"].iter().any(|device| {
            let number = slug.strip_prefix(device);
            number.is_some_and(|number| number.len() == 1 && number != "0")
        });
    if slug.is_empty() {
        "unnamed".to_owned()
    } else if is_device {
        // Windows keeps these names for devices, whatever extension follows.
        format!("{slug}-") + "x"
    } else {
        slug.to_owned()
    }
}

/// Makes slugs distinct: the first of several equal ones stays, the others get the lowest number
/// from 2 on that nobody has. `wanted` in the order of precedence.
pub fn distinct(wanted: &[String]) -> Vec<String> {
    let mut taken: BTreeSet<String> = wanted.iter().cloned().collect();
    let mut seen = BTreeSet::new();
    let mut distinct = Vec::new();
    for slug in wanted {
        if seen.insert(slug) {
            distinct.push(slug.clone());
            continue;
        }
        let mut numbered = (2_u64..).map(|number| format!("{slug}-{number}"));
        let free = numbered.find(|numbered| !taken.contains(numbered));
        let free = free.unwrap_or_else(|| slug.clone());
        taken.insert(free.clone());
        distinct.push(free);
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::{distinct, slug};

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

    #[test]
    fn equal_slugs_are_told_apart() {
        let wanted = ["a", "a", "a-2", "b", "a"].map(str::to_owned);
        assert_eq!(distinct(&wanted), ["a", "a-3", "a-2", "b", "a-4"]);
    }
}
