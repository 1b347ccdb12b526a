//! What manifests need, with paths and lines: nothing of their texts is needed any more.

use crate::message::Message;
use crate::needs::{BeyondKind, Need, Needs, Place, Places};
use crate::registry::{Channel, Kind, Level, Registry};
use crate::resource::{Cluster, Counts, File};
use crate::text::counted;
use crate::yaml::{Unread as UnreadPart, YamlIssue, YamlIssueKind};

/// What manifests need.
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
    /// How many objects of any kind there are.
    pub objects: usize,
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

impl NeedsReport {
    /// What is needed, with paths and lines.
    pub(super) fn of(needs: &Needs<'_>, cluster: &Cluster<'_>, registry: &Registry) -> Self {
        let uncovered = needs.uncovered.iter().map(|field| NamedPlaces {
            name: field.name.clone(),
            is_experimental: field.is_experimental,
            places: resolved(&field.places, cluster),
        });
        let beyond = needs.beyond.iter().map(|beyond| BeyondNeed {
            kind: beyond.kind,
            title: beyond.title.clone(),
            group: beyond.group.clone(),
            places: resolved(&beyond.places, cluster),
        });
        Self {
            counts: cluster.counts,
            certain: features(&needs.certain, cluster, registry),
            perhaps: features(&needs.perhaps, cluster, registry),
            uncovered: uncovered.collect(),
            beyond: beyond.collect(),
            beyond_left_out: needs.beyond_left_out,
            services_not_there: needs.services_not_there,
            unread: cluster.files.iter().flat_map(unread).collect(),
            objects: cluster.objects.len(),
        }
    }

    /// True where nothing at all could be read, although there is something.
    pub fn is_unreadable(&self) -> bool {
        self.objects == 0 && !self.unread.is_empty()
    }
}

fn features(needs: &[Need<'_>], cluster: &Cluster<'_>, registry: &Registry) -> Vec<FeatureNeed> {
    let need = |need: &Need<'_>| FeatureNeed {
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
        let printed = place.anchor().place;
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

/// How many parts of a file that could not be read are named; the others are counted.
const MAX_UNREAD: usize = 20;

pub(super) fn unread(file: &File<'_>) -> Vec<Unread> {
    let source = file.source;
    let issues = file.yaml.issues.iter();
    let stops: Vec<&YamlIssue> = issues.filter(|issue| issue.kind.stops_reading()).collect();
    let mut has_template = false;
    let line = |part: &UnreadPart| source.position(part.span.start as usize).line;
    let parts = file.yaml.unread.iter().take(MAX_UNREAD).map(|part| {
        let after = stops.partition_point(|issue| issue.span.start <= part.span.end);
        let last = after.checked_sub(1).and_then(|at| stops.get(at));
        let issue = last.filter(|issue| part.document <= issue.span.start);
        // A template is named once for each file: its documents are many.
        let is_template = match issue {
            Some(issue) => issue.kind == YamlIssueKind::Template,
            None => has_template,
        };
        has_template |= is_template;
        let reason = match issue {
            _ if is_template => "a template of Helm: pipe `helm template` here".to_owned(),
            // A syntax error may quote what is secret.
            Some(issue) if issue.message.is_fixed() => issue.message.to_string(),
            _ => "not valid YAML".to_owned(),
        };
        Unread {
            path: source.path().to_owned(),
            line: line(part),
            is_template,
            reason,
        }
    });
    let mut unread: Vec<Unread> = parts.collect();
    let others = file.yaml.unread.len().saturating_sub(MAX_UNREAD);
    if let (Some(next), 1..) = (file.yaml.unread.get(MAX_UNREAD), others) {
        unread.push(Unread {
            path: source.path().to_owned(),
            line: line(next),
            is_template: has_template,
            reason: format!("{} from here on", counted(others, "more document")),
        });
    }
    unread.extend(unfollowed(file));
    unread
}

/// The aliases and merge keys of a file that are not followed.
fn unfollowed(file: &File<'_>) -> impl Iterator<Item = Unread> {
    let issues = file.yaml.issues.iter();
    let aliases =
        issues.filter(|issue| matches!(issue.kind, YamlIssueKind::Alias | YamlIssueKind::MergeKey));
    aliases.take(MAX_UNREAD).map(|issue| Unread {
        path: file.source.path().to_owned(),
        line: file.source.position(issue.span.start as usize).line,
        is_template: false,
        // Another one quotes the alias, which may be of what is secret.
        reason: match issue.message.is_fixed() {
            true => issue.message.to_string(),
            false => "an alias that is not followed".to_owned(),
        },
    })
}
