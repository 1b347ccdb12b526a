//! What manifests need and who has it, as JSON.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::NeedsInput;
use crate::api::{Channel, Level};
use crate::certify::Status;
use crate::certify::catalog::StateKind;
use crate::cluster::needs::BeyondKind;
use crate::needs::{Answers, FeatureNeed, NamedPlaces, OneAnswer, ProvedFeature, ResolvedPlaces};
use crate::release::How;
use crate::report::schema;

/// What `gwconform needs --format json` prints without a target.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "What manifests need", transform = schema::with_id("needs"))]
pub struct Document {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// How many objects of kinds that something is known of were read.
    resources: usize,
    /// Other objects, and documents that are none.
    passed_over: usize,
    /// The features that are needed for sure, by name.
    needs: Vec<OneNeed>,
    /// The features that may be relied on, by name; none of them excludes a report.
    perhaps: Vec<OneNeed>,
    /// Extended fields that no feature covers, by name: no test shows who has them.
    uncovered: Vec<OneField>,
    /// What the API leaves to each implementation, or does not know.
    beyond: Vec<OneBeyond>,
    /// How many more things beyond the API there are.
    beyond_left_out: usize,
    /// How many Services behind HTTPRoutes are not in the input: their `appProtocol` is not known.
    services_not_there: usize,
    /// What could not be read.
    unread: Vec<OneUnread>,
    /// Kinds and versions of the API that no known release has: what they need is not known.
    unknown: Vec<OneUnknown>,
    /// Kinds of other groups that are not read, such as Ingress, by name; the first 20.
    not_read: Vec<OneNotRead>,
    /// Number of kinds that `not_read` leaves out.
    kinds_left_out: usize,
    /// What was asked of the reports of `--in`; else null.
    question: Option<OneQuestion>,
    /// The best report of each implementation, better ones first; null without `--in`.
    answers: Option<Vec<Answer>>,
}

/// A feature that is needed.
#[derive(Debug, Serialize, JsonSchema)]
struct OneNeed {
    /// Its name.
    feature: String,
    /// How sure it is: `certain` or `perhaps`.
    how: How,
    /// Core or extended, in the profiles that the Routes need.
    level: Level,
    /// The first release that has it.
    since: Option<String>,
    /// The channel of the CRDs that its fields are in.
    channel: Channel,
    /// Why it is only perhaps needed; null for what is certain.
    because: Option<String>,
    /// True for a convenience of the suite: no implementation is asked for it.
    apart: bool,
    /// How many places there are.
    count: usize,
    /// The first 100 places, in the order of the files.
    places: Vec<Place>,
}

/// An extended field that no feature covers.
#[derive(Debug, Serialize, JsonSchema)]
struct OneField {
    /// Its name.
    name: String,
    /// The channel of the CRDs that has it.
    channel: Channel,
    /// How many places there are.
    count: usize,
    /// The first 100 places, in the order of the files.
    places: Vec<Place>,
}

/// Something beyond the API.
#[derive(Debug, Serialize, JsonSchema)]
struct OneBeyond {
    /// What it is.
    kind: BeyondKind,
    /// The same in words.
    text: String,
    /// The group of somebody's own, if it has one.
    group: Option<String>,
    /// How many places there are.
    count: usize,
    /// The first 100 places, in the order of the files.
    places: Vec<Place>,
}

/// Where something is.
#[derive(Debug, Serialize, JsonSchema)]
struct Place {
    /// The file as it is printed.
    path: String,
    /// The line, from 1.
    line: u32,
    /// The column, from 1, in characters.
    column: u32,
    /// The object: `HTTPRoute/shop/web`.
    resource: String,
    /// JSON pointer of the value, from its object.
    pointer: String,
    /// The value, where it is what counts.
    value: Option<String>,
    /// What is there, in words.
    text: String,
}

/// A part of a file that could not be read.
#[derive(Debug, Serialize, JsonSchema)]
struct OneUnread {
    /// The file as it is printed.
    path: String,
    /// The line where reading stopped, from 1.
    line: u32,
    /// True for a template of Helm, which is rendered first; also where only a value is one.
    template: bool,
    /// Why.
    reason: String,
}

/// A kind or version that is not known.
#[derive(Debug, Serialize, JsonSchema)]
struct OneUnknown {
    /// The file of the first of its objects, as it is printed.
    path: String,
    /// The line there, from 1.
    line: u32,
    /// How many objects there are.
    count: usize,
    /// What is not known.
    reason: String,
}

/// Objects of a kind that is not read.
#[derive(Debug, Serialize, JsonSchema)]
struct OneNotRead {
    /// The kind.
    kind: String,
    /// The group; empty for the core group.
    group: String,
    /// Number of objects.
    count: usize,
    /// The file of the first object, as it is printed.
    path: String,
    /// The line there, from 1.
    line: u32,
}

/// What was asked.
#[derive(Debug, Serialize, JsonSchema)]
struct OneQuestion {
    /// The features that one report must have, by name.
    must: Vec<String>,
    /// The features that are needed and that no profile of the Routes' family has.
    untested: Vec<String>,
    /// The profiles that the Routes need.
    profiles: Vec<String>,
    /// The channel that reports must be for; null for any.
    channel: Option<Channel>,
    /// The minors whose reports were asked, newest first; empty for all releases.
    minors: Vec<String>,
    /// The query of the page `find/` of the site that asks the same; null for several profiles.
    query: Option<String>,
}

