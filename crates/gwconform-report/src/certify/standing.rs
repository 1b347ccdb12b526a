//! Determines the verdict on an implementation.

use std::cmp::Reverse;

use super::judge::{ProfileVerdict, Status, short_name};
use super::minors::{Minors, Windows};
use super::order::{VersionKey, version_key};
use crate::report::facts::{Name, ReportFacts};
use gwconform_base::api::{Channel, Mode, closed_set};
use gwconform_base::api::{Family, Minor};

closed_set! {
    // Ordered from worst to best.
    /// Verdict on an implementation in a family.
    pub enum Standing {
        /// No report counts, or no report is sufficient.
        NotCurrent = "not-current",
        /// At least one partial report counts.
        PartiallyConformant = "partially-conformant",
        /// At least one conformant report counts.
        Conformant = "conformant",
    }
}

impl Standing {
    /// Verdict in words, such as `partially conformant`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotCurrent => "not current",
            Self::PartiallyConformant => "partially conformant",
            Self::Conformant => "conformant",
        }
    }

    /// True for `conformant` and `partially conformant`.
    pub const fn is_current(self) -> bool {
        matches!(self, Self::Conformant | Self::PartiallyConformant)
    }
}

/// Report with a verdict on each profile.
#[derive(Debug, Clone)]
pub struct Judged<'f> {
    /// Facts of the report.
    pub facts: &'f ReportFacts,
    /// Verdicts in the order of the report's profiles.
    pub verdicts: Vec<ProfileVerdict>,
}

impl Judged<'_> {
    /// Profile that limits the report to partially conformant. Upstream requires that one profile
    /// passes and all others pass at least partially. Unverified profiles have no effect.
    fn held_back_by(&self) -> Option<(&Name, Status)> {
        let verdicts = self.verdicts.iter();
        let named = verdicts.map(|verdict| (&verdict.profile, verdict.status));
        let refused = named.filter(|(_, status)| {
            matches!(
                status,
                Status::Failing | Status::Contradictory | Status::Unreadable
            )
        });
        refused.min_by_key(|(_, status)| *status != Status::Failing)
    }

    /// True if no profile has a verdict.
    pub fn is_refused(&self) -> bool {
        let mut verdicts = self.verdicts.iter();
        !verdicts.any(|verdict| verdict.status.is_verdict())
    }

    /// Minor of the tested release.
    pub fn minor(&self) -> Option<Minor> {
        let version = self.facts.release.version.as_ref();
        version.map(|version| version.minor())
    }
}

/// Part of an implementation's reports that a verdict covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope<'s> {
    /// Profile family, gateway or mesh.
    pub family: Family,
    /// Profile name. `None` for all profiles of the family.
    pub profile: Option<&'s str>,
    /// Minor of any age. `None` for all minors that count.
    pub minor: Option<Minor>,
}

impl Scope<'_> {
    fn holds(&self, verdict: &ProfileVerdict) -> bool {
        let is_profile = self.profile.is_none_or(|name| name == &*verdict.profile);
        verdict.family == Some(self.family) && is_profile
    }
}

/// Verdict on an implementation, with the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certified {
    /// Verdict on the scope.
    pub standing: Standing,
    /// Report that determines the verdict, or the last report.
    pub basis: Basis,
    /// Explanation of the verdict in words.
    pub reason: String,
    /// Minor whose release review expires the verdict without a newer report. `None` if the verdict
    /// is not current or limited to one minor.
    pub until: Option<Minor>,
}

/// Report that determines a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    /// Index of the report in the input of [`certify`].
    pub report: usize,
    /// Minor of the tested release.
    pub minor: Option<Minor>,
    /// Best status in the scope. At most partial if another profile limits the report.
    pub status: Status,
    /// Failing, contradictory or unreadable profile of any family. It prevents a conformant
    /// verdict.
    pub held_back_by: Option<(Name, Status)>,
    /// Profiles in scope, sorted by status (best first) and name.
    pub profiles: Vec<(Name, Status)>,
}

impl Basis {
    /// Summary of the profiles, such as `conformant: HTTP, TLS; partial: GRPC`.
    pub fn holds_for(&self) -> String {
        let mut groups: Vec<(Status, Vec<&str>)> = Vec::new();
        for (name, status) in &self.profiles {
            match groups.last_mut() {
                Some((last, names)) if last == status => names.push(short_name(name)),
                _ => groups.push((*status, vec![short_name(name)])),
            }
        }
        let texts: Vec<String> = groups
            .iter()
            .map(|(status, names)| format!("{}: {}", status.as_str(), names.join(", ")))
            .collect();
        texts.join("; ")
    }
}

