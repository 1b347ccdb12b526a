use anyhow::anyhow;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Failure;
use crate::certify::AsOf;
use crate::text::visible;

pub fn parse(option: &str, text: &str) -> Result<Date, Failure> {
    let day = text.parse::<Date>().ok().filter(|_| text.len() == 10);
    day.ok_or_else(|| {
        Failure::Usage(anyhow!(
            "{option}: `{text}` is not a date; expected a date such as 2026-03-20"
        ))
    })
}

/// Uses the day of `--as-of`, or else of SOURCE_DATE_EPOCH, or else the latest day that reports of
/// two implementations reach.
pub fn as_of(named: Option<&str>) -> Result<AsOf, Failure> {
    if let Some(text) = named {
        return Ok(AsOf::Past(parse("--as-of", text)?));
    }
    Ok(of_environment()?.map_or(AsOf::Reports, AsOf::Day))
}

/// Day of SOURCE_DATE_EPOCH (<https://reproducible-builds.org/specs/source-date-epoch/>). `None` if
/// the variable is not set.
pub fn of_environment() -> Result<Option<Date>, Failure> {
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
    Ok(Some(time.to_zoned(TimeZone::UTC).date()))
}
