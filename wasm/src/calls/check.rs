//! Implements the calls about reports: `check`, `diff` and `certify`.

use std::io;
use std::path::Path;

use gwconform::print::certify::Verdicts;
use gwconform::print::diff;
use gwconform::print::{RenderInput, json, markdown};
use gwconform::rules;
use gwconform::workspace::{Configuration, OpenError, Options, PathBase, Target, Workspace};
use gwconform_base::files::MemoryFiles;
use gwconform_base::text::diagnostic::{Diagnostic, Place};
use gwconform_report::rules::check::{Selection, Strictness};
use serde::Serialize;
use serde_json::value::RawValue;

use super::lines::{Excerpts, Lines};
use super::{Answer, document};
use crate::request::{NamedFile, Request};

#[derive(Serialize)]
struct Checked {
    document: Box<RawValue>,
    markdown: String,
    /// Source lines in document order; null if the source is not shown.
    lines: Vec<Option<Lines>>,
}

#[derive(Serialize)]
struct Changes {
    document: Box<RawValue>,
    markdown: String,
}

pub fn check(request: &Request<'_>) -> Answer {
    let options = &request.options;
    let selection =
        Selection::new(&options.select, &options.ignore, &rules::ALL).map_err(in_words)?;
    let selection = selection.with(if options.strict {
        Strictness::Strict
    } else {
        Strictness::Normal
    });
    let workspace = open(request)?;
    let report = workspace.check(&selection).map_err(in_words)?;
    let tree = workspace.printed_tree();
    let input = RenderInput {
        tree: tree.as_deref(),
        ..RenderInput::new(&report, workspace.config())
    };
    document(&Checked {
        document: RawValue::from_string(text(|out| json::write(input, out))?).map_err(in_words)?,
        markdown: text(|out| markdown::write(input, out))?,
        lines: Excerpts::new(&request.files).of_all(&report.findings),
    })
}

pub fn certify(request: &Request<'_>) -> Answer {
    let workspace = open(request)?;
    let tree = workspace
        .certify(PathBase::default(), &|_| {})
        .map_err(in_words)?
        .whole()
        .map_err(in_words)?;
    let catalog = tree.catalog();
    document(&workspace.document(Verdicts::new(&catalog, tree.config())))
}

pub fn diff(request: &Request<'_>) -> Answer {
    let [old, new] = &request.files[..] else {
        return Err("expected two files: the earlier report and the later one".to_owned());
    };
    let options = Options {
        target: Target::Texts,
        config: Configuration::Default,
        ..Options::default()
    };
    let workspace = Workspace::open(MemoryFiles::default(), options).map_err(in_words)?;
    let facts = |file: &NamedFile<'_>| {
        let path = MemoryFiles::top().join(Path::new(&file.path));
        let facts = workspace.facts(&file.path, &path, file.bytes.to_vec());
        facts.map_err(|error| format!("{}: {error}", file.path))
    };
    let changes = workspace.diff(&facts(old)?, &facts(new)?);
    let names = [old.path.as_str(), new.path.as_str()];
    document(&Changes {
        document: document(&workspace.document(diff::Changes::new(&changes, names)))?,
        markdown: diff::page(&changes).markdown(),
    })
}

/// Opens a workspace with the files of the request. Paths are interpreted as on disk.
fn open(request: &Request<'_>) -> Result<Workspace, String> {
    let files = request.files.iter();
    let files = files.map(|file| (file.path.clone().into(), file.bytes.to_vec()));
    let files = MemoryFiles::new(files).map_err(in_words)?;
    Workspace::open(files, Options::default()).map_err(|error| {
        // Each error of a configuration is a finding.
        let findings = error.findings().iter();
        let findings = findings.map(|finding| format!("{}: {}", place(finding), finding.message));
        // The library's message names a command, which is not available on a web page.
        let sentence = match &error {
            OpenError::InvalidConfig { path, .. } => format!("{path} is not a valid configuration"),
            _ => error.to_string(),
        };
        let all: Vec<String> = std::iter::once(sentence).chain(findings).collect();
        all.join("; ")
    })
}

fn place(finding: &Diagnostic) -> String {
    let Place { path, region } = &finding.place;
    match region {
        Some(region) => format!("{path}:{}", region.start.line),
        None => path.to_string(),
    }
}

fn text(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<String, String> {
    let mut out = Vec::new();
    write(&mut out).map_err(in_words)?;
    String::from_utf8(out).map_err(in_words)
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
