use std::collections::BTreeSet;
use std::rc::Rc;

use super::Context;
use crate::file::{File, Function, Span, What};
use crate::parse;
use crate::program::{Package, Program, stop_when_final};
use crate::syntax::{Statement, StatementKind};
use crate::token::Kind;
use crate::value::Value;
use crate::{Result, Unread};

/// Selects the variables that become unread if code cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spoils {
    /// Variables that the code, or a function named in the code, refers to.
    All,
    /// Only variables that a function named in the code refers to.
    Called,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(Vec<Value>),
}

impl Program<'_> {
    pub(super) fn run_body(&self, context: &Context, body: &Span) -> Result<Option<Vec<Value>>> {
        let (statements, broken) = parse::statements(&context.file, body);
        for statement in &statements {
            match self.run(context, statement)? {
                Flow::Next => {}
                Flow::Return(values) => return Ok(Some(values)),
                Flow::Break | Flow::Continue => {
                    return Err(context.file.error(statement.span.clone(), "not in a loop"));
                }
            }
        }
        match broken {
            Some((_, error)) => Err(error),
            None => Ok(None),
        }
    }

    /// Stops at the first unsupported statement. Variables named in the remaining statements become
    /// unread.
    pub(crate) fn run_init(
        &self,
        package: &Rc<Package>,
        file: &Rc<File>,
        function: &Function,
    ) -> Result<()> {
        let Some(body) = &function.body else {
            return Ok(());
        };
        let context = self.block(&Context::of(package, file))?;
        let (statements, broken) = parse::statements(file, body);
        for statement in &statements {
            match self.run(&context, statement) {
                Ok(Flow::Return(_)) => return Ok(()),
                Ok(_) => {}
                Err(error) => self.spoil(package, file, &statement.span, Spoils::All, error)?,
            }
        }
        if let Some((span, error)) = broken {
            self.spoil(package, file, &span, Spoils::All, error)?;
        }
        Ok(())
    }

    pub(crate) fn spoil(
        &self,
        package: &Rc<Package>,
        file: &Rc<File>,
        span: &Span,
        spoils: Spoils,
        error: Rc<Unread>,
    ) -> Result<()> {
        stop_when_final(Rc::clone(&error))?;
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(Rc::clone(package), Rc::clone(file), span.clone(), spoils)];
        while let Some((package, file, span, spoils)) = waiting.pop() {
            for at in span {
                self.step(1)?;
                if file.tokens[at].kind != Kind::Word {
                    continue;
                }
                let name = file.word(at);
                let (owner, name) = if at > 0 && file.word(at - 1) == "." {
                    // Part of another package, or a method with that name on any type.
                    match self.import(&file, file.word(at.saturating_sub(2))) {
                        Ok(Some(Value::Package(other))) => (other, name),
                        _ => (Rc::clone(&package), name),
                    }
                } else {
                    (Rc::clone(&package), name)
                };
                if !seen.insert((owner.folder.clone(), name.to_owned(), spoils == Spoils::All)) {
                    continue;
                }
                for (file, declaration) in owner.named(name) {
                    match &declaration.what {
                        What::Variable { .. } if spoils == Spoils::Called => {}
                        What::Variable { .. } => self.mark(&owner, name, &error),
                        What::Function(function) | What::Method { function, .. } => {
                            if let Some(body) = &function.body {
                                let (owner, file) = (Rc::clone(&owner), Rc::clone(file));
                                waiting.push((owner, file, body.clone(), Spoils::All));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn mark(&self, package: &Rc<Package>, name: &str, error: &Rc<Unread>) {
        if let Ok(slot) = self.variable(package, name, package) {
            let mut heap = self.heap.borrow_mut();
            heap.slots[slot]
                .unread
                .get_or_insert_with(|| Rc::clone(error));
        }
    }

    fn run_all(&self, context: &Context, statements: &[Statement]) -> Result<Flow> {
        for statement in statements {
            match self.run(context, statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn run(&self, context: &Context, statement: &Statement) -> Result<Flow> {
        self.step(1)?;
        match &statement.what {
            StatementKind::Nothing => {}
            StatementKind::Expression(node) => {
                self.evaluate(context, node)?;
            }
            StatementKind::Define(names, values) => {
                let values = self.values(context, statement, names.len(), values)?;
                for (name, value) in names.iter().zip(values) {
                    if name != "_" {
                        self.declare(context, name, value)?;
                    }
                }
            }
            StatementKind::Assign(targets, values) => {
                let values = self.values(context, statement, targets.len(), values)?;
                for (target, value) in targets.iter().zip(values) {
                    self.assign(context, target, value)?;
                }
            }
            StatementKind::Change(target, operator, operand) => {
                let before = self.evaluate(context, target)?;
                let operand_value = self.evaluate(context, operand)?;
                let after = self.operate(context, target, &before, operator, &operand_value)?;
                self.assign(context, target, after)?;
            }
            StatementKind::Variables {
                names,
                kind,
                values,
            } => {
                let values = match (values.is_empty(), kind) {
                    (true, Some(kind)) => {
                        let zeros = names.iter().map(|_| self.zero(context, kind));
                        zeros.collect::<Result<Vec<Value>>>()?
                    }
                    _ => self.values(context, statement, names.len(), values)?,
                };
                for (name, value) in names.iter().zip(values) {
                    self.declare(context, name, value)?;
                }
            }
            StatementKind::Block(statements) => {
                return self.run_all(&self.block(context)?, statements);
            }
            StatementKind::If {
                before,
                condition,
                then,
                otherwise,
            } => {
                let context = self.block(context)?;
                if let Some(before) = before {
                    self.run(&context, before)?;
                }
                if self.holds(&context, condition)? {
                    return self.run_all(&self.block(&context)?, then);
                }
                if let Some(otherwise) = otherwise {
                    return self.run(&context, otherwise);
                }
            }
            StatementKind::Range {
                key,
                value,
                over,
                body,
            } => return self.run_range(context, (key, value), over, body),
            StatementKind::Loop {
                before,
                condition,
                after,
                body,
            } => {
                let context = self.block(context)?;
                if let Some(before) = before {
                    self.run(&context, before)?;
                }
                loop {
                    if let Some(condition) = condition
                        && !self.holds(&context, condition)?
                    {
                        break;
                    }
                    match self.run_all(&self.block(&context)?, body)? {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return Ok(flow),
                    }
                    if let Some(after) = after {
                        self.run(&context, after)?;
                    }
                }
            }
            StatementKind::Return(nodes) => {
                let values = nodes.iter().map(|node| self.evaluate(context, node));
                let values = values.collect::<Result<Vec<Value>>>()?;
                return Ok(Flow::Return(self.several(values)?));
            }
            StatementKind::Break => return Ok(Flow::Break),
            StatementKind::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn holds(&self, context: &Context, condition: &crate::syntax::Node) -> Result<bool> {
        match self.evaluate(context, condition)? {
            Value::Bool(value) => Ok(value),
            other => {
                let reason = format!("{}; expected a condition", other.described());
                Err(context.error(condition, reason))
            }
        }
    }

    fn values(
        &self,
        context: &Context,
        statement: &Statement,
        wanted: usize,
        nodes: &[crate::syntax::Node],
    ) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(nodes.len());
        for node in nodes {
            values.push(self.evaluate(context, node)?);
        }
        let values = self.several(values)?;
        if values.len() != wanted {
            let reason = "the number of values differs from the number of variables";
            return Err(context.file.error(statement.span.clone(), reason));
        }
        Ok(values)
    }

    fn run_range(
        &self,
        context: &Context,
        (key, value): (&Option<String>, &Option<String>),
        over: &crate::syntax::Node,
        body: &[Statement],
    ) -> Result<Flow> {
        let pairs: Vec<(Value, Value)> = match self.evaluate(context, over)? {
            Value::List(at) => {
                let list = self.heap.borrow().lists[at].clone();
                let numbered = list.into_iter().enumerate();
                numbered
                    .map(|(at, value)| (Value::Integer(at as i128), value))
                    .collect()
            }
            Value::Map(at) => {
                let map = self.heap.borrow().maps[at].clone();
                let unread = map.unread.into_iter().map(Value::Unread);
                let entries = map.entries.into_values();
                entries.chain(unread.map(|key| (key, Value::Nil))).collect()
            }
            Value::Integer(count) => {
                let count = count.clamp(0, 1_000_000);
                self.step(usize::try_from(count).unwrap_or_default())?;
                (0..count)
                    .map(|at| (Value::Integer(at), Value::Nil))
                    .collect()
            }
            Value::Nil => Vec::new(),
            other => {
                let reason = format!("a loop over {} is not supported", other.described());
                return Err(context.error(over, reason));
            }
        };
        self.step(pairs.len())?;
        for (one_key, one_value) in pairs {
            let context = self.block(context)?;
            if let Some(name) = key {
                self.declare(&context, name, one_key)?;
            }
            if let Some(name) = value {
                self.declare(&context, name, one_value)?;
            }
            match self.run_all(&self.block(&context)?, body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }
}
