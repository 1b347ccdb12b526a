//! How values of fields are written: web addresses, times, contacts, names of branches.

use std::sync::LazyLock;

use regex::Regex;

/// True for an http or https URL with a host, and a port that exists.
pub fn is_web_address(text: &str) -> bool {
    let Ok(uri) = fluent_uri::Uri::parse(text) else {
        return false;
    };
    let is_web = ["http", "https"]
        .iter()
        .any(|scheme| uri.scheme().as_str().eq_ignore_ascii_case(scheme));
    let Some(authority) = uri.authority() else {
        return false;
    };
    let has_port = authority
        .port()
        .is_none_or(|port| port.as_str().is_empty() || port.as_str().parse::<u16>().is_ok());
    is_web && !authority.host().is_empty() && has_port
}

/// True for a date and time as RFC 3339 has it. jiff alone takes more (`+0000`, `[UTC]`), a shape
/// alone takes the 31st of February.
pub fn is_rfc3339(text: &str) -> bool {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let shape = r"^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$";
        Regex::new(shape).ok()
    });
    SHAPE.as_ref().is_some_and(|shape| shape.is_match(text))
        && text.parse::<jiff::Timestamp>().is_ok()
}

/// Names that move: branches as projects name them, and tags of images that follow them.
const MOVING: [&str; 16] = [
    "canary",
    "dev",
    "devel",
    "develop",
    "development",
    "edge",
    "head",
    "latest",
    "main",
    "master",
    "next",
    "nightly",
    "stable",
    "tip",
    "trunk",
    "unstable",
];

/// True for what names a branch: a usual name of one, `release-1.2`, `release/1.2`, `1.2.x`,
/// `refs/heads/…`.
pub fn is_branch(version: &str) -> bool {
    let version = version.trim().to_ascii_lowercase();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_dotted = |text: &str| text.split('.').all(is_number);
    let of_series = |text: &str| text.strip_suffix(".x").is_some_and(is_dotted);
    let bare = version.strip_prefix('v').unwrap_or(&version);
    let release = version
        .strip_prefix("release")
        .and_then(|rest| rest.strip_prefix(['-', '/']));
    let release = release.map(|rest| rest.strip_prefix('v').unwrap_or(rest));
    MOVING.contains(&version.as_str())
        || version.starts_with("refs/heads/")
        || version.starts_with("origin/")
        || of_series(bare)
        || release.is_some_and(|rest| {
            of_series(rest) || (is_dotted(rest) && rest.matches('.').count() < 2)
        })
}

/// What stands for a contact that is not known.
pub const CONTACT_PLACEHOLDER: &str = "<@org/team>";

/// What a contact was probably meant to be.
pub fn completed_contact(value: &str) -> String {
    let address = format!("https://{value}");
    let handle = format!("@{value}");
    let scheme = value.split_once(':').map(|(scheme, _)| scheme);
    let has_scheme = scheme.is_some_and(|scheme| !scheme.contains('.'));
    if is_contact(value) {
        value.to_owned()
    } else if has_scheme || value.contains('@') || value.contains(char::is_whitespace) {
        // A URL of another kind, a handle or a sentence: what was meant is not known.
        CONTACT_PLACEHOLDER.to_owned()
    } else if value.contains('.') && is_web_address(&address) {
        address
    } else if is_contact(&handle) {
        handle
    } else {
        CONTACT_PLACEHOLDER.to_owned()
    }
}

/// True for a GitHub user or team, an e-mail address or a URL (reports README, "Reports rules").
pub fn is_contact(text: &str) -> bool {
    static HANDLE_OR_MAIL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let handle =
            r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?";
        let mail = r"(?:mailto:)?[^\s@<>()]+@[^\s@<>().]+(?:\.[^\s@<>().]+)+";
        Regex::new(&format!("^(?:{handle}|{mail})$")).ok()
    });
    HANDLE_OR_MAIL
        .as_ref()
        .is_some_and(|shape| shape.is_match(text))
        || is_web_address(text)
}

#[cfg(test)]
mod tests {
    use super::{completed_contact, is_branch, is_contact, is_rfc3339, is_web_address};

    #[test]
    fn a_web_address_has_scheme_and_host() {
        for url in [
            "https://acme.example",
            "http://acme.example:8080/a?b#c",
            "HTTPS://[::1]/",
        ] {
            assert!(is_web_address(url), "{url}");
        }
        for url in [
            "github.com/acme/operator",
            "https://",
            "https:///x",
            "https://a:99999",
            "ftp://a",
            "mailto:a@b.c",
            "https://a b",
            "",
        ] {
            assert!(!is_web_address(url), "{url}");
        }
    }

    #[test]
    fn only_rfc_3339_is_a_date() {
        for date in [
            "2026-03-20T10:15:30Z",
            "2023-08-06T12:21:32+10:00",
            "2024-02-29T23:59:59.25-05:30",
            "2024-02-29t00:00:00z",
        ] {
            assert!(is_rfc3339(date), "{date}");
        }
        for date in [
            "",
            "-",
            "2026-03-20",
            "2023-02-28 20:29:41+00:00",
            "2026-03-20T10:15:30",
            "2026-03-20T10:15:30+0000",
            "2026-03-20T10:15:30+25:00",
            "2026-03-20T10:15:30Z[UTC]",
            "2026-02-30T10:15:30Z",
            "2026-13-01T10:15:30Z",
            "2026-03-20T25:15:30Z",
            " 2026-03-20T10:15:30Z",
            "2026-03-20T10:15:30Z\n",
            "٢٠٢٦-03-20T10:15:30Z",
        ] {
            assert!(!is_rfc3339(date), "{date}");
        }
    }

    #[test]
    fn branches_are_told_from_snapshots() {
        for branch in [
            "main",
            "latest",
            "HEAD",
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
            "f6c112e",
            "enterprise-2.18",
            "v1.2.0-alpha2",
            "x",
            "",
        ] {
            assert!(!is_branch(snapshot), "{snapshot}");
        }
    }

    #[test]
    fn the_four_forms_are_contacts() {
        for contact in [
            "@acme",
            "@acme/operator-team",
            "team@acme.example",
            "mailto:team@acme.example",
            "https://acme.example/new",
        ] {
            assert!(is_contact(contact), "{contact}");
        }
        for contact in [
            "acme",
            "@",
            "@-acme",
            "github.com/acme/new",
            "team at acme",
            "@acme/",
            "a@b",
            "",
        ] {
            assert!(!is_contact(contact), "{contact}");
        }
    }

    #[test]
    fn a_contact_is_completed_to_what_the_flag_takes() {
        for (written, meant) in [
            ("acme", "@acme"),
            ("acme/operator-team", "@acme/operator-team"),
            ("acme.example/new", "https://acme.example/new"),
            ("@acme", "@acme"),
            ("the team at acme", "<@org/team>"),
            ("ftp://x.y", "<@org/team>"),
            ("@a-b-/x_y.z", "<@org/team>"),
            ("acme.example/the team", "<@org/team>"),
            ("mailto:acme.example", "<@org/team>"),
            ("acme.example:8080/new", "https://acme.example:8080/new"),
            ("", "<@org/team>"),
        ] {
            assert_eq!(completed_contact(written), meant);
        }
    }
}
