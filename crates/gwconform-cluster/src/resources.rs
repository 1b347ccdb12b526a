//! Checks a dump of cluster resources with the rules of the group `resource`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::needs::absent_fields::Crds;
use crate::rules::{
    self, Basis, CrdsContext, ReleaseChoice, RequestedRelease, ResourceContext, Rule,
};
use crate::{Cluster, File, Kind};
use gwconform_base::api::{Channel, Shape};
use gwconform_base::release::stated::{lenient_version, release_of_prerelease};
use gwconform_base::release::{Match, Registry};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::source::Source;
use gwconform_base::text::{counted, joined};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::{CheckReport, Checked, Settings};
use gwconform_yaml::{Unread, YamlIssueKind};

/// Release and report to compare the resources with.
#[derive(Debug, Clone, Copy, Default)]
pub struct Against<'a> {
    /// Release that the user requested.
    pub wanted: Option<&'a RequestedRelease<'a>>,
    /// Report of the implementation in the cluster.
    pub report: Option<&'a ReportFacts>,
    /// Reports of a tree, which name the releases that implementations were tested with.
    pub tested: &'a [ReportFacts],
    /// Kinds whose objects are all in the dump.
    pub listed: &'a [crate::Kind],
    /// CRDs to install. Only the rules about them run.
    pub upgrade: Option<Crds<'a>>,
}

/// Findings and summary of a dump.
#[derive(Debug)]
pub struct ResourceReport {
    /// Findings, and parts that were not checked.
    pub report: CheckReport,
    /// Counts, health and release of the cluster.
    pub cluster: ClusterSummary,
}

/// Summary of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterSummary {
    /// Numbers of resources by kind.
    pub counts: crate::Counts,
    /// Numbers of healthy and unhealthy objects, derived from statuses.
    pub health: crate::Health,
    /// Gateway API versions of the CRDs, sorted. A consistent cluster has a single version.
    pub versions: Vec<String>,
    /// Channels of the CRDs, sorted.
    pub channels: Vec<String>,
    /// Number of Gateway API CRDs.
    pub crds: usize,
    /// Number of known objects without CRDs, Services, Secrets and Namespaces.
    pub api_objects: usize,
    /// Release that the resources are compared with. `None` if the registry is empty.
    pub release: Option<String>,
    /// Explanation of how the release was chosen.
    pub chosen: String,
    /// Answer about the CRDs to install; `None` if the user named none.
    pub upgrade: Option<Upgrade>,
}

/// Whether CRDs may be installed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Upgrade {
    /// Release of the CRDs to install.
    pub release: String,
    /// Channel of the CRDs to install.
    pub channel: Channel,
    /// True if the API server refuses a CRD or the updates of a GatewayClass. Null if nothing is
    /// refused, but the input lacks a CRD with its status, or the policy that may deny the CRDs.
    #[serde(rename = "blocked")]
    pub is_blocked: Option<bool>,
    /// True if there are errors in objects.
    #[serde(skip)]
    pub has_errors: bool,
    /// What the input lacks for an answer, if it is open.
    #[serde(skip)]
    pub lacks: Option<&'static str>,
}

impl ClusterSummary {
    /// Answer to `--crds`, such as `Upgrade to v1.6.1, channel standard: may be installed`.
    pub fn upgrade_in_words(&self) -> Option<String> {
        let upgrade = self.upgrade.as_ref()?;
        let installed = self.versions.iter();
        let newest = installed.filter_map(|text| lenient_version(text)).max();
        let is_older = newest.is_some_and(|newest| {
            lenient_version(&upgrade.release).is_some_and(|one| one.minor() < newest.minor())
        });
        let noun = if is_older { "Downgrade" } else { "Upgrade" };
        let answer = match (upgrade.is_blocked, upgrade.lacks) {
            (Some(true), _) => "blocked by the errors above".to_owned(),
            (None, Some(part)) => format!("unknown, because the input lacks {part}"),
            _ if upgrade.has_errors => "may be installed, but see the errors above".to_owned(),
            _ => "may be installed".to_owned(),
        };
        let (release, channel) = (&upgrade.release, upgrade.channel);
        let mut others = self.channels.iter();
        let from = others.find(|other| *other != channel.as_str());
        let from = from.map_or_else(String::new, |from| format!(" instead of {from}"));
        Some(format!(
            "{noun} to {release}, channel {channel}{from}: {answer}"
        ))
    }
}

/// Known kinds that clusters without the Gateway API have too.
const OF_EVERY_CLUSTER: [Kind; 6] = [
    Kind::Crd,
    Kind::Service,
    Kind::Secret,
    Kind::Namespace,
    Kind::AdmissionPolicy,
    Kind::AdmissionBinding,
];

