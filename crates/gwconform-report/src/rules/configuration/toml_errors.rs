//! Messages of the TOML deserializer in the terms of TOML.

/// Terms of the deserializer, and of the documentation.
const TERMS: [(&str, &str); 9] = [
    ("invalid type: ", "unexpected type: "),
    ("unknown field ", "unknown key "),
    ("unknown variant ", "unknown value "),
    ("missing field ", "missing key "),
    (
        ": map, expected a string",
        ": a table or an unquoted date, expected a string in quotes",
    ),
    ("expected a sequence", "expected a list"),
    ("expected a map", "expected a table"),
    ("expected struct Ignore", "expected a table"),
    ("expected u32", "expected a whole number"),
];

/// The deserializer lists no values if neither a string nor a table is found.
const NOT_A_VALUE: &str = "wanted string or table";

/// The message on one line, in the terms of TOML.
pub(super) fn in_toml_terms(message: &str) -> String {
    if message == NOT_A_VALUE {
        let expected = "expected one of `error`, `warning`, `info`, `off`, in quotes";
        return format!("unexpected type; {expected}");
    }
    let lines = message.lines().map(str::trim);
    let line = Vec::from_iter(lines.filter(|line| !line.is_empty())).join("; ");
    let replaced = |line: String, (from, to): &(&str, &str)| line.replacen(from, to, 1);
    TERMS.iter().fold(line, replaced)
}
