use std::collections::BTreeSet;

use anyhow::anyhow;

use super::{Failure, Streams};
use crate::cli::bar::Bar;
use crate::workspace::{CertifiedTree, PartlyRead, PathBase, UnreadError, Workspace};
use gwconform_report::rules::check::Skipped;

#[derive(Debug, Clone, Copy, clap::Args)]
pub struct EmptyArguments {
    /// Exit with 0 even if there is nothing to read
    #[arg(long, hide_short_help = true)]
    allow_empty: bool,
}

impl EmptyArguments {
    pub fn is_allowed(self) -> bool {
        self.allow_empty
    }

    /// Fails with `reason`, which states what was expected and found.
    pub fn refuse(self, reason: Option<String>) -> Result<(), Failure> {
        match reason.filter(|_| !self.allow_empty) {
            None => Ok(()),
            Some(reason) => Err(Failure::CouldNotRun(anyhow!(
                "{reason}; to accept this, pass --allow-empty"
            ))),
        }
    }

    /// Reads all reports of a tree for verdicts, and continues without what it cannot read.
    pub fn certify<'w>(
        self,
        workspace: &'w Workspace,
        bar: Bar,
        streams: &mut Streams<'_>,
    ) -> Result<CertifiedTree<'w>, Failure> {
        UnreadArguments::ALLOWED.certify(self, workspace, PathBase::default(), bar, streams)
    }
}

/// For commands whose output is published, or decides about an implementation.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct UnreadArguments {
    /// Continue without files and folders that cannot be read; standard error names them
    #[arg(long, hide_short_help = true)]
    allow_unread: bool,
}

impl UnreadArguments {
    pub const ALLOWED: Self = Self { allow_unread: true };

    pub fn state(self, unread: Vec<Skipped>, streams: &mut Streams<'_>) -> Result<(), Failure> {
        PartlyRead::new((), unread).stating(|parts| self.name(&parts, streams))
    }

    pub fn name(self, unread: &UnreadError, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.allow_unread {
            return Ok(streams.error(unread)?);
        }
        Err(Failure::CouldNotRun(anyhow!(
            "{unread}; to continue without, pass --allow-unread"
        )))
    }

    /// Reads all reports of a tree for verdicts.
    pub fn certify<'w>(
        self,
        empty: EmptyArguments,
        workspace: &'w Workspace,
        paths: PathBase,
        bar: Bar,
        streams: &mut Streams<'_>,
    ) -> Result<CertifiedTree<'w>, Failure> {
        let tree = workspace.certify(paths, &|progress| bar.draw(progress))?;
        drop(bar);
        let tree = tree.stating(|parts| self.name(&parts, streams))?;
        print_unused(&tree, streams)?;
        let shown = workspace.base().display(tree.root());
        let nothing = tree.report.nothing_read();
        empty.refuse(nothing.map(|reason| format!("{shown}: {reason}")))?;
        Ok(tree)
    }
}

fn print_unused(tree: &CertifiedTree<'_>, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let reports = tree.report.reports.iter();
    let stated: BTreeSet<_> = reports
        .filter_map(|facts| facts.release.version.as_ref())
        .collect();
    for version in stated {
        if let Some(facts) = tree.registry().added(version) {
            streams.note(format_args!(
                "reports of {version} are judged with the release data in {} (SHA-256 {})",
                facts.path, facts.digest
            ))?;
        }
    }
    for unused in &tree.unused_statements {
        streams.error(format_args!(
            "not counted: {}: {}",
            unused.path, unused.reason
        ))?;
    }
    Ok(())
}
