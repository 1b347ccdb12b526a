//! Validates web addresses, times, contacts, versions and placeholders.

mod look;
mod placeholder;
mod version;
mod website;

use gwconform_base::text::pattern::HANDLE_OR_MAIL;

pub(crate) use placeholder::{
    is_placeholder, is_placeholder_contact, is_placeholder_url, is_placeholder_version,
};
pub(crate) use version::{is_branch, is_no_snapshot, is_semver};
pub use version::{is_commit, is_prerelease};
pub use website::{Repository, host_of, is_web_address};
pub(crate) use website::{completed_url, is_website};

/// RFC 3339 date and time. jiff alone would also accept `+0000` and `[UTC]`.
pub fn is_rfc3339(text: &str) -> bool {
    rfc3339(text).is_some()
}

/// Checks RFC 3339, section 5.6, with at most nine fractional digits and without leap seconds, which
/// Go cannot represent.
fn has_shape_of_rfc3339(text: &[u8]) -> bool {
    let Some((date_time, rest)) = text.split_at_checked(19) else {
        return false;
    };
    let mut places = date_time.iter().zip(b"0000-00-00T00:00:50");
    let fits = places.all(|(byte, place)| match place {
        b'0' => byte.is_ascii_digit(),
        b'5' => matches!(byte, b'0'..=b'5'),
        b'T' => matches!(byte, b'T' | b't'),
        _ => byte == place,
    });
    let offset = match rest {
        [b'.', after @ ..] => {
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit());
            match digits.count() {
                digits @ 1..=9 => &after[digits..],
                _ => return false,
            }
        }
        _ => rest,
    };
    fits && match offset {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', hour @ .., b':', b'0'..=b'5', b'0'..=b'9'] => {
            matches!(hour, [b'0' | b'1', b'0'..=b'9'] | [b'2', b'0'..=b'3'])
        }
        _ => false,
    }
}

/// Timestamp of an RFC 3339 text; `None` if invalid.
pub fn rfc3339(text: &str) -> Option<jiff::Timestamp> {
    has_shape_of_rfc3339(text.as_bytes()).then(|| text.parse().ok())?
}

/// Time of a run, also in other notations, such as with a space for the `T`. An invalid date does not
/// make a copy another run.
pub(crate) fn time_of_run(text: &str) -> Option<jiff::Timestamp> {
    let text = text.trim();
    let (start, rest) = text.split_once('.').unwrap_or((text, ""));
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = format!("{start}{zone}");
    let utc = || format!("{text}Z").parse();
    text.parse().or_else(|_| utc()).ok()
}

/// UTC date; `None` if invalid.
pub(crate) fn day_of_rfc3339(text: &str) -> Option<jiff::civil::Date> {
    Some(jiff::tz::Offset::UTC.to_datetime(rfc3339(text)?).date())
}

/// Placeholder to suggest for an unknown contact.
pub(crate) const CONTACT_PLACEHOLDER: &str = "<@org/team>";

/// Contact that the author probably intended.
pub(crate) fn completed_contact(value: &str) -> String {
    let address = format!("https://{value}");
    let handle = format!("@{value}");
    let scheme = value.split_once(':').map(|(scheme, _)| scheme);
    let has_scheme = scheme.is_some_and(|scheme| !scheme.contains('.'));
    if is_contact(value) {
        value.to_owned()
    } else if has_scheme || value.contains('@') || value.contains(char::is_whitespace) {
        CONTACT_PLACEHOLDER.to_owned()
    } else if value.contains('.') && is_website(&address) {
        address
    } else if is_contact(&handle) {
        handle
    } else {
        CONTACT_PLACEHOLDER.to_owned()
    }
}

/// Accepts a handle, an email address or a website (reports README, "Reports rules").
pub fn is_contact(text: &str) -> bool {
    HANDLE_OR_MAIL.is_match(text) || is_website(text)
}

#[cfg(test)]
mod tests {
    use super::{completed_contact, is_contact, is_rfc3339, rfc3339, time_of_run};

    #[test]
    fn accepts_only_rfc_3339_dates() {
        for date in [
            "2026-03-20T10:15:30Z",
            "2023-08-06T12:21:32+10:00",
            "2024-02-29T23:59:59.25-05:30",
            "2024-02-29t00:00:00z",
            "2024-02-29T00:00:00.123456789+23:59",
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
            "2026-03-20T10:15:30+05:60",
            "2026-03-20T10:15:30+5:00",
            "2026-03-20T10:15:30.Z",
            "2026-03-20T10:15:30.1234567890Z",
            "2026-03-20T10:15:30ZZ",
            "2026/03/20T10:15:30Z",
            "2026-03-20T10:15:30Z[UTC]",
            "2026-02-30T10:15:30Z",
            "2026-13-01T10:15:30Z",
            "2026-03-20T25:15:30Z",
            "2026-03-20T10:15:60Z",
            " 2026-03-20T10:15:30Z",
            "2026-03-20T10:15:30Z\n",
            "٢٠٢٦-03-20T10:15:30Z",
        ] {
            assert!(!is_rfc3339(date), "{date}");
        }
    }

    #[test]
    fn notations_of_one_time_are_equal() {
        let run = rfc3339("2026-03-20T10:15:30Z").unwrap().as_second();
        for date in [
            "2026-03-20T10:15:30.25Z",
            "2026-03-20T10:15:30.1234567890Z",
            "2026-03-20T11:15:30.5+01:00",
            "2026-03-20 10:15:30Z",
            "2026-03-20 10:15:30",
            " 2026-03-20t10:15:30z",
            "2026-03-20T10:15:30+0000",
            "2026-03-20T10:15:30Z[UTC]",
        ] {
            let time = time_of_run(date).map(|time| time.as_second());
            assert_eq!(time, Some(run), "{date}");
        }
        for date in ["", "-", "2026-03-20", "10:15:30", "x.5Z"] {
            assert_eq!(time_of_run(date), None, "{date}");
        }
    }

    #[test]
    fn accepts_four_forms_of_contacts() {
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
            "https://acme",
            "https://user@acme.example",
            "a@b",
            "a\u{a0}b@acme.example",
            "a@acme.example\n",
            "@acme-",
            "",
        ] {
            assert!(!is_contact(contact), "{contact}");
        }
    }

    #[test]
    fn completes_contacts_for_the_flag() {
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
