mod check;
pub mod command;

use std::path::Path;

use anyhow::{Context as _, anyhow};

use super::Failure;
use super::format::TextFormat;
use gwconform_base::api::{Channel, Minor, NameKind, Version};
use gwconform_base::files::{PathError, read_regular};
use gwconform_base::release::import::SourceFacts;
use gwconform_base::release::served::{Crds, ServedRelease};
use gwconform_base::release::stated::lenient_version;
use gwconform_base::release::{Match, Profile, Registry, Release};
use gwconform_base::text::message::cut;
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_base::text::{suggest, visible};

#[derive(Debug, clap::Args)]
pub struct QueryArguments {
    /// Gateway API release, e.g. v1.5.1, or v1.5 for its latest patch [default: the newest]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Conformance profile, e.g. GATEWAY-HTTP: show only this one
    #[arg(long, value_name = "PROFILE")]
    profile: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[derive(Debug)]
pub struct Query<'r> {
    pub release: &'r Release,
    pub note: Option<String>,
    pub profile: Option<&'r Profile>,
}

/// Releases that `--release` names.
pub enum Precision {
    Any,
    Minor,
    Patch,
}

impl QueryArguments {
    pub fn precision(&self) -> Precision {
        match self.release.as_deref() {
            None => Precision::Any,
            Some("latest") => Precision::Minor,
            Some(text) if Minor::parse(text).is_some() => Precision::Minor,
            Some(text) if Minor::parse(&format!("v{text}")).is_some() => Precision::Minor,
            Some(_) => Precision::Patch,
        }
    }

    pub fn is_narrowed(&self) -> bool {
        self.release.is_some() || self.profile.is_some()
    }

    pub fn find<'r>(&self, registry: &'r Registry) -> Result<Query<'r>, Failure> {
        let (release, note) = match &self.release {
            Some(text) => release(registry, text)?,
            None => (registry.newest().ok_or_else(no_release)?, None),
        };
        let profile = self
            .profile
            .as_deref()
            .map(|name| profile_of(registry, release, name))
            .transpose()?;
        Ok(Query {
            release,
            note,
            profile,
        })
    }
}

/// Reads `v1.6.1`, `v1.6` or `1.6` for its newest known patch, and `latest`.
fn minor_in<'r>(registry: &'r Registry, text: &str) -> Option<&'r Release> {
    if text == "latest" {
        return registry.newest();
    }
    registry.newest_patch_of(minor_in_words(text)?)
}

/// Reads `v1.6` and `1.6`.
fn minor_in_words(text: &str) -> Option<Minor> {
    Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")))
}

/// Reads `v1.7`, `1.7` and `v1.7.0`.
pub(super) fn minor_of(text: &str) -> Option<Minor> {
    let version = || lenient_version(text).filter(|version| version.pre().is_none());
    minor_in_words(text).or_else(|| Some(version()?.minor()))
}

pub(super) fn no_release() -> Failure {
    Failure::Usage(anyhow!("the registry has no releases"))
}

pub(super) fn release<'r>(
    registry: &'r Registry,
    text: &str,
) -> Result<(&'r Release, Option<String>), Failure> {
    if let Some(release) = minor_in(registry, text) {
        let note = match text {
            "latest" => format!("using {}, the newest release", release.version()),
            _ => format!("using {}, the latest patch of {text}", release.version()),
        };
        return Ok((release, Some(note)));
    }
    let found = lenient_version(text).map(|version| registry.release(&version));
    match found {
        Some(Match::Exact(release)) => {
            let is_exact = release.version().to_string() == text;
            let note = (!is_exact).then(|| format!("using {} for {text}", release.version()));
            Ok((release, note))
        }
        Some(Match::NearestLowerPatch(release)) => Ok((
            release,
            Some(format!(
                "unknown release {text}; using {}, the nearest lower patch",
                release.version()
            )),
        )),
        Some(Match::NewerThanKnown | Match::Unknown) | None => Err(unknown_release(registry, text)),
    }
}

/// A minor means its newest known patch. Other releases are never substituted. Releases without
/// suite data are rejected.
pub(super) fn known_release<'r>(
    option: &str,
    registry: &'r Registry,
    text: &str,
) -> Result<&'r Release, Failure> {
    let known = |release: &&Release| release.extended_when().is_some();
    let exact = || match registry.release(&lenient_version(text)?) {
        Match::Exact(release) => Some(release),
        _ => None,
    };
    let found = minor_in(registry, text).or_else(exact);
    found.filter(known).ok_or_else(|| {
        let releases = registry.releases().iter().filter(known);
        let mut minors: Vec<_> = releases.map(|release| release.version().minor()).collect();
        minors.dedup();
        let minors: Vec<_> = minors.iter().map(ToString::to_string).collect();
        Failure::Usage(anyhow!(
            "{option}: nothing is known of the release `{text}`; expected one of {} or a patch of these; \
             `gwconform registry import` reads the facts of another release from its sources, for --registry",
            minors.join(", ")
        ))
    })
}

