use super::look::in_ascii_letters;
use super::placeholder::is_placeholder_version;

/// Branch names, and image tags that follow branches.
const MOVING: [&str; 24] = [
    "alpha",
    "beta",
    "canary",
    "current",
    "dev",
    "devel",
    "develop",
    "development",
    "edge",
    "head",
    "latest",
    "main",
    "mainline",
    "master",
    "next",
    "nightly",
    "rolling",
    "snapshot",
    "stable",
    "testing",
    "tip",
    "trunk",
    "unstable",
    "upstream",
];

const AROUND_BRANCHES: [&str; 6] = ["branch", "heads", "origin", "refs", "remotes", "the"];

const BRANCH_FOLDERS: [&str; 11] = [
    "bugfix/",
    "feat/",
    "feature/",
    "fix/",
    "heads/",
    "hotfix/",
    "origin/",
    "refs/heads/",
    "refs/remotes/",
    "remotes/",
    "upstream/",
];

const PRERELEASES: [&str; 20] = [
    "alpha",
    "beta",
    "canary",
    "dev",
    "devel",
    "ea",
    "edge",
    "head",
    "latest",
    "main",
    "master",
    "milestone",
    "nightly",
    "pre",
    "prerelease",
    "preview",
    "rc",
    "snapshot",
    "unstable",
    "wip",
];

/// A branch or a URL of a branch, such as `main`, `release-1.2`, `1.2.x` or `feature/x`.
pub(crate) fn is_branch(version: &str) -> bool {
    let version = in_ascii_letters(version.trim()).to_ascii_lowercase();
    let version = match version.split_once("://") {
        Some((_, address)) => address.rsplit('/').find(|part| !part.is_empty()),
        None => Some(version.as_str()),
    };
    let Some(version) = version else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_dotted = |text: &str| text.split('.').all(is_number);
    let of_series = |text: &str| text.strip_suffix(".x").is_some_and(is_dotted);
    let bare = version.strip_prefix('v').unwrap_or(version);
    let release = version
        .strip_prefix("release")
        .and_then(|rest| rest.strip_prefix(['-', '/']));
    let release = release.map(|rest| rest.strip_prefix('v').unwrap_or(rest));
    are_words_of_a_branch(version)
        || BRANCH_FOLDERS
            .iter()
            .any(|folder| version.starts_with(folder))
        || of_series(bare)
        || release.is_some_and(|rest| {
            of_series(rest) || (is_dotted(rest) && rest.matches('.').count() < 2)
        })
}

fn are_words_of_a_branch(text: &str) -> bool {
    let words = || {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    words().any(|word| MOVING.contains(&word))
        && words().all(|word| MOVING.contains(&word) || AROUND_BRANCHES.contains(&word))
}

/// Whether a version does not identify a fixed state of the code.
pub(crate) fn is_no_snapshot(version: &str) -> bool {
    version.trim().is_empty() || is_placeholder_version(version) || is_branch(version)
}

/// Semantic version, optionally with `v`.
pub(crate) fn is_semver(version: &str) -> bool {
    semver::Version::parse(version.strip_prefix('v').unwrap_or(version)).is_ok()
}

/// True for commit IDs. Requires a letter, because versions that consist of digits are more likely
/// numbers.
pub fn is_commit(version: &str) -> bool {
    let is_hex = version
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    let has_letter = version.bytes().any(|byte| byte.is_ascii_lowercase());
    is_hex && has_letter && (7..=64).contains(&version.len())
}

/// Whether a prerelease word follows a number, such as `-rc.1`, `-alpha2` or `rc1`. `-gke.1751000`
/// denotes a build, and `-244-gea4944bb0` (`git describe`) a commit.
pub fn is_prerelease(version: &str) -> bool {
    let Some(start) = version.find(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let (version, _build) = version[start..]
        .split_once('+')
        .unwrap_or((&version[start..], ""));
    let rest = version.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let mut parts = rest.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        PRERELEASES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_branch, is_no_snapshot, is_prerelease, is_semver};

    #[test]
    fn distinguishes_branches_from_snapshots() {
        for branch in [
            "main",
            "latest",
            "HEAD",
            " Main ",
            "(devel)",
            "'main'",
            "main branch",
            "latest-dev",
            "origin/main",
            "remotes/origin/x",
            "feature/issue-12",
            "https://acme.example/operator/tree/main",
            "https://acme.example/operator/releases/latest/",
            "release-1.2",
            "release/v1.2",
            "release-1.2.x",
            "v1.2.x",
            "refs/heads/fix",
            "Nightly",
        ] {
            assert!(is_branch(branch), "{branch}");
        }
        for snapshot in [
            "v1.2.3",
            "1.20",
            "release-1.2.3",
            "v2.1.0-main",
            "main-f6c112e",
            "nightly-2026-03-20",
            "refs/tags/v1.2.3",
            "https://acme.example/operator/pull/46148",
            "f6c112e",
            "enterprise-2.18",
            "v1.2.0-alpha2",
            "the",
            "x",
            "",
        ] {
            assert!(!is_branch(snapshot), "{snapshot}");
        }
    }

    #[test]
    fn recognizes_versions_that_are_no_snapshot() {
        for version in ["", " ", "-", "N/A", "(devel)", "main", "<release>"] {
            assert!(is_no_snapshot(version), "{version}");
        }
        for version in ["v1.2.3", "f6c112e", "enterprise-2.18", "0.1"] {
            assert!(!is_no_snapshot(version), "{version}");
        }
    }

    #[test]
    fn distinguishes_prereleases_from_builds() {
        for version in [
            "v1.2.0-rc.1",
            "v1.2.0-alpha2",
            "1.18.0-beta30",
            "1.19.0-pre.2",
            "v2.7.0-pre-release",
            "v3.7.0-ea.2",
            "v2.1.0-main",
            "1.2.0-SNAPSHOT",
            "1.2.0rc1",
            "operator-v1.2.0-rc.1+build.5",
            "1.2-dev",
            "v1.2.0-rc.1-12-gf6c112e",
        ] {
            assert!(is_prerelease(version), "{version}");
        }
        for version in [
            "v1.2.0",
            "1.35.2-gke.1751000",
            "v3.2.0-244-gea4944bb0",
            "enterprise-2.18",
            "1.2.0+dev",
            "1.2.0-arch",
            "main",
            "beta",
            "",
            "rc-1.2.0",
        ] {
            assert!(!is_prerelease(version), "{version}");
        }
    }

    #[test]
    fn accepts_semantic_versions_with_a_leading_v() {
        assert!(is_semver("v1.2.3") && is_semver("1.2.3-rc.1") && !is_semver("1.2"));
    }
}
