//! Template filters, including bounded versions of engine filters.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::{Kwargs, StringInput, Value};
use minijinja::{Environment, Error, ErrorKind, State, filters};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::bounds;
use super::escaping::{Escaping, markdown_cell};
use crate::api::{Minor, Version};
use crate::certify::catalog::{StateKind, slug};
use crate::site::label;
use crate::text::escape::markdown_address;

pub(super) fn add(environment: &mut Environment<'_>, escaping: Escaping) {
    environment.add_filter("slug", |text: &str| slug(&[text]));
    environment.add_filter("md", |text: Value| safe(&text, markdown_cell));
    environment.add_filter("address", |text: Value| safe(&text, address));
    environment.add_filter("shields", |text: Value| safe(&text, shields));
    environment.add_filter("words", |text: &str| words(text));
    environment.add_filter("compare", compare);
    environment.add_filter("versions", versions);
    environment.add_filter("by", by);
    environment.add_filter("of", of);
    environment.add_filter("without", without);
    environment.add_filter("alike", alike);
    // The engine's own filters do not limit the depth and size of values.
    environment.add_filter("string", |state: &State<'_, '_>, value: &Value| {
        bounds::check(value)?;
        filters::string(state, value)
    });
    environment.add_filter(
        "tojson",
        |value: &Value, indent: Option<Value>, more: Kwargs| {
            bounds::check(value)?;
            filters::tojson(value, indent, more)
        },
    );
    environment.add_filter("pprint", |value: &Value| {
        bounds::check(value).map(|()| filters::pprint(value))
    });
    environment.add_filter("urlencode", |value: &Value| {
        bounds::check(value)?;
        filters::urlencode(value)
    });
    environment.add_filter(
        "join",
        |state: &mut State<'_, '_>,
         value: &Value,
         joiner: Option<StringInput<'_>>,
         attribute: Option<&str>,
         more: Kwargs| {
            check_joined(value, attribute)?;
            filters::join(state, value, joiner, attribute, more)
        },
    );
    // The engine's own `escape` filter supports only HTML and JSON.
    if !escaping.is_json() {
        let escape = move |text: Value| safe(&text, |text| escaping.escape(text));
        environment.add_filter("escape", escape);
        environment.add_filter("e", escape);
    }
}

/// Checks the size of a list before it is joined. With an attribute such as `a.b`, checks this
/// attribute of each item.
fn check_joined(value: &Value, attribute: Option<&str>) -> Result<(), Error> {
    let Some(attribute) = attribute else {
        return bounds::check(value);
    };
    let first = attribute.split('.').next().unwrap_or(attribute);
    for item in value.try_iter()? {
        bounds::check(&item.get_attr(first)?)?;
    }
    Ok(())
}

fn safe(value: &Value, escape: impl Fn(&str) -> String) -> Result<Value, Error> {
    bounds::check(value)?;
    Ok(match value.is_none() {
        true => Value::from(()),
        false if value.is_safe() => value.clone(),
        false => Value::from_safe_string(escape(&value.to_string())),
    })
}

/// Percent-encoding for the path of a shields.io badge. `-` and `_` are separators and are escaped
/// by doubling (<https://shields.io/badges>).
const SHIELDS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

fn shields(text: &str) -> String {
    let doubled = text.replace('-', "--").replace('_', "__");
    utf8_percent_encode(&doubled, SHIELDS).to_string()
}

fn address(text: &str) -> String {
    markdown_address(text)
        .replace('|', "%7C")
        .replace('{', "%7B")
        .replace('}', "%7D")
}

fn words(text: &str) -> String {
    match StateKind::from_text(text) {
        Some(state) => state.word().to_owned(),
        None => label(text, ""),
    }
}

fn version(text: &str) -> Result<Version, Error> {
    let full = Version::parse(text);
    let minor = || Version::parse(&format!("{}.0", Minor::parse(text)?));
    full.or_else(minor).ok_or_else(|| {
        let message = format!(
            "`{text}` is not a version; expected a release such as v1.5.1 or a minor such as v1.5"
        );
        Error::new(ErrorKind::InvalidOperation, message)
    })
}

