use std::net::IpAddr;

/// HTTP or HTTPS URL. User info is rejected, because it can imitate a host.
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
    is_web && !authority.host().is_empty() && has_port && authority.userinfo().is_none()
}

/// Web address with a public domain. Non-ASCII paths are accepted, because browsers encode them.
pub(crate) fn is_website(text: &str) -> bool {
    let ascii: String = text
        .chars()
        .map(|c| {
            if c.is_ascii() || !c.is_alphanumeric() {
                c
            } else {
                'x'
            }
        })
        .collect();
    is_web_address(&ascii) && host_of(text).is_some_and(|host| is_public_host(&host))
}

/// Adds a missing scheme; `None` if the result is not a web address.
pub(crate) fn completed_url(text: &str) -> Option<String> {
    let address = text.strip_prefix("//").unwrap_or(text);
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    // `README.md` is a file name, although `.md` is a top-level domain.
    let is_file = host == address && host.to_ascii_lowercase().ends_with(".md");
    let completed = format!("https://{address}");
    (!address.contains("://") && !is_file && is_website(&completed)).then_some(completed)
}

/// Host of a URL in lower case.
pub fn host_of(url: &str) -> Option<String> {
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let authority = address.split(['/', '?', '#']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    (!host.is_empty()).then(|| host.to_lowercase())
}

fn is_public_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !label.is_empty() && label.chars().all(is_plain) && !label.starts_with('-')
    };
    let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
    let top = labels.next_back().unwrap_or_default();
    let below: Vec<_> = labels.collect();
    let has_domain = !below.is_empty() && below.iter().all(|label| is_label(label));
    let is_top = is_label(top) && !top.bytes().all(|byte| byte.is_ascii_digit());
    has_domain && is_top && top.len() > 1 && host.parse::<IpAddr>().is_err()
}

/// Repository on a well-known code host, such as `github.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    host: String,
    path: Vec<String>,
}

const CODE_HOSTS: [&str; 4] = ["bitbucket.org", "codeberg.org", "github.com", "gitlab.com"];

impl Repository {
    /// Repository of a URL, and the path below it.
    pub fn of(url: &str) -> Option<(Self, Vec<String>)> {
        let host = host_of(url)?;
        let host = host.strip_suffix('.').unwrap_or(&host);
        let host = host.strip_prefix("www.").unwrap_or(host);
        if !CODE_HOSTS.contains(&host) {
            return None;
        }
        let address = url.split_once("://").map_or(url, |(_, address)| address);
        let address = address.split(['?', '#']).next()?;
        let decoded = percent_encoding::percent_decode_str(address).decode_utf8_lossy();
        let mut names: Vec<String> = decoded
            .split('/')
            .skip(1)
            .filter(|name| !matches!(*name, "" | "."))
            .map(str::to_owned)
            .collect();
        // GitLab groups can be nested, and `-` ends the repository path.
        let own = match names.iter().position(|name| name == "-") {
            Some(at) if host == "gitlab.com" => at,
            _ if host == "gitlab.com" => names.len(),
            _ => names.len().min(2),
        };
        let below = names.split_off(own);
        let below = below.into_iter().filter(|name| name != "-").collect();
        let path = names.iter().map(|name| {
            let name = name.to_lowercase();
            name.strip_suffix(".git").unwrap_or(&name).to_owned()
        });
        let repository = Self {
            host: host.to_owned(),
            path: path.collect(),
        };
        Some((repository, below))
    }

    /// False if the URL names only a host or an owner.
    pub fn is_complete(&self) -> bool {
        self.path.len() >= 2
    }
}

impl std::fmt::Display for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.host)?;
        self.path.iter().try_for_each(|name| write!(f, "/{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Repository, completed_url, is_web_address, is_website};

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
            "https://github.com@acme.example/",
            "ftp://a",
            "mailto:a@b.c",
            "https://a b",
            "",
        ] {
            assert!(!is_web_address(url), "{url}");
        }
    }

    #[test]
    fn a_website_has_a_domain() {
        for url in [
            "https://acme.example",
            "HTTPS://GitHub.com:443/Acme/Operator.git",
            "https://acme.example/文档",
            "https://xn--mnchen-3ya.de",
            "https://acme.example./x",
        ] {
            assert!(is_website(url), "{url}");
        }
        for url in [
            "https://readme",
            "https://localhost:8080",
            "https://127.0.0.1/x",
            "https://[::1]/",
            "https://a..b",
            "https://-.b",
            "https://g\u{456}thub.com/acme",
            "https://%67ithub.com/acme",
            "https://user:secret@acme.example",
            "https://acme.example/a b",
            "https://acme.example/a\u{200b}b",
            "javascript:alert(1)",
        ] {
            assert!(!is_website(url), "{url}");
        }
    }

    #[test]
    fn completes_only_a_missing_scheme() {
        for (text, url) in [
            (
                "github.com/acme/operator",
                "https://github.com/acme/operator",
            ),
            ("acme.example", "https://acme.example"),
            ("//acme.example/x", "https://acme.example/x"),
            ("acme.example:8080/x", "https://acme.example:8080/x"),
        ] {
            assert_eq!(completed_url(text).as_deref(), Some(url), "{text}");
        }
        for text in [
            "see readme",
            "readme",
            "README.md",
            "docs/README.md",
            "./README.md",
            "javascript:alert(1)",
            "javascript:80",
            "git@github.com:acme/operator.git",
            "ftp://acme.example",
            "https:acme.example",
            "mailto:team@acme.example",
            " acme.example",
            "acme.example ",
            "-",
            "1.2",
            "",
        ] {
            assert_eq!(completed_url(text), None, "{text}");
        }
    }

    #[test]
    fn recognizes_a_repository_in_any_notation() {
        let of = |url: &str| {
            let (repository, below) = Repository::of(url)?;
            Some((repository.to_string(), below.join("/")))
        };
        for (url, repository, below) in [
            (
                "https://github.com/acme/operator",
                "github.com/acme/operator",
                "",
            ),
            ("github.com/acme/operator/", "github.com/acme/operator", ""),
            (
                "HTTPS://user@WWW.GitHub.com.:443//Acme/%4Fperator.git?tab=readme#top",
                "github.com/acme/operator",
                "",
            ),
            (
                "https://github.com/acme/operator/releases/tag/v1.2.0",
                "github.com/acme/operator",
                "releases/tag/v1.2.0",
            ),
            ("https://github.com/acme", "github.com/acme", ""),
            (
                "https://gitlab.com/acme/edge/operator/-/releases/v1.2.0",
                "gitlab.com/acme/edge/operator",
                "releases/v1.2.0",
            ),
        ] {
            let expected = Some((repository.to_owned(), below.to_owned()));
            assert_eq!(of(url), expected, "{url}");
        }
        for url in [
            "https://acme.example/acme/operator",
            "https://github.com.evil.example/a/b",
            "",
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }
}
