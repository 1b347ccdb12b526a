//! Writes YAML in the style of the Kubernetes YAML library: sorted keys, lists without indentation,
//! ambiguous strings in double quotes, and long strings folded.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

/// Column after which go-yaml folds a string at the next space.
const WIDTH: usize = 80;

pub fn text(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("a report is plain data");
    let mut out = String::new();
    block(&value, 0, &mut out);
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(fields) => {
            // Keys are sorted here, because a Cargo feature of another crate could disable sorting
            // in the map.
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            for (at, (key, value)) in fields.into_iter().enumerate() {
                // The first key of a list item follows the dash on the same line.
                let margin = if at == 0 && out.ends_with("- ") {
                    0
                } else {
                    indent
                };
                let _ = write!(out, "{:margin$}{key}:", "");
                match value {
                    Value::Object(_) => {
                        out.push('\n');
                        block(value, indent + 2, out);
                    }
                    Value::Array(_) => {
                        out.push('\n');
                        block(value, indent, out);
                    }
                    _ => {
                        out.push(' ');
                        scalar(value, indent + 2, out);
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                let _ = write!(out, "{:indent$}- ", "");
                block(item, indent + 2, out);
            }
        }
        _ => scalar(value, indent, out),
    }
}

fn scalar(value: &Value, indent: usize, out: &mut String) {
    let Value::String(text) = value else {
        let _ = writeln!(out, "{value}");
        return;
    };
    let style = style(text);
    let line_start = out.rfind('\n').map_or(0, |at| at + 1);
    let mut column = out.len() - line_start;
    out.push_str(style);
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 && column > WIDTH {
            let _ = write!(out, "\n{:indent$}", "");
            column = indent;
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out.push_str(style);
    out.push('\n');
}

/// Selects the quotes for a string. Strings in reports need no escape sequences.
fn style(text: &str) -> &'static str {
    let is_number = text.parse::<f64>().is_ok();
    let is_date = text.len() > 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[10] == b'T';
    let is_word = matches!(
        text,
        "" | "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "~"
    );
    if is_number || is_date || is_word {
        return "\"";
    }
    let is_odd = text.starts_with(|c: char| "@&*!|>%`'\"#,[]{}?:-".contains(c));
    if is_odd || text.contains(": ") || text.contains(" #") {
        return "'";
    }
    ""
}
