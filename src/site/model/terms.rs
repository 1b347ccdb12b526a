//! Definitions of the words and counts on pages, shown where they appear and on `/about/`.

/// Word with one meaning on all pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Part of the element ID on `/about/`.
    pub id: &'static str,
    pub name: &'static str,
    pub meaning: &'static str,
}

const fn new(id: &'static str, name: &'static str, meaning: &'static str) -> Term {
    Term { id, name, meaning }
}

/// Sorted by subject: reports, tests, verdicts, counts, and the words for features.
pub const TERMS: &[Term] = &[
    new(
        "minor",
        "Minor",
        "A series of Gateway API releases, such as v1.6. Patches such as v1.6.1 belong to it.",
    ),
    new(
        "channel",
        "Channel",
        "The set of Gateway API resources that a cluster installs. The standard channel has only stable resources and \
         fields. The experimental channel adds those that may still change or be removed.",
    ),
    new(
        "experimental",
        "Experimental",
        "Only the experimental channel has the fields of the feature. They may still change or be removed.",
    ),
    new(
        "mode",
        "Mode",
        "A name that the implementation gives to the configuration it was tested in. Most have only the mode default.",
    ),
    new(
        "profile",
        "Profile",
        "A set of features that are tested together, such as GATEWAY-HTTP. A report lists the profiles that were run.",
    ),
    new(
        "core",
        "Core",
        "A feature that each implementation of the profile must support. A feature that is core in any profile counts \
         as core.",
    ),
    new(
        "extended",
        "Extended",
        "An optional feature of a profile. The extended features of an implementation are those that its report for the \
         newest minor supports, as a gateway or, without a gateway profile, as a mesh. Of several reports for the minor, \
         the one with the most features counts. A feature of several profiles counts once.",
    ),
    new(
        "supported",
        "Supported",
        "A report claims the feature. Its tests may have been skipped, not seen or failed, or may not exist.",
    ),
    new(
        "proved",
        "Proved",
        "A report claims the feature, and all its tests were seen to pass.",
    ),
    new(
        "not-seen",
        "Not seen",
        "The suite wrote the report before the test finished, and counted it as passed. The result is unknown.",
    ),
    new(
        "skipped",
        "Skipped",
        "The suite did not run the test. A profile with skipped tests is at most partial.",
    ),
    new(
        "result",
        "Passed, passed with skips, failed",
        "The result of a profile in a report. It passed if all its core and extended tests passed, as the report counts \
         them. It passed with skips if tests were skipped and none failed.",
    ),
    new(
        "conformant",
        "Conformant",
        "The verdict on an implementation, if a profile passed in a report for one of the newest minors, and no profile of \
         the report failed. The words after the verdict name profiles that are only partial, and core tests whose results \
         were not seen.",
    ),
    new(
        "partial",
        "Partial",
        "The verdict on an implementation whose profiles passed only with skips, or passed for an older minor. A partial \
         profile passed with skips.",
    ),
    new(
        "review",
        "Release review",
        "After each minor, the Gateway API maintainers review which implementations are listed as conformant. From then on, \
         the minor counts, and verdicts that are based on a minor that is too old expire.",
    ),
    new(
        "current",
        "Current implementation",
        "An implementation with a conformant or partially conformant verdict as a gateway or as a mesh.",
    ),
    new(
        "since",
        "Supported by 5+ since",
        "The first minor in which at least five implementations supported the feature, by any of their reports for that \
         minor. Verdicts do not matter, but reports that cannot have a verdict do not count. New reports never move this \
         to a later minor.",
    ),
    new(
        "supported-by",
        "Supported by N of M",
        "N implementations support the feature in any of their reports. M implementations reported a profile with the \
         feature. In a column for a minor, and in a phrase that names a minor, only reports for that minor count. On the \
         page of a feature, current implementations count, by their reports for the newest minor that each of them covers.",
    ),
    new(
        "no-test",
        "No test exists",
        "The conformance suite of the newest release has no test for the feature, so no report can prove it.",
    ),
    new(
        "not-reported",
        "Not reported",
        "No implementation reports a profile with the feature for the newest reviewed minor.",
    ),
    new(
        "gone",
        "Removed, renamed",
        "The newest release does not have the feature, or has it under another name.",
    ),
];

/// The definition with this ID.
pub fn term(id: &str) -> Option<&'static Term> {
    TERMS.iter().find(|term| term.id == id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::TERMS;

    #[test]
    fn each_term_is_defined_once() {
        let ids: BTreeSet<&str> = TERMS.iter().map(|term| term.id).collect();
        assert_eq!(ids.len(), TERMS.len());
        assert!(TERMS.iter().all(|term| term.meaning.ends_with('.')));
    }
}
