#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    /// Path of the value, such as `tests.HTTPRouteWeight.features[1]`.
    pub(super) path: String,
}

enum Open {
    /// Last member name, and whether the next value is a member name.
    Object(String, bool),
    List(usize),
}

/// The text must be valid JSON up to `place`.
pub(super) fn before(text: &str, place: usize) -> Found {
    let bytes = text.as_bytes();
    let end = place.min(bytes.len());
    let (mut open, mut at, mut start) = (Vec::new(), 0, 0);
    while at < end {
        let byte = bytes[at];
        match byte {
            b'{' => open.push(Open::Object(String::new(), true)),
            b'[' => open.push(Open::List(0)),
            b'}' | b']' => {
                open.pop();
            }
            b',' => match open.last_mut() {
                Some(Open::Object(_, expects_name)) => *expects_name = true,
                Some(Open::List(number)) => *number += 1,
                None => {}
            },
            b'"' => {
                start = at;
                let length = string_length(&bytes[at..]);
                if let Some(Open::Object(name, expects_name @ true)) = open.last_mut() {
                    *name = text
                        .get(at + 1..at + length - 1)
                        .unwrap_or_default()
                        .to_owned();
                    *expects_name = false;
                }
                at += length;
                continue;
            }
            b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                start = at;
                let rest = bytes[at..end].iter();
                let is_of_value = |byte: &&u8| !b",:]}[{\" \t\r\n".contains(byte);
                at += rest.take_while(is_of_value).count().max(1);
                continue;
            }
        }
        if matches!(byte, b'{' | b'[') {
            start = at;
        }
        at += 1;
    }
    let mut path = String::new();
    for one in &open {
        match one {
            Open::Object(name, _) if name.is_empty() => {}
            Open::Object(name, _) if path.is_empty() => path.push_str(name),
            Open::Object(name, _) => path.push_str(&format!(".{name}")),
            Open::List(number) => path.push_str(&format!("[{number}]")),
        }
    }
    Found { start, path }
}

fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

pub(super) fn in_words(error: &serde_json::Error) -> String {
    let full = error.to_string();
    // Remove the position, which is relative to the parsed part.
    let text = full.split(" at line ").next().unwrap_or_default();
    let known = [
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        ("invalid length ", "a list of "),
    ];
    for (begin, found_begin) in known {
        let parts = text
            .strip_prefix(begin)
            .and_then(|rest| rest.split_once(", expected "));
        if let Some((found, expected)) = parts {
            let found = match found_begin {
                "" => of_value(found),
                _ => format!("{found_begin}{found}"),
            };
            return format!("expected {}, found {found}", of_value(expected));
        }
    }
    for (begin, what) in [
        ("unknown variant ", "unknown value"),
        ("unknown field ", "unknown field"),
    ] {
        let parts = text
            .strip_prefix(begin)
            .and_then(|rest| rest.split_once(", "));
        if let Some((name, expected)) = parts {
            return format!("{what} {name}; {expected}");
        }
    }
    if text.starts_with("EOF while parsing") {
        return "the JSON text ends too early".to_owned();
    }
    let missing = text.strip_prefix("missing field ");
    missing.map_or_else(
        || text.to_owned(),
        |name| format!("field {name} is missing"),
    )
}

fn of_value(text: &str) -> String {
    let plain = match text {
        "a sequence" | "sequence" => "a list",
        "a map" | "map" => "an object",
        "a boolean" => "true or false",
        "null" | "unit" => "null",
        other => other,
    };
    let (kind, value) = plain.split_once(' ').unwrap_or((plain, ""));
    match kind {
        "string" => format!("the text {value}"),
        "integer" | "floating" => {
            let number = value.trim_start_matches("point ");
            format!("the number {number}")
        }
        "boolean" => format!("the value {value}"),
        _ => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{before, in_words};

    #[test]
    fn finds_the_path_of_a_position() {
        let text = "{\"a\": {\"b c\": [1, {\"d\": \"x\\\"y\"}], \"e\": 2}}";
        let cases = [
            ("\"x\\\"y\"", "a.b c[1].d"),
            ("\"d\"", "a.b c[1].d"),
            ("1", "a.b c[0]"),
            ("2", "a.e"),
            ("\"e\"", "a.e"),
        ];
        for (part, path) in cases {
            let at = text.find(part).unwrap();
            let found = before(text, at + part.len());
            assert_eq!((found.start, found.path.as_str()), (at, path), "{part}");
        }
        for end in 0..=text.len() {
            before(text, end);
        }
        before("\"", 9);
        before("\"\\", 9);
    }

    #[test]
    fn errors_are_in_plain_words() {
        let of = |text: &str| in_words(&serde_json::from_str::<Vec<bool>>(text).unwrap_err());
        assert_eq!(of("[7]"), "expected true or false, found the number `7`");
        assert_eq!(
            of("[\"x\"]"),
            "expected true or false, found the text \"x\""
        );
        assert_eq!(of("{}"), "expected a list, found an object");
        assert_eq!(of("[true,]"), "trailing comma");
    }
}
