//! The reports of an implementation in their order, and which one came before which.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::slug::{distinct, slug};
use super::{Counts, Report, judged};
use crate::certify::{VersionKey, version_key};
use crate::facts::ReportFacts;
use crate::model::{Channel, Mode};
use crate::registry::{Family, Registry, Version};

/// Longest name of a release in addresses, in characters.
const MAX_RELEASE_LENGTH: usize = 100;

/// The reports of an implementation by release, implementation version, channel, mode and path.
pub(super) fn reports<'a>(
    mut facts: Vec<&'a ReportFacts>,
    registry: &Registry,
    counts: &BTreeMap<&str, Counts>,
) -> Vec<Report<'a>> {
    facts.sort_by_cached_key(|facts| {
        let age = age(facts);
        let key = (
            facts.channel().unwrap_or_default(),
            facts.mode().unwrap_or_default(),
        );
        (
            age,
            key.0.to_owned(),
            key.1.to_owned(),
            facts.path.clone(),
            facts.document,
        )
    });
    let addresses = addresses(&facts);
    let mut reports: Vec<Report<'_>> = Vec::new();
    for (facts, (release, slug)) in facts.into_iter().zip(addresses) {
        let judged = judged(facts, registry);
        let report = Report {
            slug,
            release,
            findings: counts.get(facts.path.as_str()).copied().unwrap_or_default(),
            before: None,
            judged,
        };
        reports.push(report);
    }
    let before = predecessors(&reports);
    for (report, before) in reports.iter_mut().zip(before) {
        report.before = before;
    }
    reports
}

/// Release and slug of each report. The slug is the name of the file without its extension, unique
/// within the release; of several equal ones that of the report in the folder where most of the
/// implementation's reports are stays, so that a report filed elsewhere does not take it.
fn addresses(facts: &[&ReportFacts]) -> Vec<(String, String)> {
    let folder = |facts: &ReportFacts| facts.submission.file_name().map(ToOwned::to_owned);
    let mut in_folder: BTreeMap<_, usize> = BTreeMap::new();
    let mut by_release: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, facts) in facts.iter().enumerate() {
        *in_folder.entry(folder(facts)).or_default() += 1;
        by_release.entry(release(facts)).or_default().push(at);
    }
    let mut addresses = vec![(String::new(), String::new()); facts.len()];
    for (release, mut places) in by_release {
        places.sort_by_cached_key(|&at| Reverse(in_folder.get(&folder(facts[at])).copied()));
        let names: Vec<_> = places
            .iter()
            .map(|&at| {
                let name = facts[at].file_name.as_str();
                let stem = name.strip_suffix(".yaml").unwrap_or(name);
                slug(&[stem.strip_suffix("-report").unwrap_or(stem)])
            })
            .collect();
        for (at, name) in places.into_iter().zip(distinct(&names)) {
            addresses[at] = (release.clone(), name);
        }
    }
    addresses
}

/// A release as a part of addresses. What follows its numbers comes from the report: it is of any
/// length, and of two that differ in case many file systems make one.
fn release(facts: &ReportFacts) -> String {
    let version = facts.release.version.as_ref();
    let mut release = version.map_or_else(|| "unknown".to_owned(), ToString::to_string);
    release.make_ascii_lowercase();
    release.truncate(MAX_RELEASE_LENGTH);
    // Windows takes the dots at the end of a name away.
    release.truncate(release.trim_end_matches('.').len());
    release
}

fn age(facts: &ReportFacts) -> (Option<Version>, VersionKey) {
    let version = version_key(facts.version().unwrap_or_default());
    (facts.release.version.clone(), version)
}

/// Channel and mode. Up to v1.0.x reports had neither; what they ran is now the default.
fn line(facts: &ReportFacts) -> (&str, &str) {
    let channel = facts.channel().filter(|channel| !channel.is_empty());
    let mode = facts.mode().filter(|mode| !mode.is_empty());
    (
        channel.unwrap_or(Channel::Standard.as_str()),
        mode.unwrap_or(Mode::Default.as_str()),
    )
}