fn compare(one: &str, other: &str) -> Result<i32, Error> {
    Ok(match version(one)?.cmp(&version(other)?) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

/// Filter `versions`: distinct versions, newest first, without null values.
fn versions(list: Vec<Value>) -> Result<Vec<Value>, Error> {
    let mut all = BTreeSet::new();
    for item in list.iter().filter(|item| !item.is_none()) {
        let text = item.as_str().unwrap_or_default();
        all.insert((version(text)?, text));
    }
    Ok(all
        .iter()
        .rev()
        .map(|(_, text)| Value::from(*text))
        .collect())
}

/// Filter `by`: items by the value of a field. If several items have the same value, the first is
/// kept.
fn by(list: Vec<Value>, field: &str) -> Result<Value, Error> {
    let mut items: BTreeMap<String, Value> = BTreeMap::new();
    for item in list {
        let key = known(item.get_attr(field)?, || {
            format!("an item of the list has no `{field}`")
        })?;
        bounds::check(&key)?;
        items.entry(key.to_string()).or_insert(item);
    }
    Ok(Value::from(items))
}

/// Filter `of`: a field of the items at these positions of a list, in the order of that list.
fn of(positions: Vec<usize>, list: &Value, field: &str) -> Result<Vec<Value>, Error> {
    let positions: BTreeSet<usize> = positions.into_iter().collect();
    let fields = positions.into_iter().map(|at| {
        let found = list.get_item_by_index(at)?.get_attr(field)?;
        known(found, || format!("item {at} of the list has no `{field}`"))
    });
    fields.collect()
}

fn known(value: Value, message: impl Fn() -> String) -> Result<Value, Error> {
    match value.is_undefined() {
        true => Err(Error::new(ErrorKind::InvalidOperation, message())),
        false => Ok(value),
    }
}

/// Filter `without`: the items that another list does not contain.
fn without(mut list: Vec<Value>, others: Vec<Value>) -> Result<Vec<Value>, Error> {
    list.iter().chain(&others).try_for_each(bounds::check)?;
    let others: BTreeSet<Value> = others.into_iter().collect();
    list.retain(|item| !others.contains(item));
    Ok(list)
}

/// Filter `alike`: items that have the same values in all `fields` as another item, in list order.
fn alike(list: Vec<Value>, fields: Vec<String>) -> Result<Vec<Value>, Error> {
    let mut keys = Vec::with_capacity(list.len());
    let mut counts: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for item in &list {
        let mut key = Vec::with_capacity(fields.len());
        for field in &fields {
            let value = item.get_attr(field)?;
            bounds::check(&value)?;
            key.push(value.to_string());
        }
        *counts.entry(key.clone()).or_default() += 1;
        keys.push(key);
    }
    let items = list.into_iter().zip(&keys);
    let several = items.filter(|(_, key)| counts.get(*key).is_some_and(|count| *count > 1));
    Ok(several.map(|(item, _)| item).collect())
}

#[cfg(test)]
mod tests {
    use super::{compare, shields, words};

    #[test]
    fn a_badge_shows_what_it_is_given() {
        assert_eq!(shields("Partially Conformant"), "Partially%20Conformant");
        assert_eq!(shields("v1.6.0-rc_1"), "v1.6.0--rc__1");
        assert_eq!(shields("a/b?c)|"), "a%2Fb%3Fc%29%7C");
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(compare("v1.10", "v1.9").unwrap(), 1);
        assert_eq!(compare("v1.5", "v1.5.0").unwrap(), 0);
        assert_eq!(compare("v1.6.0-rc.1", "v1.6").unwrap(), -1);
        let error = compare("1.5", "v1.5").unwrap_err().to_string();
        assert!(error.contains("`1.5` is not a version"), "{error}");
    }

    #[test]
    fn features_and_states_are_words() {
        assert_eq!(
            words("HTTPRouteRequestTimeout"),
            "HTTPRoute Request Timeout"
        );
        assert_eq!(words("not-stated"), "not stated");
    }
}
