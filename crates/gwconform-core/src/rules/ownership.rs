//! Determines which implementations claim the same name, run or URL, and which of them owns it.
//!
//! The owner of a claim is the implementation named in the configuration, or else the only
//! implementation with reports for several minors. If there is no owner, no implementation loses a
//! verdict.
//!
//! A report that other rules block cannot dispute a verdict and is not part of the history. Names
//! that imitate another name gain no ownership from history, because backdated reports are easy to
//! create.

mod history;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ConfiguredNames;
use super::confusable::{disguise, looks};
use crate::report::facts::{ReportFacts, Rival, RivalKind, Run};
use crate::report::naming::{folded, slug::slug};

pub use history::{History, is_sound};

/// Two implementations that claim the same name, run or URL.
#[derive(Debug)]
pub struct Rivalry<'f> {
    /// Shared name, run or URL.
    pub claim: Claim,
    /// Side that gets the finding if `usual` is the owner.
    pub side: Side<'f>,
    /// Owner or, if unknown, the better known side.
    pub usual: Side<'f>,
    /// True if `usual` is the owner.
    pub is_owned: bool,
}

/// Kind of claim that two implementations share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Claim to a name or run, which affects verdicts.
    Verdict(RivalKind),
    /// Claim to the URL of pages and badges, which does not affect verdicts.
    Address,
}

/// Implementation on one side of a rivalry.
#[derive(Debug, Clone)]
pub struct Side<'f> {
    /// Organization in its preferred spelling.
    pub organization: &'f str,
    /// `None` if only the organizations look alike.
    pub project: Option<&'f str>,
    /// Index of the report that represents this side.
    pub at: usize,
    reports: Arc<[usize]>,
    /// False if other rules block all its reports.
    pub is_sound: bool,
}

impl Side<'_> {
    /// `organization/project`, or only the organization.
    pub fn name(&self) -> String {
        match self.project {
            Some(project) => format!("{}/{project}", self.organization),
            None => self.organization.to_owned(),
        }
    }

    /// Lines of a configuration entry. The project of `report` is used if the side has no project.
    pub fn entry(&self, report: &ReportFacts) -> [String; 2] {
        let project = self.project.or(report.project()).unwrap_or_default();
        config_lines(self.organization, project)
    }
}

/// Lines of an `[[implementation]]` entry.
pub fn config_lines(organization: &str, project: &str) -> [String; 2] {
    [
        format!("organization = {organization:?}"),
        format!("project = {project:?}"),
    ]
}

impl<'f> Rivalry<'f> {
    /// Sides that get the finding, with their rivals.
    pub fn reported_sides(&self) -> impl Iterator<Item = [&Side<'f>; 2]> {
        let both = [[&self.side, &self.usual], [&self.usual, &self.side]];
        let sides = both.into_iter().zip(self.reported());
        sides.filter_map(|(sides, is_reported)| is_reported.then_some(sides))
    }

    /// Side to suggest as the owner: the rival of a known owner, or else the better known side.
    pub fn owner(&self) -> &Side<'f> {
        match self.is_owned {
            true => &self.side,
            false => &self.usual,
        }
    }

    /// Whether `side` and `usual` get the finding. A known owner never gets the finding. Otherwise,
    /// a blocked side or, for similar names, a non-ASCII name is reported alone.
    pub fn reported(&self) -> [bool; 2] {
        let (side, usual) = (&self.side, &self.usual);
        let only = |is_side: bool| [is_side, !is_side];
        if self.is_owned {
            return only(true);
        }
        if side.is_sound != usual.is_sound {
            return only(!side.is_sound);
        }
        let are_ascii = [side, usual].map(|of| of.name().is_ascii());
        match (self.claim, are_ascii) {
            (Claim::Verdict(RivalKind::LookAlike), [a, b]) if a != b => only(b),
            _ => [true, true],
        }
    }
}

