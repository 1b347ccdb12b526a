use anyhow::anyhow;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{Failure, git};
use crate::workspace::CertifiedTree;
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::visible;
use gwconform_report::certify::{AsOf, DaySource};

pub fn parse(option: &str, text: &str) -> Result<Date, Failure> {
    let day = text.parse::<Date>().ok().filter(|_| text.len() == 10);
    day.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a date; expected a date such as 2026-03-20"
        ))
    })
}

/// Date of the verdicts: `named` by `--as-of`, or else SOURCE_DATE_EPOCH, or else the commit date.
pub fn as_of(
    named: Option<Date>,
    registry: &Registry,
    committed: impl FnOnce() -> anyhow::Result<Option<Date>>,
) -> Result<AsOf, Failure> {
    let first = registry.released().find_map(Release::date);
    // Some shells set 1980, because ZIP archives cannot store earlier dates.
    let is_plausible = |day: &Date| first.is_none_or(|first| first <= *day);
    let (day, from) = match (named, of_environment()?.filter(is_plausible)) {
        (Some(day), _) => (Some(day), DaySource::Option),
        (None, Some(day)) => (Some(day), DaySource::Environment),
        (None, None) => match committed()? {
            Some(day) => (Some(day), DaySource::Commit),
            None => (None, DaySource::None),
        },
    };
    Ok(AsOf { day, from })
}

/// Date of the verdicts on a tree.
pub fn of_tree(named: Option<Date>, tree: &CertifiedTree<'_>) -> Result<AsOf, Failure> {
    as_of(named, tree.registry(), || git::committer_day(tree.root()))
}

/// Day of SOURCE_DATE_EPOCH (<https://reproducible-builds.org/specs/source-date-epoch/>). `None` if
/// the variable is not set.
fn of_environment() -> Result<Option<Date>, Failure> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(None);
    };
    let seconds = text.to_str().and_then(|text| text.parse::<i64>().ok());
    let time = seconds
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .ok_or_else(|| {
            Failure::Usage(anyhow!(
                "SOURCE_DATE_EPOCH: `{}` is not a number of seconds since 1970",
                visible(&text.to_string_lossy())
            ))
        })?;
    Ok(Some(time.to_zoned_datetime(TimeZone::UTC).date()))
}
