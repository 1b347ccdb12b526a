//! Index of the search box. `site/search.js` searches it in the browser.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::mark;
use crate::rules::{self, About};
use crate::site::model::{ImplementationView, SiteModel, TERMS};
use crate::site::paths;
use gwconform_base::api::{Family, Minor, NameKind};
use gwconform_base::release::ingress::Outcome;
use gwconform_base::release::references::References;
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::{capitalized, counted, json, listed};
use gwconform_report::certify::catalog::StateKind;

const BEYOND: &str = "not part of the Gateway API. The documentation of each implementation describes what it offers.";
const UNTESTED: &str =
    "no feature of the Gateway API covers it, so conformance reports do not show who supports it.";

#[derive(Serialize)]
struct Index<'s> {
    kinds: Vec<Kind>,
    beyond: Vec<Beyond>,
    notes: Vec<Note<'s>>,
    /// Class, glyph and word by state.
    marks: BTreeMap<StateKind, [&'static str; 3]>,
    /// Number of current implementations, which are the first entries of their kind.
    current: usize,
    /// Newest published release.
    newest: Option<String>,
}

/// Answer to words that name no single entry, such as those for a platform without a report.
#[derive(Serialize)]
struct Note<'s> {
    title: &'s str,
    words: Vec<&'s str>,
    text: String,
    /// Paths of related implementations of this tree.
    implementations: Vec<&'s str>,
    source: Option<&'s str>,
}

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    entries: Vec<Entry>,
}

/// Name, page, note, other names, and other words; names and words are joined by `|`. A word that means
/// several entries has its rank, such as `canary~1`.
#[derive(Serialize)]
struct Entry(String, String, String, String, String);

/// Behavior that reports do not cover.
#[derive(Serialize)]
struct Beyond {
    title: String,
    text: &'static str,
    words: Vec<String>,
    /// Annotations of ingress-nginx with this behavior.
    annotations: BTreeSet<String>,
}

impl Entry {
    fn new(name: &str, page: String, note: impl Into<String>) -> Self {
        Self(
            name.to_owned(),
            page,
            note.into(),
            String::new(),
            String::new(),
        )
    }

    fn named(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let distinct: BTreeSet<_> = names.into_iter().filter(|name| *name != self.0).collect();
        self.3 = joined(distinct);
        self
    }

    fn with_words(mut self, words: impl IntoIterator<Item = String>) -> Self {
        self.4 = joined(words);
        self
    }
}

fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let texts = texts.into_iter().map(|text| text.replace('|', " "));
    texts.collect::<Vec<_>>().join("|")
}

/// Script that defines the index.
pub(super) fn index(model: &SiteModel<'_>, coming: Option<&Release>) -> String {
    let kinds = [
        ("Implementations", implementations(model)),
        ("Features", features(model)),
        ("Terms", terms()),
        ("Releases", releases(model, coming)),
        ("Tests", tests(model)),
        ("Rules", rules()),
        ("Proposals", proposals(model.registry)),
        ("Pages", pages()),
    ];
    let kinds = kinds.into_iter();
    let index = Index {
        kinds: kinds
            .map(|(kind, entries)| Kind { kind, entries })
            .collect(),
        beyond: beyond(model.registry),
        notes: [meshes(model)]
            .into_iter()
            .chain(platforms(model))
            .collect(),
        marks: mark::states(),
        current: model
            .implementations
            .iter()
            .filter(|view| view.standing().is_current())
            .count(),
        newest: model
            .registry
            .newest()
            .map(|release| release.version().to_string()),
    };
    // Serialization cannot fail: all keys are strings.
    let index = json::to_string_for_markup(&index).unwrap_or_default();
    format!("gwconform.index = {index};\n")
}

fn implementations(model: &SiteModel<'_>) -> Vec<Entry> {
    let mut views: Vec<&ImplementationView<'_>> = model.implementations.iter().collect();
    views.sort_by_cached_key(|view| {
        let newest = Reverse(view.newest.minor());
        (Reverse(view.standing()), newest, view.name.to_lowercase())
    });
    let entries = views.into_iter().map(|view| {
        let verdicts = view.families.iter().map(|family| {
            let (minor, wording) = (family.minor(), &family.wording);
            if family.certified.basis.minor.is_none() || wording.contains(&minor) {
                format!("{}: {wording}", family.name())
            } else {
                format!("{}: {wording}, {minor}", family.name())
            }
        });
        let extended = view.counts.last();
        let extended = extended.map(|one| counted(one.extended, "extended feature"));
        let note: Vec<_> = verdicts.chain(extended).collect();
        let note = note.join(", ");
        Entry::new(view.name, view.page.clone(), note).named(view.entry.all_names())
    });
    entries.collect()
}

