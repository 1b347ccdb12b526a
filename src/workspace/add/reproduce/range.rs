//! Parses version ranges, such as `>= 5.1.0` or `5.1.0 or later`.

use crate::certify::VersionKey;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    Exactly,
    /// At least the bound.
    From,
    /// Greater than the bound.
    After,
    /// At most the bound.
    UpTo,
    /// Less than the bound.
    Before,
}

impl Range {
    pub(super) fn has(self, version: &VersionKey, bound: &VersionKey) -> bool {
        match self {
            Self::Exactly => version == bound,
            Self::From => version >= bound,
            Self::After => version > bound,
            Self::UpTo => version <= bound,
            Self::Before => version < bound,
        }
    }

    pub(super) fn in_words(self, bound: &str) -> String {
        match self {
            Self::Exactly => bound.to_owned(),
            Self::From => format!("{bound} and later"),
            Self::After => format!("versions after {bound}"),
            Self::UpTo => format!("{bound} and earlier"),
            Self::Before => format!("versions before {bound}"),
        }
    }
}

/// Number of bytes on each side of a version.
const AROUND: usize = 40;

const BEFORE: [(&str, Range); 16] = [
    (">=", Range::From),
    ("=>", Range::From),
    ("~>", Range::From),
    ("≥", Range::From),
    ("&gt;=", Range::From),
    ("at least", Range::From),
    ("minimum", Range::From),
    ("since", Range::From),
    ("newer than", Range::After),
    ("later than", Range::After),
    ("<=", Range::UpTo),
    ("≤", Range::UpTo),
    ("&lt;=", Range::UpTo),
    ("up to", Range::UpTo),
    ("older than", Range::Before),
    ("earlier than", Range::Before),
];

const BEHIND: [(&str, Range); 10] = [
    ("later", Range::From),
    ("newer", Range::From),
    ("above", Range::From),
    ("higher", Range::From),
    ("greater", Range::From),
    ("up", Range::From),
    ("onward", Range::From),
    ("earlier", Range::UpTo),
    ("older", Range::UpTo),
    ("below", Range::UpTo),
];

const BETWEEN: [&str; 5] = ["-", "–", "—", "to", "through"];

pub(super) fn blocks(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let begins = line.trim().is_empty() || line.trim_start().starts_with(['#', '-', '*', '|']);
        if begins {
            blocks.push(&text[start..at]);
            start = at;
        }
        at += line.len();
    }
    blocks.push(&text[start..]);
    blocks
}

pub(super) fn all<'t>(text: &'t str, is_known: &dyn Fn(&str) -> bool) -> Vec<(&'t str, Range)> {
    let mut found: Vec<(&str, Range)> = Vec::new();
    let mut end_before = None;
    for (start, word) in words(text) {
        let (version, has_plus) = match word.strip_suffix('+') {
            Some(version) => (version, true),
            None => (word, false),
        };
        let end = start + word.len();
        if !is_known(version) {
            continue;
        }
        let behind = &text[end..text.floor_char_boundary(end + AROUND)];
        let before = &text[text.ceil_char_boundary(start.saturating_sub(AROUND))..start];
        let between = end_before.and_then(|before: usize| text.get(before..start));
        let ends_range = between.is_some_and(|between| BETWEEN.contains(&trimmed(between)));
        let range = match () {
            () if has_plus => Range::From,
            () if ends_range => Range::UpTo,
            () => range_behind(behind)
                .or_else(|| range_before(before))
                .unwrap_or(Range::Exactly),
        };
        if let Some((_, begins)) = found.last_mut().filter(|_| ends_range)
            && *begins == Range::Exactly
        {
            *begins = Range::From;
        }
        found.push((version, range));
        end_before = Some(end);
    }
    found
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._+".contains(c);
    let mut at = 0;
    text.split(move |c| !is_part(c)).map(move |word| {
        let start = at;
        let next = text[start + word.len()..].chars().next();
        at = start + word.len() + next.map_or(0, char::len_utf8);
        (start, word.trim_end_matches('.'))
    })
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`\"'()[],:\\".contains(c))
}

fn range_before(text: &str) -> Option<Range> {
    let text = trimmed(text).to_lowercase();
    let text = text.strip_suffix("version").map_or(&*text, trimmed);
    let mut known = BEFORE.iter();
    if let Some((_, range)) = known.find(|(words, _)| ends_with_word(text, words)) {
        return Some(*range);
    }
    // If no space precedes these characters, they may end a tag, quotation or arrow.
    let (rest, range) = match (text.strip_suffix('>'), text.strip_suffix('<')) {
        (Some(rest), _) => (rest, Range::After),
        (_, Some(rest)) => (rest, Range::Before),
        _ => return None,
    };
    let line = rest.rsplit('\n').next().unwrap_or_default();
    let is_alone = line.ends_with([' ', '(', ',', '`']) && !line.trim().is_empty();
    is_alone.then_some(range)
}