/// For each report the one before it ([`Report::before`]), by their places. Reports of one release
/// and version are beside each other, not one after the other.
fn predecessors(reports: &[Report<'_>]) -> Vec<Option<usize>> {
    // The last report so far of each family, of each mode in it, and of each channel in that.
    let mut of_family: BTreeMap<Family, usize> = BTreeMap::new();
    let mut of_mode: BTreeMap<(Family, &str), usize> = BTreeMap::new();
    let mut of_line: BTreeMap<(Family, (&str, &str)), usize> = BTreeMap::new();
    let mut before = Vec::with_capacity(reports.len());
    let facts = |report: &Report<'_>| age(report.judged.facts);
    for group in reports.chunk_by(|a, b| facts(a) == facts(b)) {
        let start = before.len();
        for report in group {
            let line = line(report.judged.facts);
            let candidates = families(report).into_iter().map(|family| {
                let in_line = of_line.get(&(family, line)).map(|at| (2, *at));
                let in_mode = of_mode.get(&(family, line.1)).map(|at| (1, *at));
                let in_family = of_family.get(&family).map(|at| (0, *at));
                in_line.or(in_mode).or(in_family)
            });
            before.push(candidates.flatten().max().map(|(_, at)| at));
        }
        for (at, report) in (start..).zip(group) {
            let line = line(report.judged.facts);
            for family in families(report) {
                of_family.insert(family, at);
                of_mode.insert((family, line.1), at);
                of_line.insert((family, line), at);
            }
        }
    }
    before
}

fn families(report: &Report<'_>) -> BTreeSet<Family> {
    let verdicts = report.judged.verdicts.iter();
    verdicts.filter_map(|verdict| verdict.family).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::{Report, age, line, predecessors};
    use crate::catalog::{Catalog, Parts};
    use crate::check::{CheckReport, Placement, Settings, check_lone};
    use crate::config::Config;
    use crate::load::Loaded;
    use crate::registry::Registry;
    use crate::source::Source;
    use crate::tree::Submission;

    /// The rule as it reads, looked up among all reports for each.
    fn searched(reports: &[Report<'_>], at: usize) -> Option<usize> {
        let report = &reports[at].judged;
        let (channel, mode) = line(report.facts);
        let key = age(report.facts);
        let earlier = reports[..at].iter().enumerate().filter(|(_, other)| {
            let shares_family = other.judged.verdicts.iter().any(|theirs| {
                let mut ours = report.verdicts.iter();
                theirs.family.is_some() && ours.any(|ours| ours.family == theirs.family)
            });
            shares_family && age(other.judged.facts) < key
        });
        let best = earlier.max_by_key(|(place, other)| {
            let (their_channel, their_mode) = line(other.judged.facts);
            let same_mode = their_mode == mode;
            (same_mode && their_channel == channel, same_mode, *place)
        });
        best.map(|(place, _)| place)
    }

    fn report() -> impl Strategy<Value = String> {
        let release = prop::sample::select(vec!["v1.0.0", "v1.4.0", "v1.5.0", "v1.5.1"]);
        let version = prop::sample::select(vec!["v1.0.0", "v1.1.0", "latest", "main"]);
        let channel = prop::sample::select(vec!["standard", "experimental", ""]);
        let mode = prop::sample::select(vec!["default", "other", ""]);
        let profiles = vec(
            prop::sample::select(vec!["GATEWAY-HTTP", "MESH-HTTP", "ACME"]),
            0..3,
        );
        (release, version, channel, mode, profiles).prop_map(
            |(release, version, channel, mode, profiles)| {
                let profiles: Vec<_> = profiles
                    .iter()
                    .map(|name| format!("- {{name: {name}}}"))
                    .collect();
                format!(
                    "kind: ConformanceReport\ngatewayAPIVersion: {release}\ngatewayAPIChannel: \"{channel}\"\nmode: \"{mode}\"\nimplementation: {{organization: acme, project: operator, version: {version}}}\nprofiles:\n{}\n",
                    profiles.join("\n")
                )
            },
        )
    }

    proptest! {
        #[test]
        fn the_report_before_is_the_one_that_a_search_finds(texts in vec(report(), 0..24)) {
            let loaded = texts.into_iter().enumerate().map(|(at, text)| {
                let name = format!("{at}.yaml");
                Loaded::Report { source: Source::new(name.clone(), text.into_bytes()), name }
            });
            let (settings, registry) = (Settings::default(), Registry::embedded());
            let outcome: CheckReport =
                check_lone(&Submission::default(), Placement::Alone, loaded.collect(), &settings, registry);
            let config = Config::default();
            let catalog = Catalog::of(Parts {
                outcome: &outcome,
                registry,
                config: &config,
                latest: None,
                details: &[],
            });
            for one in &catalog.implementations {
                let expected: Vec<_> =
                    (0..one.reports.len()).map(|at| searched(&one.reports, at)).collect();
                prop_assert_eq!(predecessors(&one.reports), expected);
            }
        }
    }
}
