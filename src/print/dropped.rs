//! Output of `features --dropped`: features that implementations no longer support.

use serde::Serialize;

use super::page::{Inline, Page};
use gwconform_base::text::counted;
use gwconform_report::document::ReportRef;
use gwconform_report::review::dropped::Dropped;

/// Output of `gwconform features --dropped --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features that implementations dropped"))]
pub struct DroppedFeatures<'d> {
    /// Dropped features, sorted by implementation, feature and profile.
    dropped: &'d [Dropped],
}

impl<'d> DroppedFeatures<'d> {
    /// The list must be sorted by implementation.
    pub fn new(dropped: &'d [Dropped]) -> Self {
        Self { dropped }
    }
}

/// Renders the features by implementation.
pub fn page(dropped: &[Dropped]) -> Page {
    let mut page = Page::default();
    let of_one = || dropped.chunk_by(|a, b| a.implementation == b.implementation);
    let implementations = counted(of_one().count(), "implementation");
    page.heading(1, format!("Features dropped by {implementations}"));
    page.paragraph(
        "The newest reports of each implementation, compared with its previous reports.",
    );
    for group in of_one() {
        let Some(first) = group.first() else {
            continue;
        };
        let lines = group.iter().map(|one| {
            let (old, new) = (in_words(&one.older), in_words(&one.new));
            let (feature, profile, claim) = (&one.feature, &one.profile, one.claim.in_words());
            Inline::from(format!(
                "{feature} ({profile}): {claim} by {new}, supported by {old}"
            ))
        });
        page.entry(first.implementation.name.as_str(), lines.collect());
    }
    page
}

fn in_words(report: &ReportRef) -> String {
    let version = report.implementation_version.as_deref().unwrap_or("–");
    let release = report.release.as_ref().map(ToString::to_string);
    let run = [
        release.as_ref(),
        report.channel.as_ref(),
        report.mode.as_ref(),
    ];
    let run: Vec<_> = run.into_iter().flatten().map(String::as_str).collect();
    format!("{version} ({})", run.join(", "))
}
