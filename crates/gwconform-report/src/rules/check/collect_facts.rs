use crate::report::facts::{
    self, Block, Digest, Fact, LISTENER_ISOLATION, ProfileLines, ReportFacts, names, profiles,
    texts,
};
use crate::report::formats::time_of_run;
use crate::report::view::{Report, Text};
use crate::rules::{self, ReportContext};
use gwconform_base::release::stated::StatedRelease;

pub fn collect(
    cx: &ReportContext<'_>,
    file_name: &str,
    document: usize,
    digest: Digest,
    blocks: Vec<Block>,
) -> ReportFacts {
    let fact = |text: Option<Text<'_>>| {
        text.map(|text| Fact {
            value: text.value.to_owned(),
            place: cx.place_of_value(text.node),
        })
    };
    let report = cx.report;
    let (profiles, exceeds_bounds) = profiles(cx.report, cx.registry);
    ReportFacts {
        path: cx.source.path().to_owned(),
        file_name: file_name.to_owned(),
        document,
        submission: cx.submission.path.clone(),
        reproduce: None,
        digest,
        ran_at: report
            .date
            .and_then(|date| Some(time_of_run(date.value)?.as_second())),
        fits_folder: fits_folder(cx),
        release: StatedRelease::new(report.stated_release.map(|text| text.value), cx.release),
        organization: fact(report.implementation.organization),
        project: fact(report.implementation.project),
        version: fact(report.implementation.version),
        channel: fact(report.channel),
        mode: fact(report.mode),
        date: fact(report.date),
        lacks_listener_isolation: lacks(report, LISTENER_ISOLATION),
        api_version: report.api_version.map(|text| text.value.to_owned()),
        url: fact(report.implementation.url),
        contact: texts(report.implementation.contact.as_ref()),
        lines: lines(cx, &profiles),
        profiles,
        succeeded_provisional: names(cx.registry, report.succeeded_provisional_tests.as_ref()),
        blocks,
        by_log: None,
        is_report: report.is_recognizable() && report.other_project.is_none(),
        other_project: (report.other_project)
            .map(|sign| rules::report::name_of_other_project(sign).to_string()),
        is_cut: cx.is_cut,
        exceeds_bounds,
    }
}

fn lines(cx: &ReportContext<'_>, profiles: &[facts::Profile]) -> Vec<ProfileLines> {
    let both = cx.report.profiles.iter().zip(profiles);
    let lines = both.map(|(profile, kept)| {
        let lists = profile.feature_lists().zip(kept.feature_lists());
        let items = lists.flat_map(|(list, kept)| list.items.iter().take(kept.items.len()));
        ProfileLines {
            start: cx.line(profile.node),
            features: items.map(|item| cx.line(item.node)).collect(),
        }
    });
    lines.collect()
}

fn fits_folder(cx: &ReportContext<'_>) -> bool {
    let (stated, folder) = (cx.stated_version(), cx.submission.release.as_ref());
    folder.is_some_and(|folder| stated.is_some_and(|stated| stated.minor() == folder.minor()))
}

fn lacks(report: &Report<'_>, feature: &str) -> bool {
    let mut features = report
        .levels()
        .flat_map(|level| &level.unsupported_features)
        .flatten();
    features.any(|unsupported| *unsupported == feature)
}
