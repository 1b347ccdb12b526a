use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::anyhow;

use super::allow_unread::EmptyArguments;
use super::registry::{Precision, Query, QueryArguments};
use super::{Exit, Failure, Streams, day, open};
use crate::print;
use crate::print::facts::{Features, features_page};
use gwconform_base::api::{Channel, NameKind};
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::{joined, suggest};
use gwconform_report::certify::catalog::{Catalog, Report, is_of_channel};
use gwconform_report::document::Document;
use gwconform_report::review::dropped;

/// List the features of a release, or who supports one (--in TREE).
///
/// The description contains the meaning of the feature, the tests that prove it, and the
/// implementations that support it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Show only this feature, e.g. HTTPRouteCORS, or the features of a field, e.g.
    /// timeouts.request [default release: the newest that has the feature]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Reports tree: show which implementations support the feature, and whether tests prove it
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// With --in, consider only reports that answer for this API channel: runs with experimental
    /// CRDs also answer for the standard channel if it has the fields of the feature
    #[arg(long, value_name = "CHANNEL", value_parser = channel, requires = "tree", conflicts_with = "dropped", hide_short_help = true)]
    channel: Option<Channel>,
    /// List features that the newest reports of implementations no longer support
    #[arg(
        long,
        requires = "tree",
        conflicts_with = "name",
        hide_short_help = true
    )]
    dropped: bool,
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
    if arguments.name.is_none() && !arguments.dropped {
        return Err(Failure::Usage(anyhow!(
            "--in requires the name of a feature, or --dropped"
        )));
    }
    let workspace = open::tree(Some(path), arguments.query.format.paths(), streams)?;
    let (empty, bar) = (arguments.empty, arguments.query.format.bar(streams));
    let tree = empty.certify(&workspace, bar, streams)?;
    let catalog = tree.catalog_as_of(day::of_tree(None, &tree)?);
    if arguments.dropped {
        let found = dropped::dropped(&catalog, tree.registry());
        let document = || workspace.document(print::dropped::DroppedFeatures::new(&found));
        let format = arguments.query.format;
        format.print(streams, || print::dropped::page(&found), document)?;
        return Ok(Exit::Done);
    }
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
        let (query, names) = self.find(registry)?;
        let listed = Features::new(registry, query.release, query.profile, query.note);
        let listed = match names.as_slice() {
            [] => listed,
            [name] => {
                let is_asked = |report: &Report<'_>| {
                    let is_channel = self.channel.is_none_or(|channel| {
                        is_of_channel(report.judged.facts, channel, &[name], registry)
                    });
                    is_channel && self.is_asked(report, query.release)
                };
                let support = catalog.map(|catalog| catalog.support(name, is_asked));
                listed.of_one(name, support.as_deref())
            }
            several => listed.of(several),
        };
        let format = self.query.format;
        format.print(
            streams,
            || features_page(&listed),
            || Document::new(registry, tree, &listed),
        )?;
        Ok(Exit::Done)
    }

    /// With `--release`, only reports for that release count, or for its minor if no patch is
    /// named.
    fn is_asked(&self, report: &Report<'_>, release: &Release) -> bool {
        let version = report.judged.facts.release.version.as_ref();
        match self.query.precision() {
            Precision::Any => true,
            Precision::Minor => report.judged.minor() == Some(release.version().minor()),
            Precision::Patch => version == Some(release.version()),
        }
    }

    /// Finds the feature with the name or, if there is none, the features of the field.
    fn find<'r>(&'r self, registry: &'r Registry) -> Result<(Query<'r>, Vec<&'r str>), Failure> {
        let mut query = self.query.find(registry)?;
        let Some(name) = self.name.as_deref() else {
            return Ok((query, Vec::new()));
        };
        let (mut names, mut without) = (BTreeSet::from([name]), BTreeSet::new());
        if !registry.is_known(NameKind::Feature, name) {
            (names, without) = registry.features_of_field(name);
        }
        let is_in = |name: &&str| {
            let has = query.release.feature(name).is_some();
            has && query.profile.is_none_or(|profile| profile.has(name))
        };
        let there: Vec<&str> = names.iter().copied().filter(is_in).collect();
        if let (true, Some(first)) = (there.len() > 1, there.first()) {
            let and_support = match self.tree {
                Some(_) => format!(
                    "; to list the implementations that support one of them, use its name, such as \
                     `gwconform features {first} --in TREE`"
                ),
                None => String::new(),
            };
            query.note = Some(format!("features of the field `{name}`{and_support}"));
        }
        if !there.is_empty() {
            return Ok((query, there));
        }
        if names.is_empty() && !without.is_empty() {
            let kinds: Vec<String> = without.into_iter().map(str::to_owned).collect();
            return Err(Failure::Usage(anyhow!(
                "no feature covers the field `{name}` of {}, so no report shows support for it; \
                 check the documentation of each implementation",
                joined(&kinds, "and")
            )));
        }
        let name = names.first().copied().unwrap_or(name);
        let known = registry.known_in(NameKind::Feature, name);
        if let (Some(last), false) = (known.last(), self.query.is_narrowed()) {
            query.release = last;
            return Ok((query, vec![name]));
        }
        Err(Failure::Usage(unknown(registry, &query, name)))
    }
}

fn channel(text: &str) -> Result<Channel, String> {
    Channel::from_text(text).ok_or_else(|| "expected standard or experimental".to_owned())
}

fn unknown(registry: &Registry, query: &Query<'_>, name: &str) -> anyhow::Error {
    let place = match query.profile {
        Some(profile) => format!("{} in {}", profile.name, query.release.version()),
        None => query.release.version().to_string(),
    };
    if let Some(lifetime) = registry.lifetime(NameKind::Feature, name) {
        let renamed = registry.renamed_to(NameKind::Feature, name);
        let hint = renamed.map_or_else(String::new, |(newer, _)| {
            format!("; its name is now `{newer}`")
        });
        return anyhow!("{place} has no feature `{name}`: it is there {lifetime}{hint}");
    }
    let meant = registry.words().meant(name).iter().map(String::as_str);
    let meant: Vec<_> = meant
        .filter(|name| registry.is_known(NameKind::Feature, name))
        .collect();
    if meant.is_empty()
        && let Some(behavior) = registry.words().without_feature(name)
    {
        return anyhow!(
            "unknown feature `{name}`: no feature covers {behavior}; the documentation of each \
             implementation describes what it offers"
        );
    }
    let mut hint = match meant.as_slice() {
        [] => suggest::hint(name, registry.names(NameKind::Feature)),
        meant => suggest::did_you_mean(meant),
    };
    if hint.is_empty() {
        "; `gwconform features` lists them".clone_into(&mut hint);
    }
    anyhow!("unknown feature `{name}`{hint}")
}
