//! Finds the declarations in a Go file. A declaration is stored as a range of tokens and parsed
//! only when needed.

use std::ops::Range;
use std::rc::Rc;

use super::token::{self, Comment, Kind, Token};
use super::{Result, Unread};

/// In characters.
const MAX_SHOWN: usize = 80;

/// Maximum lines of a comment. Callers use only the first sentence.
const MAX_COMMENT_LINES: usize = 50;

/// Real files have about 20.
const MAX_IMPORTS: usize = 300;

/// In bytes. Messages contain import paths.
const MAX_PATH: usize = 256;

/// A range of token indexes.
pub type Span = Range<usize>;

/// A Go file: its tokens and declarations.
#[derive(Debug)]
pub struct File {
    /// Relative to the module, with `/` separators.
    pub path: String,
    pub(crate) text: String,
    /// Tokens in source order, including automatic semicolons.
    pub tokens: Vec<Token>,
    comments: Vec<Comment>,
    pub(crate) package: String,
    pub(crate) imports: Vec<Import>,
    pub(crate) declarations: Vec<Declaration>,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) alias: Option<String>,
    pub(crate) path: String,
    pub(crate) line: u32,
}

/// A top-level declaration of one name.
#[derive(Debug)]
pub struct Declaration {
    /// Declared name. The name of a method excludes the type name.
    pub name: String,
    /// Kind of declaration, with the token ranges of its parts.
    pub what: What,
    /// Index of the first token.
    pub start: usize,
}

/// Kinds of declarations, with their parts.
#[derive(Clone, Debug)]
pub enum What {
    /// A constant. In a group, the expression can be on an earlier line.
    Constant {
        /// Tokens of the expression.
        value: Span,
        /// Value of `iota` in the expression.
        number: i128,
    },
    /// A variable, with type, initial value or both.
    Variable {
        /// Type; `None` if the value determines the type.
        kind: Option<Span>,
        /// Initial value; `None` if the variable is zero.
        value: Option<Span>,
        /// Index of the name if one call assigns several names.
        of: Option<usize>,
    },
    /// A type with a name.
    Type {
        /// Tokens after the name.
        definition: Span,
    },
    /// A function without a receiver.
    Function(Rc<Function>),
    /// A function with a receiver.
    Method {
        /// Name of the receiver type, without `*`.
        of: String,
        /// Parameters and body of the method.
        function: Rc<Function>,
    },
}

/// A function. Parameters and body are token ranges.
#[derive(Debug)]
pub struct Function {
    pub(crate) receiver: Option<Span>,
    /// Tokens between the parentheses after the name.
    pub parameters: Span,
    /// Body; `None` for a function without a Go body, such as assembly.
    pub body: Option<Span>,
}

pub(crate) fn shortened(text: &str) -> String {
    let start: String = text.chars().take(4 * MAX_SHOWN).collect();
    let words: Vec<&str> = start.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= MAX_SHOWN && start.len() == text.len() {
        return line;
    }
    let kept: String = line.chars().take(MAX_SHOWN).collect();
    format!("{kept}…")
}

impl File {
    pub(crate) fn read(path: &str, text: String, most_tokens: usize) -> Result<Self> {
        let found = token::tokens(path, &text, most_tokens)?;
        let mut file = Self {
            path: path.to_owned(),
            text,
            tokens: found.tokens,
            comments: found.comments,
            package: String::new(),
            imports: Vec::new(),
            declarations: Vec::new(),
        };
        let mut at = 0;
        if file.word(0) != "package" {
            return Err(file.error(0..1, "expected `package`"));
        }
        file.package = file.name(&mut at, 1)?;
        at = file.after_end(at)?;
        while at < file.tokens.len() {
            at = match file.word(at) {
                "import" => file.group(at, Self::import)?,
                "const" => file.constants(at)?,
                "var" => file.group(at, Self::variables)?,
                "type" => file.group(at, Self::definition)?,
                "func" => file.function(at)?,
                _ if file.tokens[at].kind == Kind::End => at + 1,
                _ => return Err(file.error(at..at + 1, "expected a declaration")),
            };
        }
        Ok(file)
    }

