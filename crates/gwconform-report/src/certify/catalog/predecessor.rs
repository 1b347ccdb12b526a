//! Selects the earlier report that a report is compared with. In order of preference, this is
//!
//! 1. the last report for the same minor with the same channel and mode;
//! 2. the last report with the same channel and mode for the implementation's previous minor;
//! 3. another report for that minor, preferably with the same mode or similar words.
//!
//! Older minors are ignored, because their differences have other causes. Older releases continue
//! to be tested, so a predecessor with the same or an older implementation version is preferred.
//! Reports with the same release, version, channel and mode are matched by file name.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::certify::{VersionKey, version_key};
use crate::report::facts::ReportFacts;
use gwconform_base::api::{Channel, Mode};
use gwconform_base::api::{Family, Minor, Version};
use gwconform_base::text::json::as_text;

/// Earlier report for a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predecessor {
    /// Index in the implementation's reports.
    pub at: usize,
    /// Channel or mode that is new, if any.
    pub first: Option<First>,
}

/// First report with a channel or mode since an earlier minor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct First {
    /// New channel or mode.
    pub of: FirstOf,
    /// Minor of the last report with that channel or mode.
    pub since: Option<Minor>,
}

/// Field with a new value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstOf {
    /// New channel, such as `experimental`.
    Channel(String),
    /// New mode, such as `default`.
    Mode(String),
}

as_text!(First);

impl std::fmt::Display for First {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.of {
            FirstOf::Channel(channel) => write!(f, "first {channel} report")?,
            FirstOf::Mode(mode) => write!(f, "first report of mode {mode}")?,
        }
        match self.since {
            Some(minor) => write!(f, " since {minor}"),
            None => Ok(()),
        }
    }
}

type Line<'a> = (&'a str, &'a str);

#[derive(Debug, Default)]
struct Places {
    /// Index of the last report for each version. Inserting a report removes entries for the same
    /// and newer versions.
    by_version: BTreeMap<VersionKey, usize>,
    last: usize,
}

impl Places {
    fn insert(&mut self, version: VersionKey, at: usize) {
        drop(self.by_version.split_off(&version));
        self.by_version.insert(version, at);
        self.last = at;
    }

    /// Last report with the same or an older version, or else the last report.
    fn before(&self, version: &VersionKey) -> usize {
        let mut up_to = self.by_version.range(..=version);
        up_to.next_back().map_or(self.last, |(_, at)| *at)
    }
}

#[derive(Debug, Default)]
struct Last {
    by_name: BTreeMap<String, Places>,
    all: Places,
    places: BTreeSet<usize>,
}

impl Last {
    fn insert(&mut self, name: String, version: VersionKey, at: usize) {
        self.all.insert(version.clone(), at);
        match self.by_name.get_mut(&name) {
            Some(known) => {
                self.places.remove(&known.last);
                known.insert(version, at);
            }
            None => self.by_name.entry(name).or_default().insert(version, at),
        }
        self.places.insert(at);
    }

    fn of_name(&self, name: &str, version: &VersionKey) -> Option<usize> {
        Some(self.by_name.get(name)?.before(version))
    }

    fn of_any_name(&self, version: &VersionKey, is_free: impl Fn(&usize) -> bool) -> Option<usize> {
        let nearest = (!self.places.is_empty()).then(|| self.all.before(version));
        let others = || self.places.iter().rev().copied().find(&is_free);
        nearest.filter(&is_free).or_else(others)
    }
}

