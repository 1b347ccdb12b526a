//! Output of `features --dropped`: features that implementations no longer support.

use serde::Serialize;

use super::page::{Inline, Page};
use gwconform_base::text::counted;
use gwconform_report::review::dropped::{Dropped, ReportName};

/// Output of `gwconform features --dropped --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features that implementations dropped"))]
pub struct DroppedFeatures<'d> {
    /// Format version, always 1.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// Dropped features, sorted by implementation, feature and profile.
    dropped: &'d [Dropped],
}

impl<'d> DroppedFeatures<'d> {
    /// The list must be sorted by implementation.
    pub fn new(dropped: &'d [Dropped]) -> Self {
        Self {
            version: 1,
            dropped,
        }
    }
}

/// Renders the features by implementation.
pub fn page(dropped: &[Dropped]) -> Page {
    let mut page = Page::default();
    let of_one = || dropped.chunk_by(|a, b| a.slug == b.slug);
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
            let (old, new) = (in_words(&one.old), in_words(&one.new));
            let (feature, profile, claim) = (&one.feature, &one.profile, one.claim.as_str());
            Inline::from(format!(
                "{feature} ({profile}): {claim} by {new}, supported by {old}"
            ))
        });
        page.entry(first.name.as_str(), lines.collect());
    }
    page
}

fn in_words(report: &ReportName) -> String {
    let version = report.version.as_deref().unwrap_or("–");
    let run = [&report.release, &report.channel, &report.mode];
    let run: Vec<_> = run.into_iter().flatten().map(String::as_str).collect();
    format!("{version} ({})", run.join(", "))
}
