//! Branch, commit message and text of the pull request that proposes added reports.

use std::path::Path;

use super::PlannedReport;
use gwconform_base::text::escape::markdown_code;
use gwconform_base::text::source::display_path;
use gwconform_report::report::naming::slug::slug;

/// Names and texts for a pull request to the reports project.
#[derive(Debug, Default)]
pub struct Proposal {
    /// Name of a branch, such as `conformance-acme-operator-v2-1-0`.
    pub branch: String,
    /// Commit message, and title of the pull request.
    pub title: String,
    /// Text of the pull request, in Markdown, with the headings of the project's template.
    pub text: String,
}

/// `root` is the absolute path of the tree.
pub(super) fn proposal<'p>(
    planned: impl Iterator<Item = &'p PlannedReport>,
    root: &Path,
) -> Proposal {
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let mut versions = Vec::new();
    let mut names = Vec::new();
    let mut list = String::new();
    let mut count = 0;
    for report in planned {
        let facts = &report.facts;
        let name = format!("{}/{}", text(facts.organization()), text(facts.project()));
        let release = facts.release_text().unwrap_or_default();
        let version = (text(facts.version()), release);
        let path = markdown_code(&display_path(&report.path(), root));
        let (channel, mode) = (text(facts.channel()), text(facts.mode()));
        list.push_str(&format!("- {path} ({channel} channel, mode {mode})\n"));
        names.push(name);
        versions.push(version);
        count += 1;
    }
    names.dedup();
    versions.dedup();
    let (article, reports) = match count {
        1 => ("the ", "conformance report".to_owned()),
        count => ("", format!("{count} conformance reports")),
    };
    let (of, branch) = match (names.as_slice(), versions.as_slice()) {
        ([name], [(version, release)]) => (
            format!(" of {name} {version} for Gateway API {release}"),
            format!("{name}-{version}"),
        ),
        ([name], _) => (format!(" of {name}"), name.clone()),
        _ => (String::new(), "reports".to_owned()),
    };
    Proposal {
        branch: slug(&["conformance", &branch]),
        title: format!("Add {reports}{of}"),
        text: format!(
            "**What type of PR is this?**

/kind test
/area conformance

**What this PR does / why we need it**:

Adds {article}{reports}{of}:

{list}
**Does this PR introduce a user-facing change?**:

```release-note
NONE
```
"
        ),
    }
}
