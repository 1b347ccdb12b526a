//! Reads the names and the run of unchanged reports, without the other fields.

use crate::report::facts::Run;
use crate::report::formats::{rfc3339, time_of_run};
use crate::report::view::{Report, Text};
use gwconform_base::text::source::{Digest, Source, is_plain_byte};
use gwconform_yaml as yaml;

/// Names and run of an unchanged report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Organization, as written.
    pub organization: Option<String>,
    /// Project, as written.
    pub project: Option<String>,
    pub(super) run: Run,
}

/// Headers of the reports in a file, equal to the fields of their facts.
pub(super) fn headers_in(bytes: Vec<u8>) -> Vec<Header> {
    let start = match memchr::memchr(b'\r', &bytes) {
        None => header_at_start(&bytes),
        Some(_) => header_at_start(&with_unix_line_ends(&bytes)),
    };
    if let (Some(header), false) = (&start, cfg!(debug_assertions)) {
        return vec![header.clone()];
    }
    let source = Source::new("", bytes);
    if source.file_type().is_some() {
        return Vec::new();
    }
    let yaml = yaml::load(&source.text()[..source.valid_len()]);
    let roots = yaml.documents.iter().filter_map(|document| document.root);
    let headers: Vec<Header> = roots
        .map(|root| Header::new(&Report::read(&yaml, root), || source.digest()))
        .collect();
    debug_assert!(start.is_none_or(|start| headers == [start]), "{source:?}");
    headers
}

impl Header {
    fn new(report: &Report<'_>, digest: impl FnOnce() -> Digest) -> Self {
        let text = |text: Option<Text<'_>>| Some(text?.value.to_owned());
        let run = report.date.and_then(|date| time_of_run(date.value));
        Self {
            organization: text(report.implementation.organization),
            project: text(report.implementation.project),
            run: run.map_or_else(|| Run::Text(digest()), |time| Run::At(time.as_second())),
        }
    }

    /// Organization and project. `None` if one of them is missing.
    pub fn name(&self) -> Option<(&str, &str)> {
        Some((self.organization.as_deref()?, self.project.as_deref()?))
    }
}

fn with_unix_line_ends(bytes: &[u8]) -> Vec<u8> {
    let next = bytes.iter().skip(1).map(Some).chain([None]);
    let both = bytes.iter().zip(next);
    let kept = both.filter(|(byte, next)| (**byte, *next) != (b'\r', Some(&b'\n')));
    kept.map(|(byte, _)| *byte).collect()
}

/// In bytes, before the profiles. The parser has no limit that applies to so little text.
const MAX_HEAD: usize = 4096;

const FIRST: &[u8] = b"apiVersion:";

const PROFILES: &[u8] = b"\nprofiles:";

/// Top-level field that the suite writes after the profiles.
const LAST: &[u8] = b"succeededProvisionalTests:";

/// Reads only the fields before the profiles. `None` if the parser must read the file.
///
/// The suite writes printable ASCII, with one field or contact per line. After the profiles, only
/// their lines follow.
fn header_at_start(bytes: &[u8]) -> Option<Header> {
    let is_plain = |block: &[u8]| {
        let bytes = block.iter();
        bytes.fold(true, |all, &byte| {
            all & (is_plain_byte(byte) || byte == b'\n')
        })
    };
    if !bytes.starts_with(FIRST) || !bytes.chunks(64).all(is_plain) {
        return None;
    }
    let start = &bytes[..bytes.len().min(MAX_HEAD)];
    let (head, rest) = bytes.split_at(memchr::memmem::find(start, PROFILES)? + 1);
    if !is_of_profiles(rest) {
        return None;
    }
    let [mut date, mut organization, mut project, mut implementation] = [None; 4];
    let (mut is_inside, mut is_list) = (false, false);
    for line in head.strip_suffix(b"\n")?.split(|&byte| byte == b'\n') {
        if let Some(item) = line.strip_prefix(b"  - ").filter(|_| is_list) {
            scalar(item)?;
            continue;
        }
        let inner = line.strip_prefix(b"  ").filter(|_| is_inside);
        let field = inner.unwrap_or(line);
        let (key, value) = field.split_at(field.iter().position(|&byte| byte == b':')?);
        let is_start = value == b":" && (inner.is_some() || key == b"implementation");
        let value = match value.strip_prefix(b": ") {
            Some(value) => scalar(value)?,
            None if is_start => b"",
            None => return None,
        };
        (is_inside, is_list) = (inner.is_some() || is_start, inner.is_some() && is_start);
        let (field, is_expected) = match (inner, key) {
            (None, b"date") => (&mut date, true),
            (None, b"implementation") => (&mut implementation, is_start),
            (Some(_), b"organization") => (&mut organization, !is_start),
            (Some(_), b"project") => (&mut project, !is_start),
            _ if key.iter().all(u8::is_ascii_alphabetic) => continue,
            _ => return None,
        };
        // Of equal fields, the last one applies.
        if field.replace(value).is_some() || !is_expected {
            return None;
        }
    }
    let text = |value: Option<&[u8]>| Some(std::str::from_utf8(value?).ok()?.to_owned());
    let ran_at = rfc3339(&text(date)?)?;
    Some(Header {
        organization: Some(text(organization)?),
        project: Some(text(project)?),
        run: Run::At(ran_at.as_second()),
    })
}

