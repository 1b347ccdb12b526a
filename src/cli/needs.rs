use std::path::PathBuf;
use std::time::Instant;

use anyhow::anyhow;

use super::allow_unread::EmptyArguments;
use super::catalog::site_address;
use super::findings::FileArguments;
use super::kubectl::{ClusterArguments, Reader};
use super::registry::{crds, known_profile};
use super::{Exit, Failure, Streams, day, diff, implementation_name, manifests, open};
use crate::cli::format::TextFormat;
use crate::print::needs::{self, NeedsInput};
use crate::print::{Format, RenderInput};
use crate::workspace::{Options, Workspace};
use gwconform_base::api::Family;
use gwconform_base::release::Registry;
use gwconform_cluster::needs::Listed;
use gwconform_cluster::needs::absent_fields::Crds;
use gwconform_cluster::support::{Against, NeedsFound};
use gwconform_cluster::{Cluster, File};
use gwconform_report::document::Document;

/// Show which implementations support what your manifests need.
///
/// PATH is a manifest, the output of `kubectl get -A -o yaml`, or a folder of such files. Multiple
/// documents, lists and any kinds are allowed. Without a target, the needs are listed. With a
/// target (--to, --report, --class, --mesh or --crds), findings at the affected fields show what
/// breaks when you migrate.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files or folders of manifests, or - for standard input
    #[arg(value_name = "PATH", required_unless_present = "cluster")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    cluster: ClusterArguments,
    /// Reports tree: list its implementations that support the needs
    ///
    /// They are ordered by how many of the needs they support.
    #[arg(long = "in", value_name = "TREE")]
    tree: Option<PathBuf>,
    /// Target implementation, e.g. acme/operator or acme/operator@v2.1.0
    #[arg(
        long,
        value_name = "NAME[@VERSION]",
        requires = "tree",
        conflicts_with = "report"
    )]
    to: Option<String>,
    /// Current implementation; report only features it has proved
    #[arg(long, value_name = "NAME[@VERSION]", requires = "tree")]
    from: Option<String>,
    /// Conformance report: of the target implementation, as a file or REV:PATH in a git revision
    #[arg(long, value_name = "REPORT", hide_short_help = true)]
    report: Option<String>,
    /// File with a GatewayClass: the target, with its `status.supportedFeatures`
    #[arg(long, value_name = "FILE")]
    class: Option<PathBuf>,
    /// File with an XMesh: the target, with its `status.supportedFeatures`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    mesh: Option<PathBuf>,
    /// Target CRDs, e.g. v1.6/standard
    #[arg(long, value_name = "RELEASE/CHANNEL")]
    crds: Option<String>,
    /// Conformance profile, e.g. GATEWAY-HTTP: consider it in reports [default: the profiles of the
    /// Routes]
    #[arg(long, value_name = "PROFILE", hide_short_help = true)]
    profile: Option<String>,
    /// Consider reports for all releases, not only current ones
    #[arg(long, requires = "tree", hide_short_help = true)]
    all_releases: bool,
    /// List everything: also implementations that lack many of the needs, and all of more than 50
    /// findings
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
        arguments.cluster.print_commands(Reader::Needs, streams)?;
        return Ok(Exit::Done);
    }
    let workspace = open::workspace(arguments.options()?, streams)?;
    arguments
        .common
        .output
        .check_files(workspace.base(), None)?;
    arguments.check_format()?;
    let Some(tree) = &arguments.tree else {
        return arguments.answer(&workspace, None, Against::default(), start, streams);
    };
    let output = &arguments.common.output;
    let tree = open::tree(Some(tree), output.paths(), streams)?;
    let (empty, bar) = (arguments.empty, output.bar(streams));
    let certified = empty.certify(&tree, bar, streams)?;
    let catalog = certified.catalog_as_of(day::of_tree(None, &certified)?);
    let against = Against {
        catalog: Some(&catalog),
        to: implementation_name::wanted(&catalog, arguments.to.as_deref(), streams)?,
        from: implementation_name::wanted(&catalog, arguments.from.as_deref(), streams)?,
        ..Against::default()
    };
    arguments.answer(&workspace, Some(&tree), against, start, streams)
}

impl Arguments {
    fn options(&self) -> Result<Options, Failure> {
        if self.from.is_some() && self.to.is_none() && self.report.is_none() {
            return Err(Failure::Usage(anyhow!("--from requires --to or --report")));
        }
        // `--in` lists implementations, or defines the names for `--to` and `--from`. Combinations
        // without effect are rejected.
        let is_listing = self.to.is_none() && self.from.is_none();
        if self.tree.is_some() && is_listing && self.has_target() {
            return Err(Failure::Usage(anyhow!(
                "--in lists who runs the manifests, and --report, --class, --mesh and --crds print \
                 findings; ask one after the other, or name an implementation with --to"
            )));
        }
        Ok(self.common.options(manifests::on_disk(&self.files)?))
    }

    fn has_target(&self) -> bool {
        let files = [&self.class, &self.mesh];
        let names = [&self.to, &self.report, &self.crds];
        files.iter().any(|file| file.is_some()) || names.iter().any(|name| name.is_some())
    }

