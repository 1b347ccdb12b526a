//! Implements functions of other modules.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Part;
use crate::Result;
use crate::parse::MAX_TEXT;
use crate::program::Program;
use crate::value::{Key, Map, Value};

pub(super) fn function(
    program: &Program<'_>,
    part: &Part<'_>,
    path: &str,
    name: &str,
    mut arguments: Vec<Value>,
    spreads: bool,
) -> Result<Value> {
    match (path, name) {
        ("k8s.io/apimachinery/pkg/util/sets", "New" | "NewString") => {
            let elements = program.all(part, arguments, spreads)?;
            let mut set = Map::default();
            insert(program, part, &mut set, elements);
            Ok(program.heap.borrow_mut().add_map(set))
        }
        ("k8s.io/apimachinery/pkg/util/sets", "KeySet" | "StringKeySet")
        | ("maps" | "golang.org/x/exp/maps", "Clone") => {
            let mut map = map_of(program, part, arguments.pop())?;
            if name != "Clone" {
                for (_, value) in map.entries.values_mut() {
                    *value = Value::Nil;
                }
            }
            Ok(program.heap.borrow_mut().add_map(map))
        }
        // Go returns these keys in random order.
        ("k8s.io/apimachinery/pkg/util/sets", "List")
        | ("maps" | "golang.org/x/exp/maps", "Keys") => {
            let keys = keys(&map_of(program, part, arguments.pop())?);
            Ok(program.heap.borrow_mut().add_list(keys))
        }
        ("maps" | "golang.org/x/exp/maps", "Values") => {
            let map = map_of(program, part, arguments.pop())?;
            if let Some(error) = map.unread.first() {
                return Err(Rc::clone(error));
            }
            let values = map.entries.into_values().map(|(_, value)| value).collect();
            Ok(program.heap.borrow_mut().add_list(values))
        }
        ("maps" | "golang.org/x/exp/maps", "Copy") => {
            let [Value::Map(to), from] = arguments.as_slice() else {
                return Err(part.not_understood(name));
            };
            let from = map_of(program, part, Some(from.clone()))?;
            let mut heap = program.heap.borrow_mut();
            heap.maps[*to].entries.extend(from.entries);
            heap.maps[*to].unread.extend(from.unread);
            Ok(Value::Nil)
        }
        ("slices" | "golang.org/x/exp/slices", _) => {
            slices(program, part, name, arguments, spreads)
        }
        ("strings", _) => texts(program, part, name, arguments),
        _ => Err(part.error(format!(
            "{path} is another module; `{name}` of it is not supported"
        ))),
    }
}

fn slices(
    program: &Program<'_>,
    part: &Part<'_>,
    name: &str,
    mut arguments: Vec<Value>,
    spreads: bool,
) -> Result<Value> {
    let list = match name {
        "Clone" | "Collect" | "Values" | "Clip" => {
            let last = arguments.pop().unwrap_or(Value::Nil);
            program.list(part, last)?
        }
        "Concat" => {
            let mut all = Vec::new();
            for one in program.all(part, arguments, spreads)? {
                match one {
                    Value::Unread(error) => all.push(Value::Unread(error)),
                    one => all.extend(program.list(part, one)?),
                }
            }
            all
        }
        "Sorted" | "Sort" => {
            let given = arguments.pop().unwrap_or(Value::Nil);
            let mut list = sorted(program, part, program.list(part, given.clone())?)?;
            if let (Value::List(at), "Sort") = (given, name) {
                std::mem::swap(&mut program.heap.borrow_mut().lists[at], &mut list);
                return Ok(Value::Nil);
            }
            list
        }
        "Contains" => {
            let (Some(wanted), Some(list)) = (arguments.pop(), arguments.pop()) else {
                return Err(part.not_understood(name));
            };
            let wanted = key(program, part, &wanted)?;
            for one in program.list(part, list)? {
                if key(program, part, &one)? == wanted {
                    return Ok(Value::Bool(true));
                }
            }
            return Ok(Value::Bool(false));
        }
        _ => return Err(part.not_understood(name)),
    };
    Ok(program.heap.borrow_mut().add_list(list))
}