/// Finds shared claims, in linear time.
pub fn rivalries<'f>(reports: &'f [ReportFacts], names: &'f ConfiguredNames) -> Vec<Rivalry<'f>> {
    let parties = Parties::new(reports, names);
    let mut all = parties.look_alikes();
    all.extend(parties.shared_runs());
    all.extend(parties.shared_addresses());
    all
}

/// First rival of each kind, by report index. Owners take precedence.
pub fn rivals(rivalries: &[Rivalry<'_>]) -> BTreeMap<usize, BTreeSet<Rival>> {
    let mut rivals: BTreeMap<usize, BTreeSet<Rival>> = BTreeMap::new();
    let mut named = BTreeSet::new();
    let mut name = |of: &Side<'_>, other: &Side<'_>, kind, is_owner| {
        let first = of.reports.first().copied();
        if !named.insert((first, of.project.is_some(), kind)) {
            return;
        }
        let rival = Rival {
            kind,
            name: other.name(),
            is_owner,
        };
        for &at in of.reports.iter() {
            rivals.entry(at).or_default().insert(rival.clone());
        }
    };
    let about_verdicts = rivalries.iter().filter_map(|one| match one.claim {
        Claim::Verdict(kind) => Some((kind, one)),
        Claim::Address => None,
    });
    let (owned, open): (Vec<_>, Vec<_>) = about_verdicts.partition(|(_, one)| one.is_owned);
    for (kind, one) in owned {
        name(&one.side, &one.usual, kind, true);
    }
    for (kind, one) in open {
        if one.side.is_sound && one.usual.is_sound {
            name(&one.side, &one.usual, kind, false);
            name(&one.usual, &one.side, kind, false);
        }
    }
    rivals
}

#[derive(Default)]
struct Party<'f> {
    name: Name<'f>,
    is_configured: bool,
    history: History,
    spellings: BTreeMap<Name<'f>, History>,
    reports: Vec<usize>,
}

type Name<'f> = (&'f str, Option<&'f str>);

impl<'f> Party<'f> {
    fn precedence(&self) -> impl Ord + use<'f> {
        let (organization, project) = self.name;
        let is_ascii = organization.is_ascii() && project.is_none_or(str::is_ascii);
        (
            self.is_configured,
            self.history.is_sound(),
            is_ascii,
            self.history.precedence(),
            Reverse(self.name),
        )
    }

    fn disguise(&self) -> usize {
        let (organization, project) = self.name;
        disguise(organization) + project.map_or(0, disguise)
    }
}

type Key = (String, Option<String>);

struct Parties<'f> {
    reports: &'f [ReportFacts],
    all: BTreeMap<Key, Party<'f>>,
    looks: BTreeMap<(usize, String, Option<String>), BTreeSet<Key>>,
    /// Implementations by the time of a run, in seconds since the epoch.
    runs: BTreeMap<i64, BTreeMap<Key, Vec<usize>>>,
}

impl<'f> Parties<'f> {
    fn new(reports: &'f [ReportFacts], names: &'f ConfiguredNames) -> Self {
        let mut parties = Self {
            reports,
            all: BTreeMap::new(),
            looks: BTreeMap::new(),
            runs: BTreeMap::new(),
        };
        let mut named = Vec::new();
        for (at, report) in reports.iter().enumerate() {
            let Some((organization, project)) = names.of(report) else {
                continue;
            };
            let key = (folded(organization), Some(folded(project)));
            if let Run::At(seconds) = report.run() {
                let of_run = parties.runs.entry(seconds).or_default();
                of_run.entry(key.clone()).or_default().push(at);
            }
            named.push((at, key, organization, project));
        }
        for (at, key, organization, project) in named {
            parties.add(at, key, (organization, Some(project)), names);
            // Skip former names, which do not identify the organization.
            if reports[at].organization() == Some(organization) {
                let key = (folded(organization), None);
                parties.add(at, key, (organization, None), names);
            }
        }
        for party in parties.all.values_mut() {
            let spellings = std::mem::take(&mut party.spellings).into_iter();
            let usual = spellings.max_by_key(|((organization, project), history)| {
                let is_configured = names.has(organization, *project);
                let spelling = history.spelling(organization, project.unwrap_or_default());
                (is_configured, spelling)
            });
            party.name = usual.map(|(name, _)| name).unwrap_or_default();
        }
        parties
    }

