use std::env;
use std::path::Path;

use anyhow::anyhow;

use super::git::Work;
use super::{Failure, open};

/// Revision that a run of pre-commit compares with. `None` means that the whole tree is checked.
/// `tree` is the reports tree, or the working directory without a tree.
pub fn revision(tree: &Path) -> Result<Option<String>, Failure> {
    let folder = open::working_dir()?;
    let work = Work::try_new(folder.path())?;
    let variable = |name| env::var_os(name).map(|text| text.to_string_lossy().into_owned());
    // pre-commit sets both revisions for `--from-ref` and `--to-ref`, and for most pushes. For the
    // first push to a remote, it sets only the branch.
    let from = variable("PRE_COMMIT_FROM_REF");
    let branch = variable("PRE_COMMIT_LOCAL_BRANCH");
    let to = variable("PRE_COMMIT_TO_REF").filter(|_| from.is_some());
    let is_push = branch.is_some();
    if let Some(to) = to.or(branch)
        && !work.is_head(&to)?
    {
        return Err(Failure::CouldNotRun(anyhow!(
            "`{to}` is not the checked-out commit; check it out, because the hook reads the working tree"
        )));
    }
    // The revisions are not those of a submodule that contains the tree.
    if !work.is_top_of(tree)? {
        return Ok(None);
    }
    if from.is_some() || is_push {
        return Ok(from);
    }
    // git sets this variable for the hooks of a commit. The index of `git commit --all` is another
    // file, and `git commit --amend` can have nothing staged.
    let is_commit = env::var_os("GIT_INDEX_FILE").is_some();
    let is_change = is_commit || work.is_staged()?;
    Ok(is_change.then(|| "HEAD".to_owned()))
}