fn texts(
    program: &Program<'_>,
    part: &Part<'_>,
    name: &str,
    arguments: Vec<Value>,
) -> Result<Value> {
    let mut texts = Vec::new();
    for argument in arguments {
        match argument.read()? {
            Value::Text(text) => texts.push(text),
            value @ Value::List(_) if name == "Join" => {
                for one in program.list(part, value)? {
                    match one.read()? {
                        Value::Text(text) => texts.push(text),
                        _ => return Err(part.not_understood(name)),
                    }
                }
            }
            _ => return Err(part.not_understood(name)),
        }
    }
    let text: String = match (name, texts.as_slice()) {
        ("ToLower", [text]) => text.to_lowercase(),
        ("ToUpper", [text]) => text.to_uppercase(),
        ("TrimSpace", [text]) => text.trim().to_owned(),
        ("TrimPrefix", [text, prefix]) => text.strip_prefix(&**prefix).unwrap_or(text).to_owned(),
        ("TrimSuffix", [text, suffix]) => text.strip_suffix(&**suffix).unwrap_or(text).to_owned(),
        ("HasPrefix", [text, prefix]) => return Ok(Value::Bool(text.starts_with(&**prefix))),
        ("HasSuffix", [text, suffix]) => return Ok(Value::Bool(text.ends_with(&**suffix))),
        ("Join", [texts @ .., between]) => {
            let length: usize = texts.iter().map(|text| text.len() + between.len()).sum();
            program.step(length / 64)?;
            if length > MAX_TEXT {
                return Err(part.error(format!("a text longer than {MAX_TEXT} bytes")));
            }
            texts.join(&**between)
        }
        _ => return Err(part.not_understood(name)),
    };
    Ok(Value::text(text))
}

pub(super) fn method(
    program: &Program<'_>,
    part: &Part<'_>,
    receiver: &Value,
    name: &str,
    arguments: Vec<Value>,
    spreads: bool,
) -> Result<Value> {
    let Value::Map(at) = receiver else {
        return Err(part.error(format!(
            "`{name}` of {} is not supported",
            receiver.described()
        )));
    };
    match name {
        "Insert" | "Delete" => {
            let elements = program.all(part, arguments, spreads)?;
            let mut heap = program.heap.borrow_mut();
            let mut map = std::mem::take(&mut heap.maps[*at]);
            drop(heap);
            let done = match name {
                "Insert" => {
                    insert(program, part, &mut map, elements);
                    Ok(())
                }
                _ => remove(program, part, &mut map, &elements),
            };
            program.heap.borrow_mut().maps[*at] = map;
            done.map(|()| receiver.clone())
        }
        "UnsortedList" | "List" => {
            let keys = keys(&map_of(program, part, Some(receiver.clone()))?);
            Ok(program.heap.borrow_mut().add_list(keys))
        }
        "Clone" => {
            let map = map_of(program, part, Some(receiver.clone()))?;
            Ok(program.heap.borrow_mut().add_map(map))
        }
        "Union"
        | "Intersection"
        | "Difference"
        | "SymmetricDifference"
        | "IsSuperset"
        | "Equal" => {
            let mut arguments = arguments;
            let left = map_of(program, part, Some(receiver.clone()))?;
            let right = map_of(program, part, arguments.pop())?;
            combined(program, part, name, left, right)
        }
        "Has" | "HasAll" | "HasAny" => {
            let wanted = program.all(part, arguments, spreads)?;
            let map = map_of(program, part, Some(receiver.clone()))?;
            let mut has = Vec::new();
            for one in &wanted {
                has.push(map.entries.contains_key(&key(program, part, one)?));
            }
            // The unread element could equal any value that was not found.
            if let (Some(error), true) = (map.unread.first(), has.contains(&false)) {
                return Err(Rc::clone(error));
            }
            let holds = match name {
                "HasAny" => has.contains(&true),
                _ => !has.contains(&false),
            };
            Ok(Value::Bool(holds))
        }
        "Len" => {
            let map = map_of(program, part, Some(receiver.clone()))?;
            match map.unread.first() {
                Some(error) => Err(Rc::clone(error)),
                None => Ok(Value::Integer(map.entries.len() as i128)),
            }
        }
        _ => Err(part.not_understood(name)),
    }
}