fn checked(source: &Source) -> Checked {
    Checked {
        path: source.path().to_owned(),
        submission: String::new(),
    }
}

/// Checks the files of a dump, in the order of the command line.
pub fn check_resources(
    dump: &[Source],
    against: Against<'_>,
    settings: &Settings,
    registry: &Registry,
) -> ResourceReport {
    let files: Vec<File<'_>> = dump.iter().map(File::read).collect();
    let cluster = Cluster::read_dump(&files).with_listed(against.listed);
    let basis = basis(&cluster, against, registry);
    let mut outcome = CheckReport {
        checked: dump.iter().map(checked).collect(),
        ..CheckReport::default()
    };
    for file in &files {
        for reason in unread(file) {
            outcome.skipped(file.source.path(), reason);
        }
    }
    for file in files.iter().filter(|file| file.has_aliases()) {
        outcome.skipped(
            file.source.path(),
            "aliases, which are not followed, and objects that are missing because of them",
        );
    }
    let mut repeated: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    for object in cluster.repeated() {
        let path = object.root.place().place.path;
        *repeated.entry(path).or_default() += 1;
    }
    for (path, count) in repeated {
        let objects = counted(count, "object");
        outcome.skipped(
            &*path,
            format!("{objects} of the same kind and name as others in the input"),
        );
    }
    for file in &files {
        for (kind, &count) in &file.yaml.issues_left_out {
            use YamlIssueKind::{Alias, DuplicateKey, MergeKey};
            if matches!(kind, Alias | DuplicateKey | MergeKey) {
                let rule = rules::resource::UNREADABLE.about();
                outcome.leave_out(rule, settings, Shape::Current, file.source.path(), count);
            }
        }
    }
    let cx = ResourceContext {
        cluster: &cluster,
        registry,
        basis: &basis,
        report: against.report,
    };
    let whole = match &files[..] {
        [file] => file.source.path().to_owned(),
        files => format!("{} files", files.len()),
    };
    let mut waiting: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let readable = [&rules::resource::UNREADABLE];
    let selected = match against.upgrade {
        Some(_) => &readable[..],
        None => rules::resource::RULES,
    };
    let selected = selected.iter();
    for rule in selected.filter(|rule| settings.is_selected(rule.about())) {
        let missing = rule.kinds.iter().find(|kinds| {
            !cluster.has(kinds) && !kinds.iter().all(|&kind| cluster.is_listed(kind))
        });
        if let Some(kinds) = missing {
            let names: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
            waiting
                .entry(joined(&names, "or"))
                .or_default()
                .push(rule.about().id);
            continue;
        }
        let severity = settings.current(rule.about());
        outcome.run(rule.about(), severity, &whole, |out| {
            rule.rule.check(&cx, out)
        });
    }
    for (kinds, rules) in waiting {
        let reason = format!("{}: no {kinds} in the input", rules.join(", "));
        outcome.skipped(whole.as_str(), reason);
    }
    let upgrade = check_upgrade(&cluster, against, &basis, registry, |rules, cx| {
        outcome.run_all(rules, settings, &whole, cx);
    });
    outcome.sort();
    let is_refused = rules::needs::is_refused(&outcome.findings);
    let lacks = if !has_stored_versions(&cluster) {
        Some("CRDs with their status")
    } else {
        let is_open = rules::needs::may_be_refused(&outcome.findings);
        is_open.then_some("the policy that may deny the CRDs")
    };
    let upgrade = upgrade.map(|crds| Upgrade {
        release: crds.release.version.to_string(),
        channel: crds.channel,
        is_blocked: (is_refused || lacks.is_none()).then_some(is_refused),
        has_errors: (outcome.findings.iter()).any(|one| one.severity == Severity::Error),
        lacks,
    });
    ResourceReport {
        report: outcome,
        cluster: ClusterSummary {
            upgrade,
            ..summary(&cluster, &basis)
        },
    }
}

fn has_stored_versions(cluster: &Cluster<'_>) -> bool {
    let crds = cluster.crds.found.iter();
    let mut crds = crds.filter(|crd| crd.is_of_gateway_api).peekable();
    let stored = ["status", "storedVersions"];
    crds.peek().is_some() && crds.all(|crd| cluster.objects[crd.object].at(&stored).is_some())
}

