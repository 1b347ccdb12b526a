//! File and folder names of submissions, derived from their reports.

pub mod address;
pub mod slug;

use crate::report::facts::ReportFacts;
use crate::report::formats::is_placeholder;
use crate::tree::MAX_NAME_BYTES;
use gwconform_base::api::Channel;

/// `<channel>-<version>-<mode>-report.yaml` (reports README, "Table of Contents"). `None` if a
/// field is missing or invalid.
pub fn file_name(report: &ReportFacts) -> Option<String> {
    file_name_with(report, report.version()?)
}

/// Like [`file_name`], with another version.
pub(crate) fn file_name_with(report: &ReportFacts, version: &str) -> Option<String> {
    let (channel, mode) = (report.channel()?, report.mode()?);
    is_channel(channel).then(|| name_of_parts([channel, version, mode]))?
}

/// File name of a legacy report: `<version>-report.yaml`.
pub fn legacy_file_name(report: &ReportFacts) -> Option<String> {
    name_of_parts([report.version.as_ref()?.value.as_str()])
}

fn name_of_parts<const N: usize>(parts: [&str; N]) -> Option<String> {
    let mut name = String::new();
    for value in parts {
        if !is_part(value) {
            return None;
        }
        name.push_str(value);
        name.push('-');
    }
    name.push_str("report.yaml");
    (name.len() <= MAX_NAME_BYTES).then_some(name)
}

/// Whether all operating systems allow the text in file names.
pub fn is_part(value: &str) -> bool {
    let can_be_name = |c: char| !c.is_control() && !c.is_whitespace() && !"/\\:*?\"<>|".contains(c);
    !value.is_empty() && value.chars().all(can_be_name)
}

/// Whether the text is `standard` or `experimental`.
pub fn is_channel(text: &str) -> bool {
    Channel::from_text(text).is_some()
}

/// Channel with which a file name starts, if any.
pub(crate) fn channel_in_file_name(name: &str) -> Option<&'static str> {
    let mut channels = Channel::ALL.iter().map(|channel| channel.as_str());
    let starts = |channel: &&str| {
        let (start, rest) = name.split_at_checked(channel.len()).unwrap_or((name, ""));
        start.eq_ignore_ascii_case(channel) && !rest.starts_with(char::is_alphanumeric)
    };
    channels.find(|channel| starts(channel))
}

/// Folder name for the report's implementation; `None` if its name is missing or a placeholder.
pub fn folder_name(report: &ReportFacts) -> Option<String> {
    Some(Name::try_new(report)?.folder())
}

/// Whether a folder name matches the report's implementation, ignoring case and separators.
pub fn is_named_by(folder: &str, report: &ReportFacts) -> bool {
    Name::try_new(report).is_some_and(|name| name.is_named_by(folder))
}

/// Organization and project of an implementation.
pub struct Name<'f> {
    /// Organization, as written.
    pub organization: &'f str,
    /// Project, as written.
    pub project: &'f str,
}

impl<'f> Name<'f> {
    /// Returns `None` if a part is missing or a placeholder.
    pub fn try_new(report: &'f ReportFacts) -> Option<Self> {
        let organization = report.organization.as_ref()?.value.as_str();
        let project = report.project.as_ref()?.value.as_str();
        let has_name = |text: &str| !text.trim().is_empty() && !is_placeholder(text);
        (has_name(organization) && has_name(project)).then_some(Self {
            organization,
            project,
        })
    }

    /// Whether a folder name matches, ignoring case and separators. The first label of an
    /// organization's domain is sufficient.
    pub fn is_named_by(&self, folder: &str) -> bool {
        let domain = self.organization.split('.').next().unwrap_or_default();
        [self.organization, domain]
            .into_iter()
            .any(|organization| letters(folder) == letters(organization) + &letters(self.project))
    }

    /// Whether a folder name contains the project.
    pub(crate) fn is_part_of(&self, folder: &str) -> bool {
        letters(folder).contains(&letters(self.project))
    }

    fn short_organization(&self) -> &'f str {
        match self.organization.split_once('.') {
            Some((first, rest)) if !first.is_empty() && !rest.contains(char::is_whitespace) => {
                first
            }
            _ => self.organization,
        }
    }

    /// Folder name `<organization>-<project>`, with lower-case words and hyphens.
    pub fn folder(&self) -> String {
        let words = |text: &str| {
            let text: String = text.chars().flat_map(char::to_lowercase).collect();
            let words = text.split(|c: char| !c.is_alphanumeric());
            let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
            words.join("-")
        };
        format!(
            "{}-{}",
            words(self.short_organization()),
            words(self.project)
        )
    }
}

pub(crate) fn letters(text: &str) -> String {
    folded(text)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// Organization and project without case and separators. Equal pairs are one implementation.
pub fn folded_pair((organization, project): (&str, &str)) -> (String, String) {
    (folded(organization), folded(project))
}

/// Lower-case name without separators.
pub fn folded(name: &str) -> String {
    let kept = name.chars().filter(|c| !is_ignored(*c));
    kept.flat_map(char::to_lowercase).collect()
}

/// Whether a character of a name only separates words.
fn is_ignored(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::{Name, channel_in_file_name};

    #[test]
    fn a_file_name_starts_with_its_channel() {
        for (name, channel) in [
            ("standard-v1.2.0-default-report.yaml", Some("standard")),
            ("EXPERIMENTAL_v1.2.0.yaml", Some("experimental")),
            ("standard.yaml", Some("standard")),
            ("standards-v1.2.0.yaml", None),
            ("v1.2.0-standard-report.yaml", None),
            ("stand\u{e4}rd", None),
            ("", None),
        ] {
            assert_eq!(channel_in_file_name(name), channel, "{name}");
        }
    }

    #[test]
    fn names_are_compared_by_their_letters() {
        let name = |organization, project| Name {
            organization,
            project,
        };
        let cloud = name("Acme Cloud", "Acme Service Mesh");
        assert_eq!(cloud.folder(), "acme-cloud-acme-service-mesh");
        assert!(cloud.is_named_by("acme-cloud-acme-service-mesh"));
        assert!(cloud.is_named_by("AcmeCloud-Acme_Service_Mesh"));
        assert!(!cloud.is_named_by("acme-service-mesh"));
        let domain = name("acme.example", "proxy");
        assert!(domain.is_named_by("acme-proxy"));
        assert!(domain.is_named_by("acme.example-proxy"));
        assert!(!domain.is_named_by("proxy"));
        assert!(!name("acme", "acme").is_named_by("acme"));
        assert!(name("acme", "acme").is_part_of("acme"));
        assert!(cloud.is_part_of("AcmeServiceMesh"));
        assert!(!domain.is_part_of("acme-gateway"));
    }
}
