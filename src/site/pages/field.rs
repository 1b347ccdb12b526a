//! Rows of the verdict table on the home page. Columns after the dotted line are the verdicts at
//! upcoming reviews if no report is submitted.

use super::implementation::{Contact, contacts};
use super::layout::SiteContext;
use super::mark::Mark;
use crate::site::model::{
    FamilyVerdict, ImplementationView, NEXT_REVIEWS, Stages, Timeline, TimelineRow,
};
use gwconform_base::api::{Family, Minor};
use gwconform_base::text::{breakable, capitalized};
use gwconform_report::certify::Standing;

/// Profiles with a column, by the end of their names.
pub(super) const PROFILES: [&str; 5] = ["GRPC", "HTTP", "TLS", "TCP", "UDP"];

pub(super) struct Row<'s> {
    pub(super) implementation: &'s ImplementationView<'s>,
    pub(super) verdict: &'s FamilyVerdict<'s>,
    pub(super) is_mesh: bool,
    pub(super) past: Vec<Option<Mark>>,
    pub(super) then: Vec<Option<Mark>>,
    pub(super) profiles: Vec<Option<Mark>>,
    pub(super) mesh: Option<Mark>,
    pub(super) expiry: Option<Expiry>,
    pub(super) families: Vec<FamilyDetails<'s>>,
    pub(super) contacts: Vec<Contact<'s>>,
}

impl<'s> Row<'s> {
    pub(super) fn parts(&self) -> Vec<&'s str> {
        breakable(self.implementation.name)
    }
}

pub(super) struct Expiry {
    /// The glyph of each verdict, and the review until which it is valid.
    pub(super) stages: Vec<(Mark, Minor)>,
    pub(super) words: String,
    /// Sort key: the first review at which the verdict changes, then the last.
    pub(super) order: String,
}

pub(super) struct FamilyDetails<'s> {
    pub(super) verdict: &'s FamilyVerdict<'s>,
    pub(super) holds: String,
    pub(super) expires: Option<String>,
    /// Verdicts of all releases, such as `v0.8 to v1.0 conformant; v1.1 partial`.
    pub(super) by_release: String,
}

pub(super) fn row<'s>(
    site: &'s SiteContext<'_>,
    timeline: &Timeline<'s, 's>,
    row: &TimelineRow<'s, 's>,
) -> Row<'s> {
    let verdict = row.verdict;
    let reviews = &timeline.reviews;
    let then = reviews.iter().take(NEXT_REVIEWS).map(|review| {
        let (_, standing) = verdict.then.iter().find(|(minor, _)| minor == review)?;
        coming(*standing)
    });
    let profiles = PROFILES.map(|name| {
        let mut profiles = verdict.profiles.iter();
        profiles
            .find(|profile| profile.short == name)
            .map(|profile| profile.mark())
    });
    let is_mesh = verdict.family == Family::Mesh;
    let mesh = if is_mesh { Some(verdict) } else { row.mesh };
    let families = row.implementation.families.iter();
    Row {
        implementation: row.implementation,
        is_mesh,
        past: row
            .statuses
            .iter()
            .map(|status| status.map(Mark::status))
            .collect(),
        then: then.collect(),
        profiles: profiles.into(),
        mesh: mesh.map(FamilyVerdict::mark),
        expiry: Stages::new(site.model.catalog, verdict).and_then(|stages| expiry(&stages)),
        families: families
            .map(|verdict| details(site, row.implementation, verdict))
            .collect(),
        contacts: contacts(verdict.basis),
        verdict,
    }
}

fn coming(standing: Standing) -> Option<Mark> {
    let is_verdict = matches!(
        standing,
        Standing::Conformant | Standing::PartiallyConformant
    );
    is_verdict.then(|| Mark::standing(standing, standing.words()))
}

fn expiry(stages: &Stages) -> Option<Expiry> {
    let order = [stages.next()?, stages.partial.or(stages.next())?];
    let named = [
        (Standing::Conformant, "conformant", stages.conformant),
        (Standing::PartiallyConformant, "partial", stages.partial),
    ];
    let stages: Vec<_> = named
        .into_iter()
        .filter_map(|(standing, word, minor)| Some((Mark::standing(standing, word), minor?)))
        .collect();
    let words = stages.iter().enumerate().map(|(at, (mark, minor))| {
        let mut word = mark.word.clone();
        if at > 0 {
            word.make_ascii_lowercase();
        }
        format!("{word} until the {minor} review")
    });
    let words: Vec<_> = words.collect();
    Some(Expiry {
        words: words.join(", then "),
        order: order.map(|minor| minor.to_string()).join(" "),
        stages,
    })
}

fn details<'s>(
    site: &SiteContext<'_>,
    implementation: &'s ImplementationView<'s>,
    verdict: &'s FamilyVerdict<'s>,
) -> FamilyDetails<'s> {
    FamilyDetails {
        holds: capitalized(&verdict.certified.basis.holds_for()),
        expires: verdict.then_in_words().map(|text| capitalized(&text)),
        by_release: site
            .model
            .catalog
            .history_in_words(implementation.entry, verdict.family),
        verdict,
    }
}
