use super::{Node, Parser, Result};
use crate::file::{File, Span};
use crate::syntax::{Expression, Statement, StatementKind};
use crate::token::Kind;

const CHANGES: [(&str, &str); 11] = [
    ("+=", "+"),
    ("-=", "-"),
    ("*=", "*"),
    ("/=", "/"),
    ("%=", "%"),
    ("&=", "&"),
    ("|=", "|"),
    ("^=", "^"),
    ("<<=", "<<"),
    (">>=", ">>"),
    ("&^=", "&^"),
];

const NOT_READ: [&str; 8] = [
    "go",
    "defer",
    "select",
    "switch",
    "goto",
    "fallthrough",
    "const",
    "type",
];

/// Parses up to the first unsupported statement. The second value contains the error and the
/// remaining tokens.
pub(crate) fn statements(
    file: &File,
    body: &Span,
) -> (Vec<Statement>, Option<(Span, std::rc::Rc<crate::Unread>)>) {
    let mut parser = Parser::of(file, body.clone());
    let mut found = Vec::new();
    while parser.at < parser.end {
        let start = parser.at;
        match parser.statement().and_then(|one| parser.end_of(one)) {
            Ok(statement) => found.push(statement),
            Err(error) => return (found, Some((start..body.end, error))),
        }
    }
    (found, None)
}

