//! Badges: a verdict in one line, as a picture and as the data of one.
//!
//! | File below `badges/` | shows |
//! |---|---|
//! | `<implementation>` | what it is as a gateway; as a mesh, where it has no gateway profile |
//! | `<implementation>/gateway`, `…/mesh` | what it is in that family |
//! | `<implementation>/<minor>` | the same as the first, judged within that minor |
//! | `<implementation>/<PROFILE>` | what it is in that profile |
//!
//! Each is there as `.svg` and as `.json`, the form that shields.io reads from an address. Every
//! implementation has one for each family, minor and profile of the tree, and all of them again
//! under each former slug that is configured: an address that was once given away goes on to
//! answer. A badge shows it when there is no report.
//!
//! | The verdict is | label | message |
//! |---|---|---|
//! | conformant | `Gateway API v1.5` | `conformant` |
//! | partially conformant, tests skipped | `Gateway API v1.5` | `partial, 2 skipped` |
//! | partially conformant, by a conformant report that is no longer new enough | `Gateway API v1.4` | `partial, older release` |
//! | not current, and the last report is too old | `Gateway API` | `last report v1.3` |
//! | not current, the report is new enough and fails | `Gateway API v1.5` | `failing` |
//! | not current, the report is new enough and has no verdict | `Gateway API v1.5` | `no verdict` |
//! | none, as there is no report | `Gateway API` | `no current report` |
//!
//! Version and status come from the one report that the verdict rests on. The label names a mesh
//! and a profile (`Gateway API Mesh v1.5`, `Gateway API HTTP v1.5`), and the minor that was asked
//! for even where it has no report. The status is always a word; the colour only repeats it.

mod find;
mod line;
mod snippet;
mod svg;
mod width;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::api::{Family, Minor};
use crate::certify::catalog::{Catalog, Implementation, file_names};
use crate::certify::{Certified, Standing, Status, short_name};
use crate::report::facts::Name;

use line::one_line;

pub use find::NoBadge;
pub use snippet::{Markup, snippet};
pub use svg::{LABEL_COLOUR, size, svg};
pub use width::{FONT_SIZE, width};

/// A badge: two texts side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// The left one: what it is about.
    pub label: String,
    /// The right one: the status, in words.
    pub message: String,
    /// The colour behind the message.
    pub colour: Colour,
    /// Other implementations that claim the same, for the accessible name; often empty.
    pub note: String,
    /// The report that it rests on, by its place among the implementation's.
    pub report: Option<usize>,
}

/// A colour that white text can be read on: its contrast is 4.5 at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Conformant.
    Green,
    /// Partially conformant.
    Amber,
    /// Nothing current, or disputed.
    Grey,
    /// Failing.
    Red,
}

impl Colour {
    /// Every colour.
    pub const ALL: [Self; 4] = [Self::Green, Self::Amber, Self::Grey, Self::Red];

    /// As `#rrggbb`.
    pub fn hex(self) -> &'static str {
        match self {
            Self::Green => "#1a7f37",
            Self::Amber => "#9a6700",
            Self::Grey => "#57606a",
            Self::Red => "#b3261e",
        }
    }
}

/// What a badge of an implementation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About<'s> {
    /// The implementation: as a gateway, else as a mesh.
    Whole,
    /// One family.
    Family(Family),
    /// One minor.
    Minor(Minor),
    /// One profile, by its name.
    Profile(&'s str),
}

impl About<'_> {
    /// The address of the badge below `badges/`, without its extension.
    pub fn path(&self, slug: &str) -> String {
        match self {
            Self::Whole => slug.to_owned(),
            Self::Family(family) => format!("{slug}/{}", family.as_str()),
            Self::Minor(minor) => format!("{slug}/{minor}"),
            Self::Profile(profile) => format!("{slug}/{profile}"),
        }
    }
}

/// Most minors that there are badges for, as each is a badge of every implementation: those that
/// most reports are for.
const MAX_MINORS: usize = 100;

/// What there are badges for, besides the implementations as a whole and the families: the same for
/// all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadgeScopes {
    /// The minors of the tree's reports.
    pub minors: BTreeSet<Minor>,
    /// The profiles of the tree's reports that a release has, with their families.
    pub profiles: BTreeMap<Name, Family>,
}

