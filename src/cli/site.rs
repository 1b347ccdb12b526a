pub mod overlap;

use std::path::PathBuf;

use anyhow::anyhow;

use super::bar::Bar;
use super::catalog::CatalogArguments;
use super::output;
use super::severity::FailOn;
use super::{Content, Exit, Failure, Streams, open};
use crate::print::certify;
use crate::site::{self, BaseUrl, Input, Module, SourceRevision};
use crate::workspace::PathBase;
use gwconform_base::text::shell;
use gwconform_base::text::{counted, visible};
use gwconform_report::certify::catalog::Catalog;
use gwconform_report::rules::configuration;

/// Generate the site: pages, JSON and CSV data, feeds and badges.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Reports tree
    ///
    /// [default: ./conformance/reports, then ./reports, then the tree that contains the working
    /// directory]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Output path: a folder
    ///
    /// Files from an earlier run are replaced, and other files are kept. A folder that contains only
    /// other files is rejected.
    #[arg(long, short, value_name = "PATH")]
    out: PathBuf,
    /// Exit with 1 if there are findings at or above this severity [default: never]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// Commit of the reports tree to show on the pages and in the data, e.g. the output of `git
    /// rev-parse HEAD`
    #[arg(long, value_name = "COMMIT", hide_short_help = true)]
    source_revision: Option<String>,
    /// Browser module built by dist/browser, or the folder of the modules. check.wasm is for the page
    /// that checks reports, and needs.wasm for the text area of the `find` page [default: the
    /// built-in modules]
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    wasm: Vec<PathBuf>,
    /// Use the unreleased data of upstream's main branch: show the effects of the next release;
    /// verdicts do not use it
    #[arg(long, hide_short_help = true)]
    unreleased: bool,
    #[command(flatten)]
    catalog: CatalogArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let revision = arguments.source_revision.as_deref();
    let revision = revision
        .map(SourceRevision::parse)
        .transpose()
        .map_err(|error| Failure::Usage(anyhow!("--source-revision: {error}")))?;
    let modules = arguments.modules()?;
    let workspace =
        arguments
            .catalog
            .open(arguments.path.as_deref(), PathBase::Repository, streams)?;
    let (empty, bar) = (arguments.catalog.verdicts.empty, Bar::new(streams));
    let unread = arguments.catalog.unread;
    let tree = unread.certify(empty, &workspace, PathBase::default(), bar, streams)?;
    let catalog = arguments.catalog.verdicts.catalog(&tree)?;
    let out = workspace.base().absolute(&arguments.out);
    overlap::refuse_overlap(&out, &tree, workspace.base())?;
    let site = arguments.catalog.site(tree.config());
    let base = site.url.as_deref().map(BaseUrl::parse).transpose();
    let base = base.map_err(|error| Failure::Usage(anyhow!("{error}")))?;
    let sections = tree.sections();
    let unreleased = arguments
        .unreleased
        .then(|| workspace.registry_with_unreleased());
    let unreleased = unreleased.transpose()?;
    let printed = workspace.printed_tree().unwrap_or_default();
    let input = Input {
        catalog: &catalog,
        registry: tree.registry(),
        tree: &printed,
        config: tree.config(),
        unreleased: unreleased.as_ref(),
        findings: &tree.report.findings,
        sections: sections.as_ref(),
        base: base.as_ref(),
        revision: revision.as_ref(),
        modules: &modules,
    };
    let files = output::write(&out, |put| site::make(&input, put))?;
    print_summary(
        &open::working_dir()?.display(&out),
        files,
        &catalog,
        streams,
    )?;
    if modules.is_empty() {
        writeln!(
            streams.out(Content::Text),
            "this program has no browser modules, unlike a released one: the site has no check/, and find/ reads no manifests",
        )?;
    }
    let fail_on = arguments.fail_on.unwrap_or(FailOn::Never);
    Ok(fail_on.exit(&tree.report))
}

impl Arguments {
    fn modules(&self) -> Result<Vec<Module>, Failure> {
        if self.wasm.is_empty() {
            return Ok(Module::built_in());
        }
        let base = open::working_dir()?;
        let mut files = Vec::new();
        for path in &self.wasm {
            let absolute = base.absolute(path);
            if !absolute.is_dir() {
                files.push(absolute);
                continue;
            }
            let found = ["check.wasm", "needs.wasm"].map(|name| absolute.join(name));
            let before = files.len();
            files.extend(found.into_iter().filter(|file| file.is_file()));
            if files.len() == before {
                let shown = base.display(&absolute);
                return Err(Failure::Usage(anyhow!(
                    "--wasm {shown}: no check.wasm or needs.wasm in this folder; dist/browser builds them"
                )));
            }
        }
        let read = |absolute: PathBuf| {
            let bytes = base.read(&absolute, site::MAX_MODULE_BYTES, "a browser module")?;
            let shown = base.display(&absolute);
            let module = Module::read(bytes)
                .map_err(|error| Failure::Usage(anyhow!("--wasm {shown}: {error}")))?;
            let notices = absolute.with_file_name(site::NOTICES_FILE);
            if !notices.is_file() {
                return Ok(module);
            }
            let notices = base.read(&notices, site::MAX_MODULE_BYTES, "the notices of a module")?;
            Ok(module.with_notices(notices))
        };
        files.into_iter().map(read).collect()
    }
}

fn print_summary(
    out: &str,
    files: usize,
    catalog: &Catalog<'_>,
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    // Configured implementations without a report are not counted as omitted.
    let left_out = site::left_out(catalog);
    let left_out = left_out
        .iter()
        .filter(|one| one.path != configuration::FILE_NAME);
    let note = match left_out.count() {
        0 => String::new(),
        count => format!(
            "; {count} left out (listed in {out}/{}/index.json)",
            site::DATA_FOLDER
        ),
    };
    let text = streams.out(Content::Text);
    writeln!(
        text,
        "{} in {}: {} of {}{}",
        counted(files, "file"),
        visible(out),
        counted(catalog.reports().count(), "report"),
        counted(catalog.implementations.len(), "implementation"),
        visible(&note),
    )?;
    if let Some(conflicts) = certify::conflicts_in_words(catalog) {
        writeln!(text, "{conflicts}")?;
    }
    let server = shell::word(out).map(|out| format!(", such as `python3 -m http.server -d {out}`"));
    writeln!(
        text,
        "open {}/index.html; search and comparison need a web server{}",
        visible(out),
        server.unwrap_or_default(),
    )?;
    Ok(())
}
