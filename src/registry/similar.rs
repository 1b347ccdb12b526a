//! "Did you mean": the known name that is nearest to an unknown one.

use std::collections::BTreeSet;

/// Names of features have at most 128 characters (GEP-2162); nothing longer is compared.
const MAX_NAME_BYTES: usize = 128;

/// A known name near an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Similar<'r> {
    /// The known name.
    pub name: &'r str,
    /// True when one slip of the hand explains the difference: another case, or one letter too many,
    /// missing, wrong, or changed places with its neighbour. Two digits that differ are no slip:
    /// `HTTPRoute302RedirectStatusCode` is a feature to come rather than a misspelled 303.
    pub typo: bool,
}

/// The nearest of `known` to `name`, the first in their order where several are as near.
pub(super) fn nearest<'r>(name: &str, known: BTreeSet<&'r str>) -> Option<Similar<'r>> {
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let (distance, nearest) = known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= MAX_NAME_BYTES / 4)
        .map(|candidate| {
            let distance = strsim::osa_distance(&lower, &candidate.to_ascii_lowercase());
            (distance, candidate)
        })
        .min_by_key(|&(distance, _)| distance)?;
    // A quarter of a name may differ; beyond that it is another name.
    (distance <= name.len() / 4).then(|| Similar {
        name: nearest,
        typo: distance <= 1 && without_digits(name) != without_digits(nearest) || distance == 0,
    })
}

/// A name in lower case without its digits: names that differ only in digits are different names.
fn without_digits(name: &str) -> String {
    let letters = name.chars().filter(|c| !c.is_ascii_digit());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Similar, nearest};

    fn near(name: &str) -> Option<Similar<'static>> {
        let known = [
            "HTTPRouteCORS",
            "HTTPRouteRetry",
            "HTTPRoute303RedirectStatusCode",
            "TCPRoute",
            "UDPRoute",
        ];
        nearest(name, known.into())
    }

    #[test]
    fn a_slip_is_told_from_another_name() {
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
