//! Finds similar names for "did you mean" suggestions.

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
    use super::{Similar, nearest, similar};

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

    #[test]
    fn a_slip_is_told_from_another_name() {
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
