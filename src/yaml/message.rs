//! Syntax errors in the words of a person, and the place to point at.

use granit_parser::ErrorKind;

use super::Message;
use crate::diagnostic::in_code;
use crate::source::Span;

/// How much of a text a message quotes, in characters.
const SHOWN: usize = 40;

/// A text as a message quotes it: cut when long.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", in_code(&text[..end])),
        None => in_code(text),
    }
}

/// What a syntax error at `at` means, and the span that shows it. `quote` is the quote with which
/// the value before it starts, if it does.
pub(super) fn explain(
    kind: &ErrorKind,
    text: &str,
    at: usize,
    quote: Option<usize>,
) -> (Message, Span) {
    use ErrorKind as E;
    let at = if text.is_char_boundary(at) {
        at
    } else {
        text.len()
    };
    if let Some(tab) = tab_in_indentation(text, at) {
        return in_indentation(tab);
    }
    // A tab below a plain scalar is told at the scalar, lines above it.
    if *kind == E::TabInPlainScalar {
        let mut tabs = text[at..].match_indices('\t').map(|(tab, _)| at + tab);
        if let Some(tab) = tabs.find_map(|tab| tab_in_indentation(text, tab)) {
            return in_indentation(tab);
        }
    }
    let here = char_span(text, at);
    let line = line_span(text, at);
    let (message, span) = match kind {
        E::UnclosedQuotedScalar => ("this quote is never closed".into(), here),
        E::InvalidQuotedScalarIndent => (
            "this quote is not closed on its line, and the next line is not indented".into(),
            quote.map_or(line, |quote| char_span(text, quote)),
        ),
        E::DocumentIndicatorInQuotedScalar => (
            "a new document starts inside a quoted text; is its closing quote missing?".into(),
            here,
        ),
        E::InvalidTrailingSingleQuotedScalar => (
            "text follows the closing quote; inside single quotes an apostrophe is written twice"
                .into(),
            line,
        ),
        E::InvalidTrailingDoubleQuotedScalar => (
            "text follows the closing quote; inside double quotes a quote is written `\\\"`".into(),
            line,
        ),
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => bad_escape(kind, text, at),
        E::UnclosedFlowCollection { open } => (format!("`{open}` is never closed").into(), here),
        E::UnexpectedEofFlowSequence => ("the text ends before a `[` is closed".into(), here),
        E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => {
            ("the text ends before a `{` is closed".into(), here)
        }
        E::MismatchedFlowCollectionEnd { open, close } => (
            format!("`{open}` is closed by `{close}`").into(),
            here,
        ),
        E::MisplacedFlowCollectionEnd => ("this bracket closes nothing".into(), here),
        E::ExpectedFlowSequenceSeparator => ("expected `,` or `]` here".into(), here),
        E::ExpectedFlowMappingSeparator => ("expected `,` or `}` here".into(), here),
        E::InvalidColonPlacement => (
            "a key stands inside `[…]` here; is the closing `]` missing?".into(),
            here,
        ),
        E::SimpleKeyExpected => ("expected `key: value`, but no colon follows".into(), line),
        E::InvalidSimpleKey => (
            "a key ends with a colon on its own line and is at most 1024 characters long".into(),
            line,
        ),
        E::MappingValueNotAllowed => (
            "a second `key: value` inside a value; quote a text that contains a colon and a space, or indent the line like the keys above it"
                .into(),
            here,
        ),
        E::MappingKeyNotAllowed => ("no key is allowed here".into(), here),
        E::ExpectedBlockMappingKey => (
            "this line fits no key above it; keys of one mapping are indented alike".into(),
            line,
        ),
        E::ExpectedBlockSequenceEntry => (
            "expected `- ` as on the lines above; items of one list are indented alike".into(),
            line,
        ),
        E::BlockSequenceEntryNotAllowed => (
            "a list cannot start here; put `- ` on a line of its own".into(),
            here,
        ),
        E::BlockEntryInFlowCollection => ("`- ` has no meaning inside brackets".into(), here),
        E::InvalidBlockEntryWhitespace => ("a space must follow `-`".into(), here),
        E::InvalidMappingValueWhitespace => ("a space must follow `:`".into(), here),
        E::InvalidIndentation
        | E::InvalidFlowScalarIndent
        | E::InvalidBlockScalarIndent => (
            "this line is indented differently from the ones it belongs to".into(),
            line,
        ),
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => (
            "a tab is not allowed here; use spaces".into(),
            first_char(text, at, '\t'),
        ),
        E::CommentInterceptedScalar => (
            "a comment stands inside a text of several lines".into(),
            line,
        ),
        E::CommentNotSeparated => ("a space must come before `#`".into(), here),
        E::BomInsideDocument => ("a byte order mark stands inside the text".into(), here),
        E::UnexpectedCharacter { character: '@' } => {
            ("a text that starts with `@` must be quoted".to_owned().into(), line)
        }
        E::UnexpectedCharacter { character: '`' } => {
            ("a text that starts with a backtick must be quoted".to_owned().into(), line)
        }
        E::UnexpectedCharacter { character: '%' } => {
            ("a text that starts with `%` must be quoted".to_owned().into(), line)
        }
        E::UnexpectedCharacter { character } => (
            format!("the character U+{:04X} is not allowed here", *character as u32).into(),
            first_char(text, at, *character),
        ),
        E::ExpectedDocumentStart | E::MissingDocumentEndBeforeDirective => {
            ("expected the `---` of a document".into(), here)
        }
        E::InvalidDocumentEnd => ("text follows the end of a document, `...`".into(), line),
        E::ExpectedNodeContent => ("expected a value here".into(), here),
        E::UndeclaredTagHandle => ("this tag uses a handle that was not declared".into(), here),
        other => (format!("not valid YAML: {other}").into(), here),
    };
    (message, span)
}

