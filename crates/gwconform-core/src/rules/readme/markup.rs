//! Markdown that fixes write: only what means the same wherever it stands.

/// `[<version> report](./<file>)`.
pub fn report_link(version: &str, file: &str) -> Option<String> {
    let version = plain(version)?;
    let is_plain = |c: char| c.is_alphanumeric() || "-._+/".contains(c);
    (file.chars().all(is_plain)).then(|| format!("[{version} report](./{file})"))
}

/// `[<text>](<address>)`, where neither has anything that would end it.
pub fn link(text: &str, address: &str) -> Option<String> {
    (plain(text).is_some() && is_plain_address(address)).then(|| format!("[{text}]({address})"))
}

/// True for an address that needs no escapes in a link and in a table.
pub fn is_plain_address(address: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$+,;=%".contains(c);
    !address.is_empty() && address.chars().all(is_plain)
}

/// A text that means the same in Markdown as in a report, whatever surrounds it.
pub fn plain(text: &str) -> Option<&str> {
    const MAX_CHARS: usize = 100;
    let is_edge = |c: char| c.is_ascii_alphanumeric();
    let is_plain = |c: char| is_edge(c) || "-._+".contains(c);
    let has_edges = text.starts_with(is_edge) && text.ends_with(is_edge);
    (has_edges && text.len() <= MAX_CHARS && text.chars().all(is_plain) && !text.contains("__"))
        .then_some(text)
}
