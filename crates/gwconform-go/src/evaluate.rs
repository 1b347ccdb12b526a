//! Evaluates constants, variables, composite literals and sets. Calls are limited to functions in
//! `library`, and to simple functions of the same module.
//!
//! An element of a list, set or struct that cannot be evaluated is stored as an error, which occurs
//! only when the element is needed.

mod call;
mod library;
mod operator;
mod place;
mod run;
pub mod types;

pub(crate) use run::Spoils;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::file::File;
use super::program::{Package, Program};
use super::syntax::{Element, Expression, Link, LinkKind, Node};
use super::value::{Closure, Map, Struct, Type, Value};
use super::{Result, Unread};

/// Maximum depth of nested expressions, variable references and calls.
const MAX_DEPTH: u32 = 100;

/// Determines the meaning of names in an expression.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) package: Rc<Package>,
    pub(crate) file: Rc<File>,
    pub(crate) scope: Option<usize>,
    iota: Option<i128>,
}

impl Context {
    /// Context for the top level of a file.
    pub fn of(package: &Rc<Package>, file: &Rc<File>) -> Self {
        Self {
            package: Rc::clone(package),
            file: Rc::clone(file),
            scope: None,
            iota: None,
        }
    }

    pub(crate) fn with_iota(mut self, number: i128) -> Self {
        self.iota = Some(number);
        self
    }

    pub(crate) fn error(&self, node: &Node, reason: impl Into<String>) -> Rc<Unread> {
        self.file.error(node.span.clone(), reason)
    }
}

const BUILTINS: [&str; 13] = [
    "append", "len", "cap", "make", "new", "delete", "copy", "clear", "panic", "min", "max",
    "print", "println",
];