/// Determines the verdict for a scope. `None` if no report has a profile in the scope.
pub fn certify(
    reports: &[Judged<'_>],
    scope: Scope<'_>,
    minors: &Minors,
    windows: Windows,
) -> Option<Certified> {
    let candidates = reports.iter().enumerate().filter_map(|(at, report)| {
        if scope.minor.is_some() && scope.minor != report.minor() {
            return None;
        }
        let verdicts: Vec<_> = report
            .verdicts
            .iter()
            .filter(|verdict| scope.holds(verdict))
            .collect();
        let status = verdicts.iter().map(|verdict| verdict.status).max()?;
        let status = match report.held_back_by() {
            Some(_) => status.min(Status::Partial),
            None => status,
        };
        let standing = standing(report.minor(), status, scope, minors, windows);
        Some((Rank::new(standing, status, report), at, verdicts))
    });
    let (rank, at, verdicts) = candidates.max_by(|(a, ..), (b, ..)| a.cmp(b))?;
    let mut profiles: Vec<_> = verdicts
        .iter()
        .map(|verdict| (verdict.profile.clone(), verdict.status))
        .collect();
    profiles.sort_by(|(a, a_status), (b, b_status)| b_status.cmp(a_status).then(a.cmp(b)));
    let window = match rank.standing {
        Standing::Conformant => windows.conformant,
        _ => windows.partial,
    };
    let is_expiring = scope.minor.is_none() && rank.standing.is_current();
    let until = rank.minor.filter(|_| is_expiring);
    // If the best profile in scope failed, its status is the reason.
    let held_back_by = reports[at].held_back_by();
    let held_back_by = held_back_by.filter(|_| rank.status == Status::Partial);
    let held_back_by = held_back_by.map(|(name, status)| (name.clone(), status));
    let reason = reason(
        &rank,
        &verdicts,
        held_back_by.as_ref(),
        scope,
        minors,
        windows,
    );
    Some(Certified {
        standing: rank.standing,
        reason,
        until: until.and_then(|minor| minors.end(minor, window)),
        basis: Basis {
            report: at,
            minor: rank.minor,
            status: rank.status,
            held_back_by,
            profiles,
        },
    })
}

fn standing(
    minor: Option<Minor>,
    status: Status,
    scope: Scope<'_>,
    minors: &Minors,
    windows: Windows,
) -> Standing {
    let counts = |window| {
        scope.minor.is_some() || minor.is_some_and(|minor| minors.is_among_newest(minor, window))
    };
    match status {
        Status::Conformant if counts(windows.conformant) => Standing::Conformant,
        Status::Conformant | Status::Partial if counts(windows.partial) => {
            Standing::PartiallyConformant
        }
        _ => Standing::NotCurrent,
    }
}

/// The report with the greatest rank determines the verdict.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank<'f> {
    standing: Standing,
    is_verdict: bool,
    minor: Option<Minor>,
    status: Status,
    is_clean: bool,
    is_standard: bool,
    is_default_mode: bool,
    version: VersionKey,
    path: Reverse<&'f str>,
    document: Reverse<usize>,
}

impl<'f> Rank<'f> {
    fn new(standing: Standing, status: Status, report: &Judged<'f>) -> Self {
        let facts = report.facts;
        Self {
            standing,
            is_verdict: status.is_verdict(),
            minor: report.minor(),
            status,
            is_clean: report.held_back_by().is_none(),
            is_standard: facts.channel().and_then(Channel::from_text) == Some(Channel::Standard),
            is_default_mode: facts.mode().and_then(Mode::from_text) == Some(Mode::Default),
            version: facts.version().map(version_key).unwrap_or_default(),
            path: Reverse(&facts.path),
            document: Reverse(facts.document),
        }
    }
}

fn reason(
    rank: &Rank<'_>,
    verdicts: &[&ProfileVerdict],
    held_back_by: Option<&(Name, Status)>,
    scope: Scope<'_>,
    minors: &Minors,
    windows: Windows,
) -> String {
    let Some(minor) = rank.minor else {
        return "the last report is for an unknown release".to_owned();
    };
    let status = match rank.status {
        // Name the missing data, because the report is not at fault.
        Status::Unverified => {
            let mut verdicts = verdicts.iter();
            let why = verdicts.find(|verdict| verdict.status == rank.status);
            &why.map_or_else(String::new, |why| format!("unverified ({})", why.reason))
        }
        status => status.as_str(),
    };
    let held_back = held_back_by.map(|(name, of_other)| {
        let best = verdicts.iter().map(|verdict| verdict.status).max();
        let best = best.unwrap_or(rank.status);
        let name = if name.is_empty() {
            "a profile without a name"
        } else {
            name
        };
        format!("{best} in {minor}, but {name} is {of_other}")
    });
    let newest = |count: u32| match count {
        1 => "the newest minor".to_owned(),
        count => format!("one of the {count} newest minors"),
    };
    let is_old = !minors.is_among_newest(minor, windows.partial);
    match rank.standing {
        _ if scope.minor.is_some() => held_back.unwrap_or(format!("{status} in {minor}")),
        Standing::Conformant => format!("conformant in {minor}, {}", newest(windows.conformant)),
        Standing::PartiallyConformant => match rank.status {
            Status::Conformant => format!(
                "conformant in {minor}, no longer {}, still {}",
                newest(windows.conformant),
                newest(windows.partial)
            ),
            _ => match held_back {
                Some(held_back) => format!("{held_back}; {}", newest(windows.partial)),
                None => format!("{status} in {minor}, {}", newest(windows.partial)),
            },
        },
        Standing::NotCurrent if minors.newest().is_none() => {
            format!("{status} in {minor}, but no release review is over")
        }
        Standing::NotCurrent if is_old => {
            format!(
                "the last report is for {minor}, not {}",
                newest(windows.partial)
            )
        }
        Standing::NotCurrent => format!("the last report, for {minor}, is {status}"),
    }
}