#[derive(Debug, Default)]
struct Earlier<'a> {
    lines: BTreeMap<(Family, Option<Minor>, Line<'a>), Last>,
    any: BTreeMap<(Family, Option<Minor>), usize>,
    modes: BTreeMap<(Family, Option<Minor>, &'a str), usize>,
    channels: BTreeMap<(Family, Option<Minor>, &'a str), usize>,
    last_of_channel: BTreeMap<(Family, &'a str), Option<Minor>>,
    last_of_mode: BTreeMap<(Family, &'a str), Option<Minor>>,
    words: BTreeMap<(Family, Option<Minor>, WordPlace, String), usize>,
    line_of: BTreeMap<usize, Line<'a>>,
}

/// Selects a predecessor for each report. `reports` must be sorted by release and version. Refused
/// reports are never compared with a report that has a verdict.
pub(super) fn predecessors(reports: &[Report<'_>]) -> Vec<Option<Predecessor>> {
    let is_sound = |at: &usize| !reports[*at].judged.is_refused();
    let sound: Vec<usize> = (0..reports.len()).filter(is_sound).collect();
    let among_sound = among(&sound.iter().map(|&at| &reports[at]).collect::<Vec<_>>());
    let mut before = among(&reports.iter().collect::<Vec<_>>());
    for (&at, chosen) in sound.iter().zip(among_sound) {
        before[at] = chosen.map(|one| Predecessor {
            at: sound[one.at],
            ..one
        });
    }
    before
}

fn among(reports: &[&Report<'_>]) -> Vec<Option<Predecessor>> {
    let mut earlier = Earlier::default();
    let mut before: Vec<Option<Predecessor>> = Vec::with_capacity(reports.len());
    let age = |report: &Report<'_>| age(report.judged.facts);
    for group in reports.chunk_by(|a, b| age(a) == age(b)) {
        let start = before.len();
        for of_line in group.chunk_by(|a, b| line(a.judged.facts) == line(b.judged.facts)) {
            before.extend(earlier.choose(of_line));
        }
        for (at, report) in (start..).zip(group) {
            earlier.add(report, at);
        }
    }
    before
}

impl<'a> Earlier<'a> {
    fn add(&mut self, report: &Report<'a>, at: usize) {
        let facts = report.judged.facts;
        let (line, minor) = (line(facts), minor(facts));
        for family in families(report) {
            let last = self.lines.entry((family, minor, line)).or_default();
            last.insert(own_name(facts), age(facts).1, at);
            self.any.insert((family, minor), at);
            self.channels.insert((family, minor, line.0), at);
            self.modes.insert((family, minor, line.1), at);
            self.last_of_channel.insert((family, line.0), minor);
            self.last_of_mode.insert((family, line.1), minor);
            for (place, word) in words(facts) {
                self.words.insert((family, minor, place, word), at);
            }
        }
        self.line_of.insert(at, line);
    }

    /// Last report with the most words in common. Words in its file name count twice.
    fn of_same_words(
        &self,
        family: Family,
        minor: Option<Minor>,
        facts: &ReportFacts,
    ) -> Option<usize> {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        let own: BTreeSet<String> = words(facts).into_iter().map(|(_, word)| word).collect();
        for word in own {
            for place in [WordPlace::Mode, WordPlace::FileName] {
                let key = (family, minor, place, word.clone());
                if let Some(at) = self.words.get(&key) {
                    *shared.entry(*at).or_default() +=
                        1 + usize::from(place == WordPlace::FileName);
                }
            }
        }
        let most = shared.into_iter().max_by_key(|(at, count)| (*count, *at));
        most.map(|(at, _)| at)
    }

    fn choose(&self, group: &[&Report<'a>]) -> Vec<Option<Predecessor>> {
        let mut chosen = vec![None; group.len()];
        let mut taken = BTreeSet::new();
        let mut names: BTreeSet<String> = BTreeSet::new();
        let mut are_apart = true;
        for (at, report) in group.iter().enumerate() {
            let name = own_name(report.judged.facts);
            let version = age(report.judged.facts).1;
            let mut lasts = self.lasts(report);
            let last = lasts.find_map(|last| last.of_name(&name, &version));
            chosen[at] = last;
            taken.extend(last);
            are_apart &= names.insert(name);
        }
        // If all file names in the group differ, each predecessor is assigned to only one report.
        for (at, report) in group.iter().enumerate() {
            let is_free = |place: &usize| !are_apart || !taken.contains(place);
            let version = age(report.judged.facts).1;
            let mut lasts = self.lasts(report);
            let found = lasts.find_map(|last| last.of_any_name(&version, is_free));
            if let (None, Some(place)) = (chosen[at], found) {
                chosen[at] = Some(place);
                taken.insert(place);
            }
        }
        let group = group.iter().zip(chosen);
        group
            .map(|(report, chosen)| match chosen {
                Some(at) => Some(Predecessor { at, first: None }),
                None => self.of_other_line(report),
            })
            .collect()
    }

    fn lasts(&self, report: &Report<'a>) -> impl Iterator<Item = &Last> {
        let (line, minor) = (line(report.judged.facts), minor(report.judged.facts));
        let families = families(report);
        let here = families.clone().into_iter();
        let here = here.filter_map(move |family| self.lines.get(&(family, minor, line)));
        let before = families.into_iter().filter_map(move |family| {
            let before = self.minor_before(family, minor)?;
            self.lines.get(&(family, before, line))
        });
        here.chain(before)
    }

    fn of_other_line(&self, report: &Report<'a>) -> Option<Predecessor> {
        if self.lasts(report).next().is_some() {
            return None;
        }
        let (line, minor) = (line(report.judged.facts), minor(report.judged.facts));
        families(report).into_iter().find_map(|family| {
            let before = self.minor_before(family, minor)?;
            let of_mode = self.modes.get(&(family, before, line.1));
            let of_channel = self.channels.get(&(family, before, line.0));
            let any = self.any.get(&(family, before));
            let of_words = self.of_same_words(family, before, report.judged.facts);
            let at = of_mode.copied().or(of_words);
            let at = at.or(of_channel.or(any).copied())?;
            let is_of_channel = self.line_of.get(&at).is_some_and(|of| of.0 == line.0);
            let (of, since) = if is_of_channel {
                (
                    FirstOf::Mode(line.1.to_owned()),
                    self.last_of_mode.get(&(family, line.1)),
                )
            } else {
                (
                    FirstOf::Channel(line.0.to_owned()),
                    self.last_of_channel.get(&(family, line.0)),
                )
            };
            let since = since.copied().flatten();
            let first = Some(First { of, since });
            Some(Predecessor { at, first })
        })
    }

    fn minor_before(&self, family: Family, minor: Option<Minor>) -> Option<Option<Minor>> {
        let before = self.any.range((family, None)..(family, minor));
        before.map(|((_, minor), _)| *minor).next_back()
    }
}

fn minor(facts: &ReportFacts) -> Option<Minor> {
    Some(facts.release.version.as_ref()?.minor())
}

fn families(report: &Report<'_>) -> BTreeSet<Family> {
    let verdicts = report.judged.verdicts.iter();
    verdicts.filter_map(|verdict| verdict.family).collect()
}

/// Distinguishes setups with the same mode, such as `expressions` in
/// `standard-v1.4.0-default-expressions-report.yaml`.
pub(crate) fn own_name(facts: &ReportFacts) -> String {
    let name = facts.file_name.to_lowercase();
    let stem = name
        .rsplit_once('.')
        .map_or(name.as_str(), |(stem, _)| stem);
    let version = facts.version().unwrap_or_default().to_lowercase();
    let number = version.trim_start_matches('v');
    let channel = facts.channel().unwrap_or(Channel::Standard.as_str());
    let mode = facts.mode().unwrap_or_default().to_lowercase();
    let mut own = stem.to_owned();
    let fields = [
        version.as_str(),
        number,
        &channel.to_lowercase(),
        &mode,
        "report",
    ];
    for field in fields.into_iter().filter(|field| !field.is_empty()) {
        own = own.replacen(field, "", 1);
    }
    let words = own.split(['-', '_', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordPlace {
    Mode,
    FileName,
}

fn words(facts: &ReportFacts) -> BTreeSet<(WordPlace, String)> {
    let mode = facts.mode().unwrap_or_default().to_lowercase();
    let name = own_name(facts);
    let of_mode = mode
        .split(['-', '_', '.'])
        .map(|word| (WordPlace::Mode, word));
    let of_name = name.split('-').map(|word| (WordPlace::FileName, word));
    of_mode
        .chain(of_name)
        .filter(|(_, word)| !word.is_empty() && *word != Mode::Default.as_str())
        .map(|(place, word)| (place, word.to_owned()))
        .collect()
}

pub(super) fn age(facts: &ReportFacts) -> (Option<Version>, VersionKey) {
    let version = version_key(facts.version().unwrap_or_default());
    (facts.release.version.clone(), version)
}

/// Reports up to v1.0.x have no channel or mode and get the defaults.
pub(crate) fn line(facts: &ReportFacts) -> (&str, &str) {
    let channel = facts.channel().filter(|channel| !channel.is_empty());
    let mode = facts.mode().filter(|mode| !mode.is_empty());
    (
        channel.unwrap_or(Channel::Standard.as_str()),
        mode.unwrap_or(Mode::Default.as_str()),
    )
}

#[cfg(test)]
mod tests {
    use super::{First, FirstOf, Predecessor, own_name};
    use crate::certify::AsOf;
    use crate::certify::catalog::{Catalog, Parts};
    use crate::rules::check::{CheckReport, Placement, Settings, check_lone};
    use crate::rules::configuration::Config;
    use crate::tree::Submission;
    use crate::tree::load::Loaded;
    use gwconform_base::api::Minor;
    use gwconform_base::release::Registry;
    use gwconform_base::text::source::Source;

    type ReportRow = [&'static str; 6];

    fn chosen(rows: &[ReportRow]) -> Vec<String> {
        let loaded = rows.iter().map(|[release, version, channel, mode, profile, name]| {
            let text = format!(
                "kind: ConformanceReport\ngatewayAPIVersion: {release}\ngatewayAPIChannel: {channel}\nmode: {mode}\nimplementation: {{organization: acme, project: operator, version: {version}}}\nprofiles:\n- {{name: {profile}}}\n"
            );
            Loaded::Report { source: Source::new((*name).to_owned(), text.into_bytes()), name: (*name).to_owned() }
        });
        let registry = Registry::embedded();
        let outcome: CheckReport = check_lone(
            &Submission::default(),
            Placement::Alone,
            loaded.collect(),
            &Settings::default(),
            registry,
        );
        let config = Config::default();
        let catalog = Catalog::new(Parts {
            outcome: &outcome,
            registry,
            config: &config,
            as_of: AsOf::default(),
            details: &[],
        });
        let reports = &catalog.implementations[0].reports;
        let name = |at: usize| reports[at].judged.facts.file_name.as_str();
        let mut chosen: Vec<String> = reports
            .iter()
            .enumerate()
            .map(|(at, report)| match &report.before {
                None => format!("{}: none", name(at)),
                Some(Predecessor { at: before, first }) => {
                    let first = first.as_ref().map(|first| format!(" ({first})"));
                    format!(
                        "{}: {}{}",
                        name(at),
                        name(*before),
                        first.unwrap_or_default()
                    )
                }
            })
            .collect();
        chosen.sort();
        chosen
    }

    const HTTP: &str = "GATEWAY-HTTP";

    #[test]
    fn a_final_follows_its_candidate_and_the_next_release_the_final() {
        let rows = [
            [
                "v1.4.1",
                "v2.0.0-rc.1",
                "standard",
                "default",
                HTTP,
                "a.yaml",
            ],
            ["v1.4.0", "v2.0.0", "standard", "default", HTTP, "b.yaml"],
            ["v1.4.1", "v2.0.0", "standard", "default", HTTP, "c.yaml"],
            ["v1.5.0", "v1.9.0", "standard", "default", HTTP, "d.yaml"],
        ];
        let expected = [
            "a.yaml: b.yaml",
            "b.yaml: none",
            "c.yaml: a.yaml",
            "d.yaml: c.yaml",
        ];
        assert_eq!(chosen(&rows), expected);
    }

    #[test]
    fn older_releases_continue_with_newer_versions() {
        let row = |release, version, name| [release, version, "standard", "default", HTTP, name];
        let rows = [
            row("v1.1.0", "v4.5.0", "a.yaml"),
            row("v1.1.0", "v4.6.0", "b.yaml"),
            row("v1.1.0", "v4.8.0", "c.yaml"),
            row("v1.1.1", "v4.5.0", "d.yaml"),
            row("v1.1.1", "v4.7.0", "e.yaml"),
            row("v1.2.0", "v4.4.0", "f.yaml"),
            row("v1.2.0", "v4.6.0", "g.yaml"),
            row("v1.2.0", "v5.0.0", "h.yaml"),
        ];
        let expected = [
            "a.yaml: none",
            "b.yaml: a.yaml",
            "c.yaml: b.yaml",
            "d.yaml: a.yaml",
            "e.yaml: d.yaml",
            "f.yaml: e.yaml",
            "g.yaml: f.yaml",
            "h.yaml: g.yaml",
        ];
        assert_eq!(chosen(&rows), expected);
        let rows = [
            row("v1.3.0", "v1.0.0", "v1.0.0-hybrid-report.yaml"),
            row("v1.3.0", "v2.0.0", "v2.0.0-hybrid-report.yaml"),
            row("v1.3.0", "v2.0.0", "v2.0.0-own-report.yaml"),
            row("v1.4.0", "v1.0.0", "1.0.0-hybrid-report.yaml"),
        ];
        assert_eq!(
            chosen(&rows)[0],
            "1.0.0-hybrid-report.yaml: v1.0.0-hybrid-report.yaml"
        );
    }

    #[test]
    fn another_channel_of_the_newest_release_comes_before_an_old_report() {
        let rows = [
            ["v1.0.0", "v1.0.0", "standard", "default", "HTTP", "a.yaml"],
            [
                "v1.4.0",
                "v2.0.0",
                "experimental",
                "default",
                HTTP,
                "b.yaml",
            ],
            ["v1.5.0", "v3.0.0", "standard", "default", HTTP, "c.yaml"],
            [
                "v1.5.0",
                "v3.0.0",
                "experimental",
                "default",
                HTTP,
                "d.yaml",
            ],
            [
                "v1.5.0",
                "v3.0.0",
                "experimental",
                "ambient",
                HTTP,
                "e.yaml",
            ],
            [
                "v1.5.0",
                "v3.0.0",
                "experimental",
                "default",
                "MESH-HTTP",
                "f.yaml",
            ],
        ];
        let expected = [
            "a.yaml: none",
            "b.yaml: a.yaml (first experimental report)",
            "c.yaml: b.yaml (first standard report since v1.0)",
            "d.yaml: b.yaml",
            "e.yaml: b.yaml (first report of mode ambient)",
            "f.yaml: none",
        ];
        assert_eq!(chosen(&rows), expected);
    }

    #[test]
    fn reports_with_one_mode_go_by_the_names_of_their_files() {
        let row = |release, version, name| [release, version, "standard", "default", HTTP, name];
        let old = [
            "standard-v1-default-a-report.yaml",
            "standard-v1-default-b-report.yaml",
        ];
        let new = [
            "standard-v2-default-a-report.yaml",
            "standard-v2-default-b-report.yaml",
            "standard-v2-default-c-report.yaml",
        ];
        let rows = [
            row("v1.4.0", "v1", old[0]),
            row("v1.4.0", "v1", old[1]),
            row("v1.5.0", "v2", new[0]),
            row("v1.5.0", "v2", new[1]),
            row("v1.5.0", "v2", new[2]),
        ];
        let expected = [
            format!("{}: none", old[0]),
            format!("{}: none", old[1]),
            format!("{}: {}", new[0], old[0]),
            format!("{}: {}", new[1], old[1]),
            format!("{}: none", new[2]),
        ];
        assert_eq!(chosen(&rows), expected);
        let rows = [
            row("v1.4.0", "v1", "x.yaml"),
            row("v1.5.0", "v2", "y.yaml"),
            row("v1.5.0", "v2", "z.yaml"),
        ];
        assert_eq!(
            chosen(&rows),
            ["x.yaml: none", "y.yaml: x.yaml", "z.yaml: none"]
        );
    }

    #[test]
    fn a_setup_keeps_its_predecessor_under_another_mode() {
        let envoy =
            |release, version, mode, name| [release, version, "experimental", mode, HTTP, name];
        let rows = [
            envoy(
                "v1.3.0",
                "v1.5.0",
                "default",
                "experimental-v1.5.0-default-report.yaml",
            ),
            envoy(
                "v1.3.0",
                "v1.5.0",
                "GatewayNamespace",
                "experimental-v1.5.0-gateway-namespace-mode-report.yaml",
            ),
            envoy(
                "v1.4.0",
                "v1.6.0",
                "default",
                "experimental-v1.6.0-default-report.yaml",
            ),
            envoy(
                "v1.4.0",
                "v1.6.0",
                "gateway-namespace-mode",
                "experimental-v1.6.0-gateway-namespace-mode-report.yaml",
            ),
        ];
        assert_eq!(
            chosen(&rows)[2..],
            [
                "experimental-v1.6.0-default-report.yaml: experimental-v1.5.0-default-report.yaml",
                "experimental-v1.6.0-gateway-namespace-mode-report.yaml: experimental-v1.5.0-gateway-namespace-mode-report.yaml (first report of mode gateway-namespace-mode)",
            ]
        );
        let gke = |release, version, mode, name| [release, version, "standard", mode, HTTP, name];
        let rows = [
            gke(
                "v1.1.0",
                "1.30.3",
                "gke-l7-global-external-managed",
                "standard-1.30.3-gxlb-report.yaml",
            ),
            gke(
                "v1.1.0",
                "1.30.3",
                "gke-l7-rilb",
                "standard-1.30.3-rilb-report.yaml",
            ),
            gke(
                "v1.1.0",
                "1.30.3",
                "gke-l7-regional-external-managed",
                "standard-1.30.3-rxlb-report.yaml",
            ),
            gke(
                "v1.3.0",
                "1.33.4",
                "default",
                "standard-1.33.4-managed-gxlb-report.yaml",
            ),
        ];
        assert_eq!(
            chosen(&rows)[3],
            "standard-1.33.4-managed-gxlb-report.yaml: standard-1.30.3-gxlb-report.yaml (first report of mode default)"
        );
    }

    #[test]
    fn removes_known_words_from_names() {
        let rows = [[
            "v1.4.0",
            "v1.4.0-rc.1",
            "standard",
            "HA",
            HTTP,
            "Standard-1.4.0-rc.1-ha-two_nodes-report.yaml",
        ]];
        let [[_, version, channel, mode, _, name]] = rows;
        let text = format!(
            "kind: ConformanceReport\ngatewayAPIChannel: {channel}\nmode: {mode}\nimplementation: {{version: {version}}}\n"
        );
        let loaded = Loaded::Report {
            source: Source::new(name.to_owned(), text.into_bytes()),
            name: name.to_owned(),
        };
        let outcome = check_lone(
            &Submission::default(),
            Placement::Alone,
            vec![loaded],
            &Settings::default(),
            Registry::embedded(),
        );
        assert_eq!(own_name(&outcome.reports[0]), "two-nodes");
        let first = First {
            of: FirstOf::Mode("ha".to_owned()),
            since: Some(Minor { major: 1, minor: 2 }),
        };
        assert_eq!(first.to_string(), "first report of mode ha since v1.2");
    }
}
