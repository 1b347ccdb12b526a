//! The day that a site is made for.

use anyhow::anyhow;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::cli::Failure;
use crate::text::visible;

/// The day that is named, by the command line or by SOURCE_DATE_EPOCH
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
pub fn today(named: Option<&str>) -> Result<Option<Date>, Failure> {
    if let Some(text) = named {
        let day = text
            .parse::<Date>()
            .ok()
            .filter(|_| text.len() == 10)
            .ok_or_else(|| {
                Failure::Usage(anyhow!(
                    "--date: `{text}` is not a date; expected one such as 2026-03-20"
                ))
            })?;
        return Ok(Some(day));
    }
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
