//! Splits a Go file into tokens and comments, and inserts automatic semicolons.

use std::rc::Rc;

use super::{Result, Unread};

/// Real code has about ten levels.
const MAX_NESTING: usize = 200;

/// Maximum bytes, because messages contain names. The longest name in the suite has about 90 bytes.
const MAX_NAME: usize = 256;

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// An integer literal, such as `12` or `0x1f`.
    Integer,
    /// A floating-point literal or a rune literal.
    OtherLiteral,
    /// A string literal, with its quotes.
    Text,
    /// An operator, a bracket, or another punctuation character.
    Operator,
    /// A semicolon, which can be explicit or automatic.
    End,
}

/// A range of bytes in the file.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Kind of token, such as a word or an operator.
    pub kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) line: u32,
    /// Index of the matching bracket; 0 for tokens that are not brackets.
    pub(crate) partner: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) is_behind: bool,
}

/// Tokens and comments of a file, in source order.
#[derive(Debug, Default)]
pub struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
}

/// Keywords that do not cause an automatic semicolon at the end of a line.
const OPEN_KEYWORDS: [&str; 21] = [
    "case",
    "chan",
    "const",
    "default",
    "defer",
    "else",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];

/// Longer operators precede their prefixes.
const LONG_OPERATORS: [&str; 25] = [
    "<<=", ">>=", "&^=", "...", "&&", "||", "<-", "++", "--", "==", "!=", "<=", ">=", ":=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "&^",
];

struct Lexer<'t> {
    file: &'t str,
    text: &'t str,
    at: usize,
    line: u32,
    last_used: u32,
    found: Tokens,
    open: Vec<u32>,
    most: usize,
}

pub(crate) fn tokens(file: &str, text: &str, most: usize) -> Result<Tokens> {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        line: 1,
        last_used: 0,
        found: Tokens::default(),
        open: Vec::new(),
        most,
    };
    lexer.run()?;
    Ok(lexer.found)
}

