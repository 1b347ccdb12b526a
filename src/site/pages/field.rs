//! Rows of the verdict table on the home page. Columns after the dotted line are the verdicts at
//! upcoming reviews if no report is submitted.

use super::layout::SiteContext;
use super::mark::Mark;
use crate::site::model::{
    FamilyVerdict, ImplementationView, NEXT_REVIEWS, ReportView, Stages, Timeline, TimelineRow,
};
use gwconform_base::api::{Family, Minor};
use gwconform_base::text::breakable;
use gwconform_report::certify::Standing;

/// Profiles with a column, by the end of their names.
pub(super) const PROFILES: [&str; 5] = ["GRPC", "HTTP", "TLS", "TCP", "UDP"];

pub(super) struct Row<'s> {
    pub(super) implementation: &'s ImplementationView<'s>,
    pub(super) verdict: &'s FamilyVerdict<'s>,
    pub(super) is_mesh: bool,
    pub(super) past: Vec<Option<Bar>>,
    pub(super) then: Vec<Option<Mark>>,
    pub(super) profiles: Vec<Option<Mark>>,
    pub(super) mesh: Option<Mark>,
    pub(super) expiry: Option<Expiry>,
}

/// Verdict within a minor, with the report behind it.
pub(super) struct Bar {
    pub(super) mark: Mark,
    pub(super) page: Option<String>,
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
    let family = verdict.family;
    let past = timeline.minors.iter().zip(&row.statuses);
    Row {
        implementation: row.implementation,
        is_mesh,
        past: past
            .map(|(minor, status)| {
                let basis = row.implementation.basis(family, *minor);
                Some(Bar {
                    mark: Mark::status((*status)?),
                    page: basis.map(ReportView::page),
                })
            })
            .collect(),
        then: then.collect(),
        profiles: profiles.into(),
        mesh: mesh.map(FamilyVerdict::mark),
        expiry: Stages::new(site.model.catalog, verdict).and_then(|stages| expiry(&stages)),
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
        format!("{word} until {minor}")
    });
    let words: Vec<_> = words.collect();
    Some(Expiry {
        words: words.join(", then "),
        order: order.map(|minor| minor.to_string()).join(" "),
        stages,
    })
}
