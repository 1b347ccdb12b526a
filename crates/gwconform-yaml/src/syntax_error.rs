use granit_parser::ErrorKind;

use super::issue_texts::SyntaxText;
use crate::Span;
use crate::message_text::{Field, Text};

/// Explains a syntax error. `quote` is the offset of the preceding value's opening quote.
pub(super) fn explain(
    kind: &ErrorKind,
    text: &str,
    at: usize,
    quote: Option<usize>,
) -> (Text, Span) {
    use ErrorKind as E;
    let at = if text.is_char_boundary(at) {
        at
    } else {
        text.len()
    };
    if let Some(tab) = tab_in_indentation(text, at) {
        return in_indentation(tab);
    }
    if *kind == E::TabInPlainScalar {
        let mut tabs = text[at..].match_indices('\t').map(|(tab, _)| at + tab);
        if let Some(tab) = tabs.find_map(|tab| tab_in_indentation(text, tab)) {
            return in_indentation(tab);
        }
    }
    let here = char_span(text, at);
    let line = line_span(text, at);
    let (text, span) = match kind {
        E::UnclosedQuotedScalar => (SyntaxText::UnclosedQuote, here),
        E::InvalidQuotedScalarIndent => (
            SyntaxText::QuoteOverLines,
            quote.map_or(line, |quote| char_span(text, quote)),
        ),
        E::DocumentIndicatorInQuotedScalar => (SyntaxText::DocumentInQuote, here),
        E::InvalidTrailingSingleQuotedScalar => (SyntaxText::AfterSingleQuote, line),
        E::InvalidTrailingDoubleQuotedScalar => (SyntaxText::AfterDoubleQuote, line),
        E::UnknownQuotedScalarEscape
        | E::InvalidQuotedScalarHexEscape
        | E::InvalidLowSurrogateHexEscape
        | E::InvalidLowSurrogate
        | E::MissingLowSurrogate
        | E::UnpairedLowSurrogate
        | E::InvalidUnicodeEscape => bad_escape(kind, text, at),
        E::UnclosedFlowCollection { open } => (unclosed(*open), here),
        E::UnexpectedEofFlowSequence => (unclosed('['), here),
        E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => (unclosed('{'), here),
        E::MismatchedFlowCollectionEnd { open, close } => (
            SyntaxText::MismatchedBracket {
                open: open.to_string(),
                close: close.to_string(),
            },
            here,
        ),
        E::MisplacedFlowCollectionEnd => (SyntaxText::UnopenedBracket, here),
        E::ExpectedFlowSequenceSeparator => (SyntaxText::ListSeparator, here),
        E::ExpectedFlowMappingSeparator => (SyntaxText::MappingSeparator, here),
        E::InvalidColonPlacement => (SyntaxText::KeyInList, here),
        E::SimpleKeyExpected => (SyntaxText::KeyWithoutColon, line),
        E::InvalidSimpleKey => (SyntaxText::BadKey, line),
        E::MappingValueNotAllowed => (SyntaxText::ValueInValue, here),
        E::MappingKeyNotAllowed => (SyntaxText::UnexpectedKey, here),
        E::ExpectedBlockMappingKey => (SyntaxText::KeyIndentation, line),
        E::ExpectedBlockSequenceEntry => (SyntaxText::ItemIndentation, line),
        E::BlockSequenceEntryNotAllowed => (SyntaxText::ListOnLine, here),
        E::BlockEntryInFlowCollection => (SyntaxText::ItemInBrackets, here),
        E::InvalidBlockEntryWhitespace => (SyntaxText::NoSpaceAfterDash, here),
        E::InvalidMappingValueWhitespace => (SyntaxText::NoSpaceAfterColon, here),
        E::InvalidIndentation | E::InvalidFlowScalarIndent | E::InvalidBlockScalarIndent => {
            (SyntaxText::Indentation, line)
        }
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabAtBlockScalarStart
        | E::TabInPlainScalar => (SyntaxText::Tab, first_char(text, at, '\t')),
        E::CommentInterceptedScalar => (SyntaxText::CommentInString, line),
        E::CommentNotSeparated => (SyntaxText::NoSpaceBeforeComment, here),
        E::BomInsideDocument => (SyntaxText::ByteOrderMark, here),
        E::UnexpectedCharacter { character: '`' } => (
            SyntaxText::Unquoted {
                begin: Field::Words("a backtick".to_owned()),
            },
            line,
        ),
        E::UnexpectedCharacter {
            character: character @ ('@' | '%'),
        } => (
            SyntaxText::Unquoted {
                begin: Field::Code(character.to_string()),
            },
            line,
        ),
        E::UnexpectedCharacter { character } => (
            SyntaxText::Character {
                code_point: Field::Words(format!("U+{:04X}", u32::from(*character))),
            },
            first_char(text, at, *character),
        ),
        E::ExpectedDocumentStart | E::MissingDocumentEndBeforeDirective => {
            (SyntaxText::NoDocumentStart, here)
        }
        E::InvalidDocumentEnd => (SyntaxText::AfterDocument, line),
        E::ExpectedNodeContent => (SyntaxText::NoValue, here),
        E::UndeclaredTagHandle => (SyntaxText::UndeclaredTag, here),
        other => (
            SyntaxText::Other {
                problem: Field::Code(other.to_string()),
            },
            here,
        ),
    };
    (text.into(), span)
}

fn unclosed(open: char) -> SyntaxText {
    SyntaxText::UnclosedBracket {
        open: open.to_string(),
    }
}

fn in_indentation(tab: usize) -> (Text, Span) {
    (SyntaxText::TabInIndentation.into(), Span::new(tab, tab + 1))
}

fn char_span(text: &str, at: usize) -> Span {
    match text[at..].chars().next() {
        None | Some('\n' | '\r') => Span::at(at),
        Some(character) => Span::new(at, at + character.len_utf8()),
    }
}

fn first_char(text: &str, at: usize, character: char) -> Span {
    let found = text[at..].find(character).unwrap_or_default();
    char_span(text, at + found)
}

fn line_span(text: &str, at: usize) -> Span {
    let rest = text[at..].lines().next().unwrap_or_default().trim_end();
    Span::new(at, at + rest.len())
}

/// For a tab in the indentation, the parser reports an unrelated error.
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

/// For an invalid escape, the parser reports only the scalar.
fn bad_escape(kind: &ErrorKind, text: &str, quote: usize) -> (SyntaxText, Span) {
    let problem = match kind {
        ErrorKind::UnknownQuotedScalarEscape => SyntaxText::UnknownEscape,
        ErrorKind::InvalidQuotedScalarHexEscape | ErrorKind::InvalidLowSurrogateHexEscape => {
            SyntaxText::ShortEscape
        }
        _ => SyntaxText::LoneSurrogate,
    };
    let mut at = quote + 1;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        let (len, valid) = escape(&text[at..]);
        if !valid {
            return (problem, Span::new(at, at + len));
        }
        at += len;
    }
    (problem, char_span(text, quote))
}

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
    let hex_text = text.get(from..from + digits)?;
    let all_hex = hex_text.bytes().all(|byte| byte.is_ascii_hexdigit());
    all_hex
        .then(|| u32::from_str_radix(hex_text, 16).ok())
        .flatten()
}