fn unknown_release(registry: &Registry, text: &str) -> Failure {
    let known: Vec<_> = registry
        .releases()
        .iter()
        .map(|release| release.version().to_string())
        .collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return no_release();
    };
    // Suggest only names with a typing error. A different number means a different release.
    let meant =
        suggest::similar(text, known.iter().map(String::as_str)).filter(|similar| similar.typo);
    let hint = meant.map_or(String::new(), |similar| {
        format!("; did you mean `{}`?", similar.name)
    });
    Failure::Usage(anyhow!(
        "unknown release `{text}`; expected one from {first} to {last}{hint}"
    ))
}

/// Finds the exact name, or the name in another case, or the first one without its family.
fn profile_name<'r, I: Iterator<Item = &'r str>>(
    name: &str,
    known: impl Fn() -> I,
) -> Option<&'r str> {
    let is = |wanted: &str| known().find(|known| known.eq_ignore_ascii_case(wanted));
    let exact = known().find(|known| *known == name);
    let is_short = |known: &&str| {
        let short = known.split_once('-').map(|(_, short)| short);
        short.is_some_and(|short| short.eq_ignore_ascii_case(name))
    };
    let gateway = || known().find(is_short);
    exact.or_else(|| is(name)).or_else(gateway)
}

pub(super) fn known_profile<'r>(registry: &'r Registry, name: &str) -> Result<&'r str, Failure> {
    let names = registry.names(NameKind::Profile);
    if let Some(found) = profile_name(name, || names.iter().copied()) {
        let newer = registry.renamed_to(NameKind::Profile, found);
        return Ok(newer.map_or(found, |(newer, _)| newer));
    }
    let mut hint = suggest::hint(name, names.iter().copied());
    if hint.is_empty() {
        hint = format!("; expected one of {}", Vec::from_iter(names).join(", "));
    }
    Err(Failure::Usage(anyhow!("unknown profile `{name}`{hint}")))
}

pub(super) fn profile_of<'r>(
    registry: &'r Registry,
    release: &'r Release,
    name: &str,
) -> Result<&'r Profile, Failure> {
    let names: Vec<_> = release
        .profiles()
        .map(|profile| profile.name.as_str())
        .collect();
    let found = profile_name(name, || names.iter().copied());
    if let Some(profile) = found.and_then(|name| release.profile(name)) {
        return Ok(profile);
    }
    let older = registry.renamed_from(NameKind::Profile, name);
    let newer = registry.renamed_to(NameKind::Profile, name);
    let mut renamed = older.into_iter().chain(newer).map(|(other, _)| other);
    let meant = renamed
        .find(|other| names.contains(other))
        .or_else(|| suggest::nearest(name, names.iter().copied()));
    let hint = match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if names.is_empty() => String::new(),
        None => format!(": it has {}", names.join(", ")),
    };
    Err(Failure::Usage(anyhow!(
        "{} has no profile `{name}`{hint}",
        release.version()
    )))
}

/// Reads the output of `tools/facts`.
fn facts(path: &Path) -> Result<SourceFacts, Failure> {
    let shown = path.display().to_string();
    let bytes = read_regular(path, MAX_FILE_BYTES);
    let bytes =
        bytes.map_err(|error| PathError::new(&shown, error, "the output of tools/facts"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{shown}: not UTF-8"))?;
    SourceFacts::parse(&shown, &text).map_err(|error| {
        let error = error.to_string();
        Failure::CouldNotRun(anyhow!("{}", visible(&cut(&error, 500))))
    })
}

/// Version that an option names.
fn version(option: &str, text: &str) -> Result<Version, Failure> {
    Version::parse(text).ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a release; expected a version such as v1.7.0"
        ))
    })
}

/// Reads CRDs such as `v1.6/standard`.
pub fn crds<'r>(registry: &'r Registry, text: &str) -> Result<Crds<'r>, Failure> {
    let wrong = || {
        Failure::Usage(anyhow!(
            "--crds: `{text}` does not name CRDs; expected a release and a channel, such as v1.6/standard"
        ))
    };
    let (release, channel) = text.split_once('/').ok_or_else(wrong)?;
    let channel = Channel::from_text(channel).ok_or_else(wrong)?;
    let release = served_release(registry, release)?;
    Ok(registry.served().crds(release, channel))
}

/// A minor, or a known patch that is newer than all imported CRDs of its minor, means the minor's
/// newest patch with known CRDs. The findings name that patch.
fn served_release<'s>(registry: &'s Registry, text: &str) -> Result<&'s ServedRelease, Failure> {
    let served = registry.served();
    let minor = Minor::parse(text).or_else(|| Minor::parse(&format!("v{text}")));
    let found = match minor {
        Some(minor) => served.newest_patch_of(minor),
        None => lenient_version(text).and_then(|version| {
            let is_known = matches!(registry.release(&version), Match::Exact(_));
            let before = || {
                let found = served.newest_patch_of(version.minor())?;
                (is_known && found.version < version).then_some(found)
            };
            served.release(&version).or_else(before)
        }),
    };
    found.ok_or_else(|| {
        let known = served.releases().iter();
        let known: Vec<_> = known.map(|release| release.version.to_string()).collect();
        Failure::Usage(anyhow!(
            "--crds: the CRDs of `{text}` are not known; expected one of {}, or a minor of these",
            known.join(", ")
        ))
    })
}
