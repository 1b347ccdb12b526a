//! The pages, one module for each kind: a function of the [`Site`] that returns files. Its template
//! has the same name in `templates/`.

mod badges;
mod compare;
mod find;
mod home;
mod implementation;
mod implementations;

use super::File;
use super::page::Site;

/// All pages.
pub(super) fn files(site: &Site<'_>) -> Vec<File> {
    let kinds: &[fn(&Site<'_>) -> Vec<File>] =
        &[home::files, implementations::files, implementation::files, find::files, compare::files, badges::files];
    kinds.iter().flat_map(|kind| kind(site)).collect()
}
