use std::collections::BTreeSet;

use super::{LevelData, List, Profile, Spanned};
use gwconform_base::api::NameKind;

/// Conformance report. All fields are optional.
#[derive(Clone, Debug)]
pub struct Report<T, P = ()> {
    /// `None` if the root is not a mapping.
    pub root: Option<P>,
    /// `apiVersion` field, as written.
    pub api_version: Option<Spanned<T, P>>,
    /// Document kind, normally `ConformanceReport`.
    pub kind: Option<Spanned<T, P>>,
    /// `date` field, as written.
    pub date: Option<Spanned<T, P>>,
    /// Release (`gatewayAPIVersion`).
    pub stated_release: Option<Spanned<T, P>>,
    /// Channel (`gatewayAPIChannel`).
    pub channel: Option<Spanned<T, P>>,
    /// Deployment mode, such as `default`.
    pub mode: Option<Spanned<T, P>>,
    /// Tested implementation.
    pub implementation: Implementation<T, P>,
    /// Results by profile, in file order.
    pub profiles: Vec<Profile<T, P>>,
    /// Passed provisional tests.
    pub succeeded_provisional_tests: Option<List<T, P>>,
    /// Name of a field or profile that shows that the report belongs to another project.
    pub other_project: Option<Spanned<T, P>>,
}

/// Tested implementation. All fields are `None` if missing.
#[derive(Clone, Debug)]
pub struct Implementation<T, P = ()> {
    /// Node of the mapping.
    pub node: Option<P>,
    /// Organization behind the project.
    pub organization: Option<Spanned<T, P>>,
    /// Project name.
    pub project: Option<Spanned<T, P>>,
    /// Project website.
    pub url: Option<Spanned<T, P>>,
    /// Implementation version.
    pub version: Option<Spanned<T, P>>,
    /// Contacts, such as `@org/team`.
    pub contact: Option<List<T, P>>,
}

impl<T: AsRef<str>, P> Report<T, P> {
    /// Whether the document resembles a report.
    pub fn is_recognizable(&self) -> bool {
        let kind = self.kind.as_ref();
        kind.is_some_and(|kind| {
            kind.value
                .as_ref()
                .eq_ignore_ascii_case("ConformanceReport")
        }) || self.implementation.node.is_some()
            || !self.profiles.is_empty()
    }
}

impl<T, P> Report<T, P> {
    /// Levels of all profiles.
    pub fn levels(&self) -> impl Iterator<Item = &LevelData<T, P>> {
        let profiles = self.profiles.iter();
        profiles.flat_map(|profile| profile.levels().map(|(_, level)| level))
    }
}

impl<T, P> Report<T, P> {
    /// Mutable references to all feature and test lists.
    pub(crate) fn lists_mut(&mut self) -> impl Iterator<Item = (NameKind, &mut List<T, P>)> {
        let profiles = self.profiles.iter_mut();
        let levels = profiles
            .flat_map(|profile| [&mut profile.core, &mut profile.extended])
            .flatten();
        let provisional = self.succeeded_provisional_tests.as_mut();
        levels
            .flat_map(LevelData::lists_mut)
            .chain(provisional.map(|list| (NameKind::Test, list)))
    }
}

impl<'a, P> Report<&'a str, P> {
    /// Names of all listed tests. Listed provisional tests ran.
    pub fn named_tests(&self) -> BTreeSet<&'a str> {
        let provisional = self.succeeded_provisional_tests.iter().flatten();
        let of_levels = self.levels().flat_map(LevelData::named_tests);
        provisional.chain(of_levels).copied().collect()
    }
}

impl<T, P> Default for Report<T, P> {
    fn default() -> Self {
        Self {
            root: None,
            api_version: None,
            kind: None,
            date: None,
            stated_release: None,
            channel: None,
            mode: None,
            implementation: Implementation::default(),
            profiles: Vec::new(),
            succeeded_provisional_tests: None,
            other_project: None,
        }
    }
}

impl<T, P> Default for Implementation<T, P> {
    fn default() -> Self {
        Self {
            node: None,
            organization: None,
            project: None,
            url: None,
            version: None,
            contact: None,
        }
    }
}
