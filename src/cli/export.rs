mod descriptions;
mod files;
mod plan;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::bar::Bar;
use super::catalog::CatalogArguments;
use super::{Exit, Failure, Streams};
use crate::certify::catalog::Catalog;
use crate::site::export::{Documents, SHIPPED, Template};
use crate::site::{self, BaseUrl, Input};
use crate::text::counted;
use crate::text::source::MAX_FILE_BYTES;
use crate::workspace::{Base, CertifiedTree, PathBase};
use descriptions::Descriptions;
use files::{OutFile, Overwrite};
use plan::{Plan, Target};

/// Generate tables, lists or other files for your own site from tree data and a template.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// What to export: tables, tables-docsy, wizard or list; with --template, the reports tree
    #[arg(value_name = "WHAT")]
    what: Option<PathBuf>,
    /// Reports tree [default: ./conformance/reports, then ./reports, then the tree that contains
    /// the working directory]
    #[arg(value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Jinja template to use instead of the built-in ones. It receives the documents of the site's
    /// api/v1/ and can include files below its own folder
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Output file, or output folder for tables [default: standard output; tables require a
    /// folder]
    #[arg(long, short, value_name = "PATH", conflicts_with = "out_pattern")]
    out: Option<PathBuf>,
    /// Output files, one per minor release ({minor}) or implementation ({implementation}), such as
    /// 'v{minor}.md'
    #[arg(long, value_name = "PATTERN", requires = "template")]
    out_pattern: Option<String>,
    /// Write nothing; print how existing files differ from the new output. Exit with 1 if files
    /// differ or stale exported files remain
    #[arg(long, conflicts_with = "force")]
    check: bool,
    /// Overwrite files that `gwconform export` did not write
    #[arg(long)]
    force: bool,
    /// Folder with one folder per implementation that contains details.yaml (list only)
    #[arg(long, value_name = "DIR")]
    details: Option<PathBuf>,
    /// Folder with one folder per integration that contains details.yaml (list only) [default:
    /// integrations next to the --details folder]
    #[arg(long, value_name = "DIR")]
    integrations: Option<PathBuf>,
    /// File with text to insert before the list
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// File with text to insert after the list
    #[arg(long, value_name = "FILE")]
    footer: Option<PathBuf>,
    /// Print a built-in template as a starting point for your own: tables, tables-docsy, index,
    /// index-docsy, macros, list or wizard
    #[arg(long, value_name = "NAME", exclusive = true)]
    print_template: Option<String>,
    #[command(flatten)]
    catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  gwconform export tables --out content/comparison
  gwconform export tables-docsy --out site/content/en/docs/implementations/versions
  gwconform export list --details conformance/list/implementations --out content/list.md
  gwconform export wizard --out static/wizard.json --check
  gwconform export --print-template tables > tables.md.j2
  gwconform export --template tables.md.j2 --out-pattern 'content/v{minor}.md'";

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    if let Some(name) = &arguments.print_template {
        return print_template(name, streams);
    }
    let plan = Plan::try_new(arguments)?;
    let workspace = arguments.catalog.open(plan.tree.as_deref(), streams)?;
    let base = workspace.base();
    let template = plan.template(base)?;
    let frame = Frame::read(arguments, base)?;
    let (empty, bar) = (arguments.catalog.verdicts.empty, Bar::new(streams));
    let mut tree = empty.certify(&workspace, PathBase::Tree, bar, streams)?;
    let descriptions = Descriptions::read(arguments, base)?;
    if let Some(details) = descriptions.implementations() {
        tree.set_details(details.to_vec());
    }
    let mut catalog = arguments.catalog.catalog(&tree)?;
    descriptions.warn(&catalog, streams)?;
    if plan.is_list() {
        tell_unlisted(&catalog, streams)?;
    }
    let around = [frame.header.as_str(), frame.footer.as_str()];
    let integrations = descriptions.separate(&mut catalog, &around);
    let documents = documents(arguments, &tree, &catalog)?;
    let documents = documents.with_document("integrations", integrations);
    let outputs = plan.render(&template, &documents)?;
    let outputs = outputs
        .into_iter()
        .map(|(path, text)| (path, frame.around(text)));
    match plan.target {
        Target::Stdout => {
            for (_, text) in outputs {
                streams.stdout.write_all(text.as_bytes())?;
            }
            Ok(Exit::Done)
        }
        Target::Files(_) => {
            let files: Vec<OutFile> = outputs
                .map(|(path, text)| OutFile::new(&path, text, base))
                .collect();
            for file in &files {
                super::site::place::refuse_overlap(file.path(), &tree, base)?;
            }
            let left_over = files::left_over(&plan.target, &files, base)?;
            let overwrite = match arguments.force {
                true => Overwrite::Anything,
                false => Overwrite::Ours,
            };
            match arguments.check {
                true => files::check(&files, &left_over, streams),
                false => files::write(&files, &left_over, overwrite, streams),
            }
        }
    }
}

