use anyhow::anyhow;

use super::{Failure, Streams};
use crate::cli::bar::Bar;
use crate::cli::catalog::print_unused;
use crate::workspace::{CertifiedTree, PathBase, Workspace};

#[derive(Debug, Clone, Copy, clap::Args)]
pub struct EmptyArguments {
    /// Exit with 0 even if there is nothing to read
    #[arg(long)]
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

    /// Reads all reports of a tree for verdicts.
    pub fn certify<'w>(
        self,
        workspace: &'w Workspace,
        paths: PathBase,
        bar: Bar,
        streams: &mut Streams<'_>,
    ) -> Result<CertifiedTree<'w>, Failure> {
        let tree = workspace.certify(paths, &|progress| bar.draw(progress))?;
        drop(bar);
        print_unused(&tree, streams)?;
        let shown = workspace.base().display(tree.root());
        let nothing = tree.report.nothing_read();
        self.refuse(nothing.map(|reason| format!("{shown}: {reason}")))?;
        Ok(tree)
    }
}