/// Runs all rules about CRDs to install or, without such CRDs, those about the release. A release
/// that was not requested only tells which form its features have.
fn check_upgrade<'a>(
    cluster: &Cluster<'a>,
    against: Against<'a>,
    basis: &Basis<'_>,
    registry: &'a Registry,
    mut run: impl FnMut(&[&Rule<CrdsContext<'static>>], &CrdsContext<'_>),
) -> Option<Crds<'a>> {
    let channel = basis.channel.as_deref().and_then(Channel::from_text);
    let of_release = || {
        let release = basis.release?.version().minor();
        let release = registry.served().newest_patch_of(release)?;
        let channel = channel.unwrap_or(Channel::Standard);
        Some(registry.served().crds(release, channel))
    };
    let crds = against.upgrade.or_else(of_release)?;
    let is_requested = matches!(basis.choice, ReleaseChoice::Requested(_));
    let lists: &[_] = match against.upgrade {
        Some(_) => &rules::needs::BEFORE_UPGRADE,
        None if is_requested => &[rules::needs::STATUS, rules::needs::CHANGE],
        None => &[rules::needs::STATUS],
    };
    let cx = CrdsContext {
        cluster,
        crds,
        is_sure: basis.is_sure(),
        report: against.report,
        tested: against.tested,
    };
    for rules in lists {
        run(rules, &cx);
    }
    against.upgrade
}

fn unread(file: &File<'_>) -> Vec<String> {
    let parts = &file.yaml.unread;
    let reason = |part: &Unread| {
        let [start, end] = [part.span.start, part.span.end].map(|at| at as usize);
        let at = file.source.position(start);
        let until = if end == file.source.text().len() {
            "and all after it".to_owned()
        } else {
            format!("up to line {}", file.source.position(end).line - 1)
        };
        format!(
            "the object at line {}, column {} {until}, which could not be read",
            at.line, at.column
        )
    };
    let mut reasons: Vec<String> = parts.iter().take(rules::MAX_FINDINGS).map(reason).collect();
    let others = parts.len() - reasons.len();
    if others > 0 {
        let others = counted(others, "more document");
        reasons.push(format!("{others}, which could not be read"));
    }
    reasons
}

/// Prefers the requested release, then the CRDs' release, then the report's, then the newest.
fn basis<'r>(cluster: &Cluster<'_>, against: Against<'r>, registry: &'r Registry) -> Basis<'r> {
    let channel = cluster.crds.channel().map(|named| named.value.to_owned());
    let basis = |release, choice| Basis {
        release,
        choice,
        channel: channel.clone(),
    };
    if let Some(crds) = against.upgrade {
        let release = registry.release(&crds.release.version).release();
        return basis(release, ReleaseChoice::Own("--crds"));
    }
    if let Some(wanted) = against.wanted {
        return basis(Some(wanted.release), ReleaseChoice::Requested(wanted));
    }
    let of_crds = cluster
        .crds
        .version()
        .and_then(|version| lenient_version(version.value));
    let of_report = against
        .report
        .and_then(|report| report.release.version.clone());
    let found = [(of_crds, "the CRDs"), (of_report, "the report")];
    let mut unknown = None;
    for (version, whose) in found {
        let Some(version) = version else { continue };
        let out_since = release_of_prerelease(&version, registry);
        match (registry.release(&version), out_since) {
            (Match::Exact(release), _) => return basis(Some(release), ReleaseChoice::Own(whose)),
            (_, Some(release)) => {
                return basis(Some(release), ReleaseChoice::After(whose, version));
            }
            (Match::NearestLowerPatch(release), None) => {
                return basis(Some(release), ReleaseChoice::Near(whose, version));
            }
            (Match::NewerThanKnown | Match::Unknown, None) => {
                unknown = unknown.or(Some((whose, version)));
            }
        }
    }
    match unknown {
        Some((whose, version)) => basis(registry.newest(), ReleaseChoice::Unknown(whose, version)),
        None if cluster.crds.versions().len() > 1 => {
            basis(registry.newest(), ReleaseChoice::Several)
        }
        None => basis(registry.newest(), ReleaseChoice::Newest),
    }
}

fn summary(cluster: &Cluster<'_>, basis: &Basis<'_>) -> ClusterSummary {
    let owned = |text: &str| text.to_owned();
    ClusterSummary {
        counts: cluster.counts,
        health: crate::Health::new(cluster),
        versions: cluster.crds.versions().into_iter().map(owned).collect(),
        channels: cluster.crds.channels().into_iter().map(owned).collect(),
        crds: cluster.crds.found.len(),
        api_objects: cluster.counts.known - cluster.of(&OF_EVERY_CLUSTER).count(),
        release: basis.release.map(|release| release.version().to_string()),
        chosen: basis.choice.to_string(),
        upgrade: None,
    }
}
