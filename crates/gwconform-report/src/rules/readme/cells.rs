//! The columns that every table of contents has, and the channel and mode named in a cell.

use super::letters;
use crate::tree::readme::Columns;
use gwconform_base::api::Channel;
use gwconform_base::text::message::Words;

/// Column of the table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Channel,
    Version,
    Mode,
    Report,
}

impl Column {
    pub(crate) fn name(self) -> &'static str {
        Columns::NAMES[self as usize]
    }

    /// Name in messages.
    pub(crate) fn noun(self) -> Words {
        Words(["channel", "version", "mode", "report"][self as usize])
    }

    pub(crate) fn index(self, columns: &Columns) -> Option<usize> {
        match self {
            Self::Channel => columns.channel,
            Self::Version => columns.version,
            Self::Mode => columns.mode,
            Self::Report => columns.report,
        }
    }
}

/// Channel named in a text, ignoring case and other words. `None` unless exactly one channel is
/// named.
pub(crate) fn channel_in(text: &str) -> Option<&'static str> {
    let is_named = |channel: &&str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case(channel))
    };
    let mut named = Channel::ALL
        .iter()
        .map(|channel| channel.as_str())
        .filter(is_named);
    named.next().filter(|_| named.next().is_none())
}

/// True if the text names the mode, ignoring case and other words.
pub(crate) fn is_spelled(text: &str, mode: &str) -> bool {
    let wanted = core(mode);
    let is_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let mut words = text.split(|c: char| !is_name(c));
    !wanted.is_empty() && (core(text) == wanted || words.any(|word| core(word) == wanted))
}

/// True if the text is the mode, ignoring case and the word `mode`.
pub(crate) fn is_same_mode(text: &str, mode: &str) -> bool {
    core(text) == core(mode)
}

fn core(text: &str) -> String {
    let letters = letters(text);
    letters.strip_suffix("mode").unwrap_or(&letters).to_owned()
}

/// True if the text mentions the mode, ignoring case, separators, a plural `s` and the word `mode`.
/// `text` must contain only letters.
pub fn is_described(mode: &str, text: &str) -> bool {
    let name = core(mode);
    text.contains(name.strip_suffix('s').unwrap_or(&name))
}

#[cfg(test)]
mod tests {
    use super::{channel_in, is_described, is_spelled};

    #[test]
    fn reads_a_channel_only_if_one_is_named() {
        assert_eq!(channel_in("standard"), Some("standard"));
        assert_eq!(channel_in("Experimental channel"), Some("experimental"));
        assert_eq!(channel_in("standard, experimental"), None);
        assert_eq!(channel_in("extended"), None);
        assert_eq!(channel_in(""), None);
    }

    #[test]
    fn modes_in_other_letters_are_distinguished_from_other_modes() {
        for (text, mode) in [
            ("Default", "default"),
            ("traditional compatible", "traditional_compatible"),
            ("GatewayNamespace", "gateway-namespace-mode"),
            ("ControllerNamespace(default)", "default"),
        ] {
            assert!(is_spelled(text, mode), "{text} {mode}");
        }
        for (text, mode) in [
            ("", "default"),
            ("hybrid", "default"),
            ("with-the-lot", "lot"),
            ("-", "-"),
        ] {
            assert!(!is_spelled(text, mode), "{text} {mode}");
        }
    }

    #[test]
    fn finds_modes_in_any_spelling() {
        for mode in [
            "traditional_compatible",
            "gateway-namespace-mode",
            "Expressions",
        ] {
            assert!(is_described(
                mode,
                "settraditionalcompatiblegatewaynamespaceexpressionroutes"
            ));
        }
        assert!(!is_described("hybrid", "settraditionalcompatible"));
    }
}
