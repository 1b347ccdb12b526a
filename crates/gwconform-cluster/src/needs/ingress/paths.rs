//! Equivalents that depend on URLs, or on the paths of an Ingress.

use super::ingress_object::IngressPath;

#[derive(Default)]
pub(super) struct Shown {
    pub(super) features: Vec<&'static str>,
    pub(super) beyond: Vec<&'static str>,
    pub(super) differences: Vec<&'static str>,
}

impl Shown {
    fn feature(&mut self, name: &'static str) {
        add(&mut self.features, name);
    }

    fn beyond(&mut self, what: &'static str) {
        add(&mut self.beyond, what);
    }

    fn differs(&mut self, difference: &'static str) {
        add(&mut self.differences, difference);
    }
}

fn add(all: &mut Vec<&'static str>, one: &'static str) {
    if !all.contains(&one) {
        all.push(one);
    }
}

const VARIABLES: &str = "NGINX variables";
const REDIRECT: &str = "ingress-nginx redirects to the URL (302), but ingress2gateway rewrites the path to it: write a redirect instead";
const SAME: &str = "ingress-nginx ignores a target that equals the path, but ingress2gateway replaces every path with it: remove the annotation before you convert";
const BELOW: &str = "ingress-nginx ignores a target that equals the path, except for requests below the path: remove the annotation before you convert";

/// Effects of a redirect to a URL.
pub(super) fn redirects(url: &str) -> Shown {
    let mut shown = Shown::default();
    redirect(&mut shown, url);
    shown
}

/// Effects of a target on the paths of an Ingress.
pub(super) fn rewrites(target: &str, paths: &[IngressPath<'_>], uses_regex: bool) -> Shown {
    let mut shown = Shown::default();
    let target = &Target::new(target);
    for path in paths {
        rewrite(&mut shown, target, path, uses_regex);
    }
    shown
}

/// NGINX drops the path of the request, unless the URL ends with `$request_uri`.
fn redirect(shown: &mut Shown, url: &str) {
    let (url, keeps_path) = match url.strip_suffix("$request_uri") {
        Some(rest) => (rest, true),
        None => (url, false),
    };
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (scheme, rest),
        None => ("", url.strip_prefix("//").unwrap_or_default()),
    };
    // `$scheme` keeps the scheme of the request, and `$host` its host.
    if !["", "$scheme"].contains(&scheme) {
        shown.feature("HTTPRouteSchemeRedirect");
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if has_port(host) {
        shown.feature("HTTPRoutePortRedirect");
    }
    if !keeps_path {
        shown.feature("HTTPRoutePathRedirect");
    }
    let known = ["$scheme://", "$host"];
    let others = known
        .iter()
        .fold(url.to_owned(), |url, name| url.replacen(name, "", 1));
    if others.contains('$') {
        shown.beyond(VARIABLES);
    }
    if url.contains(['?', '#']) {
        shown.differs("the API cannot redirect to a query or fragment");
    }
}

/// The port follows the last colon outside the brackets of an IPv6 address.
fn has_port(host: &str) -> bool {
    let after = host.rsplit(']').next().unwrap_or_default();
    after
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Target of rewrites, which is read once for all paths: both may be long.
pub(super) struct Target<'t> {
    text: &'t str,
    /// NGINX replaces references to missing capture groups with nothing.
    without_groups: String,
    /// Bytes before the first character of a regular expression.
    literal: usize,
}

impl<'t> Target<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut parts = text.split('$');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.strip_prefix(|first: char| first.is_ascii_digit()) {
                Some(rest) => plain.push_str(rest),
                None => plain.extend(["$", part]),
            }
        }
        Self {
            text,
            without_groups: plain,
            literal: text.find(REGEX).unwrap_or(text.len()),
        }
    }

    fn has_groups(&self) -> bool {
        self.without_groups.len() < self.text.len()
    }
}

/// `updateServerLocations` adds a slash to the path, which then differs from an equal target.
pub(super) fn is_below(path: &IngressPath<'_>) -> bool {
    path.kind == "Prefix" && !path.path.ends_with('/')
}

/// Whether ingress-nginx rewrites requests for the path (`needsRewrite` in `location.go`).
pub(super) fn needs_rewrite(target: &str, path: &str) -> bool {
    !target.is_empty() && target != path
}

/// `buildProxyPass` in `template.go`: the target replaces the whole path of the request.
fn rewrite(shown: &mut Shown, target: &Target<'_>, path: &IngressPath<'_>, uses_regex: bool) {
    if !needs_rewrite(target.text, path.path) {
        let is_below = is_below(path) && !uses_regex;
        return shown.differs(if is_below { BELOW } else { SAME });
    }
    let has_groups = target.has_groups() && path.path.contains('(');
    let prefix = prefix(path.path, target).filter(|_| has_groups);
    if is_regex(path.path) && !needs_regex(path.path, target) {
        shown.differs("a path prefix replaces the regular expression");
    }
    if has_groups && prefix.is_none() {
        shown.beyond("path rewrites with capture groups");
    }
    if is_redirect(target.text) {
        shown.differs(REDIRECT);
        redirect(shown, &target.without_groups);
    } else if target.without_groups.contains('$') {
        shown.beyond(VARIABLES);
    } else if prefix.map_or(!has_groups, |(from, to)| from != to) {
        shown.feature("HTTPRoutePathRewrite");
    }
}

/// Starts of a replacement that NGINX answers with a redirect.
fn is_redirect(target: &str) -> bool {
    let mut starts = ["http://", "https://", "$scheme"].into_iter();
    starts.any(|start| target.starts_with(start))
}

/// Whether a path on a host with regular expressions needs one, too.
pub(super) fn needs_regex(path: &str, target: &Target<'_>) -> bool {
    let has_prefix = if target.has_groups() {
        prefix(path, target).is_some()
    } else {
        literal(path).is_some()
    };
    is_regex(path) && !has_prefix
}

const REGEX: [char; 13] = [
    '(', ')', '[', ']', '{', '}', '*', '+', '?', '^', '$', '|', '\\',
];

fn is_regex(path: &str) -> bool {
    path.contains(REGEX)
}

/// Plain start of a path and the capture group of the rest, which is empty for a plain path.
fn literal(path: &str) -> Option<(&str, &'static str)> {
    const ENDS: [(&str, &str); 8] = [
        ("(/|$)(.*)", "$2"),
        ("(/|$)(.*)$", "$2"),
        ("/?(.*)", "$1"),
        ("/(.*)", "$1"),
        ("/(.*)$", "$1"),
        ("/(.+)", "$1"),
        ("(.*)", "$1"),
        ("", ""),
    ];
    let path = path.strip_prefix('^').unwrap_or(path);
    let mut found = ENDS
        .iter()
        .filter_map(|(end, group)| Some((path.strip_suffix(end)?, *group)));
    found.find(|(literal, _)| !is_regex(literal))
}

/// Prefix of a path and its replacement, if `ReplacePrefixMatch` has the same effect. For example,
/// `/api(/|$)(.*)` with the target `/$2` replaces the prefix `/api` with `/`.
fn prefix<'t>(path: &'t str, target: &Target<'t>) -> Option<(&'t str, &'t str)> {
    let (literal, group) = literal(path)?;
    let to = target
        .text
        .strip_suffix(group)
        .filter(|_| !group.is_empty())?;
    let to = to.strip_suffix('/').unwrap_or(to);
    (to.len() <= target.literal).then_some((literal, to))
}
