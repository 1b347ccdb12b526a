//! Determines which release reviews are over at a date. Before its review, a minor counts only in
//! favor of implementations with reports for it. After the review, reports for older minors expire.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Serialize, Serializer};

use crate::report::facts::ReportFacts;
use crate::report::formats::day_of_rfc3339;
use gwconform_base::api::{Minor, closed_set};
use gwconform_base::release::{Registry, Release};

closed_set! {
    /// Source of the date of the verdicts.
    #[derive(Default)]
    pub enum DaySource {
        /// The option `--as-of`. Later reports are ignored.
        Option = "option",
        /// The variable `SOURCE_DATE_EPOCH`.
        Environment = "environment",
        /// The committer date of HEAD or, in a review, of the merge base.
        Commit = "commit",
        /// No date is known.
        #[default]
        None = "none",
    }
}

/// Date of the verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct AsOf {
    /// Date in UTC that determines which release reviews are over. Null if no date is known: all
    /// known releases have been reviewed.
    #[serde(rename = "as_of", serialize_with = "day_as_text")]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    pub day: Option<Date>,
    /// Source of the date.
    #[serde(rename = "as_of_from")]
    pub from: DaySource,
}

pub(crate) fn day_as_text<S: Serializer>(day: &Option<Date>, out: S) -> Result<S::Ok, S::Error> {
    day.map(|day| day.to_string()).serialize(out)
}

/// Release reviews that have taken place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviews {
    days: BTreeMap<Minor, Date>,
    /// Date of the verdicts. If `None`, all releases have been reviewed.
    by: Option<Date>,
}

impl Reviews {
    /// `by` is the date of the verdicts, and `days` are configured review dates.
    pub fn by(by: Option<Date>, days: BTreeMap<Minor, Date>) -> Self {
        Self { days, by }
    }

    /// True from the configured date on, by default one month after the release.
    pub(crate) fn are_over(&self, minor: Minor, registry: &Registry) -> bool {
        let Some(by) = self.by else {
            return true;
        };
        let configured = self.days.get(&minor).copied();
        let day = configured.or_else(|| usual_day(minor, registry));
        day.is_none_or(|day| day <= by)
    }
}

/// Date of the run.
pub fn day_of(report: &ReportFacts) -> Option<Date> {
    day_of_rfc3339(report.date()?)
}

/// Default review date. Upstream reviews a minor at least one month after its first release.
fn usual_day(minor: Minor, registry: &Registry) -> Option<Date> {
    let first = registry.first_patch_of(minor)?;
    Release::date(first)?.checked_add(1.month()).ok()
}
