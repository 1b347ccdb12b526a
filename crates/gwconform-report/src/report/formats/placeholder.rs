//! Detects placeholders such as `changeme`. Text that could name an implementation is not a
//! placeholder.

use super::look::in_ascii_letters;
use super::website::host_of;
use gwconform_base::text::letters;

/// In lower case, without separators.
const WORDS: [&str; 43] = [
    "changeme",
    "companyname",
    "fixme",
    "implementation",
    "implementationname",
    "mycompany",
    "myimplementation",
    "myorg",
    "myorganisation",
    "myorganization",
    "myproject",
    "name",
    "nil",
    "none",
    "notapplicable",
    "notavailable",
    "notset",
    "null",
    "org",
    "organisation",
    "organisationname",
    "organization",
    "organizationname",
    "orgname",
    "placeholder",
    "project",
    "projectname",
    "replaceme",
    "tba",
    "tbd",
    "todo",
    "undefined",
    "unknown",
    "unspecified",
    "xxx",
    "yourcompany",
    "yourimplementation",
    "yourname",
    "yourorg",
    "yourorganisation",
    "yourorganization",
    "yourproject",
    "yourrepo",
];

const VERSION_WORDS: [&str; 5] = ["dirty", "local", "release", "tag", "version"];

const HANDLES: [&str; 9] = [
    "@name",
    "@org/team",
    "@organization/team",
    "@user",
    "@username",
    "@yourname",
    "@yourorg/yourteam",
    "@yourteam",
    "@yourusername",
];

/// Domains reserved by RFC 2606.
const EXAMPLE_DOMAINS: [&str; 3] = ["example.com", "example.net", "example.org"];

/// Whether an organization or project is a placeholder.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let has_name = text.chars().any(char::is_alphanumeric);
    let text = text.trim();
    !text.is_empty() && (!has_name || is_template(text) || is_word(text, &WORDS))
}

/// Whether a version is a placeholder, such as `vX.Y.Z` or Go's `(devel)`.
pub(crate) fn is_placeholder_version(text: &str) -> bool {
    let folded = folded(text);
    let number = folded.strip_prefix('v').unwrap_or(&folded);
    is_placeholder(text)
        || is_word(text, &VERSION_WORDS)
        || number == "xyz"
        || (folded == "devel" && text.trim().starts_with('('))
}

/// Whether a URL is a template or has an example domain.
pub(crate) fn is_placeholder_url(text: &str) -> bool {
    let text = text.trim();
    let has_example_host = host_of(text).is_some_and(|host| is_example_domain(&host));
    let address = text.split_once("://").map_or(text, |(_, address)| address);
    let mut names = address.split(['/', '?', '#']).skip(1);
    let is_example_name = |name: &str| folded(name).starts_with("your") && is_word(name, &WORDS);
    is_placeholder(text) || has_example_host || names.any(is_example_name)
}

/// Whether a contact is a placeholder.
pub(crate) fn is_placeholder_contact(text: &str) -> bool {
    let text = text.trim();
    let lower: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect();
    let mail_host = text.rsplit_once('@').map(|(_, host)| host.to_lowercase());
    is_placeholder_url(text)
        || HANDLES.contains(&lower.as_str())
        || mail_host.is_some_and(|host| is_example_domain(&host))
}

fn is_example_domain(host: &str) -> bool {
    EXAMPLE_DOMAINS.iter().any(|domain| {
        let below = host.strip_suffix(domain);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    })
}

/// Accepts text in brackets, or with `<…>` (except email addresses), `${…}`, `$(…)`, `{{…}}` or
/// `$NAME`.
fn is_template(text: &str) -> bool {
    let is_whole = [('<', '>'), ('[', ']'), ('{', '}')]
        .iter()
        .any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
    let is_variable = text.strip_prefix('$').is_some_and(|name| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    let inner = text
        .split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'));
    let has_field = inner.is_some_and(|(name, _)| !name.contains('@'));
    is_whole
        || is_variable
        || has_field
        || ["${", "$(", "{{"].iter().any(|mark| text.contains(mark))
}

/// Ignores case, look-alike letters and separators. `N/A` requires a slash or dots, because `NA`
/// may be a name.
fn is_word(text: &str, words: &[&str]) -> bool {
    let folded = folded(text);
    words.contains(&folded.as_str()) || (folded == "na" && text.contains(['/', '.']))
}

fn folded(text: &str) -> String {
    letters(&in_ascii_letters(text))
}

#[cfg(test)]
mod tests {
    use super::{
        is_placeholder, is_placeholder_contact, is_placeholder_url, is_placeholder_version,
    };

    #[test]
    fn recognizes_placeholders_of_names() {
        for text in [
            "<organization>",
            "<name>",
            " <Org> ",
            "Your Org",
            "your-organization",
            "YOUR_PROJECT",
            "ORG",
            "Project",
            "my-org",
            "[project]",
            "{{ .Org }}",
            "${ORGANIZATION}",
            "$PROJECT",
            "$(ORG)",
            "acme-<team>",
            "-",
            "--",
            "?",
            "…",
            "N/A",
            "n.a.",
            "none",
            "NULL",
            "(unknown)",
            "TODO",
            "T.B.D.",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "",
            " ",
            "acme",
            "Acme Inc. (Berlin)",
            "NA",
            "org-gateway",
            "project contour",
            "unknown-horizons",
            "yours",
            "sigs.k8s.io",
            "東京",
            "A$AP",
            "C++",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn recognizes_placeholders_of_versions_urls_and_contacts() {
        for version in [
            "-",
            "N/A",
            "unknown",
            "(devel)",
            "( Devel )",
            "vX.Y.Z",
            "x.y.z",
            "version",
            "<release>",
            "$VERSION",
            "none",
        ] {
            assert!(is_placeholder_version(version), "{version}");
        }
        for version in [
            "v1.2.3",
            "devel",
            "main",
            "snapshot",
            "v",
            "1",
            "release-1.2",
            "x",
        ] {
            assert!(!is_placeholder_version(version), "{version}");
        }
        for url in [
            "<url>",
            "https://github.com/<org>/<repo>",
            "https://example.com",
            "HTTPS://WWW.Example.COM:443/x",
            "example.org/gateway",
            "https://github.com/your-org/your-project",
            "N/A",
            "https://${HOST}/x",
        ] {
            assert!(is_placeholder_url(url), "{url}");
        }
        for url in [
            "https://acme.example",
            "https://example.com.acme.dev",
            "https://myexample.com",
            "https://github.com/acme/project",
            "https://acme.dev/yours",
        ] {
            assert!(!is_placeholder_url(url), "{url}");
        }
        for contact in [
            "<@org/team>",
            "@org/team",
            "@Your-Org/your-team",
            "you@example.com",
            "mailto:you@mail.example.com",
            "-",
            "https://github.com/your-org/your-repo/issues",
        ] {
            assert!(is_placeholder_contact(contact), "{contact}");
        }
        for contact in [
            "@acme",
            "@acme/team",
            "team@acme.example",
            "The team <team@acme.example>",
            "https://acme.example/new",
        ] {
            assert!(!is_placeholder_contact(contact), "{contact}");
        }
    }
}