fn meshes<'s>(model: &SiteModel<'s>) -> Note<'s> {
    let all = model.implementations.iter();
    let all = all.filter_map(|view| Some((view, view.family(Family::Mesh)?)));
    let current = all.clone().filter_map(|(view, verdict)| {
        let (minor, wording) = (verdict.minor(), &verdict.wording);
        let standing = verdict.certified.standing;
        standing
            .is_current()
            .then(|| format!("{} ({wording}, {minor})", view.name))
    });
    let current: Vec<_> = current.collect();
    let former = all.clone().count() - current.len();
    Note {
        title: "Meshes",
        words: vec!["mesh", "service mesh", "service meshes"],
        text: format!(
            "Current: {}. Without a current verdict: {former}.",
            if current.is_empty() {
                "none".to_owned()
            } else {
                listed(&current)
            }
        ),
        implementations: all.map(|(view, _)| view.slug).collect(),
        source: None,
    }
}

fn platforms<'s>(model: &SiteModel<'s>) -> impl Iterator<Item = Note<'s>> {
    let known = model.registry.words().platforms.iter();
    known.map(|(title, platform)| {
        let related = platform.implementations.iter().map(String::as_str);
        let is_here = |slug: &&str| model.implementations.iter().any(|view| view.slug == *slug);
        Note {
            title,
            words: platform.words.iter().map(String::as_str).collect(),
            text: format!("No report is from {title}. {}", platform.text)
                .trim_end()
                .to_owned(),
            implementations: related.filter(is_here).collect(),
            source: platform.source.as_deref(),
        }
    })
}

fn terms() -> Vec<Entry> {
    let entries = TERMS.iter().map(|term| {
        let page = format!("{}#term-{}", paths::ABOUT_PAGE, term.id);
        Entry::new(term.name, page, term.meaning)
    });
    entries.collect()
}

fn features(model: &SiteModel<'_>) -> Vec<Entry> {
    let numbers = numbers(model.registry);
    let mut views: Vec<_> = model.features.iter().collect();
    views.sort_by_key(|view| (view.until.is_some(), order(view.name)));
    let entries = views.into_iter().filter_map(|view| {
        let name = view.name;
        let former = view.renamed_from.into_iter().chain(view.renamed_to);
        let proposals = numbers.get(name).into_iter().flatten();
        let words = words(model.registry, name);
        Some(
            Entry::new(name, view.page.clone()?, view.meaning().unwrap_or_default())
                .named(former.map(str::to_owned))
                .with_words(
                    [view.label.clone()]
                        .into_iter()
                        .chain(words)
                        .chain(proposals.map(|number| gep(*number))),
                ),
        )
    });
    entries.collect()
}

/// Short names first, and of those the ones of HTTP, which are asked for most.
fn order(name: &str) -> (usize, bool, &str) {
    (name.len(), !name.starts_with("HTTP"), name)
}

/// Words that mean a feature or test, with its rank among the names that they mean.
fn words(registry: &Registry, name: &str) -> Vec<String> {
    let all = registry.words().features.iter();
    all.filter_map(
        |(word, names)| match names.iter().position(|one| one == name)? {
            0 => Some(word.clone()),
            rank => Some(format!("{word}~{rank}")),
        },
    )
    .collect()
}

/// GEPs by feature.
fn numbers(registry: &Registry) -> BTreeMap<&str, BTreeSet<u32>> {
    let mut numbers: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for (number, proposal) in &registry.words().proposals {
        for name in &proposal.features {
            numbers.entry(name).or_default().insert(*number);
        }
    }
    for name in registry.names(NameKind::Feature) {
        let known = registry.references().proposals(name).into_iter();
        numbers
            .entry(name)
            .or_default()
            .extend(known.map(|(number, _)| number));
    }
    numbers
}

fn gep(number: u32) -> String {
    format!("GEP-{number}")
}

fn releases(model: &SiteModel<'_>, coming: Option<&Release>) -> Vec<Entry> {
    let mut patches: BTreeMap<Minor, Vec<String>> = BTreeMap::new();
    for release in model.registry.releases() {
        let version = release.version();
        patches
            .entry(version.minor())
            .or_default()
            .push(version.to_string());
    }
    let mut matrices: Vec<_> = model.listed_matrices().iter().collect();
    matrices.sort_by_key(|one| {
        (
            Reverse(one.minor),
            !one.profile.ends_with("HTTP"),
            one.profile,
        )
    });
    let entries = matrices.into_iter().map(|matrix| {
        let (minor, profile) = (matrix.minor, matrix.profile);
        let name = format!("{minor} {profile}");
        let page = paths::matrix_page(minor, profile);
        let versions = patches.get(&minor).cloned().unwrap_or_default();
        Entry::new(&name, page, "matrix of features and reports")
            .named(versions.into_iter().chain([format!("{profile} {minor}")]))
    });
    let upcoming = coming.map(|release| {
        let version = release.version();
        let note = "what the release changes for each implementation";
        Entry::new(&version.to_string(), paths::OUTLOOK_PAGE.to_owned(), note)
            .named([version.minor().to_string()])
    });
    entries.chain(upcoming).collect()
}

