use std::env;
use std::path::Path;

use anyhow::anyhow;

use super::Failure;
use super::git::Work;

/// Revision that a run of pre-commit compares with. `None` means that the whole tree is checked.
pub fn revision(folder: &Path) -> Result<Option<String>, Failure> {
    let work = Work::try_new(folder)?;
    // pre-commit sets both variables for `--from-ref` and `--to-ref`, and for a push.
    let [from, to] = ["PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"].map(env::var_os);
    if let (Some(from), Some(to)) = (from, to) {
        let to = to.to_string_lossy();
        if !work.is_head(&to)? {
            return Err(Failure::CouldNotRun(anyhow!(
                "PRE_COMMIT_TO_REF: `{to}` is not the checked-out commit; check it out, because the hook reads the working tree"
            )));
        }
        return Ok(Some(from.to_string_lossy().into_owned()));
    }
    // git sets this variable for the hooks of a commit. The index of `git commit --all` is another
    // file, and `git commit --amend` can have nothing staged.
    let is_commit = env::var_os("GIT_INDEX_FILE").is_some();
    let is_change = is_commit || work.is_staged()?;
    Ok(is_change.then(|| "HEAD".to_owned()))
}
