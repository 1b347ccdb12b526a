use std::fmt::Write as _;

use crate::{Node, Object};
use gwconform_base::release::{Condition, End, Pattern, Step};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'p> {
    Name(&'p str),
    Item(usize),
}

pub(super) struct Match<'m, 'a> {
    pub(super) node: Node<'a>,
    pub(super) trail: &'m [Part<'m>],
    pub(super) value: Option<&'a str>,
    /// False if the match depends on the namespace, which `kubectl apply` may set.
    pub(super) is_sure: bool,
}

pub(super) fn walk<'a>(
    object: &Object<'a>,
    pattern: &Pattern,
    found: &mut dyn FnMut(&Match<'_, 'a>),
) {
    let mut walk = Walk {
        object,
        end: &pattern.end,
        trail: Vec::with_capacity(2 * pattern.steps.len()),
        is_sure: true,
        found,
    };
    walk.step(object.root, &pattern.steps);
}

struct Walk<'w, 'p, 'a> {
    object: &'w Object<'a>,
    end: &'p End,
    trail: Vec<Part<'p>>,
    is_sure: bool,
    found: &'w mut dyn FnMut(&Match<'_, 'a>),
}

impl<'p, 'a> Walk<'_, 'p, 'a> {
    fn step(&mut self, node: Node<'a>, steps: &'p [Step]) {
        let Some((step, rest)) = steps.split_first() else {
            return self.reached(node);
        };
        let Some(value) = node.get(&step.name) else {
            return;
        };
        self.trail.push(Part::Name(&step.name));
        self.condition(value, &step.conditions, rest);
        self.trail.pop();
    }

    fn condition(&mut self, node: Node<'a>, conditions: &'p [Condition], rest: &'p [Step]) {
        let Some((condition, others)) = conditions.split_first() else {
            return self.step(node, rest);
        };
        let was_sure = self.is_sure;
        if matches!(condition, Condition::OtherNamespace(_)) {
            self.is_sure &= self.object.has_written_namespace();
        }
        if !node.is_list() {
            if *condition != Condition::Any && self.meets(node, condition) {
                self.condition(node, others, rest);
            }
        } else {
            for (at, item) in node.items().enumerate() {
                if self.meets(item, condition) {
                    self.trail.push(Part::Item(at));
                    self.condition(item, others, rest);
                    self.trail.pop();
                }
            }
        }
        self.is_sure = was_sure;
    }

    fn meets(&self, node: Node<'a>, condition: &Condition) -> bool {
        match condition {
            Condition::Any => true,
            Condition::Is(name, value) => node.str_at(name) == value,
            Condition::IsNot(name, value) => node.is_map() && node.str_at(name) != value,
            Condition::Has(name) => node.get(name).is_some(),
            Condition::Lacks(name) => node.is_map() && !node.get(name).is_some_and(is_filled),
            Condition::OtherNamespace(name) => {
                let named = node.str_at(name);
                let is_other = named != self.object.namespace;
                !named.is_empty() && (is_other || !self.object.has_written_namespace())
            }
        }
    }

    fn reached(&mut self, node: Node<'a>) {
        let text = node.text().map_or("", |text| text.value);
        let (is_found, value) = match self.end {
            End::Filled => (is_filled(node), None),
            End::There => (true, None),
            End::Is(value) => (text == value, Some(text)),
            End::IsNot(value) => (!text.is_empty() && text != value, Some(text)),
        };
        if is_found {
            (self.found)(&Match {
                node,
                trail: &self.trail,
                value,
                is_sure: self.is_sure,
            });
        }
    }
}

fn is_filled(node: Node<'_>) -> bool {
    !node.is_empty() && node.text().is_none_or(|text| !text.value.is_empty())
}

pub(super) fn pointer(trail: &[Part<'_>]) -> String {
    let mut pointer = String::new();
    for part in trail {
        let _ = match part {
            Part::Name(name) => {
                write!(pointer, "/{}", name.replace('~', "~0").replace('/', "~1"))
            }
            Part::Item(at) => write!(pointer, "/{at}"),
        };
    }
    pointer
}

/// Field path without the common prefix, such as `filters[0].type`.
pub(super) fn field(trail: &[Part<'_>]) -> String {
    let rest = match trail {
        [
            Part::Name("spec"),
            Part::Name("rules"),
            Part::Item(_),
            rest @ ..,
        ] if !rest.is_empty() => rest,
        [Part::Name("spec"), rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    let mut field = String::new();
    for part in rest {
        let _ = match part {
            Part::Name(name) if field.is_empty() => write!(field, "{name}"),
            Part::Name(name) => write!(field, ".{name}"),
            Part::Item(at) => write!(field, "[{at}]"),
        };
    }
    field
}
