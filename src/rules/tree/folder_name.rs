//! `tree/folder-name`

use super::folded;
use crate::diagnostic::{Place, Severity, in_code};
use crate::facts::ReportFacts;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/folder-name",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("folder_name.md"),
    check: Check::Submission(check),
};

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let Some(folder) = &cx.submission.folder else {
        return;
    };
    let names: Vec<_> = cx.reports.iter().filter_map(Name::of).collect();
    let Some(first) = names.first() else { return };
    if names.iter().any(|name| name.is_named_by(folder)) {
        return;
    }
    let expected = first.folder();
    out.at(
        Place::path(cx.path),
        format!(
            "the folder of {}/{} is expected to be named `{expected}`",
            in_code(&first.organization),
            in_code(&first.project),
            expected = in_code(&expected)
        ),
    )
    .help(format!(
        "name it {expected}, from the next submission on at the latest"
    ));
}

/// The name that the folder of a report's submission should have; `None` where its organization or
/// project has no name.
pub fn expected(report: &ReportFacts) -> Option<String> {
    Some(Name::of(report)?.folder())
}

/// True when a folder has the name of a report's implementation, however it is spelled.
pub fn is_named_by(folder: &str, report: &ReportFacts) -> bool {
    Name::of(report).is_some_and(|name| name.is_named_by(folder))
}

/// Organization and project of a report, both with letters or digits in them.
struct Name<'f> {
    organization: &'f str,
    project: &'f str,
}

impl<'f> Name<'f> {
    fn of(report: &'f ReportFacts) -> Option<Self> {
        let organization = report.organization.as_ref()?.value.as_str();
        let project = report.project.as_ref()?.value.as_str();
        let has_name = |text: &str| text.chars().any(char::is_alphanumeric);
        (has_name(organization) && has_name(project)).then_some(Self {
            organization,
            project,
        })
    }

    /// True when a folder has the name but for case and what stands between letters and digits; of
    /// an organization that is a domain its first part will do.
    fn is_named_by(&self, folder: &str) -> bool {
        let domain = self.organization.split('.').next().unwrap_or_default();
        [self.organization, domain]
            .into_iter()
            .any(|organization| letters(folder) == letters(organization) + &letters(self.project))
    }

    /// The organization, of a domain its first part.
    fn short_organization(&self) -> &'f str {
        match self.organization.split_once('.') {
            Some((first, rest)) if !first.is_empty() && !rest.contains(char::is_whitespace) => {
                first
            }
            _ => self.organization,
        }
    }

    /// `<organization>-<project>` in lower case, a hyphen for all that is no letter or digit.
    fn folder(&self) -> String {
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

fn letters(text: &str) -> String {
    folded(text)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Name;

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
    }
}