impl Parser<'_> {
    fn is_end(&self) -> bool {
        self.kind_of_word().is_none_or(|kind| kind == Kind::End)
    }

    fn end_of(&mut self, statement: Statement) -> Result<Statement> {
        if !self.is_end() {
            return Err(self.error("not understood here"));
        }
        self.at += 1;
        Ok(statement)
    }

    fn statement(&mut self) -> Result<Statement> {
        let start = self.at;
        let what = self.deeper(Self::statement_here)?;
        let span = start..self.at;
        Ok(Statement { span, what })
    }

    fn statement_here(&mut self) -> Result<StatementKind> {
        if self.is_end() {
            return Ok(StatementKind::Nothing);
        }
        if self.is("{") {
            return Ok(StatementKind::Block(self.block()?));
        }
        match self.word() {
            "if" => self.condition(),
            "for" => self.repetition(),
            "return" => {
                self.at += 1;
                let values = if self.is_end() {
                    Vec::new()
                } else {
                    self.list()?
                };
                Ok(StatementKind::Return(values))
            }
            word @ ("break" | "continue") => {
                self.at += 1;
                if !self.is_end() {
                    return Err(self.error("a label is not supported"));
                }
                Ok(match word {
                    "break" => StatementKind::Break,
                    _ => StatementKind::Continue,
                })
            }
            "var" => self.variables(),
            word if NOT_READ.contains(&word) && self.kind_of_word() == Some(Kind::Word) => {
                Err(self.error("an unsupported statement"))
            }
            _ => self.simple(),
        }
    }

    fn block(&mut self) -> Result<Vec<Statement>> {
        self.expect("{")?;
        let mut found = Vec::new();
        while !self.takes("}") {
            let one = self.bracketed(Self::statement)?;
            found.push(one);
            if self.is("}") {
                continue;
            }
            if !self.is_end() || self.at >= self.end {
                return Err(self.error("not understood here"));
            }
            self.at += 1;
        }
        Ok(found)
    }

    fn list(&mut self) -> Result<Vec<Node>> {
        let mut values = vec![self.expression()?];
        while self.takes(",") {
            values.push(self.expression()?);
        }
        Ok(values)
    }

    fn simple(&mut self) -> Result<StatementKind> {
        let start = self.at;
        let mut left = self.list()?;
        if self.takes(":=") {
            let names = left.iter().map(|node| match &node.expression {
                Expression::Name(name) => Some(name.clone()),
                _ => None,
            });
            let Some(names) = names.collect::<Option<Vec<String>>>() else {
                return Err(self
                    .file
                    .error(start..self.at, "expected names before `:=`"));
            };
            return Ok(StatementKind::Define(names, self.list()?));
        }
        if self.takes("=") {
            return Ok(StatementKind::Assign(left, self.list()?));
        }
        let Some(first) = left.pop().filter(|_| left.is_empty()) else {
            return Err(self.file.error(start..self.at, "expected `=` or `:=`"));
        };
        let step = ["++", "--"].into_iter().find(|step| self.is(step));
        if let Some(step) = step {
            let one = Node {
                span: self.at..self.at + 1,
                expression: Expression::Integer(1),
            };
            self.at += 1;
            return Ok(StatementKind::Change(first, &step[..1], one));
        }
        let change = CHANGES.into_iter().find(|(written, _)| self.is(written));
        if let Some((_, operator)) = change {
            self.at += 1;
            return Ok(StatementKind::Change(first, operator, self.expression()?));
        }
        Ok(StatementKind::Expression(first))
    }

    fn head<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::replace(&mut self.has_literals, false);
        let parsed = parse(self);
        self.has_literals = outer;
        parsed
    }

    fn head_statement(&mut self) -> Result<Statement> {
        let start = self.at;
        let what = match self.is_end() {
            true => StatementKind::Nothing,
            false => self.head(Self::simple)?,
        };
        let span = start..self.at;
        Ok(Statement { span, what })
    }

    fn condition(&mut self) -> Result<StatementKind> {
        self.at += 1;
        let mut first = self.head_statement()?;
        let mut before = None;
        if self.is_end() {
            self.at += 1;
            before = Some(Box::new(first));
            first = self.head_statement()?;
        }
        let StatementKind::Expression(condition) = first.what else {
            return Err(self.file.error(first.span, "expected a condition"));
        };
        let then = self.block()?;
        let otherwise = match self.takes("else") {
            true => Some(Box::new(self.statement()?)),
            false => None,
        };
        Ok(StatementKind::If {
            before,
            condition,
            then,
            otherwise,
        })
    }

    fn repetition(&mut self) -> Result<StatementKind> {
        let start = self.at;
        self.at += 1;
        if let Some(range) = self.range()? {
            return Ok(range);
        }
        let (mut before, mut condition, mut after) = (None, None, None);
        if !self.is("{") {
            let first = self.head_statement()?;
            if self.is_end() {
                self.at += 1;
                before = Some(Box::new(first));
                if !self.is_end() {
                    condition = Some(self.head(Self::expression)?);
                }
                if !self.is_end() {
                    return Err(self.error("expected `;`"));
                }
                self.at += 1;
                if !self.is("{") {
                    after = Some(Box::new(self.head_statement()?));
                }
            } else if let StatementKind::Expression(node) = first.what {
                condition = Some(node);
            } else {
                return Err(self.file.error(start..self.at, "expected a condition"));
            }
        }
        Ok(StatementKind::Loop {
            before,
            condition,
            after,
            body: self.block()?,
        })
    }

    fn range(&mut self) -> Result<Option<StatementKind>> {
        let start = self.at;
        let mut names = Vec::new();
        if !self.is("range") {
            while self.kind_of_word() == Some(Kind::Word) && names.len() < 2 {
                names.push(self.name()?);
                if !self.takes(",") {
                    break;
                }
            }
            if !self.takes(":=") || !self.is("range") {
                self.at = start;
                return Ok(None);
            }
        }
        self.expect("range")?;
        let over = self.head(Self::expression)?;
        let mut names = names.into_iter().map(|name| (name != "_").then_some(name));
        Ok(Some(StatementKind::Range {
            key: names.next().flatten(),
            value: names.next().flatten(),
            over,
            body: self.block()?,
        }))
    }

    fn variables(&mut self) -> Result<StatementKind> {
        self.at += 1;
        let mut names = vec![self.name()?];
        while self.takes(",") {
            names.push(self.name()?);
        }
        let kind = match self.is("=") {
            true => None,
            false => Some(self.kind()?),
        };
        let values = match self.takes("=") {
            true => self.list()?,
            false => Vec::new(),
        };
        Ok(StatementKind::Variables {
            names,
            kind,
            values,
        })
    }
}