impl<'t> Lexer<'t> {
    fn error<T>(&self, line: u32, reason: &str, expression: &str) -> Result<T> {
        Err(Rc::new(Unread {
            file: self.file.to_owned(),
            line,
            reason: reason.to_owned(),
            expression: super::file::shortened(expression),
            is_final: false,
        }))
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn run(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                self.end_line();
                break;
            };
            match first {
                '\n' => {
                    self.end_line();
                    self.line += 1;
                    self.at += 1;
                }
                ' ' | '\t' | '\r' => self.at += 1,
                '/' if rest.starts_with("//") => {
                    let length = rest.find('\n').unwrap_or(rest.len());
                    self.comment(length);
                }
                '/' if rest.starts_with("/*") => {
                    let Some(length) = rest[2..].find("*/") else {
                        return self.error(self.line, "a comment without an end", "/*");
                    };
                    if rest[2..2 + length].contains('\n') {
                        self.end_line();
                    }
                    self.comment(length + 4);
                }
                '"' | '\'' => self.quoted(first)?,
                '`' => {
                    let Some(length) = rest[1..].find('`') else {
                        return self.error(self.line, "a text without an end", rest);
                    };
                    self.add(Kind::Text, length + 2)?;
                }
                _ if first.is_alphabetic() || first == '_' => {
                    let is_other = |c: char| !c.is_alphanumeric() && c != '_';
                    let length = rest.find(is_other).unwrap_or(rest.len());
                    if length > MAX_NAME {
                        let reason = format!("a name longer than {MAX_NAME} bytes");
                        return self.error(self.line, &reason, rest);
                    }
                    self.add(Kind::Word, length)?;
                }
                _ if first.is_ascii_digit()
                    || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    self.number()?;
                }
                ';' => self.add(Kind::End, 1)?,
                _ => self.operator()?,
            }
        }
        match self.open.pop() {
            Some(open) => {
                let token = self.found.tokens[open as usize];
                let text = &self.text[token.start as usize..token.end as usize];
                self.error(token.line, "an unmatched bracket", text)
            }
            None => Ok(()),
        }
    }

    fn add(&mut self, kind: Kind, length: usize) -> Result<()> {
        if self.found.tokens.len() >= self.most {
            let mut error = Unread::of_file(self.file, "too many words and signs in the sources");
            error.is_final = true;
            return Err(Rc::new(error));
        }
        let (start, end) = (self.at, self.at + length);
        self.found.tokens.push(Token {
            kind,
            start: place(start),
            end: place(end),
            line: self.line,
            partner: 0,
        });
        let lines = self.text[start..end].matches('\n').count();
        self.line += place(lines);
        self.last_used = self.line;
        self.at = end;
        Ok(())
    }

    fn comment(&mut self, length: usize) {
        let (start, end) = (self.at, self.at + length);
        let first_line = self.line;
        self.line += place(self.text[start..end].matches('\n').count());
        self.found.comments.push(Comment {
            start: place(start),
            end: place(end),
            first_line,
            last_line: self.line,
            is_behind: first_line == self.last_used,
        });
        self.last_used = self.line;
        self.at = end;
    }

    fn quoted(&mut self, quote: char) -> Result<()> {
        let rest = self.rest();
        let mut is_escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                _ if c == quote => {
                    let kind = if quote == '"' {
                        Kind::Text
                    } else {
                        Kind::OtherLiteral
                    };
                    return self.add(kind, at + 1);
                }
                _ => {}
            }
        }
        self.error(self.line, "a text without an end", rest)
    }

    fn number(&mut self) -> Result<()> {
        let rest = self.rest();
        let mut end = 0;
        let mut before = ' ';
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        for (at, c) in rest.char_indices() {
            let is_sign = matches!(c, '+' | '-')
                && (!is_hex && matches!(before, 'e' | 'E') || matches!(before, 'p' | 'P'));
            if !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || is_sign) {
                break;
            }
            (before, end) = (c, at + 1);
        }
        let has_exponent = !is_hex && rest[..end].contains(['e', 'E']);
        let is_other = has_exponent || rest[..end].contains(['.', 'p', 'P', 'i']);
        self.add(
            if is_other {
                Kind::OtherLiteral
            } else {
                Kind::Integer
            },
            end,
        )
    }

    fn operator(&mut self) -> Result<()> {
        let rest = self.rest();
        let long = LONG_OPERATORS.iter().find(|text| rest.starts_with(**text));
        if let Some(text) = long {
            return self.add(Kind::Operator, text.len());
        }
        let Some(first) = rest
            .chars()
            .next()
            .filter(|c| "+-*/%&|^<>=!()[]{},.:~".contains(*c))
        else {
            return self.error(
                self.line,
                "unexpected character",
                rest.get(..1).unwrap_or_default(),
            );
        };
        let index = place(self.found.tokens.len());
        self.add(Kind::Operator, 1)?;
        match first {
            '(' | '[' | '{' => {
                if self.open.len() >= MAX_NESTING {
                    let reason = format!("brackets nested deeper than {MAX_NESTING}");
                    return self.error(self.line, &reason, rest);
                }
                self.open.push(index);
            }
            ')' | ']' | '}' => {
                let open = self.open.pop();
                let wanted = match first {
                    ')' => b'(',
                    ']' => b'[',
                    _ => b'{',
                };
                let is_partner = |open: &u32| {
                    let start = self.found.tokens[*open as usize].start as usize;
                    self.text.as_bytes()[start] == wanted
                };
                let Some(open) = open.filter(is_partner) else {
                    return self.error(self.line, "an unmatched bracket", &rest[..1]);
                };
                self.found.tokens[open as usize].partner = index;
                self.found.tokens[index as usize].partner = open;
            }
            _ => {}
        }
        Ok(())
    }

    fn end_line(&mut self) {
        let Some(last) = self.found.tokens.last() else {
            return;
        };
        let text = &self.text[last.start as usize..last.end as usize];
        let ends = match last.kind {
            Kind::Word => !OPEN_KEYWORDS.contains(&text),
            Kind::Integer | Kind::OtherLiteral | Kind::Text => true,
            Kind::Operator => matches!(text, "++" | "--" | ")" | "]" | "}"),
            Kind::End => false,
        };
        if ends {
            self.found.tokens.push(Token {
                kind: Kind::End,
                start: place(self.at),
                end: place(self.at),
                line: self.line,
                partner: 0,
            });
        }
    }
}

/// 32 bits are enough, because files have at most a few MiB.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn a_comment_can_hold_any_character() {
        for text in [
            "package a /*éa*/\n",
            "package a /* é\n */\n",
            "package a // é",
        ] {
            assert!(tokens("a.go", text, 100).is_ok(), "{text}");
        }
        assert!(tokens("a.go", "package a /*é", 100).is_err());
    }
}