fn range_behind(text: &str) -> Option<Range> {
    let text = trimmed(text).to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let first = words.next()?;
    let word = match first {
        "or" | "and" => words.next()?,
        first => first,
    };
    let (_, range) = BEHIND.iter().find(|(known, _)| word.starts_with(known))?;
    // `5.1.0 up` and `5.1.0 below` are not ranges.
    (word != first || word.starts_with("onward")).then_some(*range)
}

fn ends_with_word(text: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric();
    text.strip_suffix(words)
        .is_some_and(|rest| !words.starts_with(is_letter) || !rest.ends_with(is_letter))
}

#[cfg(test)]
mod tests {
    use super::{Range, all};

    #[test]
    fn ranges_are_read_as_a_person_reads_them() {
        for (text, range) in [
            ("Airlock Microgateway >= 5.1.0", Range::From),
            ("Airlock Microgateway \\>=5.1.0.", Range::From),
            ("Airlock Microgateway (≥ **v5.1.0**)", Range::From),
            ("at least version 5.1.0", Range::From),
            ("At least 5.1.0", Range::From),
            ("Minimum version: `5.1.0`", Range::From),
            ("5.1.0+ is needed", Range::From),
            ("5.1.0 or later", Range::From),
            ("`5.1.0` (or newer)", Range::From),
            ("5.1.0 and above.", Range::From),
            ("from v5.1.0 onwards", Range::From),
            ("older than 5.1.0", Range::Before),
            ("use > 5.1.0", Range::After),
            ("newer than 5.1.0", Range::After),
            ("with <= 5.1.0", Range::UpTo),
            ("5.1.0 and earlier", Range::UpTo),
            ("Install 5.1.0.", Range::Exactly),
            ("> 5.1.0 in a quotation", Range::Exactly),
            ("<code>5.1.0</code>", Range::Exactly),
            ("a -> 5.1.0", Range::Exactly),
            ("VERSION=5.1.0 make up", Range::Exactly),
            ("unsupported up 5.1.0 up", Range::Exactly),
        ] {
            let found = all(text, &|word| word.trim_start_matches('v') == "5.1.0");
            let ranges: Vec<Range> = found.into_iter().map(|(_, range)| range).collect();
            assert_eq!(ranges, [range], "{text}");
        }
        let is_known = |word: &str| ["1.3.0", "1.5.0"].contains(&word);
        for text in ["1.3.0 - 1.5.0", "from `1.3.0` to `1.5.0`", "1.3.0–1.5.0"] {
            let found: Vec<_> = all(text, &is_known);
            assert_eq!(
                found,
                [("1.3.0", Range::From), ("1.5.0", Range::UpTo)],
                "{text}"
            );
        }
        let text = "# a\n>= 5.1.0\nor\n\n- b\n- c\n";
        assert_eq!(super::blocks(text).concat(), text);
        assert_eq!(
            super::blocks(text)[1..],
            ["# a\n>= 5.1.0\nor\n", "\n", "- b\n", "- c\n"]
        );
        assert!(all("é 5.1.0é5.1.0€", &|word| word == "5.1.0").len() == 2);
    }
}
