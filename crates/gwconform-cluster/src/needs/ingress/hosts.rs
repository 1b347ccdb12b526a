//! Hosts of ingress-nginx, which merges the Ingresses of a class by host
//! (`getBackendServers` and `createServers` in its `controller.go`).

use std::collections::HashSet;

use super::Reader;
use super::ingress_object::{hosts, tls_hosts};
use super::paths::{is_below, needs_rewrite};

const TLS: &str = "tls";
const PATH: &str = "path";
const ROUTE: &str = "route";
const SETTING: &str = "setting";

/// Annotations that turn all paths of a host into regular expressions.
const REGEX: [&str; 2] = [
    "nginx.ingress.kubernetes.io/use-regex",
    "nginx.ingress.kubernetes.io/rewrite-target",
];

/// Facts about the hosts of a class, in the order class, host, fact and value. The default host has
/// no name.
#[derive(Default)]
pub(super) struct Hosts<'a>(HashSet<(&'a str, &'a str, &'a str, &'a str)>);

impl<'a> Hosts<'a> {
    /// Reads Ingresses of ingress-nginx, the oldest first. Canaries add no location, so they do not
    /// change a host.
    pub(super) fn read(readers: &mut [Reader<'_, '_, 'a>]) -> Self {
        let mut all = Self::default();
        let has_canary = readers.iter().any(|reader| reader.is_on("canary"));
        let ages = readers.iter().enumerate();
        let mut ages: Vec<(&str, usize)> =
            ages.map(|(nth, reader)| (reader.created(), nth)).collect();
        ages.sort_unstable();
        for (_, nth) in ages {
            let reader = &mut readers[nth];
            if !reader.is_nginx() {
                continue;
            }
            let class = reader.class;
            for host in tls_hosts(reader.object) {
                all.0.insert((class, host, TLS, ""));
            }
            if reader.is_on("canary") {
                continue;
            }
            let target = reader.value("rewrite-target").unwrap_or_default();
            let uses_regex = reader.is_on("use-regex");
            for path in &reader.paths {
                all.0.insert((class, path.host, PATH, path.path));
                let rewrites =
                    needs_rewrite(target, path.path) || target == path.path && is_below(path);
                let is_regex = [uses_regex, rewrites];
                for (name, _) in REGEX.iter().zip(is_regex).filter(|(_, is_on)| *is_on) {
                    all.0.insert((class, path.host, name, ""));
                }
            }
            // Only canaries ask for it.
            let route = has_canary.then(|| reader.route_kind());
            for host in hosts(reader.object) {
                all.0.extend(route.map(|route| (class, host, ROUTE, route)));
            }
            for key in reader.settings_of_host() {
                let (mut is_repeated, mut is_new) = (false, false);
                for host in hosts(reader.object) {
                    let is_first = all.0.insert((class, host, SETTING, key));
                    is_new |= is_first;
                    is_repeated |= !is_first;
                }
                if is_repeated && !is_new {
                    reader.repeated.push(key);
                }
            }
        }
        all
    }

    fn has(&self, reader: &Reader<'_, '_, 'a>, fact: &str, value: &str) -> bool {
        hosts(reader.object).any(|host| self.0.contains(&(reader.class, host, fact, value)))
    }

    pub(super) fn has_tls(&self, reader: &Reader<'_, '_, 'a>) -> bool {
        self.has(reader, TLS, "")
    }

    /// Kind of the Routes of the main Ingress of a canary.
    pub(super) fn route(&self, reader: &Reader<'_, '_, 'a>) -> Option<&'static str> {
        let mut kinds = ["HTTPRoute", "GRPCRoute", "TLSRoute"].into_iter();
        kinds.find(|kind| self.has(reader, ROUTE, kind))
    }

    pub(super) fn has_path(&self, class: &str, host: &str, path: &str) -> bool {
        self.0.contains(&(class, host, PATH, path))
    }

    /// Annotation that turns all paths of the host into regular expressions.
    pub(super) fn regex(&self, class: &str, host: &str) -> Option<&'static str> {
        let mut names = REGEX.into_iter();
        names.find(|name| self.0.contains(&(class, host, name, "")))
    }
}
