//! "Did you mean": the one place that decides when two names are near each other.

/// Names longer than this are never compared: no known name is half as long, and a hostile one
/// must not cost its length squared.
const MAX_LEN: usize = 100;

/// The known name that `name` was probably meant to be: equal but for case, or within two edits
/// (one, when it is shorter than six characters). The nearest wins, the first of equally near ones.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if name.is_empty() || name.len() > MAX_LEN {
        return None;
    }
    let folded = name.to_ascii_lowercase();
    let allowed = if name.chars().count() < 6 { 1 } else { 2 };
    let distance = |candidate: &str| strsim::osa_distance(&folded, &candidate.to_ascii_lowercase());
    known
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["organization", "project", "url", "version"];
        assert_eq!(nearest("organisation", known), Some("organization"));
        assert_eq!(nearest("Version", known), Some("version"));
        assert_eq!(nearest("urls", known), Some("url"));
        assert_eq!(nearest("uri", known), Some("url"));
        assert_eq!(nearest("contact", known), None);
        assert_eq!(nearest("ur1s", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest(&"v".repeat(1 << 20), known), None);
    }
}
