//! Names of all releases, so that a question about a name is one look-up: reports have thousands.

use std::collections::{BTreeMap, HashMap};

use super::{Kind, Release};

/// Where names begin and which ones replace them, by kind. Releases are named by their position.
#[derive(Debug, Default)]
pub(super) struct Index {
    features: Names,
    profiles: Names,
    tests: Names,
}

#[derive(Debug, Default)]
struct Names {
    /// The first release that knows a name.
    since: HashMap<String, usize>,
    /// The name after a name, and the release that renamed it: a dozen.
    renamed_to: BTreeMap<String, (String, usize)>,
}

impl Index {
    /// The index of releases in the order of their versions.
    pub(super) fn of(releases: &[Release]) -> Self {
        Self {
            features: Names::of(releases, Kind::Feature),
            profiles: Names::of(releases, Kind::Profile),
            tests: Names::of(releases, Kind::Test),
        }
    }

    pub(super) fn since(&self, kind: Kind, name: &str) -> Option<usize> {
        self.names(kind).since.get(name).copied()
    }

    pub(super) fn renamed_to(&self, kind: Kind, name: &str) -> Option<(&str, usize)> {
        let (newer, at) = self.names(kind).renamed_to.get(name)?;
        Some((newer, *at))
    }

    fn names(&self, kind: Kind) -> &Names {
        match kind {
            Kind::Feature => &self.features,
            Kind::Profile => &self.profiles,
            Kind::Test => &self.tests,
        }
    }
}

impl Names {
    fn of(releases: &[Release], kind: Kind) -> Self {
        let mut names = Self::default();
        for (at, release) in releases.iter().enumerate() {
            for name in release.names(kind) {
                if !names.since.contains_key(name) {
                    names.since.insert(name.to_owned(), at);
                }
                if let Some(older) = release.renamed_from(kind, name)
                    && !names.renamed_to.contains_key(older)
                {
                    let newer = (name.to_owned(), at);
                    names.renamed_to.insert(older.to_owned(), newer);
                }
            }
        }
        names
    }
}