fn print_template(name: &str, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some(template) = Template::shipped(name) else {
        let names = SHIPPED
            .iter()
            .filter_map(|(name, _)| name.split('.').next());
        return Err(Failure::Usage(anyhow!(
            "--print-template: unknown template `{name}`; expected one of {}",
            names.collect::<Vec<_>>().join(", ")
        )));
    };
    streams.stdout.write_all(template.text.as_bytes())?;
    Ok(Exit::Done)
}

struct Frame {
    header: String,
    footer: String,
}

impl Frame {
    fn read(arguments: &Arguments, base: &Base) -> Result<Self, Failure> {
        let read = |path: &Option<PathBuf>| match path {
            Some(path) => text_of(path, base),
            None => Ok(String::new()),
        };
        Ok(Self {
            header: read(&arguments.header)?,
            footer: read(&arguments.footer)?,
        })
    }

    fn around(&self, text: String) -> String {
        let parts = [self.header.as_str(), &text, self.footer.as_str()];
        let parts = parts.map(|part| part.trim_matches('\n'));
        match self.header.is_empty() && self.footer.is_empty() {
            true => text,
            false => {
                let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                parts.join("\n\n") + "\n"
            }
        }
    }
}

fn text_of(path: &Path, base: &Base) -> Result<String, Failure> {
    let path = base.absolute(path);
    let bytes = base.read(&path, MAX_FILE_BYTES, "a text")?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::Usage(anyhow!("{}: expected UTF-8", base.display(&path))))
}

fn tell_unlisted(catalog: &Catalog<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let unlisted = catalog.implementations.iter().filter(|one| {
        let mut families = one.families.iter();
        !families.any(|(_, certified)| certified.standing.is_current())
    });
    match unlisted.count() {
        0 => Ok(()),
        count => Ok(writeln!(
            streams.stderr,
            "not listed: {} without a current verdict",
            counted(count, "implementation")
        )?),
    }
}

fn documents(
    arguments: &Arguments,
    tree: &CertifiedTree<'_>,
    catalog: &Catalog<'_>,
) -> Result<Documents, Failure> {
    let site = arguments.catalog.site(tree.config());
    let base = site.url.as_deref().map(BaseUrl::parse).transpose();
    let base = base.map_err(|error| Failure::Usage(anyhow!("{error}")))?;
    let source = tree.config().source_url.as_ref();
    Ok(Documents::new(&site::data_files(&Input {
        catalog,
        registry: tree.registry(),
        unreleased: None,
        findings: &tree.report.findings,
        reproduce: &BTreeMap::new(),
        base: base.as_ref(),
        source: source.map(|url| url.get_ref().as_str()),
        revision: None,
        next_review: None,
        about: None,
        modules: &[],
    })))
}

fn make_folder_of(path: &Path) -> Result<(), Failure> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    Ok(std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?)
}
