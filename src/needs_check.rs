//! What manifests need, who has it, and what breaks: everything that `gwconform needs` answers.

use crate::check::{CheckReport, Checked, Settings};
use crate::message::Message;
use crate::needs::crds::Crds;
use crate::needs::{BeyondKind, Listed, Needs, Place, Places, Target};
use crate::registry::{Channel, Kind, Level, Registry};
use crate::resource::{Cluster, Counts, File};
use crate::rules::{Check, NeedsContext};
use crate::source::Source;
use crate::yaml::YamlIssueKind;

/// What manifests are compared with.
#[derive(Debug, Default)]
pub struct Against<'a> {
    /// The report they are to run with.
    pub to: Option<&'a Target>,
    /// The report they ran with so far.
    pub from: Option<&'a Target>,
    /// The GatewayClasses and meshes they are to run with.
    pub listed: &'a [Listed],
    /// The CRDs they are to be applied with.
    pub crds: Option<&'a Crds<'a>>,
}

impl Against<'_> {
    /// True with anything to compare with.
    pub fn is_any(&self) -> bool {
        self.to.is_some() || !self.listed.is_empty() || self.crds.is_some()
    }
}

/// What manifests need, resolved: nothing of their texts is needed any more.
#[derive(Debug)]
pub struct NeedsReport {
    /// How much was looked at.
    pub counts: Counts,
    /// The features that are needed for sure, by name.
    pub certain: Vec<FeatureNeed>,
    /// The features that may be relied on, by name.
    pub perhaps: Vec<FeatureNeed>,
    /// Extended fields that no feature covers, by name.
    pub uncovered: Vec<NamedPlaces>,
    /// What the API leaves to each implementation, or does not know.
    pub beyond: Vec<BeyondNeed>,
    /// How many things beyond the API are not kept.
    pub beyond_left_out: usize,
    /// How many Services behind HTTPRoutes are not in the input.
    pub services_not_there: usize,
    /// What could not be read, by file and place.
    pub unread: Vec<Unread>,
}

