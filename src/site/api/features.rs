//! The `features` data file: feature declarations, and support by implementation.

use serde::Serialize;
use serde_json::{Value, json};

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{FeatureView, ReportView, SiteModel, StateCounts, Support, text};
use crate::site::paths;
use gwconform_base::api::{Channel, Level, Minor, NameKind};
use gwconform_base::release::Release;
use gwconform_report::certify::Standing;
use gwconform_report::certify::catalog::{State, StateKind};
use gwconform_report::document::ProfileLevel;

/// Features of all known releases, sorted by name. A document of each feature with a page contains
/// only that feature: `features/HTTPRouteCORS.json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features"))]
pub struct Features {
    /// Minor whose reports `totals` counts; null if the tree has no minor.
    pub totals_minor: Option<String>,
    /// One entry per feature, sorted by name.
    #[cfg_attr(test, schemars(with = "Vec<Feature<'static>>"))]
    pub features: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `features` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A feature as declared by the newest release that has the feature. Declared values are null if no
/// release has the feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature<'c> {
    /// Feature name as in reports.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// One-line description of the feature; null if no release has the feature.
    pub description: Option<&'c str>,
    /// Kind that the feature belongs to, such as `HTTPRoute`.
    pub resource: Option<&'c str>,
    /// Core if a profile includes the feature as core, extended if profiles include it only as
    /// extended. Without a profile, the level that the feature has for its resource.
    pub level: Option<Level>,
    /// Channel that contains the API fields of the feature.
    pub channel: Option<Channel>,
    /// First release with the feature under this name; null if no release has it.
    pub since: Option<String>,
    /// Last minor with the feature, or the last patch if a later patch of that minor removed it.
    /// Null if the newest release has the feature, or no release does.
    pub until: Option<String>,
    /// Feature name in earlier releases; null if the feature was not renamed.
    pub renamed_from: Option<&'c str>,
    /// Feature name in later releases; null if the feature was not renamed.
    pub renamed_to: Option<&'c str>,
    /// Profiles that include the feature, with the level in each profile.
    pub profiles: Vec<ProfileLevel<'c>>,
    /// Feed path relative to the site root. Null if no release has the feature, or if no
    /// implementation's support ever changed.
    pub feed: Option<String>,
    /// First minor in which at least five implementations supported the feature, by any of their
    /// reports that can have a verdict. New reports never move it to a later minor.
    pub supported_since: Option<Minor>,
    /// Support in the newest reviewed minor; null if no implementation reported the feature for it.
    pub adoption: Option<MinorShare>,
    /// State counts over all newest-minor reports, in the profiles that include the feature.
    pub totals: StateCounts,
    /// One entry per implementation, sorted by organization and project, also if no report has a
    /// profile with the feature.
    pub implementations: Vec<ImplementationSupport<'c>>,
}

/// Number of implementations that support a feature in a minor, by any of their reports for it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MinorShare {
    /// Minor of the reports.
    pub minor: Minor,
    /// Implementations that support the feature.
    pub supporting_count: usize,
    /// Implementations that reported a profile with the feature.
    pub reporting_count: usize,
}

/// Support for a feature in the reports of one implementation. `state` is the best state for the
/// implementation's newest minor, in any channel, mode and profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationSupport<'c> {
    /// Key of the implementation.
    pub implementation: &'c str,
    /// Display name of the implementation.
    pub name: &'c str,
    /// Best verdict of its families.
    pub standing: Standing,
    /// Release of `since_report`.
    pub since: Option<String>,
    /// `implementation.version` of `since_report`.
    pub since_version: Option<&'c str>,
    /// Date of `since_report` in UTC; null if missing or invalid.
    #[cfg_attr(test, schemars(extend("format" = "date")))]
    pub since_date: Option<String>,
    /// First report that claims the feature in the unbroken run of minors up to the newest. Minors
    /// without a report about the feature do not break the run. Null if the newest reports do not
    /// claim the feature.
    pub since_report: Option<&'c str>,
    /// Report that decides `state`. Without a state, the newest report.
    pub report: &'c str,
    /// Release of `report`.
    pub release: Option<String>,
    /// `implementation.version` of `report`.
    pub implementation_version: Option<&'c str>,
    /// Profile of `report` that decides `state`; null without a state.
    pub profile: Option<&'c str>,
    /// Line of the feature in `report`. If the report does not list the feature, the line of the
    /// profile. Null without a state.
    pub line: Option<u32>,
    /// State, with the same values as in a matrix. Null if no report for the newest minor has a
    /// profile with the feature.
    pub state: Option<StateKind>,
    /// State in words, or the reason why there is none.
    #[cfg_attr(test, schemars(extend("examples" = ["proved, 2 tests passed", "did not report GATEWAY-TLS"])))]
    pub text: String,
    /// Number of passed tests if the feature is proved, otherwise null.
    pub passed_test_count: Option<usize>,
    /// Channels in which reports for the newest minor claim the feature.
    pub channels: Vec<&'c str>,
    /// For each of `channels`, the first report that claims the feature in the unbroken run of minors
    /// in this channel.
    pub since_in_channels: Vec<ChannelSince<'c>>,
    /// One entry per report and profile, for the newest minor whose reports have a profile with the
    /// feature. Reports for different channels and modes have separate entries.
    pub reports: Vec<ReportState<'c>>,
}

