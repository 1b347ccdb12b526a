//! Badges: a verdict in one line, as SVG and as JSON for shields.io.
//!
//! | File below `badges/` | Scope of the verdict |
//! |---|---|
//! | `<implementation>` | gateway, or mesh if there is no gateway profile |
//! | `<implementation>/gateway`, `…/mesh` | family |
//! | `<implementation>/<minor>` | as in the first row, within the minor |
//! | `<implementation>/<PROFILE>` | profile |
//!
//! Every implementation has a badge for each family, minor and profile of the release data, even
//! without such a report, and for the minors of its own reports. Former names keep their badges, so
//! published URLs remain valid.
//!
//! | Verdict | Label | Message |
//! |---|---|---|
//! | conformant | `Gateway API v1.5` | `conformant` |
//! | conformant, another profile is partial | `Gateway API v1.5` | `conformant, HTTP partial` |
//! | conformant, results not seen | `Gateway API v1.5` | `conformant, 10 of 37 results not seen` |
//! | partially conformant, tests skipped | `Gateway API v1.5` | `partial, 2 skipped` |
//! | partially conformant, old conformant report | `Gateway API v1.4` | `partial, older release` |
//! | not current, last report too old | `Gateway API` | `last report v1.3` |
//! | not current, failing | `Gateway API v1.5` | `failing` |
//! | not current, no verdict | `Gateway API v1.5` | `no verdict` |
//! | no report | `Gateway API` | `no current report` |
//!
//! Badges show the version and status of the report behind the verdict. If the scope is a mesh, a
//! profile or a minor, the label names the scope (`Gateway API Mesh v1.5`, `Gateway API HTTP
//! v1.5`). The color adds no information to the message.

mod find_badge;
mod one_line;
mod snippet;
mod svg;
mod width;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use gwconform_base::api::{Family, Level, Minor, NameKind};
use gwconform_base::release::Registry;
use gwconform_base::text::listed;
use gwconform_report::certify::catalog::{Catalog, Implementation, file_names};
use gwconform_report::certify::{Certified, ProfileVerdict, Standing, Status, short_name};
use gwconform_report::report::facts::{Name, Profile};

use one_line::one_line;

pub use find_badge::NoBadge;
pub use snippet::{Markup, snippet};
pub use svg::{LABEL_COLOUR, size, svg};
pub use width::{FONT_SIZE, width};

/// Badge contents, independent of the image format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// Left text, such as `Gateway API v1.5`.
    pub label: String,
    /// Right text, such as `partial, 2 skipped`.
    pub message: String,
    /// Background color of the message.
    pub colour: Colour,
    /// Index of the report behind the verdict.
    pub report: Option<usize>,
}

/// Background color of a message. White text on each color has a contrast ratio of at least 4.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Conformant verdict.
    Green,
    /// Partially conformant verdict.
    Amber,
    /// Not current.
    Grey,
    /// Failing report.
    Red,
}

impl Colour {
    /// All colors, from the best status to the worst.
    pub const ALL: [Self; 4] = [Self::Green, Self::Amber, Self::Grey, Self::Red];

    /// Color as `#rrggbb`.
    pub fn hex(self) -> &'static str {
        match self {
            Self::Green => "#1a7f37",
            Self::Amber => "#9a6700",
            Self::Grey => "#57606a",
            Self::Red => "#b3261e",
        }
    }
}

/// Scope of a badge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About<'s> {
    /// Main badge, for gateway or, if the implementation has no gateway profile, for mesh.
    Whole,
    /// Badge for the gateway or the mesh family.
    Family(Family),
    /// Badge for one minor, such as `v1.5`.
    Minor(Minor),
    /// Badge for one profile, such as `GATEWAY-HTTP`.
    Profile(&'s str),
}

impl About<'_> {
    /// Path below `badges/`, without an extension.
    pub fn path(&self, slug: &str) -> String {
        match self {
            Self::Whole => slug.to_owned(),
            Self::Family(family) => format!("{slug}/{}", family.as_str()),
            Self::Minor(minor) => format!("{slug}/{minor}"),
            Self::Profile(profile) => format!("{slug}/{profile}"),
        }
    }
}

/// Minors and profiles with badges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadgeScopes {
    /// Minors of published releases, and of the implementation's own reports ([`Self::with`]).
    pub minors: BTreeSet<Minor>,
    /// Profiles of all releases, with their families.
    pub profiles: BTreeMap<Name, Family>,
}

