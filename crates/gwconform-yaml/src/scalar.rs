//! Types of plain scalars in the YAML 1.2 core schema and in Go's YAML library.

use std::borrow::Cow;

use super::Kind;
use super::issue_texts::IssueText;
use crate::message_text::{Field, Text};

/// Applies section 10.3.2 of YAML 1.2. Numbers too large for a float are strings, as in Go and
/// libyaml, because commit IDs such as `123e4567` look like numbers.
pub(super) fn core_schema(text: &str) -> Kind<'_> {
    match text.as_bytes().first() {
        None => Kind::Null,
        Some(b'~' | b'n' | b'N' | b't' | b'T' | b'f' | b'F') => match text {
            "~" | "null" | "Null" | "NULL" => Kind::Null,
            "true" | "True" | "TRUE" => Kind::Bool(true),
            "false" | "False" | "FALSE" => Kind::Bool(false),
            _ => Kind::Str(text),
        },
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => number(text).unwrap_or(Kind::Str(text)),
        Some(_) => Kind::Str(text),
    }
}

fn number(text: &str) -> Option<Kind<'_>> {
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(text, digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(text, digits, 8);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if all_digits(digits) {
        return Some(text.parse().map_or(Kind::BigInt(text), Kind::Int));
    }
    float(text).map(Kind::Float)
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn radix<'a>(text: &'a str, digits: &str, radix: u32) -> Option<Kind<'a>> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(i64::from_str_radix(digits, radix).map_or(Kind::BigInt(text), Kind::Int))
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, `[-+]?\.inf` and `\.nan`, as in Go's
/// library.
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    match unsigned {
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => return Some(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => return Some(f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if unsigned.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => all_digits(fraction),
        Some((whole, fraction)) => {
            all_digits(whole) && (fraction.is_empty() || all_digits(fraction))
        }
        None => all_digits(mantissa),
    };
    let exponent_fits =
        exponent.is_none_or(|digits| all_digits(digits.strip_prefix(['+', '-']).unwrap_or(digits)));
    if !mantissa_fits || !exponent_fits {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Kubernetes tools use goyaml.v2 from sigs.k8s.io/yaml, which accepts YAML 1.1 words and numbers,
/// but not sexagesimals (`1:30`) or, when decoding to JSON, timestamps.
pub(super) fn ambiguity(text: &str) -> Option<IssueText> {
    let go = match text.as_bytes().first()? {
        b'y' | b'Y' | b'n' | b'N' | b'o' | b'O' => Kind::Bool(go_bool(text)?),
        b'0'..=b'9' | b'+' | b'-' => go_number(text),
        _ => return None,
    };
    let core = core_schema(text);
    let equal = match (&go, &core) {
        (Kind::Str(_), Kind::Str(_)) => true,
        // For numbers beyond 64 bits, libraries always differ.
        (Kind::Int(_) | Kind::BigInt(_) | Kind::Float(_), Kind::BigInt(_)) => true,
        // `08` is a float only in Go, with the same value.
        (Kind::Int(go), Kind::Float(core)) => *go as f64 == *core,
        (Kind::Float(go), Kind::Int(core)) => *go == *core as f64,
        (Kind::Float(go), Kind::Float(core)) => go == core || go.is_nan() && core.is_nan(),
        (go, core) => go == core,
    };
    if equal {
        return None;
    }
    Some(IssueText::Ambiguous {
        value: text.to_owned(),
        go: describe(&go),
        core: describe(&core),
    })
}

fn describe(kind: &Kind<'_>) -> Field {
    let words = |value: &dyn std::fmt::Display| Field::Words(value.to_string());
    let text = match kind {
        Kind::Bool(value) => IssueText::Boolean {
            value: words(value),
        },
        Kind::Int(value) => IssueText::Number {
            value: words(value),
        },
        Kind::Float(value) => IssueText::Number {
            value: words(value),
        },
        Kind::BigInt(_) => IssueText::BigNumber,
        _ => IssueText::String,
    };
    Field::Words(Text::from(text).to_string())
}

fn go_bool(text: &str) -> Option<bool> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

/// Like `resolve` in goyaml.v2.
fn go_number(text: &str) -> Kind<'_> {
    if text.contains('_') {
        let plain = text.replace('_', "");
        return match go_plain_number(&plain) {
            Some(Kind::BigInt(_)) => Kind::BigInt(text),
            Some(Kind::Int(value)) => Kind::Int(value),
            Some(Kind::Float(value)) => Kind::Float(value),
            _ => Kind::Str(text),
        };
    }
    go_plain_number(text).unwrap_or(Kind::Str(text))
}

fn go_plain_number(text: &str) -> Option<Kind<'_>> {
    go_int(text).or_else(|| float(text).map(Kind::Float))
}

/// Like `strconv.ParseInt(text, 0, 64)`, then `ParseUint`, in Go.
fn go_int(text: &str) -> Option<Kind<'_>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    let (radix, digits) = match bytes {
        [b'0', b'x' | b'X', _, ..] => (16, &unsigned[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &unsigned[2..]),
        [b'0', b'b' | b'B', _, ..] => (2, &unsigned[2..]),
        [b'0', _, ..] => (8, &unsigned[1..]),
        [_, ..] => (10, unsigned),
        [] => return None,
    };
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let signed: Cow<'_, str> = if text.starts_with('-') {
        Cow::Owned(format!("-{digits}"))
    } else {
        Cow::Borrowed(digits)
    };
    if let Ok(value) = i64::from_str_radix(&signed, radix) {
        return Some(Kind::Int(value));
    }
    let fits = bytes.len() == text.len() && u64::from_str_radix(digits, radix).is_ok();
    fits.then_some(Kind::BigInt(text))
}
