//! Writes JSON without hidden text: characters that are invisible or change the direction of text
//! are escaped (`\u202e`), so that a terminal shows what a program reads.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::text::source::{is_invisible, is_plain};

/// Types that JSON has as the text of their `Display`.
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
pub(crate) use as_text;

/// Writes a document over several lines.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(document: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    to_writer_pretty(&mut *out, document)?;
    out.write_all(b"\n")
}

fn to_writer_pretty(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    let formatter = Pretty(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(out, formatter))
}

/// A value over several lines.
///
/// # Errors
/// When the value is none that JSON has.
pub fn to_string_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    let mut out = Vec::new();
    to_writer_pretty(&mut out, value)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// A value on one line.
///
/// # Errors
/// When the value is none that JSON has.
pub fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    on_one_line(
        value,
        Compact {
            is_for_markup: false,
        },
    )
}

/// The same for the text of a page: what would end a script or begin a tag stands as an escape, which JSON
/// allows inside of strings, and there alone these characters occur.
///
/// # Errors
/// When the value is none that JSON has.
pub fn to_string_for_markup(value: &impl Serialize) -> serde_json::Result<String> {
    on_one_line(
        value,
        Compact {
            is_for_markup: true,
        },
    )
}

fn on_one_line(value: &impl Serialize, formatter: Compact) -> serde_json::Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter))?;
    String::from_utf8(out).map_err(serde::ser::Error::custom)
}

fn write_visible<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    if is_plain(fragment) {
        return out.write_all(fragment.as_bytes());
    }
    let mut rest = fragment;
    while let Some(at) = rest.find(is_invisible) {
        out.write_all(&rest.as_bytes()[..at])?;
        let mut after = rest[at..].chars();
        for unit in after
            .next()
            .into_iter()
            .flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec())
        {
            write!(out, "\\u{unit:04x}")?;
        }
        rest = after.as_str();
    }
    out.write_all(rest.as_bytes())
}

/// Characters of markup; all others that a page should not have are invisible.
fn write_without_markup<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    let mut from = 0;
    for at in memchr::memchr3_iter(b'<', b'>', b'&', fragment.as_bytes()) {
        write_visible(out, &fragment[from..at])?;
        write!(out, "\\u{:04x}", fragment.as_bytes()[at])?;
        from = at + 1;
    }
    write_visible(out, &fragment[from..])
}

/// One line.
struct Compact {
    is_for_markup: bool,
}

impl Formatter for Compact {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        match self.is_for_markup {
            true => write_without_markup(out, fragment),
            false => write_visible(out, fragment),
        }
    }
}

struct Pretty(PrettyFormatter<'static>);

impl Formatter for Pretty {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(out, fragment)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(out, is_first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        is_first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(out, is_first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{to_string, to_string_pretty};
    use crate::text::source::is_invisible;

    #[test]
    fn all_that_is_not_seen_is_escaped_and_read_back() {
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