    fn add(
        &mut self,
        at: usize,
        key: Key,
        (organization, project): Name<'f>,
        names: &ConfiguredNames,
    ) {
        let report = &self.reports[at];
        let is_shared = match report.run() {
            Run::At(seconds) => self.runs.get(&seconds).is_some_and(|of| of.len() > 1),
            Run::Text(_) => false,
        };
        let party = self.all.entry(key.clone()).or_default();
        let spelling = party.spellings.entry((organization, project));
        for history in [spelling.or_default(), &mut party.history] {
            match is_shared {
                true => drop(history.add_shared(report)),
                false => history.add(report),
            }
        }
        party.is_configured |= names.has(organization, project);
        party.reports.push(at);
        // Former names can imitate other names too.
        let stated = (report.organization(), report.project());
        let [organization, read] = looks(stated.0.unwrap_or_default());
        let [of_project, project_read] = match (project, stated.1) {
            (Some(_), Some(project)) => looks(project).map(Some),
            _ => [None, None],
        };
        for look in [(0, organization, of_project), (1, read, project_read)] {
            self.looks.entry(look).or_default().insert(key.clone());
        }
    }

    fn side(&self, key: &Key) -> Option<Side<'f>> {
        let party = self.all.get(key)?;
        let (organization, project) = party.name;
        Some(Side {
            organization,
            project,
            at: *party.reports.first()?,
            reports: party.reports.as_slice().into(),
            is_sound: party.history.is_sound(),
        })
    }

    /// Similar organizations are skipped if their projects look alike too.
    fn look_alikes(&self) -> Vec<Rivalry<'f>> {
        let mut pairs: BTreeMap<(&Key, &Key), bool> = BTreeMap::new();
        for keys in self.looks.values().filter(|keys| keys.len() > 1) {
            let Some((usual, is_owned)) = self.best_known(keys) else {
                continue;
            };
            for key in keys.iter().filter(|key| *key != usual) {
                // The configuration lists both names on purpose.
                let is_configured =
                    |key: &Key| self.all.get(key).is_some_and(|of| of.is_configured);
                if !(is_configured(key) && is_configured(usual)) {
                    pairs.insert((key, usual), is_owned);
                }
            }
        }
        let organizations: BTreeSet<(&str, &str)> = (pairs.keys())
            .filter(|(key, _)| key.1.is_some())
            .map(|(key, usual)| (key.0.as_str(), usual.0.as_str()))
            .collect();
        let is_new = |(key, usual): &(&Key, &Key)| {
            key.1.is_some() || !organizations.contains(&(key.0.as_str(), usual.0.as_str()))
        };
        let mut sides: BTreeMap<&Key, Option<Side<'f>>> = BTreeMap::new();
        let mut side = |key| sides.entry(key).or_insert_with(|| self.side(key)).clone();
        let pairs = pairs.iter().filter(|(pair, _)| is_new(pair));
        let rivalries = pairs.filter_map(|((key, usual), is_owned)| {
            Some(Rivalry {
                claim: Claim::Verdict(RivalKind::LookAlike),
                side: side(key)?,
                usual: side(usual)?,
                is_owned: *is_owned,
            })
        });
        rivalries.collect()
    }

    fn best_known<'k>(&self, keys: &'k BTreeSet<Key>) -> Option<(&'k Key, bool)> {
        let known = || {
            keys.iter()
                .filter_map(|key| Some((key, self.all.get(key)?)))
        };
        let usual = known().max_by_key(|(_, party)| party.precedence())?;
        if usual.1.is_configured {
            return Some((usual.0, true));
        }
        let mut with_history = known().filter(|(_, party)| party.history.is_known());
        let least = known().map(|(_, party)| party.disguise()).min();
        Some(match (with_history.next(), with_history.next()) {
            (Some((key, party)), None) if Some(party.disguise()) == least => (key, true),
            _ => (usual.0, false),
        })
    }

    fn shared_runs(&self) -> Vec<Rivalry<'f>> {
        let shared = self.runs.values().filter(|of_run| of_run.len() > 1);
        shared.flat_map(|of_run| self.shared_run(of_run)).collect()
    }

    fn shared_run(&self, of_run: &BTreeMap<Key, Vec<usize>>) -> Vec<Rivalry<'f>> {
        let parties = || {
            of_run
                .keys()
                .filter_map(|key| Some((key, self.all.get(key)?)))
        };
        let only = |is_it: fn(&Party<'_>) -> bool| {
            let mut found = parties().filter(|(_, party)| is_it(party));
            let first = found.next();
            first.filter(|_| found.next().is_none())
        };
        let owner =
            only(|party| party.is_configured).or_else(|| only(|party| party.history.is_known()));
        let usual = owner.or_else(|| parties().max_by_key(|(_, party)| party.precedence()));
        let Some((usual, _)) = usual else {
            return Vec::new();
        };
        let results = |at: &usize| self.reports[*at].results;
        let by_results: BTreeMap<_, usize> = (of_run[usual].iter().rev())
            .map(|at| (results(at), *at))
            .collect();
        let Some(usual_side) = self.side_of_run(usual, &of_run[usual]) else {
            return Vec::new();
        };
        let others = of_run.iter().filter(|(key, _)| *key != usual);
        let rivalries = others.filter_map(|(key, reports)| {
            let mut with_same = reports.iter().filter_map(|at| {
                let same = by_results.get(&results(at))?;
                Some((*at, *same))
            });
            let side = self.side_of_run(key, reports)?;
            let (at, at_usual) = with_same.next().unwrap_or((side.at, usual_side.at));
            Some(Rivalry {
                claim: Claim::Verdict(RivalKind::SameRun),
                side: Side { at, ..side },
                usual: Side {
                    at: at_usual,
                    ..usual_side.clone()
                },
                is_owned: owner.is_some(),
            })
        });
        rivalries.collect()
    }

    fn shared_addresses(&self) -> Vec<Rivalry<'f>> {
        let mut by_address: BTreeMap<String, Vec<(&Key, &Party<'f>)>> = BTreeMap::new();
        for (key, party) in &self.all {
            if let (organization, Some(project)) = party.name {
                let address = slug(&[organization, project]);
                by_address.entry(address).or_default().push((key, party));
            }
        }
        let shared = by_address.into_values().filter(|all| all.len() > 1);
        let rivalries = shared.flat_map(|all| {
            let usual = all.iter().copied().max_by_key(|(_, of)| of.precedence());
            let usual_side = usual.and_then(|(key, _)| self.side(key));
            let others = all.into_iter().filter_map(move |(key, party)| {
                let (usual_key, of_usual) = usual?;
                let is_settled = party.is_configured && of_usual.is_configured;
                (key != usual_key && !is_settled).then_some(())?;
                Some(Rivalry {
                    claim: Claim::Address,
                    side: self.side(key)?,
                    usual: usual_side.clone()?,
                    is_owned: of_usual.is_configured,
                })
            });
            others.collect::<Vec<_>>()
        });
        rivalries.collect()
    }

    fn side_of_run(&self, key: &Key, reports: &[usize]) -> Option<Side<'f>> {
        let (organization, project) = self.all.get(key)?.name;
        Some(Side {
            organization,
            project,
            at: *reports.first()?,
            reports: reports.into(),
            is_sound: reports.iter().any(|at| is_sound(&self.reports[*at])),
        })
    }
}