    fn check_format(&self) -> Result<(), Failure> {
        let of_list = [Format::Human, Format::Json, Format::Markdown];
        let is_list =
            of_list.contains(&self.common.output.format) && !self.common.output.has_files();
        if self.has_target() || is_list {
            return Ok(());
        }
        let option = if of_list.contains(&self.common.output.format) {
            "--also".to_owned()
        } else {
            format!("--format {}", self.common.output.format.name())
        };
        Err(Failure::Usage(anyhow!(
            "{option} requires findings; pass a target: --to, --report, --class, --mesh or --crds"
        )))
    }

    fn answer(
        &self,
        workspace: &Workspace,
        tree: Option<&Workspace>,
        against: Against<'_>,
        start: Instant,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let selection = self.common.severity.selection()?;
        let sources = if self.cluster.cluster {
            self.cluster.read(Reader::Needs, streams)?.sources
        } else {
            manifests::read(&self.files, workspace.base(), streams)?
        };
        let report = self.report.as_deref();
        let report = report.map(|name| diff::read(name, workspace)).transpose()?;
        let listed = self.listed(workspace, streams)?;
        let crds = self.crds(workspace.registry())?;
        let profile = self.profile.as_deref();
        let profile = profile.map(|name| known_profile(workspace.registry(), name));
        let profile = profile.transpose()?;
        if profile.is_some() && self.tree.is_none() && report.is_none() {
            return Err(Failure::Usage(anyhow!(
                "--profile requires --in or --report"
            )));
        }
        let against = Against {
            report: report.as_ref(),
            profile,
            is_of_all: self.all_releases,
            listed: &listed,
            crds: crds.as_ref(),
            ..against
        };
        let mut found = workspace.needs(&sources, &against, &selection)?;
        // With findings about its objects, the input was not empty: rules about CRDs also report
        // policy targets, and kinds that no release includes.
        let mut findings = found.findings.findings.iter();
        let has_findings = findings.any(|finding| finding.rule != "needs/not-compared");
        self.empty
            .refuse(found.needs.nothing_read().filter(|_| !has_findings))?;
        if !self.has_target() {
            return self.list(&found, workspace, tree, streams);
        }
        let fail_on = self.common.severity.fail_on();
        let output = &self.common.output;
        output.hide(&mut found.findings, fail_on, streams);
        let tree = tree.and_then(Workspace::printed_tree);
        let input = RenderInput {
            fail_on: fail_on.severity(),
            width: streams.width(),
            shows_all: self.all,
            manifests: Some(found.needs.read),
            registry: workspace.registry(),
            tree: tree.as_deref(),
            ..RenderInput::new(&found.findings, workspace.config())
        };
        output.write_files(input, workspace.base())?;
        output.print(input, start, streams)?;
        let compared = found.compared.as_ref();
        if let Some(compared) = compared.filter(|_| found.findings.findings.is_empty()) {
            streams.note(compared)?;
        }
        Ok(fail_on.exit(&found.findings))
    }

    fn list(
        &self,
        found: &NeedsFound,
        workspace: &Workspace,
        tree: Option<&Workspace>,
        streams: &mut Streams<'_>,
    ) -> Result<Exit, Failure> {
        let site = tree.and_then(|tree| site_address(tree.config()));
        let input = NeedsInput {
            found,
            site: site.as_deref(),
            is_all: self.all,
        };
        let format = match self.common.output.format {
            Format::Json => TextFormat::Json,
            Format::Markdown => TextFormat::Markdown,
            _ => TextFormat::Human,
        };
        let tree = tree.and_then(Workspace::printed_tree);
        let document = || Document::new(workspace.registry(), tree, found);
        format.print(streams, || needs::page(input), document)?;
        Ok(Exit::Done)
    }

    fn listed(
        &self,
        workspace: &Workspace,
        streams: &mut Streams<'_>,
    ) -> Result<Vec<Listed>, Failure> {
        let files = [
            ("--class", "GatewayClass", &self.class, Family::Gateway),
            ("--mesh", "XMesh", &self.mesh, Family::Mesh),
        ];
        let mut all = Vec::new();
        for (option, kind, path, family) in files {
            let Some(path) = path else { continue };
            let sources = manifests::read(std::slice::from_ref(path), workspace.base(), streams)?;
            let files: Vec<File<'_>> = sources.iter().map(File::read).collect();
            let listed = Listed::all(&Cluster::read(&files), family);
            if listed.is_empty() {
                return Err(Failure::Usage(anyhow!(
                    "{option}: no {kind} with `status.supportedFeatures` in {}; \
                     get it with `kubectl get {} NAME -o yaml`",
                    path.display(),
                    kind.to_lowercase()
                )));
            }
            all.extend(listed);
        }
        Ok(all)
    }

    fn crds<'r>(&self, registry: &'r Registry) -> Result<Option<Crds<'r>>, Failure> {
        let text = self.crds.as_deref();
        text.map(|text| crds(registry, text)).transpose()
    }
}
