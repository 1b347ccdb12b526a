use std::path::PathBuf;

use anyhow::anyhow;

use super::allow_unread::EmptyArguments;
use super::registry::QueryArguments;
use super::{Exit, Failure, Streams, day, open};
use crate::print::facts::{Selection, Tests, tests_page};
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_base::text::suggest;
use gwconform_report::certify::catalog::Catalog;
use gwconform_report::document::Document;

/// List the tests of a release, or their results in reports.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Show only this test, e.g. HTTPRouteWeight [default release: the newest that has the test]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Reports tree: show which implementations pass, skip or fail the test, and since when
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// List tests that the newest reports skip or fail, most often first
    #[arg(long, requires = "tree", conflicts_with_all = ["name", "flaky"])]
    most_skipped: bool,
    /// List tests that one report passed and another of the same implementation version failed or
    /// skipped
    #[arg(long, requires = "tree", conflicts_with = "name")]
    flaky: bool,
    #[command(flatten)]
    empty: EmptyArguments,
    #[command(flatten)]
    query: QueryArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let Some(path) = &arguments.tree else {
        let loaded = open::registry(streams)?;
        return arguments.show(loaded.get(), None, None, streams);
    };
    if arguments.name.is_none() && !arguments.most_skipped && !arguments.flaky {
        return Err(Failure::Usage(anyhow!(
            "--in requires the name of a test, --most-skipped or --flaky"
        )));
    }
    let workspace = open::tree(Some(path), arguments.query.format.paths(), streams)?;
    let (empty, bar) = (arguments.empty, arguments.query.format.bar(streams));
    let tree = empty.certify(&workspace, bar, streams)?;
    let catalog = tree.catalog_as_of(day::of_tree(None, &tree)?);
    let printed = workspace.printed_tree();
    arguments.show(tree.registry(), Some(&catalog), printed, streams)
}

impl Arguments {
    fn show(
        &self,
        registry: &Registry,
        catalog: Option<&Catalog<'_>>,
        tree: Option<String>,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let mut query = self.query.find(registry)?;
        if let Some(name) = &self.name {
            let known = registry.known_in(NameKind::Test, name);
            match known.last() {
                _ if query.release.test(name).is_some() => {}
                Some(last) if !self.query.is_narrowed() => query.release = last,
                _ => return Err(unknown(registry, query.release.version().to_string(), name)),
            }
        }
        let listed = Tests::new(registry, query.release, query.profile, query.note);
        let listed = match (&self.name, catalog) {
            (Some(name), _) => listed.of_one(name, catalog),
            (None, Some(catalog)) if self.flaky => listed.with_results(catalog, Selection::Flaky),
            (None, Some(catalog)) => listed.with_results(catalog, Selection::MostSkipped),
            (None, None) => listed,
        };
        let format = self.query.format;
        format.print(
            streams,
            || tests_page(&listed),
            || Document::new(registry, tree, &listed),
        )?;
        Ok(Exit::Done)
    }
}

fn unknown(registry: &Registry, release: String, name: &str) -> Failure {
    Failure::Usage(match registry.lifetime(NameKind::Test, name) {
        Some(lifetime) => anyhow!("{release} has no test `{name}`: it is there {lifetime}"),
        None => {
            let mut hint = suggest::hint(name, registry.names(NameKind::Test));
            if hint.is_empty() {
                "; `gwconform tests` lists them".clone_into(&mut hint);
            }
            anyhow!("unknown test `{name}`{hint}")
        }
    })
}
