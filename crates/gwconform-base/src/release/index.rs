//! Indexes names by release, because reports contain thousands of names to look up.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use foldhash::fast::FixedState;

use super::{NameKind, Release};

/// One index per [`NameKind`], built on first use. Values are indexes of releases.
#[derive(Debug, Default)]
pub(super) struct Index([OnceLock<Names>; 3]);

#[derive(Debug, Default)]
pub(super) struct Names {
    lifetimes: HashMap<String, Lifetime, FixedState>,
    renamed_to: BTreeMap<String, (String, usize)>,
    renamed_from: BTreeMap<String, (String, usize)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime {
    pub(super) first: usize,
    pub(super) last: usize,
    /// Last published release.
    pub(super) last_released: Option<usize>,
}

impl Index {
    /// Every call must pass the same `releases`, sorted by version.
    pub(super) fn of(&self, kind: NameKind, releases: &[Release]) -> &Names {
        self.0[kind as usize].get_or_init(|| Names::new(releases, kind))
    }
}

impl Names {
    fn new(releases: &[Release], kind: NameKind) -> Self {
        let mut names = Self::default();
        for (at, release) in releases.iter().enumerate() {
            if release.same_as.is_some() {
                continue;
            }
            let is_equal = |other: &Release| Arc::ptr_eq(&other.content, &release.content);
            let last = releases.iter().rposition(is_equal).unwrap_or(at);
            let last_released =
                (releases.iter()).rposition(|other| is_equal(other) && other.is_released());
            for name in release.names(kind) {
                match names.lifetimes.get_mut(name) {
                    Some(lifetime) => {
                        lifetime.last = lifetime.last.max(last);
                        lifetime.last_released = lifetime.last_released.max(last_released);
                    }
                    None => {
                        let lifetime = Lifetime {
                            first: at,
                            last,
                            last_released,
                        };
                        names.lifetimes.insert(name.to_owned(), lifetime);
                    }
                }
                let Some(older) = release.renamed_from(kind, name) else {
                    continue;
                };
                if !names.renamed_to.contains_key(older) {
                    let newer = (name.to_owned(), at);
                    names.renamed_to.insert(older.to_owned(), newer);
                }
                if !names.renamed_from.contains_key(name) {
                    let older = (older.to_owned(), at);
                    names.renamed_from.insert(name.to_owned(), older);
                }
            }
        }
        names
    }

    pub(super) fn lifetime(&self, name: &str) -> Option<Lifetime> {
        self.lifetimes.get(name).copied()
    }

    pub(super) fn renamed_to(&self, name: &str) -> Option<(&str, usize)> {
        let (newer, at) = self.renamed_to.get(name)?;
        Some((newer, *at))
    }

    pub(super) fn renamed_from(&self, name: &str) -> Option<(&str, usize)> {
        let (older, at) = self.renamed_from.get(name)?;
        Some((older, *at))
    }
}
