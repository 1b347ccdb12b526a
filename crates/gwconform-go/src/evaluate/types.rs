//! Resolves types for literals, conversions and zero values.

use std::rc::Rc;

use super::Context;
use crate::Result;
use crate::file::{File, Span, What};
use crate::parse;
use crate::program::{Package, Program};
use crate::syntax::{Expression, LinkKind, Node};
use crate::token::Kind as TokenKind;
use crate::value::{Type, Value};

const MAX_NAMES: usize = 20;

const SETS: &str = "k8s.io/apimachinery/pkg/util/sets";

pub(super) fn basic(name: &str) -> Option<Type> {
    Some(match name {
        "string" => Type::Text,
        "bool" => Type::Bool,
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32"
        | "uint64" | "uintptr" | "byte" | "rune" => Type::Integer,
        "float32" | "float64" | "complex64" | "complex128" | "error" | "any" | "comparable" => {
            Type::Other
        }
        _ => return None,
    })
}

fn foreign(path: &str, name: &str) -> Type {
    match (path, name) {
        (SETS, "Set" | "String" | "Int" | "Int32" | "Int64" | "Byte") => Type::Set,
        _ => Type::Foreign(format!("{path}.{name}")),
    }
}

impl Program<'_> {
    pub(super) fn kind(&self, context: &Context, node: &Node) -> Result<Rc<Type>> {
        Ok(Rc::new(match &node.expression {
            Expression::ListType(element) => Type::List(self.kind(context, element)?),
            Expression::MapType(key, value) => {
                Type::Map(self.kind(context, key)?, self.kind(context, value)?)
            }
            Expression::StructType(inner) => {
                self.step_over(inner.len())?;
                let fields = fields(&context.file, inner);
                let package = Rc::clone(&context.package);
                Type::Struct(Rc::new(fields), package, Rc::clone(&context.file))
            }
            Expression::Prefix("*", inner) => Type::Pointer(self.kind(context, inner)?),
            Expression::OtherType => Type::Other,
            // Type arguments are ignored, because they do not affect values.
            Expression::Chain(base, links) if matches!(links.as_slice(), [link] if matches!(link.what, LinkKind::Index(_))) =>
            {
                return self.kind(context, base);
            }
            Expression::Name(_) | Expression::Chain(..) => {
                return match self.evaluate(context, node)? {
                    Value::Type(kind) => Ok(kind),
                    Value::Foreign(path, name) => Ok(Rc::new(foreign(&path, &name))),
                    other => {
                        let reason = format!("{}; expected a type", other.described());
                        Err(context.error(node, reason))
                    }
                };
            }
            _ => return Err(context.error(node, "expected a type")),
        }))
    }

    pub(super) fn underlying(&self, kind: &Rc<Type>) -> Result<Rc<Type>> {
        let mut kind = Rc::clone(kind);
        for _ in 0..MAX_NAMES {
            let Type::Named(package, name) = &*kind else {
                return Ok(kind);
            };
            let Some((file, declaration)) = package.find(name) else {
                return Ok(Rc::new(Type::Other));
            };
            let What::Type { definition } = &declaration.what else {
                return Ok(Rc::new(Type::Other));
            };
            self.step(1)?;
            self.step_over(definition.len())?;
            let node = parse::kind(file, definition)?;
            let context = Context::of(package, file);
            kind = self.kind(&context, &node)?;
        }
        Ok(Rc::new(Type::Other))
    }

    pub(super) fn field(&self, underlying: &Type, name: &str) -> Result<Option<Rc<Type>>> {
        let Type::Struct(fields, package, file) = underlying else {
            return Ok(None);
        };
        self.step_over(fields.len())?;
        let field = fields.iter().find(|(field, _)| field == name);
        let Some(kind) = field.and_then(|(_, kind)| kind.clone()) else {
            return Ok(None);
        };
        self.kind_of(package, file, &kind).map(Some)
    }

    fn kind_of(&self, package: &Rc<Package>, file: &Rc<File>, kind: &Span) -> Result<Rc<Type>> {
        self.step_over(kind.len())?;
        let node = parse::kind(file, kind)?;
        self.kind(&Context::of(package, file), &node)
    }

    /// `None` if the type has no such field.
    pub(super) fn zero_of_field(&self, kind: &Rc<Type>, name: &str) -> Result<Option<Value>> {
        let underlying = self.underlying(kind)?;
        let field = self.field(&underlying, name)?;
        field.map(|field| self.zero_of(&field)).transpose()
    }

    pub(crate) fn zero(&self, context: &Context, kind: &Node) -> Result<Value> {
        let kind = self.kind(context, kind)?;
        self.zero_of(&kind)
    }

    pub(super) fn zero_of(&self, kind: &Rc<Type>) -> Result<Value> {
        let underlying = self.underlying(kind)?;
        let mut heap = self.heap.borrow_mut();
        Ok(match &*underlying {
            Type::Text => Value::text(""),
            Type::Bool => Value::Bool(false),
            Type::Integer => Value::Integer(0),
            Type::List(_) => heap.add_list(Vec::new()),
            Type::Map(..) | Type::Set => heap.add_map(Default::default()),
            Type::Struct(_, _, file) => heap.add_struct(crate::value::Struct {
                kind: Rc::clone(kind),
                fields: Default::default(),
                file: Rc::clone(file),
                line: 0,
            }),
            _ => Value::Nil,
        })
    }
}

pub(crate) fn fields(file: &File, inner: &Span) -> Vec<(String, Option<Span>)> {
    let mut found = Vec::new();
    for line in lines(file, inner) {
        let mut end = line.end;
        if end > line.start && file.tokens[end - 1].kind == TokenKind::Text {
            end -= 1;
        }
        let mut names = Vec::new();
        let mut at = line.start;
        while at < end && file.tokens[at].kind == TokenKind::Word {
            names.push(file.word(at).to_owned());
            at += 1;
            if file.word(at) != "," {
                break;
            }
            at += 1;
        }
        let is_embedded = at >= end || file.word(at) == "." || names.is_empty();
        if is_embedded {
            let name = file.word(end.saturating_sub(1)).to_owned();
            found.push((name, Some(line.start..end)));
        } else {
            found.extend(names.into_iter().map(|name| (name, Some(at..end))));
        }
    }
    found
}

/// Token ranges between the semicolons of a braced block.
pub fn lines(file: &File, inner: &Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = inner.start;
    let mut at = inner.start;
    while at <= inner.end {
        let ends = at == inner.end || file.tokens[at].kind == TokenKind::End;
        if ends {
            if at > start {
                found.push(start..at);
            }
            start = at + 1;
        }
        at = match file.word(at) {
            "(" | "[" | "{" if at < inner.end => file.behind(at),
            _ => at + 1,
        };
    }
    found
}
