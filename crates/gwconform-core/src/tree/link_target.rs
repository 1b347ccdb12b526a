//! Where a path written in a README leads: looked at step by step, never through a link.

use std::path::{Component, Path, PathBuf};

use super::{Tree, name_of};
use crate::text::source::display_path;
use crate::tree::files::{FileKind, Folder};

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// To a website, a mail address or a place in the README itself: not looked at.
    Elsewhere,
    /// Out of the reports tree: not looked at.
    OutOfTree,
    /// Into the reports tree.
    Inside {
        /// The path from the submission's folder, when it leads into that, with `/`.
        own: Option<String>,
        /// The alias that it goes through.
        alias: Option<Alias>,
        /// There is a file or folder.
        exists: bool,
    },
}

/// A name that stands for a release folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// `v1.5.0`.
    pub name: String,
    /// The folder it stands for, `v1.5`.
    pub release: String,
}

impl Tree {
    /// Where the path `path` leads from `up` folders above `folder` (absolute).
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

    /// Where a path from the root of the tree leads, for the README in `folder`.
    pub fn lead_below_root(&self, folder: &Path, below: &Path) -> LinkTarget {
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

    /// True when something is there. A link on the way is not followed, and is reported elsewhere.
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

    /// True for a report in the folder of a submission that was walked.
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