impl BadgeScopes {
    /// Scopes that every implementation has.
    pub fn new(registry: &Registry) -> Self {
        let released = registry.released();
        let mut profiles: BTreeMap<Name, Family> = BTreeMap::new();
        for name in file_names(registry.names(NameKind::Profile)) {
            let Some(family) = registry.profile(name).map(|profile| profile.family) else {
                continue;
            };
            // Up to v1.0.x, all meshes used the profile `MESH`. Its badge is that of the family.
            if family_named(name).is_none() {
                profiles.insert(registry.shared_name(name), family);
            }
        }
        Self {
            minors: released.map(|release| release.version().minor()).collect(),
            profiles,
        }
    }

    /// Adds the minors for which an implementation has verdicts.
    pub fn with(&self, one: &Implementation<'_>) -> Self {
        let mut issued = self.clone();
        (issued.minors).extend(one.by_minor.iter().map(|(_, minor, _)| *minor));
        issued
    }

    /// Scopes of the badges.
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

    /// Computes the badge for the current verdict.
    pub fn badge(
        &self,
        catalog: &Catalog<'_>,
        one: &Implementation<'_>,
        about: About<'_>,
    ) -> Badge {
        shown(catalog, one, self.asked(one, about))
    }

    /// Alternative text. It omits the verdict, because users paste it into pages that are not
    /// updated.
    pub fn alternative(&self, one: &Implementation<'_>, about: About<'_>) -> String {
        format!(
            "{} conformance of {}",
            self.subject(one, about),
            one_line(&one.name)
        )
    }

    /// Label without the version of the report, such as `Gateway API Mesh`.
    pub fn subject(&self, one: &Implementation<'_>, about: About<'_>) -> String {
        let asked = self.asked(one, about);
        asked.label(asked.minor)
    }

    fn asked<'s>(&self, one: &Implementation<'_>, about: About<'s>) -> VerdictScope<'s> {
        let first = one
            .families
            .first()
            .map(|(family, _)| *family)
            .unwrap_or(Family::Gateway);
        match about {
            About::Whole => VerdictScope::new(first),
            About::Family(family) => VerdictScope::new(family),
            About::Minor(minor) => {
                let found = one.by_minor.iter().find(|(_, of, _)| *of == minor);
                VerdictScope {
                    minor: Some(minor),
                    ..VerdictScope::new(found.map_or(first, |(family, ..)| *family))
                }
            }
            About::Profile(name) => {
                let family = self.profiles.get(name).copied().unwrap_or(first);
                VerdictScope {
                    profile: Some(name),
                    ..VerdictScope::new(family)
                }
            }
        }
    }
}

/// Family whose badge has this name. Many file systems ignore case.
fn family_named(name: &str) -> Option<Family> {
    let mut families = [Family::Gateway, Family::Mesh].into_iter();
    families.find(|family| name.eq_ignore_ascii_case(family.as_str()))
}

/// Path and content of an implementation's badges. Each badge is an SVG and a JSON file.
pub fn files_of(
    catalog: &Catalog<'_>,
    issued: &BadgeScopes,
    one: &Implementation<'_>,
) -> Vec<(String, String)> {
    let issued = issued.with(one);
    let mut files = Vec::new();
    for about in issued.all() {
        let badge = issued.badge(catalog, one, about);
        let (svg, json) = (svg(&badge), shields(&badge));
        for slug in [&one.slug].into_iter().chain(&one.aliases) {
            let path = about.path(slug);
            files.push((format!("badges/{path}.svg"), svg.clone()));
            files.push((format!("badges/{path}.json"), json.clone()));
        }
    }
    files
}

/// JSON format of shields.io (<https://shields.io/badges/endpoint-badge>).
#[derive(Serialize)]
struct Shields<'b> {
    #[serde(rename = "schemaVersion")]
    schema_version: u32,
    label: &'b str,
    message: &'b str,
    color: &'static str,
}

/// Renders JSON for a shields.io endpoint badge.
pub fn shields(badge: &Badge) -> String {
    let (label, message) = badge.texts();
    let shields = Shields {
        schema_version: 1,
        label: &label,
        message: &message,
        color: badge.colour.hex(),
    };
    // Serialization cannot fail: all values are strings and numbers.
    gwconform_base::text::json::to_string_pretty(&shields).unwrap_or_default() + "\n"
}

impl Badge {
    fn texts(&self) -> (String, String) {
        (one_line(&self.label), one_line(&self.message))
    }

