use std::fmt;

use crate::text::json::as_text;
use crate::text::message::{Fill, Message};

/// A version such as `v1.5.1` or `v1.6.0-rc.1`, in semver order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(semver::Version);

impl Version {
    /// Parses `v1.5.1` or `v1.6.0-rc.1`. Rejects `1.5.1`, `v1.5` and build metadata.
    pub fn parse(text: &str) -> Option<Self> {
        let version = semver::Version::parse(text.strip_prefix('v')?).ok()?;
        version.build.is_empty().then_some(Self(version))
    }

    /// Minor, such as `v1.5` for `v1.5.1`.
    pub fn minor(&self) -> Minor {
        Minor {
            major: self.0.major,
            minor: self.0.minor,
        }
    }

    /// Patch number, such as 1 for `v1.5.1`.
    pub fn patch(&self) -> u64 {
        self.0.patch
    }

    /// Prerelease, such as `rc.1` for `v1.6.0-rc.1`.
    pub fn pre(&self) -> Option<&str> {
        (!self.0.pre.is_empty()).then(|| self.0.pre.as_str())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

as_text!(Version, Minor);

/// Prints a prerelease as a quoted value, because reports can contain any prerelease text.
impl Fill for Version {
    fn add_to(&self, message: &mut Message) {
        match self.pre() {
            Some(_) => message.push_code(&self.to_string()),
            None => message.push_words(self.to_string().into()),
        }
    }
}

/// A minor release, such as `v1.5` for `v1.5.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minor {
    /// Major number, such as 1 for `v1.5`.
    pub major: u64,
    /// Minor number, such as 5 for `v1.5`.
    pub minor: u64,
}

impl Minor {
    /// Parses `v1.5`. Rejects `v1.5.1`, `1.5` and `v1.05`.
    pub fn parse(text: &str) -> Option<Self> {
        let full = Version::parse(&format!("{text}.0"))?;
        full.pre().is_none().then(|| full.minor())
    }

    /// Minor that follows in the same major.
    #[must_use]
    pub fn next(self) -> Self {
        Self {
            minor: self.minor.saturating_add(1),
            ..self
        }
    }
}

impl fmt::Display for Minor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}.{}", self.major, self.minor)
    }
}

impl Fill for Minor {
    fn add_to(&self, message: &mut Message) {
        message.push_words(self.to_string().into());
    }
}

/// Release that a folder name denotes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderRelease {
    /// Minor such as `v1.5`, used since v1.5.
    Minor(Minor),
    /// Single release such as `v1.4.1`, used up to v1.4.1.
    Exact(Version),
}

impl FolderRelease {
    /// Parses `vX.Y.Z` or `vX.Y`.
    pub fn parse(name: &str) -> Option<Self> {
        if !name.starts_with('v') {
            return None;
        }
        if let Some(minor) = Minor::parse(name) {
            return Some(Self::Minor(minor));
        }
        let version = Version::parse(name)?;
        version.pre().is_none().then_some(Self::Exact(version))
    }

    /// Like [`Self::parse`], but also accepts `1.5` and `V1.5`.
    pub fn parse_leniently(name: &str) -> Option<Self> {
        Self::parse(&format!("v{}", name.trim_start_matches(['v', 'V'])))
    }

    /// Minor of the release.
    pub fn minor(&self) -> Minor {
        match self {
            Self::Minor(minor) => *minor,
            Self::Exact(version) => version.minor(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Minor, Version};

    #[test]
    fn versions_are_ordered_and_print_as_they_were_read() {
        let texts = [
            "v0.7.1",
            "v1.1.1",
            "v1.2.0-rc.1",
            "v1.2.0-rc.10",
            "v1.2.0",
            "v1.10.0",
        ];
        let versions: Vec<_> = texts
            .iter()
            .filter_map(|text| Version::parse(text))
            .collect();
        assert!(versions.is_sorted());
        let printed: Vec<_> = versions.iter().map(ToString::to_string).collect();
        assert_eq!(printed, texts);
    }

    #[test]
    fn rejects_texts_that_are_no_version() {
        for text in [
            "", "v", "1.5.1", "v1.5", "v1.5.1.0", "v01.5.1", "v1.5.1+x", "main", "V1.5.1",
            "v1.5.1 ",
        ] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
        for text in [
            "",
            "v1",
            "v1.5.1",
            "1.5",
            "v1.05",
            "v1.5-rc.1",
            "v1.",
            "v1.5.",
            "v1.5.0-x",
        ] {
            assert_eq!(Minor::parse(text), None, "{text}");
        }
        assert_eq!(Minor::parse("v1.5"), Some(Minor { major: 1, minor: 5 }));
    }
}
