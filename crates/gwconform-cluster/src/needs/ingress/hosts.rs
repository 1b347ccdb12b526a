//! Hosts of ingress-nginx, which merges the Ingresses of a class by host
//! (`getBackendServers` and `createServers` in its `controller.go`).

use std::collections::{BTreeMap, BTreeSet};

use super::Reader;
use super::ingress_object::{hosts, tls_hosts};
use super::paths::needs_rewrite;

/// Facts about a host that several Ingresses share.
#[derive(Default)]
pub(super) struct Host<'a> {
    pub(super) has_tls: bool,
    /// Annotation that turns all paths of the host into regular expressions.
    pub(super) regex: Option<&'a str>,
    pub(super) paths: BTreeSet<&'a str>,
    /// Kind of the Routes, from the first Ingress that is no canary.
    pub(super) route: Option<&'static str>,
    /// Oldest Ingress with an annotation of the whole host, by annotation.
    oldest: BTreeMap<&'a str, Age<'a>>,
}

/// Time of creation, and index for Ingresses of the same time.
type Age<'a> = (&'a str, usize);

/// Hosts by class and name. The default host has no name.
#[derive(Default)]
pub(super) struct Hosts<'a>(BTreeMap<(&'a str, &'a str), Host<'a>>);

impl<'a> Hosts<'a> {
    /// Reads Ingresses of ingress-nginx. Canaries add no location, so they do not change a host.
    pub(super) fn read(readers: &[Reader<'_, '_, 'a>]) -> Self {
        let mut all = Self::default();
        let has_canary = readers.iter().any(|reader| reader.is_on("canary"));
        for reader in readers.iter().filter(|reader| reader.is_nginx()) {
            for host in tls_hosts(reader.object) {
                all.entry(reader, host).has_tls = true;
            }
            if reader.is_on("canary") {
                continue;
            }
            // Only canaries ask for it.
            let route = has_canary.then(|| reader.route_kind());
            let settings = reader.settings_of_host();
            let uses_regex = reader
                .key("use-regex")
                .filter(|_| reader.is_on("use-regex"));
            let target = reader.value("rewrite-target").unwrap_or_default().trim();
            for path in &reader.paths {
                let rewrites = needs_rewrite(target, path.path);
                let rewrite = reader.key("rewrite-target").filter(|_| rewrites);
                let host = all.entry(reader, path.host);
                host.regex = host.regex.or(uses_regex).or(rewrite);
                host.paths.insert(path.path);
            }
            for host in hosts(reader.object) {
                let host = all.entry(reader, host);
                host.route = host.route.or(route);
                for key in &settings {
                    let oldest = host.oldest.entry(key).or_insert(reader.age());
                    *oldest = reader.age().min(*oldest);
                }
            }
        }
        all
    }

    fn entry(&mut self, reader: &Reader<'_, '_, 'a>, host: &'a str) -> &mut Host<'a> {
        self.0.entry((reader.class, host)).or_default()
    }

    pub(super) fn get(&self, class: &'a str, host: &'a str) -> Option<&Host<'a>> {
        self.0.get(&(class, host))
    }

    /// Hosts of the rules of an Ingress.
    pub(super) fn of(&self, reader: &Reader<'_, '_, 'a>) -> impl Iterator<Item = &Host<'a>> {
        let class = reader.class;
        hosts(reader.object).filter_map(move |host| self.get(class, host))
    }

    /// Whether older Ingresses have the annotation for all hosts of this one.
    pub(super) fn is_repeated(&self, reader: &Reader<'_, '_, 'a>, key: &str) -> bool {
        let mut oldest = self.of(reader).map(|host| host.oldest.get(key)).peekable();
        oldest.peek().is_some()
            && oldest.all(|oldest| oldest.is_some_and(|age| *age < reader.age()))
    }
}