/// First report of an unbroken run in a channel.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChannelSince<'c> {
    /// `standard` or `experimental`.
    pub channel: &'c str,
    /// Release of the report.
    pub since: Option<String>,
    /// `implementation.version` of the report.
    pub since_version: Option<&'c str>,
    /// Date of the report in UTC; null if missing or invalid.
    #[cfg_attr(test, schemars(extend("format" = "date")))]
    pub since_date: Option<String>,
}

/// State of a feature in one profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportState<'c> {
    /// Key of the report.
    pub report: &'c str,
    /// Profile name, such as `GATEWAY-HTTP`.
    pub profile: &'c str,
    /// State, with the same values as in a matrix.
    #[cfg_attr(test, schemars(extend("enum" = StateKind::IN_RELEASE)))]
    pub state: StateKind,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    out.list(
        "features",
        Table::new("features", COLUMNS),
        model.features.iter().map(|view| feature(view, model)),
        |feature, table| {
            let computed = computed(&feature);
            let implementations = Vec::new();
            table.add(&[
                &computed,
                &json!(Feature {
                    implementations,
                    ..feature
                }),
            ]);
        },
        |feature| {
            let page = model.set.feature_page(feature.feature);
            page.map(|_| paths::feature_data(feature.feature))
        },
        |features, parts| Features {
            totals_minor: model.catalog.newest_reported.map(|minor| minor.to_string()),
            features,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn feature<'m>(view: &'m FeatureView<'m>, model: &'m SiteModel<'m>) -> Feature<'m> {
    let version = |release: Option<&Release>| release.map(|release| release.version().to_string());
    let profiles = view.profiles.iter();
    let implementations = model.support(view.name).into_iter();
    let adoption = model.adoption(view.name);
    Feature {
        feature: view.name,
        description: view.meaning(),
        resource: view.resource(),
        level: view.level(),
        channel: view.channel(),
        since: version(view.since),
        until: model.registry.until_in_short(NameKind::Feature, view.name),
        renamed_from: view.renamed_from,
        renamed_to: view.renamed_to,
        profiles: profiles
            .map(|(profile, level)| ProfileLevel {
                profile,
                level: *level,
            })
            .collect(),
        feed: view.feed.clone(),
        supported_since: adoption.since,
        adoption: adoption.share.map(|(minor, share)| MinorShare {
            minor,
            supporting_count: share.supported,
            reporting_count: share.reported,
        }),
        totals: view.newest,
        implementations: implementations
            .map(|support| implementation(view.name, support))
            .collect(),
    }
}

fn implementation<'m>(feature: &str, support: Support<'m, 'm>) -> ImplementationSupport<'m> {
    let (report, now, since) = (support.report(), support.now, support.since);
    let reports = support
        .in_reports(feature)
        .map(|(report, profile, state)| ReportState {
            report: &report.id,
            profile: report.profile_name(profile),
            state: state.kind(),
        });
    let since_in_channels = support
        .channels
        .iter()
        .map(|(channel, first)| ChannelSince {
            channel,
            since: first.release(),
            since_version: text(&first.facts().version),
            since_date: first.day(),
        });
    ImplementationSupport {
        since_in_channels: since_in_channels.collect(),
        implementation: support.implementation.slug,
        name: support.implementation.name,
        standing: support.implementation.standing(),
        since: since.and_then(ReportView::release),
        since_version: since.and_then(|report| text(&report.facts().version)),
        since_date: since.and_then(ReportView::day),
        since_report: since.map(|report| report.id.as_str()),
        report: &report.id,
        release: report.release(),
        implementation_version: text(&report.facts().version),
        profile: now.map(|now| now.report.profile_name(now.profile as usize)),
        line: now.and_then(|now| now.line(feature)),
        state: now.map(|now| now.state.kind()),
        passed_test_count: match now.map(|now| now.state) {
            Some(State::Proved { tests } | State::ProvedByLog { tests }) => Some(*tests as usize),
            _ => None,
        },
        reports: reports.collect(),
        channels: support.channels.into_keys().collect(),
        text: support.text,
    }
}

const COLUMNS: &str = "\
    feature,resource,level,channel,since,until,renamed_from,renamed_to,profiles,totals.cells,\
    totals.supported,totals.proved,totals.partly_seen,totals.not_seen,totals.skipped,\
    totals.no_test,totals.claimed,totals.unsupported,totals.not_claimed,totals.not_stated,\
    totals.failed,totals.not_in_release,claimed_by,description,feed";

fn computed(feature: &Feature<'_>) -> Value {
    let profiles = feature.profiles.iter();
    let profiles = profiles.map(|entry| format!("{} ({})", entry.profile, entry.level));
    let claiming = feature.implementations.iter();
    let claiming = claiming.filter(|support| support.since_report.is_some());
    json!({
        "profiles": profiles.collect::<Vec<_>>(),
        "claimed_by": claiming.map(|support| support.implementation).collect::<Vec<_>>(),
    })
}