impl BadgeScopes {
    /// What there are badges for in a tree.
    pub fn new(catalog: &Catalog<'_>) -> Self {
        let mut counts: BTreeMap<Minor, usize> = BTreeMap::new();
        let minors = catalog.reports();
        for minor in minors.filter_map(|(_, report)| report.judged.minor()) {
            *counts.entry(minor).or_default() += 1;
        }
        let mut minors: Vec<_> = counts.into_iter().collect();
        minors.sort_by_key(|&(minor, count)| (Reverse(count), minor));
        minors.truncate(MAX_MINORS);
        let mut profiles: BTreeMap<Name, Family> = catalog
            .implementations
            .iter()
            .flat_map(|one| &one.by_profile)
            .map(|(family, name, _)| (name.clone(), *family))
            .collect();
        let names: BTreeSet<String> = file_names(profiles.keys().map(AsRef::as_ref))
            .into_iter()
            .map(str::to_owned)
            .collect();
        profiles.retain(|name, family| {
            let other = match family {
                Family::Gateway => Family::Mesh,
                Family::Mesh => Family::Gateway,
            };
            names.contains(&**name) && !name.eq_ignore_ascii_case(other.as_str())
        });
        Self {
            minors: minors.into_iter().map(|(minor, _)| minor).collect(),
            profiles,
        }
    }

    /// Each badge that an implementation has.
    pub fn all(&self) -> impl Iterator<Item = About<'_>> {
        let families = [Family::Gateway, Family::Mesh].map(About::Family);
        let minors = self.minors.iter().copied().map(About::Minor);
        let profiles = self.profiles.keys().map(|name| About::Profile(name));
        [About::Whole]
            .into_iter()
            .chain(families)
            .chain(minors)
            .chain(profiles)
    }

    /// A badge of an implementation.
    pub fn badge(
        &self,
        catalog: &Catalog<'_>,
        one: &Implementation<'_>,
        about: About<'_>,
    ) -> Badge {
        shown(catalog, one, self.asked(one, about))
    }

    /// The alternative text of a badge. It names the subject of the badge and not its verdict,
    /// because it is pasted into pages and stays there when the verdict changes.
    pub fn alternative(&self, one: &Implementation<'_>, about: About<'_>) -> String {
        format!(
            "{} conformance of {}",
            self.subject(one, about),
            one_line(&one.name)
        )
    }

    /// The subject of a badge, whatever its verdict: `Gateway API Mesh`.
    pub fn subject(&self, one: &Implementation<'_>, about: About<'_>) -> String {
        let asked = self.asked(one, about);
        asked.label(asked.minor)
    }

    fn asked<'s>(&self, one: &Implementation<'_>, about: About<'s>) -> VerdictScope<'s> {
        // Gateway, where there is a verdict on it: it comes first.
        let first = one
            .families
            .first()
            .map(|(family, _)| *family)
            .unwrap_or(Family::Gateway);
        match about {
            About::Whole => VerdictScope::new(first),
            About::Family(family) => VerdictScope::new(family),
            About::Minor(minor) => {
                let mut verdicts = one.by_minor.iter();
                let found = verdicts.find(|(_, of, _)| *of == minor);
                VerdictScope {
                    minor: Some(minor),
                    ..VerdictScope::new(found.map_or(first, |(family, ..)| *family))
                }
            }
            About::Profile(name) => {
                let family = self.profiles.get(name).copied().unwrap_or(first);
                // Up to v1.0 the profile of all meshes was MESH. Many file systems take its file
                // for that of the family, so they are equal.
                let is_whole = name.eq_ignore_ascii_case(family.as_str());
                VerdictScope {
                    profile: (!is_whole).then_some(name),
                    ..VerdictScope::new(family)
                }
            }
        }
    }
}

/// All badges of a tree: path below the site and content, by path.
pub fn files(catalog: &Catalog<'_>) -> Vec<(String, String)> {
    let issued = BadgeScopes::new(catalog);
    let mut files = Vec::new();
    for one in &catalog.implementations {
        for about in issued.all() {
            let badge = issued.badge(catalog, one, about);
            let (svg, json) = (svg(&badge), shields(&badge));
            for slug in [&one.slug].into_iter().chain(&one.aliases) {
                let path = about.path(slug);
                files.push((format!("badges/{path}.svg"), svg.clone()));
                files.push((format!("badges/{path}.json"), json.clone()));
            }
        }
    }
    files.sort();
    files
}

/// What shields.io reads from an address to draw a badge
/// (<https://shields.io/badges/endpoint-badge>).
#[derive(Serialize)]
struct Shields<'b> {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'b str,
    message: &'b str,
    color: &'static str,
}

/// A badge as shields.io reads it from an address: a JSON document.
pub fn shields(badge: &Badge) -> String {
    let (label, message) = badge.texts();
    let shields = Shields {
        schema_version: 1,
        label: &label,
        message: &message,
        color: badge.colour.hex(),
    };
    // Numbers and texts are always JSON.
    crate::text::json::to_string_pretty(&shields).unwrap_or_default() + "\n"
}

