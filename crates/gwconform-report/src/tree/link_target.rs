//! Resolves links of READMEs within the tree, without following file system links.

use std::path::{Component, Path, PathBuf};

use super::Tree;
use gwconform_base::files::name_of;
use gwconform_base::files::{FileKind, Folder};
use gwconform_base::text::source::display_path;

/// Resolved target of a README link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// URL, email address or anchor, which is not checked.
    Elsewhere,
    /// Path outside the reports tree, which is not checked.
    OutOfTree,
    /// Path inside the reports tree.
    Inside {
        /// Path within the submission's folder, with `/`; `None` for paths outside.
        own: Option<String>,
        /// Alias that the path goes through, if any.
        alias: Option<Alias>,
        /// True if the target exists.
        exists: bool,
    },
}

/// Alias of a release folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// Name of the alias, such as `v1.5.0`.
    pub name: String,
    /// Name of the release folder, such as `v1.5`.
    pub release: String,
}

impl Tree {
    /// Resolves `path`, relative to the folder `up` levels above `folder` (absolute).
    pub fn link_target(&self, folder: &Path, up: usize, path: &str) -> LinkTarget {
        let Some(from) = folder.ancestors().nth(up) else {
            return LinkTarget::OutOfTree;
        };
        let whole = from.join(path);
        match whole.strip_prefix(&self.root) {
            Ok(below) => self.lead_below_root(folder, below),
            Err(_) => LinkTarget::OutOfTree,
        }
    }

    /// Resolves a path relative to the tree's root, including aliases. `folder` is the absolute
    /// path of the submission's folder.
    pub(crate) fn lead_below_root(&self, folder: &Path, below: &Path) -> LinkTarget {
        let mut names = below.components();
        let first = names.next();
        let name = first.map(|first| name_of(Path::new(first.as_os_str())));
        let alias = name.and_then(|name| {
            let release = self.aliases.get(&name)?.clone();
            Some(Alias { name, release })
        });
        let mut resolved = PathBuf::new();
        match (&alias, first) {
            (Some(alias), _) => resolved.push(&alias.release),
            (None, Some(first)) => resolved.push(first),
            (None, None) => {}
        }
        resolved.extend(names);
        let absolute = self.root.join(&resolved);
        let own = absolute
            .starts_with(folder)
            .then(|| display_path(&absolute, folder));
        LinkTarget::Inside {
            own,
            alias,
            exists: self.holds(&resolved),
        }
    }

    /// Links count as existing, because another rule reports them.
    fn holds(&self, below: &Path) -> bool {
        if self.has_report(&self.root.join(below)) {
            return true;
        }
        let files = self.folder.as_ref().map(Folder::files).unwrap_or_default();
        let mut path = self.root.clone();
        for part in below.components() {
            let Component::Normal(name) = part else {
                return false;
            };
            path.push(name);
            match files.kind_of(&path) {
                Ok(FileKind::Link) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        true
    }

    fn has_report(&self, path: &Path) -> bool {
        let folder = path.parent().unwrap_or(path);
        let found = self
            .submissions
            .binary_search_by(|submission| submission.path.as_path().cmp(folder));
        found.is_ok_and(|at| {
            let reports = &self.submissions[at].reports;
            reports
                .binary_search_by(|report| report.as_path().cmp(path))
                .is_ok()
        })
    }
}