/// How a report answers.
#[derive(Debug, Serialize, JsonSchema)]
struct Answer {
    /// The path of the report.
    report: String,
    /// The implementation's name in addresses.
    implementation: String,
    /// The implementation's name.
    name: String,
    /// `implementation.version`.
    version: Option<String>,
    /// The release that the report is for.
    release: Option<String>,
    /// `gatewayAPIChannel`.
    channel: Option<String>,
    /// `mode`.
    mode: Option<String>,
    /// The worst verdict on the profiles that are needed; null where the report has none of them.
    verdict: Option<Status>,
    /// The features whose tests were seen to pass.
    met: Vec<String>,
    /// The features that it supports without that proof.
    claimed: Vec<FeatureState>,
    /// The features that it does not support, that failed, or that its release does not have.
    lacking: Vec<FeatureState>,
    /// The features that the report does not mention, which is not no.
    unknown: Vec<FeatureState>,
}

/// What a report shows of a feature.
#[derive(Debug, Serialize, JsonSchema)]
struct FeatureState {
    /// Its name.
    feature: String,
    /// What is known of it.
    state: StateKind,
    /// The same in words.
    text: String,
}

/// Writes what is needed, and who has it.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(input: NeedsInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    let report = &input.found.needs;
    let needs = |how, needs: &[FeatureNeed]| needs.iter().map(|need| one_need(how, need)).collect();
    let answers = input.found.answers.as_ref();
    let document = Document {
        version: 1,
        resources: report.counts.known,
        passed_over: report.counts.passed_over + report.counts.no_objects,
        needs: needs(How::Certain, &report.certain),
        perhaps: needs(How::Perhaps, &report.perhaps),
        uncovered: report.uncovered.iter().map(one_field).collect(),
        beyond: (report.beyond.iter())
            .map(|beyond| OneBeyond {
                kind: beyond.kind,
                text: beyond.title.to_string(),
                group: beyond.group.clone(),
                count: beyond.places.count,
                places: places(&beyond.places),
            })
            .collect(),
        beyond_left_out: report.beyond_left_out,
        services_not_there: report.services_not_there,
        unread: (report.unread.iter())
            .map(|unread| OneUnread {
                path: unread.path.clone(),
                line: unread.line,
                template: unread.is_template,
                reason: unread.reason.clone(),
            })
            .collect(),
        unknown: (report.unknown.iter())
            .map(|unknown| OneUnknown {
                path: unknown.path.clone(),
                line: unknown.line,
                count: unknown.count,
                reason: unknown.reason.clone(),
            })
            .collect(),
        not_read: (report.not_read.iter())
            .map(|one| OneNotRead {
                kind: one.kind.clone(),
                group: one.group.clone(),
                count: one.count,
                path: one.path.clone(),
                line: one.line,
            })
            .collect(),
        kinds_left_out: report.kinds_left_out,
        question: answers.map(question),
        answers: answers.map(|answers| answers.answers.iter().map(answer).collect()),
    };
    crate::text::json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn one_need(how: How, need: &FeatureNeed) -> OneNeed {
    OneNeed {
        feature: need.feature.clone(),
        how,
        level: need.level,
        since: need.since.clone(),
        channel: need.channel,
        because: need.because.clone(),
        apart: need.is_apart,
        count: need.places.count,
        places: places(&need.places),
    }
}

fn one_field(field: &NamedPlaces) -> OneField {
    OneField {
        name: field.name.clone(),
        channel: match field.is_experimental {
            true => Channel::Experimental,
            false => Channel::Standard,
        },
        count: field.places.count,
        places: places(&field.places),
    }
}

fn places(places: &ResolvedPlaces) -> Vec<Place> {
    let kept = places.kept.iter().map(|place| Place {
        path: place.path.clone(),
        line: place.line,
        column: place.column,
        resource: place.resource.clone(),
        pointer: place.pointer.clone(),
        value: place.value.clone(),
        text: place.title.to_string(),
    });
    kept.collect()
}

fn question(answers: &Answers) -> OneQuestion {
    OneQuestion {
        must: answers.must.clone(),
        untested: answers.untested.clone(),
        profiles: answers.profiles.clone(),
        channel: answers.channel,
        minors: answers.minors.clone(),
        query: answers.query.clone(),
    }
}

fn answer(answer: &OneAnswer) -> Answer {
    let is_unknown =
        |one: &&ProvedFeature| matches!(one.state, StateKind::NotStated | StateKind::NotClaimed);
    let proved = answer.met.iter().filter(|one| one.state.is_proof());
    let claimed = answer.met.iter().filter(|one| !one.state.is_proof());
    let lacking = answer.lacking.iter().filter(|one| !is_unknown(one));
    let unknown = answer.lacking.iter().filter(is_unknown);
    Answer {
        report: answer.path.clone(),
        implementation: answer.slug.clone(),
        name: answer.name.clone(),
        version: answer.version.clone(),
        release: answer.release.clone(),
        channel: answer.channel.clone(),
        mode: answer.mode.clone(),
        verdict: answer.verdict,
        met: proved.map(|one| one.feature.clone()).collect(),
        claimed: claimed.map(feature_state).collect(),
        lacking: lacking.map(feature_state).collect(),
        unknown: unknown.map(feature_state).collect(),
    }
}

fn feature_state(one: &ProvedFeature) -> FeatureState {
    FeatureState {
        feature: one.feature.clone(),
        state: one.state,
        text: one.words.clone(),
    }
}
