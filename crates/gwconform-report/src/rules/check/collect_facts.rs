use crate::report::facts::{
    self, Block, Digest, Fact, LISTENER_ISOLATION, ProfileLines, ReportFacts, names, profiles,
    texts,
};
use crate::report::formats::time_of_run;
use crate::report::view::{List, Profile, Report, Text};
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
        digest,
        ran_at: report
            .date
            .and_then(|date| Some(time_of_run(date.value)?.as_second())),
        results: results(report),
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

/// Ignores order, spelling and unknown fields, because copies can change them without changing
/// claims.
fn results(report: &Report<'_>) -> Option<Digest> {
    if report.profiles.is_empty() {
        return None;
    }
    let mut profiles: Vec<Vec<u8>> = report.profiles.iter().map(profile).collect();
    profiles.sort();
    let mut bytes = Vec::new();
    write_all(profiles.iter().map(Vec::as_slice), &mut bytes);
    write_list(report.succeeded_provisional_tests.as_ref(), &mut bytes);
    Some(Digest::new(&bytes))
}

fn profile(profile: &Profile<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(profile.name_or_empty().as_bytes(), &mut bytes);
    for (kind, level) in profile.levels() {
        let numbers = [level.passed(), level.skipped(), level.failed()];
        let texts = [
            kind.as_str().to_owned(),
            level.result.text().unwrap_or_default().to_owned(),
            format!("{numbers:?}"),
        ];
        write_all(texts.iter().map(String::as_bytes), &mut bytes);
        for (_, _, list) in level.lists() {
            write_list(list, &mut bytes);
        }
    }
    bytes
}

fn write_list(list: Option<&List<'_>>, bytes: &mut Vec<u8>) {
    let mut names: Vec<&str> = list.into_iter().flatten().copied().collect();
    names.sort_unstable();
    write_all(names.into_iter().map(str::as_bytes), bytes);
}

/// Writes lengths, so that different inputs never produce the same bytes.
fn write_all<'p>(parts: impl ExactSizeIterator<Item = &'p [u8]>, bytes: &mut Vec<u8>) {
    bytes.extend((parts.len() as u64).to_le_bytes());
    parts.for_each(|part| write(part, bytes));
}

fn write(part: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
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
