//! Writes Markdown that has the same meaning in any context.

/// Link of the form `[<version> report](./<file>)`.
pub fn report_link(version: &str, file: &str) -> Option<String> {
    let version = plain(version)?;
    let is_plain = |c: char| c.is_alphanumeric() || "-._+/".contains(c);
    (file.chars().all(is_plain)).then(|| format!("[{version} report](./{file})"))
}

/// `None` if the text or address would end the link early.
pub fn link(text: &str, address: &str) -> Option<String> {
    (plain(text).is_some() && is_plain_address(address)).then(|| format!("[{text}]({address})"))
}

/// True if the address requires no escapes in a table or link.
pub fn is_plain_address(address: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$+,;=%".contains(c);
    !address.is_empty() && address.chars().all(is_plain)
}

/// `None` if the text needs escapes in Markdown.
pub fn plain(text: &str) -> Option<&str> {
    let is_edge = |c: char| c.is_ascii_alphanumeric();
    let is_plain = |c: char| is_edge(c) || "-._+".contains(c);
    let has_edges = text.starts_with(is_edge) && text.ends_with(is_edge);
    (has_edges && text.chars().all(is_plain) && !text.contains("__")).then_some(text)
}