/// A feature that is needed.
#[derive(Debug)]
pub struct FeatureNeed {
    /// Its name.
    pub feature: String,
    /// Core or extended.
    pub level: Level,
    /// The first release that has it.
    pub since: Option<String>,
    /// The channel of its fields.
    pub channel: Channel,
    /// Why it is only perhaps needed.
    pub because: Option<String>,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Something with a name and places.
#[derive(Debug)]
pub struct NamedPlaces {
    /// Its name for people.
    pub name: String,
    /// True where only the experimental channel has it.
    pub is_experimental: bool,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Something beyond the API.
#[derive(Debug)]
pub struct BeyondNeed {
    /// What it is.
    pub kind: BeyondKind,
    /// The same in words.
    pub title: Message,
    /// The group of somebody's own, if it has one.
    pub group: Option<String>,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Places with their lines.
#[derive(Debug)]
pub struct ResolvedPlaces {
    /// The first ones, in the order of the files.
    pub kept: Vec<ResolvedPlace>,
    /// How many there are.
    pub count: usize,
}

/// A place with its line.
#[derive(Debug)]
pub struct ResolvedPlace {
    /// The file as it is printed.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The object, as kind, namespace and name.
    pub resource: String,
    /// JSON pointer, from the object.
    pub pointer: String,
    /// The value, where it is what counts.
    pub value: Option<String>,
    /// What is there.
    pub title: Message,
}

/// A part of a file that could not be read.
#[derive(Debug)]
pub struct Unread {
    /// The file as it is printed.
    pub path: String,
    /// The line of the document, from 1.
    pub line: u32,
    /// True for a template of Helm.
    pub is_template: bool,
    /// Why, one sentence without a full stop.
    pub reason: String,
}

/// What manifests need, and what the rules of the group `needs` find.
///
/// With [`Against::default`] no rule finds anything: see [`Against::is_any`].
pub fn check_needs(
    sources: &[Source],
    against: &Against<'_>,
    settings: &Settings,
    registry: &Registry,
) -> (NeedsReport, CheckReport) {
    let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::of(&cluster, registry);
    let cx = NeedsContext {
        cluster: &cluster,
        needs: &needs,
        registry,
        to: against.to,
        from: against.from,
        listed: against.listed,
        crds: against.crds,
    };
    let findings = findings(&cx, sources, settings);
    let report = NeedsReport {
        counts: cluster.counts,
        certain: features(&needs.certain, &cluster, registry),
        perhaps: features(&needs.perhaps, &cluster, registry),
        uncovered: (needs.uncovered.iter())
            .map(|field| NamedPlaces {
                name: field.name.clone(),
                is_experimental: field.is_experimental,
                places: resolved(&field.places, &cluster),
            })
            .collect(),
        beyond: (needs.beyond.iter())
            .map(|beyond| BeyondNeed {
                kind: beyond.kind,
                title: beyond.title.clone(),
                group: beyond.group.clone(),
                places: resolved(&beyond.places, &cluster),
            })
            .collect(),
        beyond_left_out: needs.beyond_left_out,
        services_not_there: needs.services_not_there,
        unread: files.iter().flat_map(unread).collect(),
    };
    (report, findings)
}

fn findings(cx: &NeedsContext<'_>, sources: &[Source], settings: &Settings) -> CheckReport {
    let mut outcome = CheckReport {
        checked: (sources.iter())
            .map(|source| Checked {
                path: source.path().to_owned(),
                submission: String::new(),
            })
            .collect(),
        ..CheckReport::default()
    };
    let whole = match sources {
        [source] => source.path().to_owned(),
        sources => format!("{} files", sources.len()),
    };
    for &rule in settings.selected() {
        if let Check::Needs(check) = rule.check {
            let severity = settings.severity(rule, false, None);
            outcome.run(rule, severity, &whole, |out| check(cx, out));
        }
    }
    outcome.sort();
    outcome
}

fn features(
    needs: &[crate::needs::Need<'_>],
    cluster: &Cluster<'_>,
    registry: &Registry,
) -> Vec<FeatureNeed> {
    let need = |need: &crate::needs::Need<'_>| FeatureNeed {
        feature: need.feature.clone(),
        level: need.level,
        since: registry
            .since(Kind::Feature, &need.feature)
            .map(|release| release.version().to_string()),
        channel: need.channel,
        because: need.because.clone(),
        places: resolved(&need.places, cluster),
    };
    needs.iter().map(need).collect()
}

fn resolved(places: &Places<'_>, cluster: &Cluster<'_>) -> ResolvedPlaces {
    let place = |place: &Place<'_>| {
        let object = &cluster.objects[place.object];
        let printed = place.node.place().place;
        let start = printed.region.map(|region| region.start);
        ResolvedPlace {
            path: printed.path,
            line: start.map_or(1, |start| start.line),
            column: start.map_or(1, |start| start.column),
            resource: object.root.subject().to_string(),
            pointer: place.pointer.clone(),
            value: place.value.clone(),
            title: place.title(),
        }
    };
    ResolvedPlaces {
        kept: places.kept.iter().map(place).collect(),
        count: places.count,
    }
}

fn unread(file: &File<'_>) -> Vec<Unread> {
    let source = file.source;
    let issues = &file.yaml.issues;
    let parts = file.yaml.unread.iter().map(|part| {
        // The issue that stopped reading is at the place where it stopped or before it.
        let mut stops = issues.iter().rev();
        let issue = stops.find(|issue| {
            issue.kind.stops_reading()
                && part.document <= issue.span.start
                && issue.span.start <= part.span.end
        });
        let is_template = issue.is_some_and(|issue| issue.kind == YamlIssueKind::Template);
        let reason = match issue {
            _ if is_template => "a template: pipe `helm template` here".to_owned(),
            // A syntax error may quote what is secret.
            Some(issue) if issue.message.is_fixed() => issue.message.to_string(),
            _ => "not valid YAML".to_owned(),
        };
        Unread {
            path: source.path().to_owned(),
            line: source.position(part.span.start as usize).line,
            is_template,
            reason,
        }
    });
    parts.collect()
}
