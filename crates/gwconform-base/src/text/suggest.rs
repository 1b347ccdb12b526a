//! Finds similar names for "did you mean" suggestions.

use super::{joined, letters, listed_of};

/// In bytes, because the comparison takes quadratic time. Feature names have at most 128 characters
/// (GEP-2162).
const MAX_LEN: usize = 128;

const MAX_EDITS: usize = 4;

/// Known name that is similar to a given name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Similar<'k> {
    /// Known name.
    pub name: &'k str,
    /// Whether a single typing error explains the difference. Digits are excluded:
    /// `HTTPRoute302RedirectStatusCode` may be a future feature.
    pub typo: bool,
}

/// Finds the most similar known name. The first name wins a tie.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    similar(name, known).map(|similar| similar.name)
}

/// Ending of an error message: the most similar name, or the names that contain the letters of
/// `name`, in any case. Empty if no name or many names match.
pub fn hint<'k>(name: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> String {
    let wanted = letters(name);
    let nearest = nearest(name, known.clone()).map(|name| vec![name]);
    let meant = nearest.unwrap_or_else(|| {
        let is_part = |known: &&str| wanted.len() > 2 && letters(known).contains(&wanted);
        known.into_iter().filter(is_part).collect()
    });
    did_you_mean(&meant)
}

/// Like [`hint`], for names that are already selected.
pub fn did_you_mean(names: &[&str]) -> String {
    if names.is_empty() || names.len() > listed_of(names.len()) {
        return String::new();
    }
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", joined(&names, "or"))
}

/// Like [`nearest`], and detects typing errors. Similar names differ in case, in one letter, or in
/// at most four letters and a quarter of the name.
pub fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<Similar<'k>> {
    if name.is_empty() || name.len() > MAX_LEN {
        return None;
    }
    let folded = name.to_ascii_lowercase();
    let allowed = (name.len() / 4).clamp(1, MAX_EDITS);
    let (distance, nearest) = known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= allowed)
        .map(|candidate| {
            let distance = strsim::osa_distance(&folded, &candidate.to_ascii_lowercase());
            (distance, candidate)
        })
        .min_by_key(|&(distance, _)| distance)?;
    (distance <= allowed).then(|| Similar {
        name: nearest,
        typo: distance == 0 || distance == 1 && without_digits(name) != without_digits(nearest),
    })
}

fn without_digits(name: &str) -> String {
    let letters = name.chars().filter(|c| !c.is_ascii_digit());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Similar, hint, nearest, similar};

    #[test]
    fn suggests_only_near_names() {
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

    #[test]
    fn a_hint_lists_the_nearest_name_or_names_with_the_same_letters() {
        let known = ["report/date", "report/contact", "readme/date-link", "tree"];
        let hint = |name| hint(name, known);
        assert_eq!(hint("report/dat"), "; did you mean `report/date`?");
        assert_eq!(
            hint("Date"),
            "; did you mean `report/date` or `readme/date-link`?"
        );
        assert_eq!(hint("te"), "");
        assert_eq!(hint("nothing"), "");
    }

    #[test]
    fn distinguishes_typos_from_other_names() {
        let near = |name| {
            let known = [
                "HTTPRouteCORS",
                "HTTPRouteRetry",
                "HTTPRoute303RedirectStatusCode",
                "TCPRoute",
                "UDPRoute",
            ];
            similar(name, known)
        };
        let typo = |name| Some(Similar { name, typo: true });
        let other = |name| Some(Similar { name, typo: false });
        assert_eq!(near("HttpRouteCors"), typo("HTTPRouteCORS"));
        assert_eq!(near("HTTPRouteCOR"), typo("HTTPRouteCORS"));
        assert_eq!(near("HTTPRoutCORS"), typo("HTTPRouteCORS"));
        assert_eq!(near("HTTPRotueCORS"), typo("HTTPRouteCORS"));
        assert_eq!(near("HTTPRouteRetries"), other("HTTPRouteRetry"));
        assert_eq!(
            near("HTTPRoute302RedirectStatusCode"),
            other("HTTPRoute303RedirectStatusCode")
        );
        assert_eq!(near("TLSRoute"), other("TCPRoute"));
        assert_eq!(near("Inference"), None);
        assert_eq!(near(""), None);
        assert_eq!(near(&"HTTPRouteCORS".repeat(100)), None);
    }
}
