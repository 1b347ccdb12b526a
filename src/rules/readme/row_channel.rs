//! `readme/row-channel`

use super::listing::is_x;
use super::quoted;
use crate::diagnostic::Severity;
use crate::registry::Channel;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/row-channel",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("row_channel.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.channel;
        let (Some(text), Some(channel)) = (row.text(column), &report.channel) else {
            continue;
        };
        // A channel that does not exist is the report's fault.
        if is_x(text) || !is_known(&channel.value) || channel_in(text) == Some(&channel.value) {
            continue;
        }
        let message = if text.is_empty() {
            format!(
                "the row has no channel, the report says `{}`",
                channel.value
            )
        } else {
            format!(
                "the row says {}, the report says `{}`",
                quoted(text),
                channel.value
            )
        };
        out.at(cx.cell(row.row, column), message)
            .label(
                channel.place.clone(),
                "the channel of the CRDs that were tested",
            )
            .help(format!(
                "write `{}`, if this is the report that was meant",
                channel.value
            ));
    }
}

const CHANNELS: [Channel; 2] = [Channel::Standard, Channel::Experimental];

fn is_known(text: &str) -> bool {
    CHANNELS.iter().any(|channel| channel.as_str() == text)
}

/// The channel that a cell names, in any case and among other words; `None` for none and for both.
pub fn channel_in(text: &str) -> Option<&'static str> {
    let is_named = |channel: &&str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case(channel))
    };
    let mut named = CHANNELS
        .iter()
        .map(|channel| channel.as_str())
        .filter(is_named);
    named.next().filter(|_| named.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::channel_in;

    #[test]
    fn one_channel_is_named() {
        assert_eq!(channel_in("standard"), Some("standard"));
        assert_eq!(channel_in("Experimental channel"), Some("experimental"));
        assert_eq!(channel_in("standard, experimental"), None);
        assert_eq!(channel_in("extended"), None);
        assert_eq!(channel_in(""), None);
    }
}