    /// Text of a token; empty after the last token.
    pub fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| {
            &self.text[token.start as usize..token.end as usize]
        })
    }

    /// Returns the source text of a range of tokens, including comments.
    pub fn source(&self, span: &Span) -> &str {
        let last = span.end.saturating_sub(1).max(span.start);
        match (self.tokens.get(span.start), self.tokens.get(last)) {
            (Some(first), Some(last)) => &self.text[first.start as usize..last.end as usize],
            _ => "",
        }
    }

    /// Creates an error about a range of tokens.
    pub fn error(&self, span: Span, reason: impl Into<String>) -> Rc<Unread> {
        Rc::new(Unread {
            file: self.path.clone(),
            line: self.line(span.start),
            reason: reason.into(),
            expression: shortened(self.source(&span)),
            is_final: false,
        })
    }

    pub(crate) fn line(&self, at: usize) -> u32 {
        let token = self.tokens.get(at).or(self.tokens.last());
        token.map_or(1, |token| token.line)
    }

    /// Comment above a declaration, or else after it on the same line. Comment markers are removed,
    /// and line breaks are kept.
    pub fn comment_of(&self, at: usize) -> Option<String> {
        let line = self.line(at);
        let above = self
            .comments
            .partition_point(|comment| comment.first_line < line);
        let mut wanted = line;
        let mut lines: Vec<String> = Vec::new();
        for comment in self.comments[..above].iter().rev().take(MAX_COMMENT_LINES) {
            if comment.last_line + 1 != wanted || comment.is_behind {
                break;
            }
            wanted = comment.first_line;
            lines.splice(0..0, self.lines_of(comment));
        }
        if lines.is_empty() {
            let start = self.tokens.get(at)?.start;
            let next = self
                .comments
                .partition_point(|comment| comment.start <= start);
            let behind = self.comments.get(next);
            let behind = behind.filter(|comment| comment.first_line == line)?;
            lines = self.lines_of(behind);
        }
        Some(lines.join("\n"))
    }

    fn lines_of(&self, comment: &Comment) -> Vec<String> {
        let text = &self.text[comment.start as usize..comment.end as usize];
        let inner = match text.strip_prefix("//") {
            Some(line) => line,
            None => text.trim_start_matches("/*").trim_end_matches("*/"),
        };
        let lines = inner
            .lines()
            .map(|line| line.trim().trim_start_matches("* "));
        lines.map(str::to_owned).collect()
    }

    /// Returns the index after the matching bracket.
    pub fn behind(&self, bracket: usize) -> usize {
        self.tokens
            .get(bracket)
            .map_or(bracket, |token| token.partner as usize)
            + 1
    }

    /// First matching token outside nested brackets; `end` if no token matches.
    fn find(&self, span: Span, is_wanted: impl Fn(usize) -> bool) -> usize {
        let mut at = span.start;
        while at < span.end {
            if is_wanted(at) {
                return at;
            }
            at = match self.word(at) {
                "(" | "[" | "{" => self.behind(at),
                _ => at + 1,
            };
        }
        span.end
    }

    fn is_end(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_none_or(|token| token.kind == Kind::End)
    }

    fn name(&self, at: &mut usize, place: usize) -> Result<String> {
        if self
            .tokens
            .get(place)
            .is_none_or(|token| token.kind != Kind::Word)
        {
            return Err(self.error(place..place + 1, "expected a name"));
        }
        *at = place + 1;
        Ok(self.word(place).to_owned())
    }

    fn after_end(&self, at: usize) -> Result<usize> {
        if at < self.tokens.len() && !self.is_end(at) {
            return Err(self.error(at..at + 1, "expected the end of the line"));
        }
        Ok(at + 1)
    }

    fn group(&mut self, at: usize, read: fn(&mut Self, Span) -> Result<()>) -> Result<usize> {
        if self.word(at + 1) != "(" {
            let end = self.find(at + 1..self.tokens.len(), |at| self.is_end(at));
            read(self, at + 1..end)?;
            return Ok(end + 1);
        }
        let close = self.behind(at + 1) - 1;
        let mut start = at + 2;
        while start < close {
            let end = self.find(start..close, |at| self.is_end(at));
            if end > start {
                read(self, start..end)?;
            }
            start = end + 1;
        }
        self.after_end(close + 1)
    }

    fn import(&mut self, span: Span) -> Result<()> {
        let last = span.end.saturating_sub(1).max(span.start);
        let path = super::parse::text_of(self.word(last));
        let path = path.filter(|path| path.len() <= MAX_PATH && span.len() <= 2);
        let Some(path) = path else {
            return Err(self.error(span, "expected the path of a package"));
        };
        if self.imports.len() >= MAX_IMPORTS {
            return Err(self.error(span, format!("more than {MAX_IMPORTS} imports")));
        }
        self.imports.push(Import {
            alias: (span.len() == 2).then(|| self.word(span.start).to_owned()),
            path,
            line: self.line(span.start),
        });
        Ok(())
    }

    fn names(&self, span: &Span) -> Result<(Vec<(String, usize)>, usize)> {
        let mut names = Vec::new();
        let mut at = span.start;
        loop {
            let place = at;
            names.push((self.name(&mut at, place)?, place));
            if at >= span.end || self.word(at) != "," {
                return Ok((names, at));
            }
            at += 1;
        }
    }

    fn list(&self, span: Span) -> Vec<Span> {
        let mut values = Vec::new();
        let mut start = span.start;
        while start < span.end {
            let end = self.find(start..span.end, |at| self.word(at) == ",");
            values.push(start..end);
            start = end + 1;
        }
        values
    }

    fn constants(&mut self, at: usize) -> Result<usize> {
        let is_group = self.word(at + 1) == "(";
        let close = if is_group {
            self.behind(at + 1) - 1
        } else {
            self.find(at + 1..self.tokens.len(), |at| self.is_end(at))
        };
        let mut start = at + 1 + usize::from(is_group);
        let (mut above, mut number) = (Vec::new(), 0);
        while start < close {
            let end = self.find(start..close, |at| self.is_end(at));
            if end > start {
                let (names, after) = self.names(&(start..end))?;
                let equals = self.find(after..end, |at| self.word(at) == "=");
                if equals < end {
                    above = self.list(equals + 1..end);
                }
                if above.len() < names.len() {
                    return Err(self.error(start..end, "a constant without a value"));
                }
                for ((name, start), value) in names.into_iter().zip(&above) {
                    let what = What::Constant {
                        value: value.clone(),
                        number,
                    };
                    self.declarations.push(Declaration { name, what, start });
                }
                number += 1;
            }
            start = end + 1;
        }
        if is_group {
            self.after_end(close + 1)
        } else {
            Ok(close + 1)
        }
    }

    fn variables(&mut self, span: Span) -> Result<()> {
        let (names, after) = self.names(&span)?;
        let equals = self.find(after..span.end, |at| self.word(at) == "=");
        let kind = (after < equals).then_some(after..equals);
        let values = self.list(equals + 1..span.end);
        if !values.is_empty() && values.len() != 1 && values.len() != names.len() {
            return Err(self.error(
                span,
                "the number of values differs from the number of variables",
            ));
        }
        let is_one_call = names.len() > 1 && values.len() == 1;
        for (nth, (name, start)) in names.into_iter().enumerate() {
            let value = values.get(if is_one_call { 0 } else { nth }).cloned();
            let what = What::Variable {
                kind: kind.clone(),
                value,
                of: is_one_call.then_some(nth),
            };
            self.declarations.push(Declaration { name, what, start });
        }
        Ok(())
    }

    fn definition(&mut self, span: Span) -> Result<()> {
        let mut at = span.start;
        let name = self.name(&mut at, span.start)?;
        // `type A[T any] struct` is generic, but `type A []T` and `type A [4]T` are not.
        let is_generic = self.word(at) == "["
            && self.tokens[at + 1].kind == Kind::Word
            && self
                .tokens
                .get(at + 2)
                .is_some_and(|_| self.word(at + 2) != "]");
        if is_generic {
            at = self.behind(at);
        }
        if self.word(at) == "=" {
            at += 1;
        }
        let what = What::Type {
            definition: at..span.end,
        };
        let start = span.start;
        self.declarations.push(Declaration { name, what, start });
        Ok(())
    }

    fn function(&mut self, start: usize) -> Result<usize> {
        let mut at = start + 1;
        let receiver = (self.word(at) == "(").then(|| at + 1..self.behind(at) - 1);
        if receiver.is_some() {
            at = self.behind(at);
        }
        let place = at;
        let name = self.name(&mut at, place)?;
        if self.word(at) == "[" {
            at = self.behind(at);
        }
        if self.word(at) != "(" {
            return Err(self.error(start..at + 1, "expected parameters"));
        }
        let parameters = at + 1..self.behind(at) - 1;
        at = self.behind(at);
        let body = loop {
            match self.word(at) {
                "{" if matches!(self.word(at - 1), "struct" | "interface") => at = self.behind(at),
                "{" => break Some(at + 1..self.behind(at) - 1),
                "(" | "[" => at = self.behind(at),
                _ if self.is_end(at) => break None,
                _ => at += 1,
            }
        };
        let end = body.as_ref().map_or(at, |body| body.end + 1);
        let function = Rc::new(Function {
            receiver: receiver.clone(),
            parameters,
            body,
        });
        let what = match receiver {
            None => What::Function(function),
            Some(receiver) => What::Method {
                of: self.receiver_type(receiver),
                function,
            },
        };
        self.declarations.push(Declaration { name, what, start });
        self.after_end(end)
    }

    /// `T` for `(x *T)`, `(T)` and `(x *T[K])`.
    fn receiver_type(&self, receiver: Span) -> String {
        let end = self.find(receiver.clone(), |at| self.word(at) == "[");
        self.word(end.saturating_sub(1)).to_owned()
    }
}