fn in_indentation(tab: usize) -> (Message, Span) {
    (
        "a tab stands in the indentation, where YAML allows spaces only".into(),
        Span::new(tab, tab + 1),
    )
}

/// The span of one character; empty at the end of a line or of the text.
fn char_span(text: &str, at: usize) -> Span {
    match text[at..].chars().next() {
        None | Some('\n' | '\r') => Span::at(at),
        Some(character) => Span::new(at, at + character.len_utf8()),
    }
}

/// The span of the first such character from `at` on; errors inside a scalar point at its start.
fn first_char(text: &str, at: usize, character: char) -> Span {
    let found = text[at..].find(character).unwrap_or_default();
    char_span(text, at + found)
}

/// The span from `at` to the end of its line, without blanks at the end.
fn line_span(text: &str, at: usize) -> Span {
    let rest = text[at..].lines().next().unwrap_or_default().trim_end();
    Span::new(at, at + rest.len())
}

/// The first tab among the blanks at the start of the line of `at`, when only blanks stand before
/// `at`. YAML readers complain about many other things when they meet one.
fn tab_in_indentation(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
    if at > start + indentation {
        return None;
    }
    let tab = line[..indentation].find('\t');
    tab.map(|column| start + column)
}

/// Finds the escape that made a double-quoted scalar invalid; the error names only the scalar.
fn bad_escape(kind: &ErrorKind, text: &str, quote: usize) -> (Message, Span) {
    let message = match kind {
        ErrorKind::UnknownQuotedScalarEscape => {
            "unknown escape; a backslash inside double quotes is written twice"
        }
        ErrorKind::InvalidQuotedScalarHexEscape | ErrorKind::InvalidLowSurrogateHexEscape => {
            "the hexadecimal digits of this escape are not complete"
        }
        _ => "this escape is no character; `\\ud800` to `\\udfff` come in pairs",
    };
    let mut at = quote + 1;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        let (len, valid) = escape(&text[at..]);
        if !valid {
            return (message.into(), Span::new(at, at + len));
        }
        at += len;
    }
    (message.into(), char_span(text, quote))
}

/// Length and validity of the escape at the start of a text.
fn escape(text: &str) -> (usize, bool) {
    let letter = text[1..].chars().next();
    let digits = match letter {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some(letter) => {
            let known = "0abt\tnvfre \"/\\N_LP\n\r".contains(letter);
            return (1 + letter.len_utf8(), known);
        }
        None => return (1, false),
    };
    let Some(code) = hex(text, 2, digits) else {
        return (2, false);
    };
    match code {
        0xD800..=0xDBFF => {
            let low = text[6.min(text.len())..]
                .starts_with("\\u")
                .then(|| hex(text, 8, 4));
            let paired = digits == 4 && matches!(low, Some(Some(0xDC00..=0xDFFF)));
            (if paired { 12 } else { 2 + digits }, paired)
        }
        code => (2 + digits, char::from_u32(code).is_some()),
    }
}

fn hex(text: &str, from: usize, digits: usize) -> Option<u32> {
    let digits = text.get(from..from + digits)?;
    let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all_hex
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}
