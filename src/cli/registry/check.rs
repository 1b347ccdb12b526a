use std::path::PathBuf;

use anyhow::anyhow;

use super::{facts, version};
use crate::cli::{Content, Exit, Failure, Streams, open};
use gwconform_base::release::{self, Match, import};
use gwconform_base::text::{counted, visible};

/// Compare the data of a release with its sources.
///
/// FACTS is the output of `tools/facts`. The files in --registry are also checked for their layout,
/// and data about served CRDs (served.json) for its consistency with the releases. Exit code 1 if
/// anything differs.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// Output of tools/facts
    facts: Option<PathBuf>,
    /// Gateway API release: the one that FACTS describes [default: the release named in the CRDs]
    #[arg(long, value_name = "RELEASE", requires = "facts")]
    release: Option<String>,
}

pub fn check(arguments: &CheckArguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    if arguments.facts.is_none() && streams.global.registry.is_none() {
        return Err(Failure::Usage(anyhow!(
            "nothing to compare; pass FACTS, --registry, or both"
        )));
    }
    let loaded = open::registry(streams)?;
    let registry = loaded.get();
    let mut differences = Vec::new();
    if let Some(path) = &arguments.facts {
        let facts = facts(path)?;
        let named = arguments.release.as_deref();
        let version = version("--release", named.unwrap_or(facts.bundle_version()))?;
        let Match::Exact(release) = registry.release(&version) else {
            return Err(Failure::Usage(anyhow!(
                "no data of release {version}; create it with `gwconform registry import`"
            )));
        };
        let found = import::differences(&facts, release, registry.references());
        differences.extend(found.into_iter().map(|text| format!("{version}: {text}")));
    }
    let files = match &streams.global.registry {
        Some(folder) => crate::workspace::registry_files(folder, &open::working_dir()?)?,
        None => Vec::new(),
    };
    let releases = files.iter().filter(|(name, _)| name.starts_with('v'));
    let others = releases.filter(|(_, text)| !import::is_laid_out(text));
    differences.extend(others.map(|(name, _)| {
        format!("{name}: not formatted as `gwconform registry import` writes it")
    }));
    let inconsistent = release::served_problems(registry, &files);
    differences.extend(inconsistent.iter().map(ToString::to_string));
    for text in &differences {
        writeln!(streams.out(Content::Text), "{}", visible(text))?;
    }
    writeln!(
        streams.out(Content::Text),
        "{}",
        counted(differences.len(), "difference")
    )?;
    if differences.is_empty() {
        Ok(Exit::Done)
    } else {
        Ok(Exit::Findings)
    }
}
