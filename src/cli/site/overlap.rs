use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::cli::Failure;
use crate::workspace::{Base, CertifiedTree};
use gwconform_base::text::visible;

/// Rejects nested folders. A site inside the tree would become part of the tree, and a tree inside
/// the site would be published with the site.
pub fn refuse_overlap(out: &Path, tree: &CertifiedTree<'_>, base: &Base) -> Result<(), Failure> {
    let root = fs::canonicalize(tree.root()).unwrap_or_else(|_| tree.root().to_owned());
    let place = real(out);
    let shown = visible(&base.display(out));
    if place.starts_with(&root) {
        return Err(Failure::Usage(anyhow!(
            "--out: {shown} is inside the reports tree; choose a folder outside of it"
        )));
    }
    if root.starts_with(&place) {
        return Err(Failure::Usage(anyhow!(
            "--out: {shown} contains the reports tree; choose another folder"
        )));
    }
    Ok(())
}

fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(above), path.strip_prefix(above)) {
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path.to_owned()
}
