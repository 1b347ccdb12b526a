//! A plan for people and programs. As in [`super::json`], fields are only ever added, and `version`
//! changes when one changes its meaning.

mod human;
mod json;
mod markdown;

use std::collections::{BTreeMap, BTreeSet};

use crate::outlook::plan::{Difference, Note, Plan, ProfilePlan, Source};
use crate::release::Test;
use crate::text::source;
use crate::text::{counted, listed};

pub use human::write as write_human;
pub use json::{Document, write as write_json};
pub use markdown::write as write_markdown;

/// A plan, and a report that was compared with it.
#[derive(Debug, Clone, Copy)]
pub struct PlanView<'p> {
    /// The plan.
    pub plan: &'p Plan<'p>,
    /// The report.
    pub report: Option<ReportView<'p>>,
}

/// A report that was compared with a plan.
#[derive(Debug, Clone, Copy)]
pub struct ReportView<'p> {
    /// Its text.
    pub source: &'p source::Source,
    /// Where it differs from the plan.
    pub differences: &'p [Difference],
}

/// `all but A, B`, `inferred from the GatewayClass acme`
fn features(source: &Source) -> String {
    let names = |names: &BTreeSet<String>| listed(&names.iter().collect::<Vec<_>>());
    match source {
        Source::Listed(chosen) if chosen.is_empty() => "core only".to_owned(),
        Source::Listed(chosen) => names(chosen),
        Source::AllExcept(without) if without.is_empty() => "all".to_owned(),
        Source::AllExcept(without) => format!("all but {}", names(without)),
        Source::OnlyExempt(_) => "core only".to_owned(),
        Source::Inferred { class, mesh } => {
            let class = class.as_ref().map(|name| format!("GatewayClass {name}"));
            let mesh = mesh.as_ref().map(|name| format!("XMesh {name}"));
            let both: Vec<_> = class.into_iter().chain(mesh).collect();
            format!("inferred from {}", both.join(" and "))
        }
    }
}

/// A note as a sentence without a full stop.
fn note(plan: &Plan<'_>, note: &Note) -> String {
    let release = plan.release.version();
    match note {
        Note::SuiteOf(other) => {
            format!("the flags of the suite of {release} are not known; those of {other} are used")
        }
        Note::NoEffect(names) => {
            format!("no effect, in no profile of the plan: {}", listed(names))
        }
        Note::NotReported(names) => format!(
            "no effect on the report: {} (they decide which uncounted tests run)",
            listed(names)
        ),
        Note::NoAddressFlags => {
            "GatewayStaticAddresses needs a usable and an unusable address; this suite has no flags for them: \
             set UsableNetworkAddresses and UnusableNetworkAddresses of its options in Go code"
                .to_owned()
        }
        Note::OfReport => "the supported features are those of the report".to_owned(),
        Note::Experimental(names) => format!(
            "in the experimental channel only: {}; the suite runs their tests with the CRDs of any channel, so \
             install the experimental ones",
            listed(names)
        ),
        Note::OnlyCore => "only core tests count: no extended feature is supported".to_owned(),
        Note::ListedForAll(why) => {
            format!(
                "the features are listed, since --all-features of this suite does otherwise: {why}"
            )
        }
        Note::DoesNotInfer(kind) => format!(
            "this suite does not read the {kind}: it takes features from flags only, so those of the status \
             are listed"
        ),
        Note::NotRead(kind) => {
            format!("the {kind} is not looked at: this suite takes features from flags only")
        }
        Note::Dropped { kind, names } => {
            let others = match *kind {
                "XMesh" => "features of Gateways",
                _ => "features of a mesh",
            };
            format!("the suite drops {others} in the {kind}: {}", listed(names))
        }
        Note::UnknownPublished { kind, names } => {
            format!("unknown to {release}, in the {kind}: {}", listed(names))
        }
        Note::NotAsked(kind) => {
            format!(
                "the {kind} is not looked at: the suite infers features only where no flag names any"
            )
        }
        Note::NoProvisionalFlag => {
            "this suite has no --skip-provisional-tests: provisional tests run".to_owned()
        }
        Note::ProvisionalRun => {
            "with --skip-provisional-tests the suite still runs provisional tests, and counts only those that fail"
                .to_owned()
        }
        Note::NoSkipFlag => "this suite has no --skip-tests: the tests run".to_owned(),
        Note::ReportedAs { profile, name } => {
            format!("{profile} is reported as {name}; where both run, their tests are added up")
        }
    }
}

/// `core: 33 tests run`, with how many of them are special.
fn tests(level: &str, tests: &[&Test], skipped: Option<usize>) -> String {
    let mut text = format!("{level}: {}", counted(tests.len(), "test"));
    text.push_str(match tests.len() {
        1 => " runs",
        _ => " run",
    });
    if let Some(skipped) = skipped.filter(|skipped| *skipped > 0) {
        text.push_str(&format!(", {skipped} skipped and not counted"));
    }
    let count = |is: fn(&Test) -> bool| tests.iter().filter(|test| is(test)).count();
    let parallel = count(|test| test.parallel);
    if parallel > 0 {
        text.push_str(&format!("; {parallel} always show as passed"));
    }
    text
}

/// The names of tests that have a property.
fn named<'t>(tests: impl IntoIterator<Item = &'t &'t Test>, is: fn(&Test) -> bool) -> Vec<&'t str> {
    let tests = tests.into_iter().filter(|test| is(test));
    tests.map(|test| test.name.as_str()).collect()
}

/// How many tests of a profile do not run.
fn not_run(profile: &ProfilePlan<'_>) -> usize {
    let skipped = profile.skipped.iter();
    skipped.filter(|skipped| !skipped.needs.is_empty()).count()
}

/// The tests of a profile that do not count: why, and their names.
fn lacking<'p>(profile: &'p ProfilePlan<'_>) -> BTreeMap<String, Vec<&'p str>> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for skipped in &profile.skipped {
        let needs = match skipped.needs.is_empty() {
            true => "provisional, counted only if they fail".to_owned(),
            false => format!("skipped without {}", skipped.needs.join(", ")),
        };
        groups.entry(needs).or_default().push(&skipped.test.name);
    }
    groups
}

/// `fits the plan`, `3 differences from the plan`
fn verdict(differences: &[Difference]) -> String {
    match differences.len() {
        0 => "fits the plan".to_owned(),
        count => format!("{} from the plan", counted(count, "difference")),
    }
}
