use std::io::Write;
use std::path::PathBuf;

use anyhow::anyhow;

use super::RegistryArguments;
use super::sources::{list_problems, pairs};
use crate::api::Version;
use crate::cli::empty::EmptyArguments;
use crate::cli::git::Named;
use crate::cli::{Exit, Failure, Streams, open};
use crate::release::{self, Match, Registry, Release, import};
use crate::text::{counted, visible};

/// Compare built-in release data with the sources.
///
/// Each --ref is the tag of one release, in its own --checkout or in the only one. Without --ref,
/// all known releases with a tag in the checkout are compared. Data about served CRDs
/// (served.json) is checked for consistency with the releases. Exit code 1 if anything differs.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Git directory of the Gateway API; bare repositories allowed. Pass it once for all --ref
    /// options, or once for each
    #[arg(long, value_name = "DIR")]
    checkout: Vec<PathBuf>,
    /// Tag of a known release, e.g. v1.6.1
    #[arg(long = "ref", value_name = "TAG")]
    reference: Vec<String>,
    #[command(flatten)]
    registry: RegistryArguments,
    #[command(flatten)]
    empty: EmptyArguments,
}

pub fn check(arguments: &CheckArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let loaded = arguments.registry.load()?;
    let registry = loaded.get();
    let mut differences = 0;
    let mut compared = Vec::new();
    let mut failed = Vec::new();
    for (checkout, wanted) in pairs(&arguments.checkout, &arguments.reference)? {
        let named = Named::open(checkout)?;
        for release in releases(registry, &named, wanted)? {
            let name = release.version().to_string();
            let commit = named.commit(&name)?;
            let version = release.version();
            let found = import::differences(&commit, release).and_then(|mut found| {
                let references = registry.references();
                found.extend(import::wrong_references(&commit, references, version)?);
                Ok(found)
            });
            match found {
                Ok(found) => {
                    for difference in &found {
                        writeln!(streams.stdout, "{name}: {}", visible(difference))?;
                    }
                    differences += found.len();
                    compared.push(version);
                }
                Err(problems) => {
                    writeln!(streams.stderr, "{name}: not compared:")?;
                    list_problems(&problems, streams)?;
                    failed.push(version);
                }
            }
        }
    }
    let files = arguments.files()?;
    let inconsistent = release::served_problems(registry, &files);
    let inconsistent = inconsistent.iter().map(ToString::to_string);
    for text in out_of_layout(&files).into_iter().chain(inconsistent) {
        writeln!(streams.stdout, "{}", visible(&text))?;
        differences += 1;
    }
    let all = registry.releases();
    let not_compared: Vec<String> = all
        .iter()
        .map(Release::version)
        .filter(|version| !compared.contains(version) && !failed.contains(version))
        .map(ToString::to_string)
        .collect();
    if !not_compared.is_empty() {
        writeln!(
            streams.stdout,
            "not compared, no source: {}",
            not_compared.join(", ")
        )?;
    }
    writeln!(
        streams.stdout,
        "{} of {} compared with sources: {}",
        compared.len(),
        counted(all.len(), "release"),
        counted(differences, "difference")
    )?;
    if !failed.is_empty() {
        let failed: Vec<String> = failed.iter().map(ToString::to_string).collect();
        return Err(Failure::CouldNotRun(anyhow!(
            "the source of {} cannot be read",
            failed.join(", ")
        )));
    }
    if differences > 0 {
        return Ok(Exit::Findings);
    }
    let nothing = (compared.is_empty() && files.is_empty()).then(|| {
        "no release was compared; expected --checkout with a Gateway API repository that has tags of known releases".to_owned()
    });
    arguments.empty.refuse(nothing)?;
    Ok(Exit::Done)
}

fn releases<'r>(
    registry: &'r Registry,
    named: &Named,
    wanted: Option<&str>,
) -> Result<Vec<&'r Release>, Failure> {
    if let Some(text) = wanted {
        let version = Version::parse(text);
        return match version.map(|version| registry.release(&version)) {
            Some(Match::Exact(release)) => Ok(vec![release]),
            _ => Err(Failure::Usage(anyhow!(
                "--ref: no data of release `{text}`; create it with `gwconform registry import`"
            ))),
        };
    }
    let mut found = Vec::new();
    for release in registry.releases() {
        if named.has(&release.version().to_string())? {
            found.push(release);
        }
    }
    Ok(found)
}

impl CheckArguments {
    fn files(&self) -> Result<Vec<(String, String)>, Failure> {
        let Some(folder) = self.registry.folder() else {
            return Ok(Vec::new());
        };
        let base = open::working_dir()?;
        Ok(crate::workspace::registry_files(&folder, &base)?)
    }
}

fn out_of_layout(files: &[(String, String)]) -> Vec<String> {
    let releases = files.iter().filter(|(name, _)| name.starts_with('v'));
    let wrong = releases.filter(|(_, text)| !import::is_laid_out(text));
    let told = wrong
        .map(|(name, _)| format!("{name}: not formatted as `gwconform registry import` writes it"));
    told.collect()
}