fn tests(model: &SiteModel<'_>) -> Vec<Entry> {
    let mut views: Vec<_> = model.tests.iter().collect();
    views.sort_by_key(|view| (!view.is_in_newest, order(view.name())));
    let entries = views.into_iter().filter_map(|view| {
        let words = words(model.registry, view.name());
        let note = view.test.features.join(", ");
        let former = view.renamed_from.into_iter().chain(view.renamed_to);
        Some(
            Entry::new(view.name(), view.page.clone()?, note)
                .named(former.map(str::to_owned))
                .with_words(words),
        )
    });
    entries.collect()
}

fn rules() -> Vec<Entry> {
    let entries = rules::ALL.iter().map(|rule| {
        let summary = rule.summary().replace('`', "");
        Entry::new(rule.id, paths::rule_page(rule.id), summary).with_words(geps_of(rule))
    });
    entries.collect()
}

/// GEPs that the page of a rule names.
fn geps_of(rule: &About) -> BTreeSet<String> {
    let parts = rule.doc.split("GEP-").skip(1);
    let numbers = parts.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    let numbers = numbers.flatten().filter_map(|digits| digits.parse().ok());
    numbers.map(gep).collect()
}

fn proposals(registry: &Registry) -> Vec<Entry> {
    let with_features: BTreeSet<u32> = numbers(registry).into_values().flatten().collect();
    let known = registry.words().proposals.iter();
    known
        .map(|(number, proposal)| {
            let name = format!("{}: {}", gep(*number), proposal.title);
            let note = if with_features.contains(number) {
                "proposal on gateway-api.sigs.k8s.io"
            } else {
                "proposal without a feature or test"
            };
            Entry::new(&name, References::proposal(*number), note)
                .named([gep(*number), number.to_string()])
        })
        .collect()
}

const BY_MANIFESTS: &str = "Find by manifests";
const SUBMIT: &str = "about/#submit";

fn pages() -> Vec<Entry> {
    let pages = [
        (paths::HOME_PAGE, "Implementations", "gateways and meshes"),
        (paths::MATRICES_PAGE, "Matrix", "features of all reports"),
        (paths::FEATURES_PAGE, "Features", "adoption by release"),
        (
            paths::TESTS_PAGE,
            "Tests",
            "conformance tests, most skipped first",
        ),
        (
            paths::FIND_PAGE,
            "Find by features",
            "implementations that support all features you need",
        ),
        (
            paths::FIND_PAGE,
            BY_MANIFESTS,
            "implementations for your Ingresses, Gateways and Routes",
        ),
        (
            paths::COMPARE_PAGE,
            "Compare",
            "implementations or reports side by side",
        ),
        (
            paths::CHANGES_PAGE,
            "Changes",
            "new reports, news and feeds",
        ),
        (paths::BADGES_PAGE, "Badges", "shields for a README"),
        (
            paths::FINDINGS_PAGE,
            "Findings",
            "errors and warnings in reports",
        ),
        (paths::RULES_PAGE, "Rules", "checks of reports"),
        (
            paths::API_PAGE,
            "Data",
            "API, OpenAPI, JSON, CSV, schemas and license",
        ),
        (
            SUBMIT,
            "Submit a report",
            "how to run the suite, check the report and open a pull request",
        ),
        (
            paths::ABOUT_PAGE,
            "How to read this site",
            "about, help, symbols and terms",
        ),
    ];
    let entries = pages.into_iter().map(|(page, name, note)| {
        let entry = Entry::new(name, page.to_owned(), note);
        if page == paths::ABOUT_PAGE {
            entry.with_words(
                mark::states()
                    .into_values()
                    .map(|[.., word]| word.to_owned()),
            )
        } else if name == BY_MANIFESTS {
            entry.with_words(
                ["ingress-nginx", "nginx ingress", "migrate", "migration"].map(str::to_owned),
            )
        } else {
            entry
        }
    });
    entries.collect()
}

/// Behavior in the tables of `gwconform needs` and in `words.json`.
fn beyond(registry: &Registry) -> Vec<Beyond> {
    let needs = registry.needs();
    let mut annotations: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (annotation, row) in &registry.ingress().rows {
        for case in &row.cases {
            if let Outcome::Beyond(title) = &case.outcome {
                annotations
                    .entry(title)
                    .or_default()
                    .insert(annotation.clone());
            }
        }
    }
    let known = registry.words();
    let untested = known.untested.keys();
    let untested: BTreeSet<&str> = untested
        .chain(needs.uncovered.iter().map(|one| &one.name))
        .map(String::as_str)
        .collect();
    let known = known.beyond.iter().chain(&known.untested);
    known
        .map(|(title, words)| {
            let is_uncovered = untested.contains(title.as_str());
            Beyond {
                title: capitalized(title),
                text: if is_uncovered { UNTESTED } else { BEYOND },
                words: words.clone(),
                annotations: annotations.remove(title.as_str()).unwrap_or_default(),
            }
        })
        .collect()
}