impl Badge {
    /// The two texts as they are shown: in one line each, of bounded length.
    fn texts(&self) -> (String, String) {
        (one_line(&self.label), one_line(&self.message))
    }

    /// Both texts and the note, as screen readers and pointers show them.
    fn name(&self) -> String {
        let (label, message) = self.texts();
        match one_line(&self.note) {
            note if note.is_empty() => format!("{label}: {message}"),
            note => format!("{label}: {message}; {note}"),
        }
    }
}

/// The scope of a verdict.
#[derive(Clone, Copy)]
struct VerdictScope<'s> {
    family: Family,
    minor: Option<Minor>,
    profile: Option<&'s str>,
}

impl VerdictScope<'_> {
    fn new(family: Family) -> Self {
        Self {
            family,
            minor: None,
            profile: None,
        }
    }

    fn label(self, minor: Option<Minor>) -> String {
        let mut label = "Gateway API".to_owned();
        if self.family == Family::Mesh {
            label.push_str(" Mesh");
        }
        if let Some(profile) = self.profile {
            label.push(' ');
            label.push_str(short_name(profile));
        }
        if let Some(minor) = minor {
            label.push_str(&format!(" {minor}"));
        }
        label
    }

    fn verdict<'c>(self, one: &'c Implementation<'_>) -> Option<&'c Certified> {
        if let Some(minor) = self.minor {
            let mut verdicts = one.by_minor.iter();
            let asked = (self.family, minor);
            return verdicts
                .find(|(family, minor, _)| (*family, *minor) == asked)
                .map(|(.., certified)| certified);
        }
        if let Some(profile) = self.profile {
            let mut verdicts = one.by_profile.iter();
            return verdicts
                .find(|(_, name, _)| &**name == profile)
                .map(|(.., certified)| certified);
        }
        one.family(self.family)
    }
}

fn shown(catalog: &Catalog<'_>, one: &Implementation<'_>, asked: VerdictScope<'_>) -> Badge {
    let Some(certified) = asked.verdict(one) else {
        return Badge {
            label: asked.label(asked.minor),
            message: "no current report".to_owned(),
            colour: Colour::Grey,
            note: String::new(),
            report: None,
        };
    };
    let basis = &certified.basis;
    let is_new_enough = |minor| {
        asked.minor.is_some()
            || catalog
                .minors
                .is_among_newest(minor, catalog.windows.partial)
    };
    let (message, colour) = match (certified.standing, basis.status) {
        (Standing::Conformant, _) => ("conformant".to_owned(), Colour::Green),
        (Standing::PartiallyConformant, Status::Conformant) => {
            ("partial, older release".to_owned(), Colour::Amber)
        }
        (Standing::PartiallyConformant, _) => (partial(one, asked, certified), Colour::Amber),
        (Standing::Disputed, _) => ("disputed".to_owned(), Colour::Grey),
        (Standing::NotCurrent, status) => match (basis.minor, status) {
            (None, _) => ("no current report".to_owned(), Colour::Grey),
            (Some(minor), Status::Failing) if is_new_enough(minor) => {
                ("failing".to_owned(), Colour::Red)
            }
            (Some(minor), status) if !status.is_verdict() && is_new_enough(minor) => {
                ("no verdict".to_owned(), Colour::Grey)
            }
            (Some(minor), _) => {
                return Badge {
                    label: asked.label(None),
                    message: format!("last report {minor}"),
                    colour: Colour::Grey,
                    note: String::new(),
                    report: Some(basis.report),
                };
            }
        },
    };
    let rivals = certified.rivals.iter().map(ToString::to_string);
    Badge {
        label: asked.label(basis.minor),
        message,
        colour,
        note: rivals.collect::<Vec<_>>().join("; "),
        report: Some(basis.report),
    }
}

/// `partial, 2 skipped`: the skipped tests of the partial profiles that were requested. A report
/// can call a profile partial without a skipped test. `partial, GRPC failing`: another profile of the
/// report holds it back.
fn partial(one: &Implementation<'_>, asked: VerdictScope<'_>, certified: &Certified) -> String {
    if let Some((name, status)) = &certified.basis.held_back_by {
        return format!("partial, {} {status}", short_name(name));
    }
    let report = one.reports.get(certified.basis.report);
    let verdicts = report
        .into_iter()
        .flat_map(|report| &report.judged.verdicts);
    let skipped = verdicts.filter(|verdict| {
        verdict.family == Some(asked.family)
            && asked.profile.is_none_or(|name| name == &*verdict.profile)
            && verdict.status == Status::Partial
    });
    match skipped.fold(0, |sum: u64, one| sum.saturating_add(one.skipped)) {
        0 => "partial".to_owned(),
        skipped => format!("partial, {skipped} skipped"),
    }
}
