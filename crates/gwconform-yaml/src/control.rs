//! Reports tabs and control characters. Libraries for YAML 1.1 (PyYAML, libyaml) end a line at U+0085,
//! U+2028 and U+2029. They may find keys in text that is a comment for this crate and for Go's
//! library.

use super::YamlIssueKind;
use super::issue_texts::IssueText;
use super::load::Loader;
use crate::Span;
use crate::message_text::Field;
use crate::span::narrow;

/// In UTF-8, U+0080 to U+009F start with byte C2, and U+2028 and U+2029 with E2.
fn is_free(text: &str) -> bool {
    let may_be = |byte: u8| match byte {
        b'\t' | b'\n' | b'\r' => false,
        0..0x20 | 0x7f | 0xc2 | 0xe2 => true,
        _ => false,
    };
    !text.bytes().any(may_be) || !text.chars().any(is_control)
}

fn is_control(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{2028}' | '\u{2029}' => true,
        other => other.is_control(),
    }
}

impl Loader<'_> {
    pub(super) fn control_characters(&mut self) {
        if is_free(self.text) {
            return;
        }
        let syntax = self.tree.issues.iter();
        let syntax = syntax.filter(|issue| issue.kind == YamlIssueKind::Syntax);
        let stopped = syntax.map(|issue| issue.span.start as usize).next();
        let found = self.text.char_indices().filter(|(_, c)| is_control(*c));
        for (at, character) in found.filter(|(at, _)| Some(*at) != stopped) {
            let code_point = Field::Words(format!("U+{:04X}", u32::from(character)));
            let text = match character {
                '\u{85}' | '\u{2028}' | '\u{2029}' => IssueText::OtherLineBreak { code_point },
                _ => IssueText::ControlCharacter { code_point },
            };
            let span = Span::new(at, at + character.len_utf8());
            self.issue(YamlIssueKind::ControlCharacter, span, text);
        }
    }

    /// libyaml rejects many tabs, and the suite writes tabs only in quotes.
    pub(super) fn tabs(&mut self) {
        let text = &self.text.as_bytes()[..self.tree.read_to];
        let mut at = 0;
        while let Some(found) = memchr::memchr(b'\t', &text[at..]) {
            let tab = at + found;
            let node = self.tree.node_until(narrow(tab));
            let scalar = node.filter(|id| self.tree.text(*id).is_some());
            let scalar = scalar.map(|id| self.tree.span(id).range());
            let scalar = scalar.filter(|range| range.contains(&tab));
            if let Some(quoted) = &scalar
                && matches!(text[quoted.start], b'"' | b'\'')
            {
                at = quoted.end;
                continue;
            }
            let line = memchr::memrchr(b'\n', &text[..tab]).map_or(0, |end| end + 1);
            let from = at.max(line);
            let is_comment = |at: usize| at == line || matches!(text[at - 1], b' ' | b'\t');
            let mut signs = memchr::memchr_iter(b'#', &text[from..tab]);
            if scalar.is_none() && signs.any(|at| is_comment(from + at)) {
                let rest = memchr::memchr(b'\n', &text[tab..]);
                at = rest.map_or(text.len(), |length| tab + length);
                continue;
            }
            at = tab
                + text[tab..]
                    .iter()
                    .take_while(|&&byte| byte == b'\t')
                    .count();
            self.issue(YamlIssueKind::Tab, Span::new(tab, at), IssueText::Tab);
        }
    }
}
