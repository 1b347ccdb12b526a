use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow};

use super::Failure;
use super::format::named;
use super::output::temporary_file;
use crate::print::{Format, RenderInput};
use crate::workspace::Base;
use gwconform_base::files::read_regular;
use gwconform_base::text::source::MAX_FILE_BYTES;

#[derive(Debug, Clone)]
pub struct OutputFile {
    pub format: Format,
    path: PathBuf,
}

impl FromStr for OutputFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text, &super::format::ALL)
    }
}

impl OutputFile {
    pub fn without_suggestions(text: &str) -> Result<Self, String> {
        Self::parse(text, &Format::ALL)
    }

    fn parse(text: &str, formats: &[Format]) -> Result<Self, String> {
        let (name, path) = text
            .split_once('=')
            .filter(|(_, path)| !path.is_empty())
            .ok_or("expected FORMAT=FILE, such as junit=report.xml")?;
        if path == "-" {
            return Err("expected a file; --format is for standard output".to_owned());
        }
        let format = named(formats, name).ok_or_else(|| {
            let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
            format!("unknown format; expected one of {}", names.join(", "))
        })?;
        Ok(Self {
            format,
            path: path.into(),
        })
    }
}

/// Rejects two outputs to one file, and refuses to overwrite files except earlier output in the
/// same format. `other` is another file that this run writes.
pub fn check(files: &[OutputFile], other: Option<&Path>, base: &Base) -> Result<(), Failure> {
    let other = other.map(|path| resolved(&base.destination(path)));
    let mut paths: BTreeSet<PathBuf> = other.into_iter().collect();
    for file in files {
        let path = base.destination(&file.path);
        let shown = base.display(&path);
        if path.symlink_metadata().is_ok() && !is_own(file, base) {
            return Err(Failure::Usage(anyhow!(
                "--also: refusing to overwrite {shown}: not an earlier output as {}",
                file.format.name()
            )));
        }
        if !paths.insert(resolved(&path)) {
            return Err(Failure::Usage(anyhow!(
                "--also: {shown} is named twice; expected a file for each output"
            )));
        }
    }
    Ok(())
}

fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    match folder.zip(path.file_name()) {
        Some((folder, name)) => folder.join(name),
        None => path.to_owned(),
    }
}

/// Empty files are accepted, because CI runners create them.
fn is_own(file: &OutputFile, base: &Base) -> bool {
    let Ok(bytes) = read_regular(&base.destination(&file.path), MAX_FILE_BYTES) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    let starts = |start: &str| text.starts_with(start);
    bytes.is_empty()
        || match file.format {
            Format::Json => starts("{\n  \"version\": ") && text.contains("\n  \"findings\": ["),
            Format::Sarif => starts("{") && text.contains("\"name\": \"gwconform\""),
            Format::Junit => starts("<?xml ") && text.contains("<testsuites name=\"gwconform\""),
            Format::Markdown => starts("## ") && text.lines().next().is_some_and(is_verdict),
            Format::Suggestions => starts("{\n  \"event\": \"COMMENT\",\n"),
            // Output in these formats has no identifying marker.
            Format::Human | Format::Concise | Format::Github => false,
        }
}

fn is_verdict(line: &str) -> bool {
    let words = [
        "errors",
        "error",
        "errors or warnings",
        "error or warning",
        "findings",
        "finding",
    ];
    let rest = line.trim_start_matches(|c: char| c == '#' || c == ' ' || c.is_ascii_digit());
    let rest = rest.strip_prefix("no ").unwrap_or(rest);
    ["files checked", "report changed"].contains(&rest)
        || words
            .iter()
            .any(|word| rest.starts_with(&format!("{word} in ")))
}

impl OutputFile {
    pub fn write(&self, input: RenderInput<'_>, base: &Base) -> Result<(), Failure> {
        let path = base.destination(&self.path);
        let mut bytes = Vec::new();
        self.format.write(input, &mut bytes)?;
        Ok(temporary_file::replace(&path, &bytes)
            .with_context(|| format!("--also: {} cannot be written", base.display(&path)))?)
    }
}