impl Program<'_> {
    /// Evaluates an expression within the limits for steps and depth.
    pub fn evaluate(&self, context: &Context, node: &Node) -> Result<Value> {
        self.step(1)?;
        if self.depth.get() >= MAX_DEPTH {
            return Err(context.error(node, format!("nested deeper than {MAX_DEPTH}")));
        }
        self.depth.set(self.depth.get() + 1);
        let value = self.evaluate_here(context, node);
        self.depth.set(self.depth.get() - 1);
        value
    }

    fn evaluate_element(&self, context: &Context, node: &Node) -> Result<Value> {
        match self.evaluate(context, node) {
            Err(error) if !error.is_final => Ok(Value::Unread(error)),
            other => other,
        }
    }

    fn evaluate_here(&self, context: &Context, node: &Node) -> Result<Value> {
        match &node.expression {
            Expression::Name(name) => self.name(context, node, name),
            Expression::Text(text) => Ok(Value::Text(Rc::clone(text))),
            Expression::Integer(value) => Ok(Value::Integer(*value)),
            Expression::OtherLiteral => Ok(Value::Other),
            Expression::Function(lambda) => Ok(Value::Function(Rc::new(Closure {
                package: Rc::clone(&context.package),
                file: Rc::clone(&context.file),
                receiver: None,
                parameters: lambda.parameters.clone(),
                body: lambda.body.clone(),
                scope: context.scope,
            }))),
            Expression::Composite { kind, elements } => match kind {
                Some(kind) => {
                    let kind = self.kind(context, kind)?;
                    self.composite(context, node, &kind, elements)
                }
                None => Err(context.error(node, "a literal without a type")),
            },
            Expression::Chain(base, links) => self.chain(context, node, base, links),
            Expression::Prefix(prefix, operand) => self.prefix(context, node, prefix, operand),
            Expression::Operators(first, rest) => self.operators(context, node, first, rest),
            Expression::ListType(_)
            | Expression::MapType(..)
            | Expression::StructType(_)
            | Expression::OtherType => Ok(Value::Type(self.kind(context, node)?)),
        }
    }

    fn name(&self, context: &Context, node: &Node, name: &str) -> Result<Value> {
        let local = self.heap.borrow().find(context.scope, name);
        if let Some(slot) = local {
            return self.value_of(slot);
        }
        if let Some(value) = self.member(&context.package, name, &context.package)? {
            return Ok(value);
        }
        match name {
            "true" | "false" => return Ok(Value::Bool(name == "true")),
            "nil" => return Ok(Value::Nil),
            "iota" => {
                if let Some(number) = context.iota {
                    return Ok(Value::Integer(number));
                }
            }
            _ => {}
        }
        if let Some(kind) = types::basic(name) {
            return Ok(Value::Type(Rc::new(kind)));
        }
        if let Some(builtin) = BUILTINS.into_iter().find(|builtin| *builtin == name) {
            return Ok(Value::Builtin(builtin));
        }
        if let Some(import) = self.import(&context.file, name)? {
            return Ok(import);
        }
        let dots = context
            .file
            .imports
            .iter()
            .filter(|import| import.alias.as_deref() == Some("."));
        for folder in dots.filter_map(|import| self.folder_of(&import.path)) {
            let package = self.package(folder)?;
            if let Some(value) = self.member(&package, name, &context.package)? {
                return Ok(value);
            }
        }
        Err(context.error(node, "declared nowhere in the sources"))
    }

    fn chain(&self, context: &Context, node: &Node, base: &Node, links: &[Link]) -> Result<Value> {
        let mut value = self.evaluate(context, base)?;
        for link in links {
            self.step(1)?;
            let part = Part {
                context,
                span: node.span.start..link.last + 1,
            };
            value = match &link.what {
                LinkKind::Select(name) => self.select(&part, value.read()?, name)?,
                LinkKind::Call { arguments, spreads } => {
                    let mut values = Vec::with_capacity(arguments.len());
                    for argument in arguments {
                        values.push(self.evaluate_element(context, argument)?);
                    }
                    self.call(&part, value.read()?, values, *spreads)?
                }
                LinkKind::Index(indices) => self.index(&part, value.read()?, indices)?,
                LinkKind::Slice(first, last) => {
                    self.slice(&part, &value.read()?, first.as_deref(), last.as_deref())?
                }
                LinkKind::Assertion => return Err(part.error("a type assertion is not supported")),
            };
        }
        value.read()
    }

    fn select(&self, part: &Part<'_>, value: Value, name: &str) -> Result<Value> {
        let context = part.context;
        match &value {
            Value::Package(package) => {
                let found = self.member(package, name, &context.package)?;
                found.ok_or_else(|| {
                    part.error(format!("`{name}` is not declared in {}", package.folder))
                })
            }
            Value::Library(path) => Ok(Value::Foreign(Rc::clone(path), name.into())),
            Value::Struct(at) => {
                let (field, kind) = {
                    let heap = self.heap.borrow();
                    let one = &heap.structs[*at];
                    (one.fields.get(name).cloned(), Rc::clone(&one.kind))
                };
                if let Some(field) = field {
                    return field.read();
                }
                if let Some(zero) = self.zero_of_field(&kind, name)? {
                    return Ok(zero);
                }
                Ok(Value::Method(Rc::new((value, name.to_owned()))))
            }
            Value::Pointer(slot) => {
                let inner = self.value_of(*slot)?;
                match inner {
                    Value::Struct(at) => {
                        let has = self.heap.borrow().structs[at].fields.contains_key(name);
                        let method = Value::Method(Rc::new((value, name.to_owned())));
                        if has {
                            self.select(part, inner, name)
                        } else {
                            Ok(method)
                        }
                    }
                    Value::Pointer(_) => Err(part.error("a pointer to a pointer is not supported")),
                    _ => self.select(part, inner, name),
                }
            }
            Value::Map(_) | Value::List(_) | Value::Text(_) => {
                Ok(Value::Method(Rc::new((value, name.to_owned()))))
            }
            other => Err(part.error(format!(
                "a member of {} is not supported",
                other.described()
            ))),
        }
    }

    fn index(&self, part: &Part<'_>, value: Value, indices: &[Node]) -> Result<Value> {
        match &value {
            Value::Foreign(..) | Value::Type(_) | Value::Function(_) | Value::Builtin(_) => {
                Ok(value)
            }
            Value::List(at) => {
                let [index] = indices else {
                    return Err(part.error("expected one index"));
                };
                let index = self.integer(part.context, index)?;
                let index = usize::try_from(index).ok();
                let element =
                    index.and_then(|index| self.heap.borrow().lists[*at].get(index).cloned());
                element.ok_or_else(|| part.error("no such element"))
            }
            Value::Map(at) => {
                let [index] = indices else {
                    return Err(part.error("expected one key"));
                };
                let wanted = self.evaluate(part.context, index)?;
                let heap = self.heap.borrow();
                let key = heap.key(&wanted).ok_or_else(|| part.error("not a key"))?;
                let map = &heap.maps[*at];
                if let Some(error) = map.unread.first() {
                    return Err(Rc::clone(error));
                }
                match map.entries.get(&key) {
                    Some((_, value)) => value.clone().read(),
                    None => Err(part.error("no such key")),
                }
            }
            other => Err(part.error(format!(
                "an element of {} is not supported",
                other.described()
            ))),
        }
    }

    fn slice(
        &self,
        part: &Part<'_>,
        value: &Value,
        first: Option<&Node>,
        last: Option<&Node>,
    ) -> Result<Value> {
        let Value::List(at) = value else {
            return Err(part.error(format!("a part of {} is not supported", value.described())));
        };
        let list = self.heap.borrow().lists[*at].clone();
        self.step(list.len())?;
        let place = |node: Option<&Node>, default: usize| match node {
            Some(node) => self
                .integer(part.context, node)
                .map(usize::try_from)
                .map(std::result::Result::ok),
            None => Ok(Some(default)),
        };
        let (first, last) = (place(first, 0)?, place(last, list.len())?);
        let kept = first
            .zip(last)
            .and_then(|(first, last)| list.get(first..last));
        let kept = kept.ok_or_else(|| part.error("no such elements"))?.to_vec();
        Ok(self.heap.borrow_mut().add_list(kept))
    }

    fn integer(&self, context: &Context, node: &Node) -> Result<i128> {
        match self.evaluate(context, node)? {
            Value::Integer(value) => Ok(value),
            other => Err(context.error(node, format!("{}; expected a number", other.described()))),
        }
    }

    fn prefix(
        &self,
        context: &Context,
        node: &Node,
        prefix: &str,
        operand: &Node,
    ) -> Result<Value> {
        if prefix == "&" {
            return match &operand.expression {
                Expression::Composite { .. } => {
                    let value = self.evaluate(context, operand)?;
                    Ok(Value::Pointer(self.heap.borrow_mut().add_slot(value)))
                }
                _ => Ok(Value::Pointer(self.slot(context, operand)?)),
            };
        }
        match (prefix, self.evaluate(context, operand)?) {
            ("!", Value::Bool(value)) => Ok(Value::Bool(!value)),
            ("-", Value::Integer(value)) => Ok(Value::Integer(-value)),
            ("+", Value::Integer(value)) => Ok(Value::Integer(value)),
            ("^", Value::Integer(value)) => Ok(Value::Integer(!value)),
            ("*", Value::Pointer(slot)) => self.value_of(slot),
            ("*", Value::Type(kind)) => Ok(Value::Type(Rc::new(Type::Pointer(kind)))),
            ("*", Value::Foreign(..)) => Ok(Value::Type(self.kind(context, node)?)),
            _ => Err(context.error(node, format!("`{prefix}` is not supported here"))),
        }
    }

    fn composite(
        &self,
        context: &Context,
        node: &Node,
        kind: &Rc<Type>,
        elements: &[Element],
    ) -> Result<Value> {
        self.step(elements.len())?;
        let underlying = self.underlying(kind)?;
        match &*underlying {
            Type::List(inner) => {
                let mut list = Vec::with_capacity(elements.len());
                for element in elements {
                    if element.key.is_some() {
                        return Err(context.error(node, "a list with indices is not supported"));
                    }
                    list.push(self.element(context, inner, &element.value)?);
                }
                Ok(self.heap.borrow_mut().add_list(list))
            }
            Type::Map(of_key, of_value) => {
                self.map(context, node, elements, Some((of_key, of_value)))
            }
            Type::Set => self.map(context, node, elements, None),
            Type::Struct(..) | Type::Foreign(_) => {
                self.structure(context, node, kind, &underlying, elements)
            }
            _ => Err(context.error(node, "a literal of this type is not supported")),
        }
    }

    fn element(&self, context: &Context, kind: &Rc<Type>, node: &Node) -> Result<Value> {
        let Expression::Composite {
            kind: None,
            elements,
        } = &node.expression
        else {
            return self.evaluate_element(context, node);
        };
        let made = match &**kind {
            Type::Pointer(inner) => {
                let value = self.composite(context, node, inner, elements);
                value.map(|value| Value::Pointer(self.heap.borrow_mut().add_slot(value)))
            }
            _ => self.composite(context, node, kind, elements),
        };
        match made {
            Err(error) if !error.is_final => Ok(Value::Unread(error)),
            other => other,
        }
    }

    fn map(
        &self,
        context: &Context,
        node: &Node,
        elements: &[Element],
        kinds: Option<(&Rc<Type>, &Rc<Type>)>,
    ) -> Result<Value> {
        let other = Rc::new(Type::Other);
        let mut map = Map::default();
        for element in elements {
            let Some(key) = &element.key else {
                return Err(context.error(node, "a map without keys"));
            };
            let of_key = kinds.map_or(&other, |(of_key, _)| of_key);
            let shown = self.element(context, of_key, key)?;
            let value = match kinds {
                Some((_, of_value)) => self.element(context, of_value, &element.value)?,
                None => Value::Nil,
            };
            match (&shown, self.heap.borrow().key(&shown)) {
                (Value::Unread(error), _) => map.unread.push(Rc::clone(error)),
                (_, Some(at)) => {
                    map.entries.insert(at, (shown, value));
                }
                (_, None) => map.unread.push(context.error(key, "not a key")),
            }
        }
        Ok(self.heap.borrow_mut().add_map(map))
    }

    fn structure(
        &self,
        context: &Context,
        node: &Node,
        kind: &Rc<Type>,
        underlying: &Type,
        elements: &[Element],
    ) -> Result<Value> {
        let declared: &[_] = match underlying {
            Type::Struct(fields, ..) => fields,
            _ => &[],
        };
        let mut fields = BTreeMap::new();
        for (nth, element) in elements.iter().enumerate() {
            let name = match &element.key {
                Some(key) => match &key.expression {
                    Expression::Name(name) => Some(name.clone()),
                    _ => None,
                },
                None => declared.get(nth).map(|(name, _)| name.clone()),
            };
            let Some(name) = name else {
                return Err(context.error(&element.value, "a field without a name"));
            };
            let of_field = self
                .field(underlying, &name)?
                .unwrap_or_else(|| Rc::new(Type::Other));
            let value = self.element(context, &of_field, &element.value)?;
            fields.insert(name, value);
        }
        Ok(self.heap.borrow_mut().add_struct(Struct {
            kind: Rc::clone(kind),
            fields,
            file: Rc::clone(&context.file),
            line: context.file.line(node.span.start),
        }))
    }
}

struct Part<'c> {
    context: &'c Context,
    span: super::file::Span,
}

impl Part<'_> {
    fn error(&self, reason: impl Into<String>) -> Rc<Unread> {
        self.context.file.error(self.span.clone(), reason)
    }

    fn not_understood(&self, name: &str) -> Rc<Unread> {
        self.error(format!("`{name}` is not supported"))
    }
}
