//! Writes JSON with escaped invisible and bidirectional characters (`\u202e`), so that terminals
//! display the text that programs parse.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::text::source::{all_bytes, is_invisible, is_plain_byte};

/// Implements `Serialize` with `Display`.
#[macro_export]
macro_rules! as_text {
    ($($name:ty),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                String::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        }
    )+};
}
pub use crate::as_text;

/// Writes an indented JSON document with a final line break.
pub fn write(document: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    out.write_all(to_string_pretty(document)?.as_bytes())?;
    out.write_all(b"\n")
}

/// Serializes a value with indentation.
pub fn to_string_pretty(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let json = serde_json::to_string_pretty(value)?;
    Ok(escaped(json, |c| c != '\n' && is_invisible(c)))
}

/// Serializes a value on one line.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(serde_json::to_string(value)?, is_invisible))
}

/// JSON for embedding in HTML. `<`, `>` and `&` occur only in JSON strings, which allow escapes.
pub fn to_string_for_markup(value: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    let is_markup = |c| matches!(c, '<' | '>' | '&') || is_invisible(c);
    Ok(escaped(json, is_markup))
}

fn escaped(json: String, is_escaped: impl Fn(char) -> bool) -> String {
    if is_unescaped(&json) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut rest = json.as_str();
    while !rest.is_empty() {
        let (block, after) = rest.split_at(rest.ceil_char_boundary(64));
        rest = after;
        if is_unescaped(block) {
            out.push_str(block);
            continue;
        }
        for c in block.chars() {
            if !is_escaped(c) {
                out.push(c);
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// True for printable ASCII without markup, and for the line breaks of indented JSON.
fn is_unescaped(text: &str) -> bool {
    let is_markup = |c| (c == b'<') | (c == b'>') | (c == b'&');
    all_bytes(text, |c| (is_plain_byte(c) | (c == b'\n')) & !is_markup(c))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{to_string, to_string_pretty};
    use crate::text::source::is_invisible;

    #[test]
    fn escapes_invisible_characters_reversibly() {
        let hidden: String = ('\0'..=char::MAX).filter(|c| is_invisible(*c)).collect();
        let value = BTreeMap::from([(format!("k{hidden}"), vec![format!("\"é😀{hidden}\\")])]);
        for text in [
            to_string(&value).unwrap(),
            to_string_pretty(&value).unwrap(),
        ] {
            let raw = text.chars().filter(|c| is_invisible(*c) && *c != '\n');
            assert_eq!(raw.count(), 0, "{text}");
            assert!(
                text.contains("é😀") && text.contains("\\u202e\\u2060"),
                "{text}"
            );
            assert!(text.contains("\\udb40\\udc41"), "{text}");
            let back: BTreeMap<String, Vec<String>> = serde_json::from_str(&text).unwrap();
            assert_eq!(back, value);
        }
        let plain = BTreeMap::from([("a", [1, 2]), ("b", [3, 4])]);
        assert_eq!(
            to_string_pretty(&plain).unwrap(),
            serde_json::to_string_pretty(&plain).unwrap()
        );
        assert_eq!(
            to_string(&plain).unwrap(),
            serde_json::to_string(&plain).unwrap()
        );
    }
}
