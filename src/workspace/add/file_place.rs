use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::SubmissionTarget;
use gwconform_base::api::FolderRelease;
use gwconform_base::api::{SUBJECT, Version};
use gwconform_base::files::name_of;
use gwconform_base::release::stated::is_legacy_folder;
use gwconform_base::text::source::display_path;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::report::naming::{self, slug::MAX_LENGTH};
use gwconform_report::rules::readme::markup::plain;
use gwconform_report::tree::{FIRST_MINOR_FOLDER, Tree};

/// Either `vX.Y` (since v1.5) or `vX.Y.Z`.
pub fn release_folder(tree: &Tree, version: &Version) -> (String, FolderRelease) {
    let minor = version.minor().to_string();
    let exact = format!("{minor}.{}", version.patch());
    let (usual, other) = if version.minor() >= FIRST_MINOR_FOLDER {
        (minor, exact)
    } else {
        (exact, minor)
    };
    let has = |name: &String| tree.releases.iter().any(|release| release.name == *name);
    let named = |name: &String| {
        let stands_for = tree.aliases.get(name).cloned();
        stands_for.or_else(|| has(name).then(|| name.clone()))
    };
    let name = named(&usual).or_else(|| named(&other)).unwrap_or(usual);
    let release = FolderRelease::parse(&name);
    (
        name,
        release.unwrap_or(FolderRelease::Minor(version.minor())),
    )
}

/// Prefers a folder with reports of this implementation, then its folder name in the newest other
/// release, then a folder with its name.
pub fn submission_folder(
    release: &Path,
    facts: &ReportFacts,
    target: &SubmissionTarget<'_>,
) -> Result<PathBuf, String> {
    let mine = reports_of(facts, target).ok_or("the report has no organization or no project")?;
    let is_here = |path: &Path| path.parent() == Some(release);
    let here = || {
        let reports = target.reports.iter();
        reports.filter(|report| is_here(&report.submission))
    };
    if let Some(known) = mine.iter().find(|report| is_here(&report.submission)) {
        return Ok(known.submission.clone());
    }
    if let Some(name) = folder_elsewhere(target, &mine) {
        let folder = release.join(name);
        if !here().any(|report| report.submission == folder) {
            return Ok(folder);
        }
    }
    let name = naming::folder_name(facts)
        .ok_or("organization or project contains neither letters nor digits; run the suite again with `--organization` and `--project`")?;
    let mut submissions = target
        .tree
        .submissions
        .iter()
        .filter(|submission| is_here(&submission.path));
    let by_name = submissions.find(|submission| {
        let folder = submission.folder.as_deref();
        folder.is_some_and(|folder| naming::is_named_by(folder, facts))
    });
    if let Some(submission) = by_name {
        let mut others = here().filter(|report| report.submission == submission.path);
        return match others.find_map(implementations(target)) {
            None => Ok(submission.path.clone()),
            Some((organization, project)) => Err(format!(
                "the folder {} belongs to {organization}/{project}, which is spelled differently; run the suite again with `--organization` and `--project` spelled as there",
                target.tree.display(&submission.path)
            )),
        };
    }
    if !name.is_ascii() || name.len() > MAX_LENGTH {
        return Err(format!(
            "the folder name {name}, made of organization and project, is longer than {MAX_LENGTH} bytes or contains letters that can be mistaken for others; create a folder in {} with a name of your choice from the same letters, or run the suite again with other names",
            target.tree.display(release)
        ));
    }
    Ok(release.join(name))
}

fn implementations<'g>(
    target: &'g SubmissionTarget<'_>,
) -> impl Fn(&ReportFacts) -> Option<(String, String)> + use<'g> {
    let configured = target.config.by_name();
    move |facts| {
        let name = (facts.organization()?, facts.project()?);
        let (organization, project) = configured.current(name);
        Some((organization.to_owned(), project.to_owned()))
    }
}

pub(super) fn reports_of<'g>(
    facts: &ReportFacts,
    target: &'g SubmissionTarget<'_>,
) -> Option<Vec<&'g ReportFacts>> {
    let who = implementations(target);
    let mine = who(facts)?;
    let reports = target.reports.iter();
    Some(
        reports
            .filter(|report| who(report).as_ref() == Some(&mine))
            .collect(),
    )
}

fn folder_elsewhere(target: &SubmissionTarget<'_>, mine: &[&ReportFacts]) -> Option<String> {
    let submissions = target.tree.submissions.iter();
    let folders: BTreeMap<&Path, &str> = submissions
        .filter_map(|submission| {
            let folder = submission.folder.as_deref()?;
            let is_plain =
                folder.len() <= MAX_LENGTH && folder.chars().all(|c| c.is_ascii_graphic());
            let _ = submission.release.as_ref()?;
            is_plain.then_some((submission.path.as_path(), folder))
        })
        .collect();
    let known = mine.iter().filter_map(|report| {
        let folder = folders.get(report.submission.as_path())?;
        Some((&report.release.version, *folder))
    });
    known.max().map(|(_, folder)| folder.to_owned())
}

pub fn file_name(facts: &ReportFacts, release: &FolderRelease) -> Result<String, String> {
    let is_legacy = is_legacy_folder(Some(release));
    let fields = [
        (SUBJECT.channel_field, facts.channel()),
        ("version", facts.version()),
        ("mode", facts.mode()),
    ];
    let needed = if is_legacy {
        &fields[1..2]
    } else {
        &fields[..]
    };
    for (field, text) in needed {
        let text = text
            .ok_or_else(|| format!("the report has no {field}, which is part of its file name"))?;
        if plain(text).is_none() {
            return Err(format!(
                "{field} `{text}` cannot be part of a file name and of a table cell; expected letters and digits, with `-`, `_`, `.` or `+` between them"
            ));
        }
    }
    let name = if is_legacy {
        naming::legacy_file_name(facts)
    } else {
        naming::file_name(facts)
    };
    name.ok_or_else(|| "no file name follows from the fields; expected the channel `standard` or `experimental`, and at most 255 bytes in all".to_owned())
}

pub fn look(
    folder: &Path,
    name: &str,
    facts: &ReportFacts,
    target: &SubmissionTarget<'_>,
) -> Result<Option<String>, String> {
    let mut there = target
        .reports
        .iter()
        .filter(|report| report.submission == folder);
    if let Some(same) = there.clone().find(|report| report.digest == facts.digest) {
        let path = same
            .path
            .strip_prefix(&target.tree.display(folder))
            .map_or(same.file_name.as_str(), |path| path.trim_start_matches('/'));
        return Ok(Some(path.to_owned()));
    }
    let is_name = |other: &str| other.to_lowercase() == name.to_lowercase();
    let mut files = target
        .tree
        .submissions
        .iter()
        .filter(|submission| submission.path == folder)
        .flat_map(|submission| &submission.reports);
    let is_taken =
        there.any(|report| is_name(&report.file_name)) || files.any(|path| is_name(&name_of(path)));
    if is_taken {
        return Err(format!(
            "{} already exists with other content, and reports are never overwritten; remove it first if this report replaces it, or run the suite again with another `--mode`",
            display_path(&folder.join(name), &target.tree.base)
        ));
    }
    Ok(None)
}
