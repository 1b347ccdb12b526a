use super::Context;
use crate::Result;
use crate::program::Program;
use crate::syntax::{Expression, Link, LinkKind, Node};
use crate::value::{Key, Value};

const MAX_STEPS: usize = 10;

enum Step {
    Field(String),
    Element(usize),
    Entry(Key, Value),
}

impl Program<'_> {
    pub(super) fn slot(&self, context: &Context, node: &Node) -> Result<usize> {
        match &node.expression {
            Expression::Name(name) => {
                let local = self.heap.borrow().find(context.scope, name);
                if let Some(slot) = local {
                    return Ok(slot);
                }
                if context.package.find(name).is_some() {
                    return self.variable(&context.package, name, &context.package);
                }
            }
            Expression::Chain(base, links) => {
                if let Some((slot, 1)) = self.slot_elsewhere(context, base, links)?
                    && links.len() == 1
                {
                    return Ok(slot);
                }
            }
            _ => {}
        }
        Err(context.error(node, "not a variable that is understood"))
    }

    fn slot_elsewhere(
        &self,
        context: &Context,
        base: &Node,
        links: &[Link],
    ) -> Result<Option<(usize, usize)>> {
        let (Expression::Name(name), Some(first)) = (&base.expression, links.first()) else {
            return Ok(None);
        };
        let is_hidden = self.heap.borrow().find(context.scope, name).is_some()
            || context.package.find(name).is_some();
        let LinkKind::Select(member) = &first.what else {
            return Ok(None);
        };
        if is_hidden {
            return Ok(None);
        }
        match self.import(&context.file, name)? {
            Some(Value::Package(package)) => {
                let slot = self.variable(&package, member, &context.package)?;
                Ok(Some((slot, 1)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn assign(&self, context: &Context, target: &Node, value: Value) -> Result<()> {
        if matches!(&target.expression, Expression::Name(name) if name == "_") {
            return Ok(());
        }
        let (slot, links) = match &target.expression {
            Expression::Chain(base, links) => match self.slot_elsewhere(context, base, links)? {
                Some((slot, named)) => (slot, &links[named..]),
                None => (self.slot(context, base)?, links.as_slice()),
            },
            Expression::Prefix("*", inner) => match self.evaluate(context, inner)? {
                Value::Pointer(slot) => (slot, &[][..]),
                _ => return Err(context.error(target, "not a pointer")),
            },
            _ => (self.slot(context, target)?, &[][..]),
        };
        if links.len() > MAX_STEPS {
            return Err(context.error(target, "a deeply nested assignment target"));
        }
        let mut steps = Vec::new();
        for link in links {
            steps.push(self.step_of(context, target, link)?);
        }
        let old = self.heap.borrow().slots[slot].value.clone();
        let new = self.changed(context, target, old, &steps, value)?;
        self.heap.borrow_mut().slots[slot].value = new;
        Ok(())
    }

    fn step_of(&self, context: &Context, target: &Node, link: &Link) -> Result<Step> {
        match &link.what {
            LinkKind::Select(name) => Ok(Step::Field(name.clone())),
            LinkKind::Index(indices) if indices.len() == 1 => {
                let index = self.evaluate(context, &indices[0])?;
                if let Value::Integer(at) = index
                    && let Ok(at) = usize::try_from(at)
                {
                    return Ok(Step::Element(at));
                }
                let key = self.heap.borrow().key(&index);
                let key = key.ok_or_else(|| context.error(target, "not a key"))?;
                Ok(Step::Entry(key, index))
            }
            _ => Err(context.error(target, "not supported before `=`")),
        }
    }

    /// Copies structs. Modifies lists, maps and variables behind pointers in place.
    fn changed(
        &self,
        context: &Context,
        target: &Node,
        old: Value,
        steps: &[Step],
        value: Value,
    ) -> Result<Value> {
        let Some((step, rest)) = steps.split_first() else {
            return Ok(value);
        };
        let not_there = || context.error(target, "no such part");
        match (&old, step) {
            (Value::Pointer(slot), _) => {
                let inner = self.value_of(*slot)?;
                if matches!(inner, Value::Pointer(_)) {
                    return Err(not_there());
                }
                let new = self.changed(context, target, inner, steps, value)?;
                self.heap.borrow_mut().slots[*slot].value = new;
                Ok(old)
            }
            (Value::Struct(at), Step::Field(name)) => {
                let mut one = self.heap.borrow().structs[*at].clone();
                self.step(one.fields.len())?;
                let before = match one.fields.get(name) {
                    Some(before) => before.clone(),
                    None => {
                        let zero = self.zero_of_field(&one.kind, name)?;
                        zero.ok_or_else(not_there)?
                    }
                };
                let new = self.changed(context, target, before, rest, value)?;
                one.fields.insert(name.clone(), new);
                Ok(self.heap.borrow_mut().add_struct(one))
            }
            (Value::List(list), Step::Element(at)) => {
                let before = self.heap.borrow().lists[*list].get(*at).cloned();
                let before = before.ok_or_else(not_there)?;
                let new = self.changed(context, target, before, rest, value)?;
                self.heap.borrow_mut().lists[*list][*at] = new;
                Ok(old)
            }
            (Value::Map(map), step) => {
                let (key, shown) = match step {
                    Step::Entry(key, shown) => (key.clone(), shown.clone()),
                    Step::Element(at) => {
                        let number = i128::try_from(*at).map_err(|_| not_there())?;
                        (Key::Integer(number), Value::Integer(number))
                    }
                    Step::Field(_) => return Err(not_there()),
                };
                let before = self.heap.borrow().maps[*map].entries.get(&key).cloned();
                let before = before.map_or(Value::Nil, |(_, before)| before);
                if !rest.is_empty()
                    && !matches!(before, Value::Pointer(_) | Value::Map(_) | Value::List(_))
                {
                    return Err(not_there());
                }
                let new = self.changed(context, target, before, rest, value)?;
                self.heap.borrow_mut().maps[*map]
                    .entries
                    .insert(key, (shown, new));
                Ok(old)
            }
            _ => Err(not_there()),
        }
    }

    pub(crate) fn nth(
        &self,
        context: &Context,
        node: &Node,
        value: &Value,
        nth: usize,
    ) -> Result<Value> {
        match value {
            Value::Several(values) => values.get(nth).cloned(),
            _ => None,
        }
        .ok_or_else(|| context.error(node, "expected several results"))
    }

    /// Rejects pointer-receiver methods called on values: Go would pass the variable's address,
    /// which is not supported here.
    pub(super) fn receiver(
        &self,
        context: &Context,
        span: &crate::file::Span,
        value: &Value,
    ) -> Result<()> {
        let wants_pointer = context.file.source(span).contains('*');
        if wants_pointer && !matches!(value, Value::Pointer(_)) {
            let reason = "a method of a pointer, called on a value, is not supported";
            return Err(context.file.error(span.clone(), reason));
        }
        Ok(())
    }

    pub(super) fn block(&self, context: &Context) -> Result<Context> {
        self.step(1)?;
        let mut inner = context.clone();
        inner.scope = Some(self.heap.borrow_mut().add_scope(context.scope));
        Ok(inner)
    }

    pub(super) fn declare(&self, context: &Context, name: &str, value: Value) -> Result<()> {
        self.step(1)?;
        let mut heap = self.heap.borrow_mut();
        let slot = heap.add_slot(value);
        if let Some(scope) = context.scope {
            heap.scopes[scope].variables.insert(name.to_owned(), slot);
        }
        Ok(())
    }
}
