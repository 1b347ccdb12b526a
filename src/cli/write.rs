use std::path::Path;

use anyhow::{Context as _, anyhow};

use super::Failure;
use super::output::temporary_file;
use gwconform_base::files::read_regular;
use gwconform_base::text::source::MAX_FILE_BYTES;

pub fn text(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(temporary_file::replace(path, text.as_bytes())
        .with_context(|| format!("{} cannot be written", path.display()))?)
}

/// Refuses to overwrite a file of another type, which the user probably passed by mistake.
/// `expected` names the type with an article, such as `a statement`.
pub fn refuse_others(
    path: &Path,
    option: &str,
    (shown, expected): (&str, &str),
    is_ours: impl FnOnce(Vec<u8>) -> bool,
) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() || read_regular(path, MAX_FILE_BYTES).is_ok_and(is_ours) {
        return Ok(());
    }
    Err(Failure::Usage(anyhow!(
        "{option}: refusing to overwrite {shown}: not {expected}"
    )))
}