pub(super) fn method_of_struct(
    program: &Program<'_>,
    part: &Part<'_>,
    kind: &str,
    at: usize,
    name: &str,
) -> Result<Value> {
    let heap = program.heap.borrow();
    let field = |name: &str| match heap.structs[at].fields.get(name) {
        Some(Value::Text(text)) => Some(Rc::clone(text)),
        _ => None,
    };
    match (kind, name, field("Group"), field("Version")) {
        (
            "k8s.io/apimachinery/pkg/runtime/schema.GroupVersion",
            "String",
            Some(group),
            Some(version),
        ) => Ok(Value::text(format!("{group}/{version}"))),
        _ => Err(part.not_understood(name)),
    }
}

fn key(program: &Program<'_>, part: &Part<'_>, value: &Value) -> Result<Key> {
    if let Value::Unread(error) = value {
        return Err(Rc::clone(error));
    }
    let key = program.heap.borrow().key(value);
    key.ok_or_else(|| part.error(format!("{} cannot be compared here", value.described())))
}

fn map_of(program: &Program<'_>, part: &Part<'_>, value: Option<Value>) -> Result<Map> {
    match value.unwrap_or(Value::Nil).read()? {
        Value::Map(at) => {
            let map = program.heap.borrow().maps[at].clone();
            program.step(map.entries.len() + map.unread.len())?;
            Ok(map)
        }
        Value::Nil => Ok(Map::default()),
        other => Err(part.error(format!("{}; expected a map or a set", other.described()))),
    }
}

fn keys(map: &Map) -> Vec<Value> {
    let known = map.entries.values().map(|(key, _)| key.clone());
    let unread = map
        .unread
        .iter()
        .map(|error| Value::Unread(Rc::clone(error)));
    known.chain(unread).collect()
}

fn insert(program: &Program<'_>, part: &Part<'_>, set: &mut Map, elements: Vec<Value>) {
    for element in elements {
        match key(program, part, &element) {
            Ok(key) => {
                set.entries.insert(key, (element, Value::Nil));
            }
            Err(error) => set.unread.push(error),
        }
    }
}

fn remove(program: &Program<'_>, part: &Part<'_>, set: &mut Map, elements: &[Value]) -> Result<()> {
    for element in elements {
        set.entries.remove(&key(program, part, element)?);
    }
    Ok(())
}

fn combined(
    program: &Program<'_>,
    part: &Part<'_>,
    name: &str,
    left: Map,
    right: Map,
) -> Result<Value> {
    if name == "Union" {
        let mut all = left;
        all.entries.extend(right.entries);
        all.unread.extend(right.unread);
        return Ok(program.heap.borrow_mut().add_map(all));
    }
    let unread = left.unread.first().or(right.unread.first());
    if let Some(error) = unread {
        return Err(Rc::clone(error));
    }
    let (left, right) = (left.entries, right.entries);
    let is_in = |other: &BTreeMap<Key, (Value, Value)>, key: &Key| other.contains_key(key);
    let entries = match name {
        "IsSuperset" => return Ok(Value::Bool(right.keys().all(|key| is_in(&left, key)))),
        "Equal" => return Ok(Value::Bool(left.keys().eq(right.keys()))),
        "Intersection" => left
            .into_iter()
            .filter(|(key, _)| is_in(&right, key))
            .collect(),
        "Difference" => left
            .into_iter()
            .filter(|(key, _)| !is_in(&right, key))
            .collect(),
        "SymmetricDifference" => {
            let both = left.iter().chain(&right);
            let only = both.filter(|(key, _)| is_in(&left, key) != is_in(&right, key));
            only.map(|(key, entry)| (key.clone(), entry.clone()))
                .collect()
        }
        _ => return Err(part.not_understood(name)),
    };
    let map = Map {
        entries,
        unread: Vec::new(),
    };
    Ok(program.heap.borrow_mut().add_map(map))
}

fn sorted(program: &Program<'_>, part: &Part<'_>, list: Vec<Value>) -> Result<Vec<Value>> {
    let mut keyed = Vec::with_capacity(list.len());
    for value in list {
        keyed.push((key(program, part, &value)?, value));
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(keyed.into_iter().map(|(_, value)| value).collect())
}
