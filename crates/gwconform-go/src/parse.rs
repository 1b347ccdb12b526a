//! Parses tokens as expressions and types, with limited recursion.

mod statement;

use std::rc::Rc;

use super::file::{File, Span};
use super::syntax::{Element, Expression, Lambda, Link, LinkKind, Node};
use super::token::Kind;
use super::{Result, Unread};

pub(crate) use statement::statements;

/// Real code has about ten levels.
const MAX_DEPTH: u32 = 60;

/// In bytes. Messages contain values.
pub(crate) const MAX_TEXT: usize = 4096;

const OPERATORS: [(&str, u8); 19] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 3),
    ("<=", 3),
    (">", 3),
    (">=", 3),
    ("+", 4),
    ("-", 4),
    ("|", 4),
    ("^", 4),
    ("*", 5),
    ("/", 5),
    ("%", 5),
    ("<<", 5),
    (">>", 5),
    ("&", 5),
    ("&^", 5),
];

const PREFIXES: [&str; 7] = ["!", "-", "+", "^", "*", "&", "<-"];

/// Parses a range of tokens as a single expression.
pub fn expression(file: &File, span: &Span) -> Result<Node> {
    let mut parser = Parser::of(file, span.clone());
    let node = parser.expression()?;
    parser.expect_end()?;
    Ok(node)
}

pub(crate) fn kind(file: &File, span: &Span) -> Result<Node> {
    let mut parser = Parser::of(file, span.clone());
    let node = parser.kind()?;
    parser.expect_end()?;
    Ok(node)
}

/// Parses parameters as name, type and a flag, which is true for a variadic parameter.
pub fn parameters(file: &File, span: &Span) -> Result<Vec<(String, Span, bool)>> {
    let mut found = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    let mut at = span.start;
    while at < span.end {
        let mut end = at;
        while end < span.end && file.word(end) != "," {
            end = match file.word(end) {
                "(" | "[" | "{" => file.behind(end),
                _ => end + 1,
            };
        }
        let name = file.word(at).to_owned();
        if end == at + 1 {
            waiting.push(name);
        } else {
            let spreads = file.word(at + 1) == "...";
            let kind = at + 1 + usize::from(spreads)..end;
            for name in waiting.drain(..) {
                found.push((name, kind.clone(), false));
            }
            found.push((name, kind, spreads));
        }
        at = end + 1;
    }
    let types = waiting
        .into_iter()
        .map(|name| (name, span.start..span.start, false));
    found.extend(types);
    Ok(found)
}

/// Value of a string literal; `None` if the literal is invalid.
pub fn text_of(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('`') {
        return Some(raw.strip_suffix('`')?.replace('\r', ""));
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = Vec::new();
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        let digits = match escape {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            b'0'..=b'7' => 3,
            _ => 0,
        };
        let start = at + if escape.is_ascii_digit() { 1 } else { 2 };
        if digits == 0 {
            text.push(match escape {
                b'a' => 7,
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'v' => 11,
                b'\\' | b'"' => escape,
                _ => return None,
            });
        } else {
            let radix = if escape.is_ascii_digit() { 8 } else { 16 };
            let number = u32::from_str_radix(rest.get(start..start + digits)?, radix).ok()?;
            if digits > 3 {
                let mut buffer = [0; 4];
                let encoded = char::from_u32(number)?.encode_utf8(&mut buffer);
                text.extend_from_slice(encoded.as_bytes());
            } else {
                text.push(u8::try_from(number).ok()?);
            }
        }
        rest = rest.get(start + digits..)?;
    }
    text.extend_from_slice(rest.as_bytes());
    String::from_utf8(text).ok()
}

fn integer_of(literal: &str) -> Option<i128> {
    let digits = literal.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some("0o") => (&digits[2..], 8),
        Some(_) if digits.starts_with('0') => (&digits[1..], 8),
        _ => (digits.as_str(), 10),
    };
    // Small shifts cannot overflow.
    i128::from_str_radix(digits, radix)
        .ok()
        .filter(|value| *value < i128::MAX / 4)
}

