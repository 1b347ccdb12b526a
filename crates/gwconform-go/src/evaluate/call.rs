use std::rc::Rc;

use super::library;
use super::{MAX_DEPTH, Part};
use crate::Result;
use crate::evaluate::Context;
use crate::parse;
use crate::program::Program;
use crate::value::{Closure, Type, Value};

impl Program<'_> {
    /// An unread argument causes an error only if the function needs the argument.
    pub(super) fn call(
        &self,
        part: &Part<'_>,
        callee: Value,
        mut arguments: Vec<Value>,
        spreads: bool,
    ) -> Result<Value> {
        arguments = self.several(arguments)?;
        match &callee {
            Value::Function(closure) => self.invoke(part, closure, None, arguments, spreads),
            Value::Method(of) => {
                let (receiver, name) = &**of;
                self.call_method(part, receiver, name, arguments, spreads)
            }
            Value::Type(kind) => match arguments.pop() {
                Some(value) if arguments.is_empty() => self.convert(part, kind, value.read()?),
                _ => Err(part.error("a conversion of several values")),
            },
            Value::Builtin(name) => self.call_builtin(part, name, arguments, spreads),
            Value::Foreign(path, name) => {
                library::function(self, part, path, name, arguments, spreads)
            }
            other => Err(part.error(format!("a call of {} is not supported", other.described()))),
        }
    }

    fn convert(&self, part: &Part<'_>, kind: &Rc<Type>, value: Value) -> Result<Value> {
        let underlying = self.underlying(kind)?;
        let fits = match (&*underlying, &value) {
            (Type::Text, Value::Text(_))
            | (Type::Bool, Value::Bool(_))
            | (Type::Integer, Value::Integer(_))
            | (Type::List(_), Value::List(_) | Value::Nil)
            | (Type::Map(..) | Type::Set, Value::Map(_) | Value::Nil)
            | (Type::Pointer(_), Value::Pointer(_) | Value::Nil)
            | (Type::Foreign(_), Value::Text(_) | Value::Map(_) | Value::List(_)) => true,
            (Type::Struct(..), Value::Struct(at)) => {
                let mut heap = self.heap.borrow_mut();
                self.step(heap.structs[*at].fields.len())?;
                let mut one = heap.structs[*at].clone();
                one.kind = Rc::clone(kind);
                return Ok(heap.add_struct(one));
            }
            _ => false,
        };
        match (fits, value) {
            (true, Value::Nil) => self.zero_of(kind),
            (true, value) => Ok(value),
            (false, value) => Err(part.error(format!(
                "a conversion of {} is not supported",
                value.described()
            ))),
        }
    }

    fn call_method(
        &self,
        part: &Part<'_>,
        receiver: &Value,
        name: &str,
        arguments: Vec<Value>,
        spreads: bool,
    ) -> Result<Value> {
        let inner = match receiver {
            Value::Pointer(slot) => self.value_of(*slot)?,
            other => other.clone(),
        };
        let Value::Struct(at) = inner else {
            return library::method(self, part, &inner, name, arguments, spreads);
        };
        let kind = Rc::clone(&self.heap.borrow().structs[at].kind);
        match &*kind {
            Type::Named(package, of) => {
                let Some((file, function)) = package.method(of, name) else {
                    return Err(part.error(format!("`{of}` has no field or method `{name}`")));
                };
                let (Some(body), Some(span)) = (function.body.clone(), &function.receiver) else {
                    return Err(part.not_understood(name));
                };
                let closure = Closure {
                    package: Rc::clone(package),
                    file: Rc::clone(file),
                    receiver: Some(span.clone()),
                    parameters: function.parameters.clone(),
                    body,
                    scope: None,
                };
                let context = Context::of(package, file);
                self.receiver(&context, span, receiver)?;
                self.invoke(part, &closure, Some(receiver.clone()), arguments, spreads)
            }
            Type::Foreign(of) => library::method_of_struct(self, part, of, at, name),
            _ => Err(part.not_understood(name)),
        }
    }

    fn invoke(
        &self,
        part: &Part<'_>,
        closure: &Closure,
        receiver: Option<Value>,
        mut arguments: Vec<Value>,
        spreads: bool,
    ) -> Result<Value> {
        if self.depth.get() >= MAX_DEPTH {
            return Err(part.error(format!("calls nested deeper than {MAX_DEPTH}")));
        }
        let mut context = Context::of(&closure.package, &closure.file);
        context.scope = closure.scope;
        let context = self.block(&context)?;
        if let (Some(value), Some(span)) = (receiver, &closure.receiver) {
            let named = span.len() > 1 && !matches!(closure.file.word(span.start), "*");
            if named {
                self.declare(&context, closure.file.word(span.start), value)?;
            }
        }
        self.step_over(closure.parameters.len() + closure.body.len())?;
        let parameters = parse::parameters(&closure.file, &closure.parameters)?;
        let takes_rest = parameters
            .last()
            .is_some_and(|(_, _, takes_rest)| *takes_rest);
        if takes_rest && !spreads {
            let fixed = parameters.len() - 1;
            if arguments.len() < fixed {
                return Err(part.error("too few arguments"));
            }
            let rest = arguments.split_off(fixed);
            self.step(rest.len())?;
            arguments.push(self.heap.borrow_mut().add_list(rest));
        }
        if arguments.len() != parameters.len() {
            return Err(part.error("the number of arguments differs from the number of parameters"));
        }
        for ((name, ..), value) in parameters.into_iter().zip(arguments) {
            if name != "_" {
                self.declare(&context, &name, value)?;
            }
        }
        self.depth.set(self.depth.get() + 1);
        let result = self.run_body(&context, &closure.body);
        self.depth.set(self.depth.get() - 1);
        let mut values = result?.unwrap_or_default();
        Ok(match values.len() {
            0 => Value::Nil,
            1 => values.swap_remove(0),
            _ => Value::Several(Rc::new(values)),
        })
    }

    /// Calls a function by name.
    pub fn ask(&self, context: &Context, name: &str, arguments: Vec<Value>) -> Result<Value> {
        let Some((file, declaration)) = context.package.find(name) else {
            let reason = format!("`{name}` is not declared");
            return Err(Rc::new(crate::Unread::of_file(
                &context.package.folder,
                reason,
            )));
        };
        let start = declaration.start;
        let context = Context::of(&context.package, file);
        let part = Part {
            context: &context,
            span: start..start + 2,
        };
        let callee = self.member(&context.package, name, &context.package)?;
        self.call(&part, callee.unwrap_or(Value::Nil), arguments, false)
    }

    fn call_builtin(
        &self,
        part: &Part<'_>,
        name: &str,
        mut arguments: Vec<Value>,
        spreads: bool,
    ) -> Result<Value> {
        if arguments.is_empty() {
            return Err(part.not_understood(name));
        }
        match name {
            "append" => {
                let first = arguments.remove(0).read()?;
                let mut list = self.list(part, first)?;
                list.extend(self.all(part, arguments, spreads)?);
                Ok(self.heap.borrow_mut().add_list(list))
            }
            "len" | "cap" => {
                let heap = self.heap.borrow();
                let length = match arguments.remove(0).read()? {
                    Value::List(at) => heap.lists[at].len(),
                    Value::Map(at) => {
                        let map = &heap.maps[at];
                        if let Some(error) = map.unread.first() {
                            return Err(Rc::clone(error));
                        }
                        map.entries.len()
                    }
                    Value::Text(text) => text.len(),
                    Value::Nil => 0,
                    other => {
                        return Err(part.error(format!("the length of {}", other.described())));
                    }
                };
                Ok(Value::Integer(i128::try_from(length).unwrap_or(i128::MAX)))
            }
            "make" | "new" => {
                let first = arguments.remove(0).read()?;
                let kind = match &first {
                    Value::Type(kind) => Rc::clone(kind),
                    Value::Foreign(..) => Rc::new(Type::Set),
                    _ => return Err(part.not_understood(name)),
                };
                let length = arguments.first().cloned();
                if let (Type::List(_), Some(Value::Integer(length))) =
                    (&*self.underlying(&kind)?, &length)
                    && *length != 0
                {
                    return Err(part.error("a list of zero values is not supported"));
                }
                let zero = self.zero_of(&kind)?;
                if name == "new" {
                    return Ok(Value::Pointer(self.heap.borrow_mut().add_slot(zero)));
                }
                Ok(zero)
            }
            "delete" => {
                let (Some(key), Value::Map(at)) = (arguments.pop(), arguments.remove(0).read()?)
                else {
                    return Err(part.not_understood(name));
                };
                let key = key.read()?;
                let mut heap = self.heap.borrow_mut();
                let key = heap.key(&key).ok_or_else(|| part.error("not a key"))?;
                heap.maps[at].entries.remove(&key);
                Ok(Value::Nil)
            }
            "clear" => {
                let Value::Map(at) = arguments.remove(0).read()? else {
                    return Err(part.not_understood(name));
                };
                self.heap.borrow_mut().maps[at] = Default::default();
                Ok(Value::Nil)
            }
            _ => Err(part.not_understood(name)),
        }
    }

    /// Spreads several results: in `f(g())`, the results of `g` are the arguments of `f`.
    pub(super) fn several(&self, values: Vec<Value>) -> Result<Vec<Value>> {
        match values.as_slice() {
            [Value::Several(several)] => {
                self.step(several.len())?;
                Ok(several.to_vec())
            }
            _ => Ok(values),
        }
    }

    pub(super) fn list(&self, part: &Part<'_>, value: Value) -> Result<Vec<Value>> {
        match value.read()? {
            Value::List(at) => {
                let list = self.heap.borrow().lists[at].clone();
                self.step(list.len())?;
                Ok(list)
            }
            Value::Nil => Ok(Vec::new()),
            other => Err(part.error(format!("{}; expected a list", other.described()))),
        }
    }

    pub(super) fn all(
        &self,
        part: &Part<'_>,
        mut arguments: Vec<Value>,
        spreads: bool,
    ) -> Result<Vec<Value>> {
        if spreads {
            let last = arguments.pop().unwrap_or(Value::Nil);
            match last {
                Value::Unread(error) => arguments.push(Value::Unread(error)),
                last => arguments.extend(self.list(part, last)?),
            }
        }
        self.step(arguments.len())?;
        Ok(arguments)
    }
}
