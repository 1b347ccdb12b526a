use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;

use super::allow_unread::EmptyArguments;
use super::findings::FileArguments;
use super::kubectl::{self, ClusterArguments, Dump, Reader};
use super::registry::{crds, release};
use super::{Exit, Failure, Streams, diff, manifests, open};
use crate::print::RenderInput;
use crate::workspace::Options;
use gwconform_base::api::Minor;
use gwconform_base::release::Registry;
use gwconform_base::release::stated::lenient_version;
use gwconform_cluster::Kind;
use gwconform_cluster::resources::Against;
use gwconform_cluster::rules::RequestedRelease;

/// Check CRDs, GatewayClasses, meshes and conditions of a cluster.
///
/// FILE is the output of `kubectl get -A -o yaml` or `-o json`, a manifest, or a folder of such
/// files. Multiple documents, lists and any kinds are allowed. Rules that need a missing kind are
/// skipped and listed as not checked. Include CRDs, GatewayClasses, Gateways, Routes, Services and
/// ReferenceGrants from all namespaces.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders of resources, or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "cluster")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cluster: ClusterArguments,
    /// The files contain all objects, so missing objects count
    ///
    /// KIND,… limits this to some kinds. With --cluster, it is set for each kind that was listed.
    #[arg(
        long,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ALL,
        value_delimiter = ',',
        conflicts_with = "cluster"
    )]
    complete: Vec<String>,
    /// Conformance report: compare with it; a file or REV:PATH in a git revision
    #[arg(long, value_name = "REPORT")]
    report: Option<String>,
    /// Gateway API release, e.g. v1.5.1, or v1.5 for its latest patch
    ///
    /// [default: the release of the CRDs, then of the report, then the newest]
    #[arg(long, value_name = "RELEASE")]
    release: Option<String>,
    /// Target CRDs, e.g. v1.6/standard: check only whether they may be installed in the cluster
    #[arg(long, value_name = "RELEASE/CHANNEL", conflicts_with = "release")]
    crds: Option<String>,
    /// Reports tree: with --crds, find the releases that the controllers were tested with
    #[arg(
        long = "in",
        value_name = "TREE",
        requires = "crds",
        conflicts_with = "report",
        hide_short_help = true
    )]
    tree: Option<PathBuf>,
    /// List everything: also what was not checked, and all of more than 50 findings
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    empty: EmptyArguments,
    #[command(flatten)]
    common: FileArguments,
}

pub fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let start = Instant::now();
    if arguments.cluster.dry_run {
        arguments
            .cluster
            .print_commands(Reader::Resources, streams)?;
        return Ok(Exit::Done);
    }
    let complete = arguments.complete()?;
    let selection = arguments.common.severity.selection()?;
    let workspace = open::workspace(arguments.options()?, streams)?;
    arguments
        .common
        .output
        .check_files(workspace.base(), None)?;
    let release = arguments.release.as_deref();
    let wanted = release
        .map(|text| wanted_release(workspace.registry(), text))
        .transpose()?;
    let upgrade = arguments.crds.as_deref();
    let upgrade = upgrade
        .map(|text| crds(workspace.registry(), text))
        .transpose()?;
    let report = arguments
        .report
        .as_deref()
        .map(|name| diff::read(name, &workspace))
        .transpose()?;
    let dump = if arguments.cluster.cluster {
        arguments.cluster.read(Reader::Resources, streams)?
    } else {
        Dump {
            sources: manifests::read(&arguments.files, workspace.base(), streams)?,
            listed: complete,
        }
    };
    let output = &arguments.common.output;
    let tree = arguments.tree.as_deref();
    let tree = tree
        .map(|tree| open::tree(Some(tree), output.paths(), streams))
        .transpose()?;
    let bar = output.bar(streams);
    let certified = tree
        .as_ref()
        .map(|tree| arguments.empty.certify(tree, bar, streams))
        .transpose()?;
    let against = Against {
        tested: certified
            .as_ref()
            .map_or(&[][..], |certified| &certified.report.reports),
        wanted: wanted.as_ref(),
        report: report.as_ref(),
        listed: &dump.listed,
        upgrade,
    };
    let mut found = workspace.resources(&dump.sources, against, &selection)?;
    let fail_on = arguments.common.severity.fail_on();
    output.hide(&mut found.report, fail_on, streams);
    let input = RenderInput {
        fail_on: fail_on.severity(),
        width: streams.width(),
        shows_all: arguments.all,
        registry: workspace.registry(),
        ..RenderInput::of_resources(&found, workspace.config())
    };
    output.write_files(input, workspace.base())?;
    output.print(input, start, streams)?;
    let (exit, counts) = (fail_on.exit(&found.report), found.cluster.counts);
    let is_empty = found.cluster.api_objects + found.cluster.crds == 0;
    if exit == Exit::Done && is_empty {
        let unread = found.report.findings.first();
        let unread = unread.map(|finding| format!("{}: {}", finding.place.path, finding.message));
        let reason = counts.nothing_read(unread.into_iter().collect());
        arguments.empty.refuse(Some(reason))?;
    }
    Ok(exit)
}

/// Value of `--complete` without kinds.
const ALL: &str = "all";

impl Arguments {
    fn complete(&self) -> Result<Vec<Kind>, Failure> {
        let kinds = self.complete.iter().map(|name| match name.as_str() {
            ALL => Ok(Kind::LISTED.to_vec()),
            name => kubectl::kind_named(name).map(|kind| vec![kind]).ok_or_else(|| {
                let reason = anyhow!("--complete: unknown kind `{name}`; expected a kind such as `httproutes`, or no value for all kinds");
                Failure::Usage(reason)
            }),
        });
        Ok(kinds.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn options(&self) -> Result<Options, Failure> {
        Ok(self.common.options(manifests::on_disk(&self.files)?))
    }
}

fn wanted_release<'r>(registry: &'r Registry, text: &str) -> Result<RequestedRelease<'r>, Failure> {
    let is_minor = |text: &str| Minor::parse(text).is_some();
    let is_minor = is_minor(text) || is_minor(&format!("v{text}"));
    let release = release(registry, text)?.0;
    let exact = lenient_version(text).filter(|_| !is_minor);
    Ok(RequestedRelease {
        release,
        version: exact.unwrap_or_else(|| release.version().clone()),
        is_minor,
    })
}