/// True if lines start with a space or a dash, or are [`LAST`].
fn is_of_profiles(text: &[u8]) -> bool {
    let after = text.get(1..).unwrap_or_default();
    // The compiler can vectorize loops without branches.
    let pairs = text.iter().zip(after);
    let is_other = pairs.fold(false, |any, (&end, &start)| {
        any | ((end == b'\n') & !matches!(start, b' ' | b'\n' | b'-' | b's'))
    });
    let triples = text.iter().zip(after).zip(after.iter().skip(1));
    let is_no_item = triples.fold(text.ends_with(b"\n-"), |any, ((&end, &start), &next)| {
        any | ((end == b'\n') & (start == b'-') & (next != b' '))
    });
    let mut fields = memchr::memmem::find_iter(text, b"\ns");
    !is_other && !is_no_item && fields.all(|at| text[at + 1..].starts_with(LAST))
}

/// Value of a scalar that cannot mean anything else: in quotes without escapes, or plain without
/// indicators.
fn scalar(text: &[u8]) -> Option<&[u8]> {
    if let [quote @ (b'"' | b'\''), inner @ ..] = text {
        let inner = inner.strip_suffix(&[*quote])?;
        let is_simple = !inner.iter().any(|byte| byte == quote || *byte == b'\\');
        return is_simple.then_some(inner);
    }
    let is_indicator = |pair: &[u8]| pair == b": " || pair == b" #";
    let is_plain = text.first().is_some_and(u8::is_ascii_alphanumeric)
        && !text.ends_with(b" ")
        && !text.ends_with(b":")
        && !text.windows(2).any(is_indicator)
        && !text.eq_ignore_ascii_case(b"null");
    is_plain.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{header_at_start, headers_in, with_unix_line_ends};

    const REPORT: &str = "apiVersion: gateway.networking.k8s.io/v1\ndate: \"2026-03-20T10:15:30Z\"\ngatewayAPIChannel: standard\ngatewayAPIVersion: v1.5.1\nimplementation:\n  contact:\n  - '@acme/a'\n  organization: acme\n  project: operator\n  url: https://acme.example\n  version: v2.0.0\nkind: ConformanceReport\nmode: default\nprofiles:\n- core:\n    result: success\n  name: GATEWAY-HTTP\n  summary: Core tests succeeded.\nsucceededProvisionalTests:\n- A\n";

    /// In builds with debug assertions, [`headers_in`] compares both readers.
    #[test]
    fn only_what_the_suite_writes_is_read_without_the_parser() {
        let is_fast = |text: &str| {
            let headers = headers_in(text.as_bytes().to_vec());
            let start = header_at_start(&with_unix_line_ends(text.as_bytes()));
            assert!(start.is_none() || headers.len() == 1, "{text}");
            start.is_some()
        };
        assert!(is_fast(REPORT));
        let edits: [(&str, &str, bool); 51] = [
            ("organization: acme", "organization: 'acme'", true),
            ("organization: acme", "organization: \"acme\"", true),
            ("organization: acme", "organization: Acme Gate: 2", false),
            ("organization: acme", "organization: 1_000", true),
            ("organization: acme", "organization: 0x1F", true),
            ("organization: acme", "organization: 1.50", true),
            ("organization: acme", "organization: true", true),
            ("organization: acme", "organization: ''", true),
            ("organization: acme", "organization: null", false),
            ("organization: acme", "organization: ~", false),
            ("organization: acme", "organization:", false),
            ("organization: acme", "organization: &a acme", false),
            ("organization: acme", "organization: !!str acme", false),
            ("organization: acme", "organization: >-\n    acme", false),
            ("organization: acme", "organization: a\n    cme", false),
            ("organization: acme", "organization: acme # x", false),
            ("organization: acme", "organization: \"ac\\u006de\"", false),
            ("organization: acme", "organization: 'ac''me'", false),
            (
                "organization: acme",
                "organization: acme\n  organization: b",
                false,
            ),
            ("organization: acme", "Organization: acme", false),
            (
                "organization: acme",
                "organization: acme\n  Organization: b",
                true,
            ),
            ("organization: acme", "organization: acm\u{e9}", false),
            ("  organization: acme", "    organization: acme", false),
            ("  organization: acme\n", "", false),
            ("  - '@acme/a'", "  - a: b", false),
            ("  - '@acme/a'", "    - a", false),
            ("  - '@acme/a'", "  - a\n  - b", true),
            ("  contact:\n  - '@acme/a'\n", "  contact:\n", true),
            ("  contact:\n  - '@acme/a'\n", "  contact: []\n", false),
            ("kind:", "implementation: x\nkind:", false),
            ("kind:", "implementation:\n  project: b\nkind:", false),
            ("kind:", "\"date\": x\nkind:", false),
            ("kind:", "Date: x\nkind:", true),
            ("kind:", "<<: x\nkind:", false),
            ("kind:", "extra:\n  organization: b\nkind:", false),
            ("kind:", "---\nkind:", false),
            ("kind:", "...\nkind:", false),
            ("kind:", "\ndate: x\nkind:", false),
            ("succeededP", "subject: x\nsucceededP", false),
            ("succeededP", "-\nsucceededP", false),
            ("succeededP", "\n \nsucceededP", true),
            ("- A\n", "-", false),
            ("- A\n", "", true),
            ("mode: default", "mode: |\n  x", false),
            ("mode: default", "mode: \"x", false),
            (
                "date: \"2026-03-20T10:15:30Z\"",
                "date: 2026-03-20T10:15:30Z",
                true,
            ),
            ("date: \"2026-03-20T10:15:30Z\"", "date: yesterday", false),
            ("gatewayAPIVersion: v1.5.1", "gatewayAPIVersion: 1.5", true),
            (
                "succeededP",
                "implementation:\n  project: b\nsucceededP",
                false,
            ),
            (
                "succeededP",
                "\"implementation\": {project: b}\nsucceededP",
                false,
            ),
            ("succeededP", "---\nsucceededP", false),
        ];
        for (from, to, expected) in edits {
            assert!(REPORT.contains(from), "{from}");
            assert_eq!(
                is_fast(&REPORT.replace(from, to)),
                expected,
                "{from} -> {to}"
            );
        }
        let none = [
            "",
            "x",
            "apiVersion: x\n",
            "# Title\n\nText.\n\n# Other\n",
            "\u{feff}",
        ];
        for text in none.map(|start| start.to_owned() + REPORT) {
            is_fast(&text);
        }
        assert!(is_fast(&REPORT.replace('\n', "\r\n")));
        assert!(!is_fast(&REPORT.replace("kind:", "x: a\rkind:")));
        assert!(!is_fast(
            &REPORT.replace("  - '@acme/a'\n", &"  - a\n".repeat(2000))
        ));
        for cut in 0..REPORT.len() {
            is_fast(&REPORT[..cut]);
            is_fast(&format!("{}{}", &REPORT[..cut], &REPORT[cut + 1..]));
            for inserted in [
                "\n", " ", ":", "- ", "'", "\"", "#", "\t", "\r", "{", "]", "\\", "&", "|",
            ] {
                is_fast(&format!("{}{inserted}{}", &REPORT[..cut], &REPORT[cut..]));
            }
        }
    }
}