struct Parser<'f> {
    file: &'f File,
    at: usize,
    end: usize,
    depth: u32,
    /// Whether a brace starts a literal. Between `if` or `for` and the body, it starts a block.
    has_literals: bool,
}

impl<'f> Parser<'f> {
    fn of(file: &'f File, span: Span) -> Self {
        Self {
            file,
            at: span.start,
            end: span.end,
            depth: 0,
            has_literals: true,
        }
    }

    fn word(&self) -> &'f str {
        if self.at < self.end {
            self.file.word(self.at)
        } else {
            ""
        }
    }

    fn kind_of_word(&self) -> Option<Kind> {
        let token = self.file.tokens.get(self.at).filter(|_| self.at < self.end);
        token.map(|token| token.kind)
    }

    fn error(&self, reason: &str) -> Rc<Unread> {
        let at = self.at.min(self.end.saturating_sub(1));
        self.file.error(at..at + 1, reason)
    }

    fn takes(&mut self, word: &str) -> bool {
        // The string literal `"+"` must not match the operator.
        let is_text = matches!(self.kind_of_word(), Some(Kind::Text | Kind::OtherLiteral));
        let is_there = !is_text && self.word() == word && !word.is_empty();
        self.at += usize::from(is_there);
        is_there
    }

    fn is(&self, word: &str) -> bool {
        let is_text = matches!(self.kind_of_word(), Some(Kind::Text | Kind::OtherLiteral));
        !is_text && self.word() == word
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        match self.takes(word) {
            true => Ok(()),
            false => Err(self.error(&format!("expected `{word}`"))),
        }
    }

    fn expect_end(&self) -> Result<()> {
        if self.at == self.end {
            return Ok(());
        }
        Err(self.error("not understood here"))
    }

    fn name(&mut self) -> Result<String> {
        if self.kind_of_word() != Some(Kind::Word) {
            return Err(self.error("expected a name"));
        }
        self.at += 1;
        Ok(self.file.word(self.at - 1).to_owned())
    }

    fn node(&self, start: usize, expression: Expression) -> Node {
        let span = start..self.at;
        Node { span, expression }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(&format!("nested deeper than {MAX_DEPTH}")));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Inside brackets, a brace starts a literal again.
    fn bracketed<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.has_literals, true);
        let parsed = parse(self);
        self.has_literals = outer;
        parsed
    }

    fn expression(&mut self) -> Result<Node> {
        self.operators(1)
    }

    fn operators(&mut self, weakest: u8) -> Result<Node> {
        let start = self.at;
        let first = self.prefixed()?;
        let mut rest = Vec::new();
        while let Some((operator, strength)) = self.operator().filter(|found| found.1 >= weakest) {
            self.at += 1;
            let operand = self.deeper(|parser| parser.operators(strength + 1))?;
            rest.push((operator, operand));
        }
        Ok(match rest.is_empty() {
            true => first,
            false => self.node(start, Expression::Operators(Box::new(first), rest)),
        })
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        if self.kind_of_word() != Some(Kind::Operator) {
            return None;
        }
        let word = self.word();
        OPERATORS
            .into_iter()
            .find(|(operator, _)| *operator == word)
    }

    fn prefixed(&mut self) -> Result<Node> {
        let start = self.at;
        let is_operator = self.kind_of_word() == Some(Kind::Operator);
        let prefix = PREFIXES
            .into_iter()
            .find(|prefix| is_operator && *prefix == self.word());
        let Some(prefix) = prefix else {
            return self.deeper(Self::primary);
        };
        self.at += 1;
        let operand = self.deeper(Self::prefixed)?;
        Ok(self.node(start, Expression::Prefix(prefix, Box::new(operand))))
    }

    fn primary(&mut self) -> Result<Node> {
        let start = self.at;
        let mut operand = self.operand()?;
        let mut links = Vec::new();
        loop {
            if self.is("{") && self.has_literals && may_be_type(&operand, &links) {
                let kind = Box::new(self.chained(start, operand, std::mem::take(&mut links)));
                let elements = self.elements()?;
                let kind = Some(kind);
                operand = self.node(start, Expression::Composite { kind, elements });
                continue;
            }
            let Some(what) = self.link()? else { break };
            links.push(Link {
                last: self.at - 1,
                what,
            });
        }
        Ok(self.chained(start, operand, links))
    }

    fn chained(&self, start: usize, operand: Node, links: Vec<Link>) -> Node {
        match links.is_empty() {
            true => operand,
            false => self.node(start, Expression::Chain(Box::new(operand), links)),
        }
    }

    fn link(&mut self) -> Result<Option<LinkKind>> {
        if self.takes(".") {
            if self.is("(") {
                self.at = self.file.behind(self.at);
                return Ok(Some(LinkKind::Assertion));
            }
            return Ok(Some(LinkKind::Select(self.name()?)));
        }
        if self.takes("(") {
            return self.bracketed(Self::arguments).map(Some);
        }
        if self.takes("[") {
            return self.bracketed(Self::index).map(Some);
        }
        Ok(None)
    }

    fn arguments(&mut self) -> Result<LinkKind> {
        let mut arguments = Vec::new();
        let mut spreads = false;
        while !self.takes(")") {
            arguments.push(self.expression()?);
            spreads = self.takes("...");
            if !self.takes(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(LinkKind::Call { arguments, spreads })
    }

    fn index(&mut self) -> Result<LinkKind> {
        let mut first = None;
        if !self.is(":") {
            let mut indices = vec![self.expression()?];
            while self.takes(",") && !self.is("]") {
                indices.push(self.expression()?);
            }
            if self.takes("]") {
                return Ok(LinkKind::Index(indices));
            }
            first = indices.pop().map(Box::new);
        }
        self.expect(":")?;
        let last = match self.is("]") {
            true => None,
            false => Some(Box::new(self.expression()?)),
        };
        self.expect("]")?;
        Ok(LinkKind::Slice(first, last))
    }

    fn operand(&mut self) -> Result<Node> {
        let start = self.at;
        let word = self.word();
        let expression = match (self.kind_of_word(), word) {
            (Some(Kind::Text), _) => {
                let text = text_of(word).ok_or_else(|| self.error("not a text"))?;
                if text.len() > MAX_TEXT {
                    return Err(self.error(&format!("a text longer than {MAX_TEXT} bytes")));
                }
                self.at += 1;
                Expression::Text(text.into())
            }
            (Some(Kind::Integer), _) => {
                let value = integer_of(word).ok_or_else(|| self.error("not a number"))?;
                self.at += 1;
                Expression::Integer(value)
            }
            (Some(Kind::OtherLiteral), _) => {
                self.at += 1;
                Expression::OtherLiteral
            }
            (Some(Kind::Operator), "(") => {
                self.at += 1;
                let inner = self.bracketed(Self::expression)?;
                self.expect(")")?;
                return Ok(inner);
            }
            (Some(Kind::Word), "func") => return self.function(),
            (Some(Kind::Operator), "[")
            | (Some(Kind::Word), "map" | "chan" | "struct" | "interface") => return self.kind(),
            (Some(Kind::Word), _) => Expression::Name(self.name()?),
            _ => return Err(self.error("expected an expression")),
        };
        Ok(self.node(start, expression))
    }

    fn function(&mut self) -> Result<Node> {
        let start = self.at;
        self.at += 1;
        if !self.is("(") {
            return Err(self.error("expected parameters"));
        }
        let parameters = self.at + 1..self.file.behind(self.at) - 1;
        self.at = self.file.behind(self.at);
        self.result()?;
        if !self.is("{") || !self.has_literals {
            return Ok(self.node(start, Expression::OtherType));
        }
        let body = self.at + 1..self.file.behind(self.at) - 1;
        self.at = self.file.behind(self.at);
        let lambda = Lambda { parameters, body };
        Ok(self.node(start, Expression::Function(Rc::new(lambda))))
    }

    fn result(&mut self) -> Result<()> {
        let is_type = self.kind_of_word() == Some(Kind::Word)
            || ["*", "[", "<-"].into_iter().any(|word| self.is(word));
        if self.is("(") {
            self.at = self.file.behind(self.at);
        } else if is_type {
            self.kind()?;
        }
        Ok(())
    }

    fn kind(&mut self) -> Result<Node> {
        self.deeper(Self::kind_here)
    }

    fn kind_here(&mut self) -> Result<Node> {
        let start = self.at;
        let expression = match self.word() {
            "[" => {
                self.at = self.file.behind(self.at);
                let element = self.kind()?;
                Expression::ListType(Box::new(element))
            }
            "map" => {
                self.at += 1;
                self.expect("[")?;
                let key = self.kind()?;
                self.expect("]")?;
                Expression::MapType(Box::new(key), Box::new(self.kind()?))
            }
            "struct" | "interface" => {
                let is_struct = self.word() == "struct";
                self.at += 1;
                if !self.is("{") {
                    return Err(self.error("expected `{`"));
                }
                let inner = self.at + 1..self.file.behind(self.at) - 1;
                self.at = self.file.behind(self.at);
                match is_struct {
                    true => Expression::StructType(inner),
                    false => Expression::OtherType,
                }
            }
            "chan" | "<-" => {
                self.at += 1;
                self.takes("chan");
                self.takes("<-");
                self.kind()?;
                Expression::OtherType
            }
            "func" => {
                self.at += 1;
                if self.is("(") {
                    self.at = self.file.behind(self.at);
                }
                self.result()?;
                Expression::OtherType
            }
            "*" => {
                self.at += 1;
                Expression::Prefix("*", Box::new(self.kind()?))
            }
            "(" => {
                self.at += 1;
                let inner = self.kind()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return self.named_kind(),
        };
        Ok(self.node(start, expression))
    }

    fn named_kind(&mut self) -> Result<Node> {
        let start = self.at;
        let name = self.name()?;
        let operand = self.node(start, Expression::Name(name));
        let mut links = Vec::new();
        if self.takes(".") {
            let what = LinkKind::Select(self.name()?);
            let last = self.at - 1;
            links.push(Link { last, what });
        }
        if self.takes("[") {
            let mut kinds = vec![self.kind()?];
            while self.takes(",") && !self.is("]") {
                kinds.push(self.kind()?);
            }
            self.expect("]")?;
            let what = LinkKind::Index(kinds);
            let last = self.at - 1;
            links.push(Link { last, what });
        }
        Ok(self.chained(start, operand, links))
    }

    fn elements(&mut self) -> Result<Vec<Element>> {
        self.expect("{")?;
        self.bracketed(|parser| {
            let mut elements = Vec::new();
            while !parser.takes("}") {
                let first = parser.element()?;
                let element = match parser.takes(":") {
                    true => Element {
                        key: Some(first),
                        value: parser.element()?,
                    },
                    false => Element {
                        key: None,
                        value: first,
                    },
                };
                elements.push(element);
                if !parser.takes(",") {
                    parser.expect("}")?;
                    break;
                }
            }
            Ok(elements)
        })
    }

    fn element(&mut self) -> Result<Node> {
        if !self.is("{") {
            return self.expression();
        }
        let start = self.at;
        let elements = self.deeper(Self::elements)?;
        let kind = None;
        Ok(self.node(start, Expression::Composite { kind, elements }))
    }
}

fn may_be_type(operand: &Node, links: &[Link]) -> bool {
    let is_type_link = |link: &Link| matches!(link.what, LinkKind::Select(_) | LinkKind::Index(_));
    match &operand.expression {
        Expression::Name(_) => links.iter().all(is_type_link),
        Expression::ListType(_) | Expression::MapType(..) | Expression::StructType(_) => {
            links.is_empty()
        }
        Expression::Chain(base, inner) => {
            links.is_empty()
                && matches!(base.expression, Expression::Name(_))
                && inner.iter().all(is_type_link)
        }
        _ => false,
    }
}