    fn name(&self) -> String {
        let (label, message) = self.texts();
        format!("{label}: {message}")
    }
}

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
        (Standing::Conformant, _) => (caveats(one, asked, certified).text(), Colour::Green),
        (Standing::PartiallyConformant, Status::Conformant) => {
            ("partial, older release".to_owned(), Colour::Amber)
        }
        (Standing::PartiallyConformant, _) => (partial(one, asked, certified), Colour::Amber),
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
                    report: Some(basis.report),
                };
            }
        },
    };
    Badge {
        label: asked.label(basis.minor),
        message,
        colour,
        report: Some(basis.report),
    }
}

/// What a conformant verdict does not cover.
struct Caveats<'c> {
    /// Profiles that are only partial.
    partial: Vec<&'c str>,
    /// Core tests of conformant profiles whose results were not seen, and all core tests of these
    /// profiles.
    unseen: [u64; 2],
    word: &'static str,
}

impl Caveats<'_> {
    /// Such as `conformant, HTTP partial, 10 of 37 results not seen`.
    fn text(&self) -> String {
        let mut text = "conformant".to_owned();
        if !self.partial.is_empty() {
            text.push_str(&format!(", {} partial", listed(&self.partial)));
        }
        let [unseen, all] = self.unseen;
        if unseen > 0 {
            text.push_str(&format!(", {unseen} of {all} results {}", self.word));
        }
        text
    }

    /// At most 24 characters of the text.
    fn brief(&self) -> String {
        match (&self.partial[..], self.unseen) {
            ([only], _) => format!("conformant, {only} partial"),
            ([_, ..], _) => format!("conformant, {} partial", self.partial.len()),
            ([], [0, _]) => "conformant".to_owned(),
            ([], [unseen, _]) => format!("conformant, {unseen} {}", self.word),
        }
    }
}

fn caveats<'c>(
    one: &'c Implementation<'_>,
    asked: VerdictScope<'c>,
    certified: &'c Certified,
) -> Caveats<'c> {
    let partial = certified.basis.profiles.iter();
    let partial = partial.filter(|(_, status)| *status == Status::Partial);
    let mut caveats = Caveats {
        partial: partial.map(|(name, _)| short_name(name)).collect(),
        unseen: [0, 0],
        word: "",
    };
    let facts = one.reports.get(certified.basis.report);
    let profiles = facts.map_or(&[][..], |report| &report.judged.facts.profiles);
    for (at, verdict) in verdicts(one, asked, certified, Status::Conformant) {
        if verdict.unseen.core > 0 {
            let mut levels = profiles.get(at).into_iter().flat_map(Profile::levels);
            let core = levels.find(|(level, _)| *level == Level::Core);
            let passed = core.and_then(|(_, core)| core.passed()).unwrap_or_default();
            let [unseen, all] = &mut caveats.unseen;
            *unseen = unseen.saturating_add(verdict.unseen.core.min(passed));
            *all = all.saturating_add(passed);
            caveats.word = verdict.unseen.word();
        }
    }
    caveats
}

/// Message of a family's badge in at most 24 characters, for tables.
pub(super) fn brief(one: &Implementation<'_>, family: Family, badge: &Badge) -> String {
    let asked = VerdictScope::new(family);
    let certified = asked.verdict(one);
    let conformant = certified.filter(|certified| certified.standing == Standing::Conformant);
    conformant.map_or_else(
        || badge.message.clone(),
        |certified| caveats(one, asked, certified).brief(),
    )
}

/// Verdicts with a status on the profiles in scope, with their index in the report.
fn verdicts<'c>(
    one: &'c Implementation<'_>,
    asked: VerdictScope<'c>,
    certified: &Certified,
    status: Status,
) -> impl Iterator<Item = (usize, &'c ProfileVerdict)> {
    let report = one.reports.get(certified.basis.report).into_iter();
    let verdicts = report.flat_map(|report| report.judged.verdicts.iter().enumerate());
    verdicts.filter(move |(_, verdict)| {
        verdict.family == Some(asked.family)
            && asked.profile.is_none_or(|name| name == &*verdict.profile)
            && verdict.status == status
    })
}

/// Only skipped tests of partial profiles in scope are counted. `partial, GRPC failing` names
/// another profile of the report that prevents a better status.
fn partial(one: &Implementation<'_>, asked: VerdictScope<'_>, certified: &Certified) -> String {
    if let Some((name, status)) = &certified.basis.held_back_by {
        return format!("partial, {} {status}", short_name(name));
    }
    let skipped = verdicts(one, asked, certified, Status::Partial);
    let skipped = skipped.map(|(_, verdict)| verdict);
    match skipped.fold(0, |sum: u64, one| sum.saturating_add(one.skipped)) {
        0 => "partial".to_owned(),
        skipped => format!("partial, {skipped} skipped"),
    }
}
