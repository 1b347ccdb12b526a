//! Equivalents that depend on URLs, or on the paths of an Ingress.

use super::super::Place;
use crate::{Node, Object};
use gwconform_base::release::ingress::IngressShape;

#[derive(Default)]
pub(super) struct Shown {
    pub(super) features: Vec<&'static str>,
    pub(super) beyond: Vec<&'static str>,
    pub(super) approximate: Option<&'static str>,
}

const REGEX: &str = "path match RegularExpression";
const VARIABLES: &str = "NGINX variables";
const PATH_REWRITE: &str = "HTTPRoutePathRewrite";

pub fn shown(
    shape: IngressShape,
    object: &Object<'_>,
    place: &Place<'_>,
    rewrite: Option<&str>,
) -> Shown {
    let value = place.value.as_deref().unwrap_or_default().trim();
    match shape {
        IngressShape::Redirect => redirect(value),
        IngressShape::Rewrite => rewrites(value, object),
        IngressShape::Regex => regex(rewrite.unwrap_or_default().trim(), object),
    }
}

/// NGINX drops the path of the request, unless the URL ends with `$request_uri`.
fn redirect(url: &str) -> Shown {
    let mut shown = Shown::default();
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
        shown.features.push("HTTPRouteSchemeRedirect");
    }
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if has_port(host) {
        shown.features.push("HTTPRoutePortRedirect");
    }
    if !keeps_path {
        shown.features.push("HTTPRoutePathRedirect");
    }
    let known = ["$scheme://", "$host"];
    let others = known
        .iter()
        .fold(url.to_owned(), |url, name| url.replacen(name, "", 1));
    if others.contains('$') {
        shown.beyond.push(VARIABLES);
    }
    if url.contains(['?', '#']) {
        shown.approximate = Some("the API cannot redirect to a query or fragment");
    }
    shown
}

/// The port follows the last colon outside the brackets of an IPv6 address.
fn has_port(host: &str) -> bool {
    let after = host.rsplit(']').next().unwrap_or_default();
    after
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn rewrites(target: &str, object: &Object<'_>) -> Shown {
    let mut shown = Shown::default();
    let paths: Vec<&str> = paths(object);
    if !target.contains('$') {
        shown.features.push(PATH_REWRITE);
        if paths.iter().any(|path| is_regex(path)) {
            shown.beyond.push(REGEX);
        }
        return shown;
    }
    let prefixes: Option<Vec<(&str, &str)>> =
        paths.iter().map(|path| prefix(path, target)).collect();
    match prefixes {
        Some(prefixes) if !prefixes.is_empty() => {
            let changes = prefixes.iter().any(|(from, to)| from != to);
            shown.features.extend(changes.then_some(PATH_REWRITE));
            shown.approximate = Some("a path prefix replaces the regular expression");
        }
        _ => shown
            .beyond
            .extend(["path rewrites with capture groups", REGEX]),
    }
    shown
}

fn regex(target: &str, object: &Object<'_>) -> Shown {
    let mut shown = Shown::default();
    let paths = paths(object);
    let mut others = paths.iter().filter(|path| prefix(path, target).is_none());
    if others.any(|path| is_regex(path)) {
        shown.beyond.push(REGEX);
    } else {
        shown.approximate =
            Some("a path prefix replaces the regular expression, which ignores case");
    }
    shown
}

fn paths<'a>(object: &Object<'a>) -> Vec<&'a str> {
    let rules = object.items(&["spec", "rules"]);
    let paths = rules.filter_map(|rule| rule.at(&["http", "paths"]));
    let paths = paths.flat_map(Node::items);
    paths.map(|path| path.str_at("path")).collect()
}

fn is_regex(path: &str) -> bool {
    path.contains([
        '(', ')', '[', ']', '{', '}', '*', '+', '?', '^', '$', '|', '\\',
    ])
}

/// Prefix of a path and its replacement, if `ReplacePrefixMatch` has the same effect. For example,
/// `/api(/|$)(.*)` with the target `/$2` replaces the prefix `/api` with `/`.
fn prefix<'t>(path: &'t str, target: &'t str) -> Option<(&'t str, &'t str)> {
    const ENDS: [(&str, &str); 6] = [
        ("(/|$)(.*)", "$2"),
        ("(/|$)(.*)$", "$2"),
        ("/?(.*)", "$1"),
        ("/(.*)", "$1"),
        ("/(.*)$", "$1"),
        ("(.*)", "$1"),
    ];
    let path = path.strip_prefix('^').unwrap_or(path);
    let (literal, group) = ENDS
        .iter()
        .find_map(|(end, group)| Some((path.strip_suffix(end)?, *group)))?;
    let to = target.strip_suffix(group)?;
    let to = to.strip_suffix('/').unwrap_or(to);
    let is_plain = |text: &str| !is_regex(text);
    (is_plain(literal) && is_plain(to)).then_some((literal, to))
}
