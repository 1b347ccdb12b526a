//! Builds conformance reports as the suite writes them. Tests about the text itself (quotes,
//! comments, invalid YAML) edit the text instead.

use std::fmt::Write as _;

#[derive(Debug, Clone)]
pub struct ReportBuilder {
    date: Option<String>,
    channel: String,
    release: String,
    contact: String,
    organization: String,
    project: String,
    url: String,
    version: String,
    mode: String,
    provisional: Vec<String>,
    profiles: Vec<Profile>,
}

#[derive(Debug, Clone)]
pub struct Profile {
    name: String,
    core: Option<Level>,
    extended: Option<Level>,
    summary: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Level {
    result: String,
    statistics: Option<Statistics>,
    /// Key and names of each list, in insertion order.
    lists: Vec<(&'static str, Vec<String>)>,
}

#[derive(Debug, Clone, Copy)]
struct Statistics {
    passed: u32,
    skipped: u32,
    failed: u32,
}

impl ReportBuilder {
    /// Report of acme/operator v2.14.0, which passes all core tests of GATEWAY-GRPC in v1.5.1.
    pub fn new() -> Self {
        Self {
            date: None,
            channel: "standard".to_owned(),
            release: "v1.5.1".to_owned(),
            contact: "@acme/maintainers".to_owned(),
            organization: "acme".to_owned(),
            project: "operator".to_owned(),
            url: "https://acme.example".to_owned(),
            version: "v2.14.0".to_owned(),
            mode: "default".to_owned(),
            provisional: Vec::new(),
            profiles: vec![Profile::grpc()],
        }
    }

    pub fn date(mut self, date: &str) -> Self {
        self.date = Some(date.to_owned());
        self
    }

    /// Default report date, after the release review and all patches of the minor.
    fn usual_date(&self) -> &'static str {
        let minor = self.release.trim_start_matches("v1.").split('.').next();
        match minor.and_then(|minor| minor.parse::<u32>().ok()) {
            Some(6..) => "2026-09-20T10:15:30Z",
            _ => "2026-05-20T10:15:30Z",
        }
    }

    pub fn channel(mut self, channel: &str) -> Self {
        self.channel = channel.to_owned();
        self
    }

    pub fn release(mut self, release: &str) -> Self {
        self.release = release.to_owned();
        self
    }

    pub fn contact(mut self, contact: &str) -> Self {
        self.contact = contact.to_owned();
        self
    }

    pub fn organization(mut self, organization: &str) -> Self {
        self.organization = organization.to_owned();
        self
    }

    pub fn project(mut self, project: &str) -> Self {
        self.project = project.to_owned();
        self
    }

    pub fn url(mut self, url: &str) -> Self {
        self.url = url.to_owned();
        self
    }

    pub fn version(mut self, version: &str) -> Self {
        self.version = version.to_owned();
        self
    }

    pub fn mode(mut self, mode: &str) -> Self {
        self.mode = mode.to_owned();
        self
    }

    pub fn provisional(mut self, tests: &[&str]) -> Self {
        self.provisional = owned(tests);
        self
    }

    pub fn profiles(mut self, profiles: impl IntoIterator<Item = Profile>) -> Self {
        self.profiles = profiles.into_iter().collect();
        self
    }

    /// One profile with these core tests and the summary of the suite.
    pub fn core(self, core: Level) -> Self {
        self.profiles([Profile::new("GATEWAY-GRPC").core(core).summarized()])
    }

    pub fn release_of(&self) -> &str {
        &self.release
    }

    /// Path of the report in the tree. From v1.5 on, a folder contains the reports of a minor.
    pub fn path(&self) -> String {
        let Self {
            channel,
            release,
            organization,
            project,
            version,
            mode,
            ..
        } = self;
        let minor = release.rsplit_once('.').map_or("", |(minor, _)| minor);
        let folder = if minor < "v1.5" { release } else { minor };
        format!(
            "conformance/reports/{folder}/{organization}-{project}/{channel}-{version}-{mode}-report.yaml"
        )
    }

    pub fn build(&self) -> String {
        let mut text = format!(
            "apiVersion: gateway.networking.k8s.io/v1\ndate: {}\ngatewayAPIChannel: {}\ngatewayAPIVersion: {}\nimplementation:\n  contact:\n  - {}\n  organization: {}\n  project: {}\n  url: {}\n  version: {}\nkind: ConformanceReport\n",
            quoted(self.date.as_deref().unwrap_or(self.usual_date())),
            scalar(&self.channel),
            scalar(&self.release),
            scalar(&self.contact),
            scalar(&self.organization),
            scalar(&self.project),
            scalar(&self.url),
            scalar(&self.version),
        );
        let _ = write!(text, "mode: {}\nprofiles:", scalar(&self.mode));
        text.push_str(if self.profiles.is_empty() {
            " []\n"
        } else {
            "\n"
        });
        for profile in &self.profiles {
            profile.write(&mut text);
        }
        if !self.provisional.is_empty() {
            write_list(
                &mut text,
                "",
                "succeededProvisionalTests",
                &self.provisional,
            );
        }
        text
    }
}

impl Profile {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            core: None,
            extended: None,
            summary: None,
        }
    }

    pub fn grpc() -> Self {
        Self::new("GATEWAY-GRPC")
            .core(Level::success(13))
            .summary("Core tests succeeded.")
    }

    pub fn core(mut self, level: Level) -> Self {
        self.core = Some(level);
        self
    }

    pub fn extended(mut self, level: Level) -> Self {
        self.extended = Some(level);
        self
    }

    pub fn summary(mut self, summary: &str) -> Self {
        self.summary = Some(summary.to_owned());
        self
    }

    pub fn summarized(self) -> Self {
        let sentence = |name: &str, level: &Level| {
            let counts = level.statistics;
            let (skipped, failed) = counts.map_or((0, 0), |one| (one.skipped, one.failed));
            match level.result.as_str() {
                "partial" => {
                    format!("{name} tests partially succeeded with {skipped} test skips.")
                }
                "failure" => format!("{name} tests failed with {failed} test failures."),
                _ => format!("{name} tests succeeded."),
            }
        };
        let levels = [("Core", &self.core), ("Extended", &self.extended)];
        let sentences = levels
            .into_iter()
            .filter_map(|(name, level)| Some(sentence(name, level.as_ref()?)));
        let summary = sentences.collect::<Vec<_>>().join(" ");
        self.summary(&summary)
    }

    fn write(&self, text: &mut String) {
        let mut fields = String::new();
        for (key, level) in [("core", &self.core), ("extended", &self.extended)] {
            if let Some(level) = level {
                let _ = writeln!(fields, "  {key}:");
                level.write(&mut fields);
            }
        }
        let _ = writeln!(fields, "  name: {}", scalar(&self.name));
        if let Some(summary) = &self.summary {
            let _ = writeln!(fields, "  summary: {}", scalar(summary));
        }
        fields.replace_range(..1, "-");
        text.push_str(&fields);
    }
}

impl Level {
    pub fn result(result: &str) -> Self {
        Self {
            result: result.to_owned(),
            statistics: None,
            lists: Vec::new(),
        }
    }

    pub fn success(passed: u32) -> Self {
        Self::result("success").counts(passed, 0, 0)
    }

    /// Passed tests, and the names of the others.
    pub fn partial(passed: u32, skipped: &[&str]) -> Self {
        Self::result("partial")
            .counts(passed, skipped.len() as u32, 0)
            .skipped(skipped)
    }

    pub fn failure(passed: u32, failed: &[&str]) -> Self {
        Self::result("failure")
            .counts(passed, 0, failed.len() as u32)
            .failed(failed)
    }

    pub fn counts(mut self, passed: u32, skipped: u32, failed: u32) -> Self {
        self.statistics = Some(Statistics {
            passed,
            skipped,
            failed,
        });
        self
    }

    pub fn skipped(self, tests: &[&str]) -> Self {
        self.list("skippedTests", tests)
    }

    pub fn failed(self, tests: &[&str]) -> Self {
        self.list("failedTests", tests)
    }

    pub fn supported(self, features: &[&str]) -> Self {
        self.list("supportedFeatures", features)
    }

    pub fn unsupported(self, features: &[&str]) -> Self {
        self.list("unsupportedFeatures", features)
    }

    fn list(mut self, key: &'static str, names: &[&str]) -> Self {
        self.lists.push((key, owned(names)));
        self
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "    result: {}", scalar(&self.result));
        if let Some(counts) = self.statistics {
            let _ = writeln!(
                text,
                "    statistics:\n      Failed: {}\n      Passed: {}\n      Skipped: {}",
                counts.failed, counts.passed, counts.skipped
            );
        }
        for (key, names) in &self.lists {
            write_list(text, "    ", key, names);
        }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn write_list(text: &mut String, indent: &str, key: &str, names: &[String]) {
    let _ = write!(text, "{indent}{key}:");
    text.push_str(if names.is_empty() { " []\n" } else { "\n" });
    for name in names {
        let _ = writeln!(text, "{indent}- {}", scalar(name));
    }
}

/// Writes a YAML scalar: plain if valid, in single quotes if only the first character requires
/// them, otherwise as a JSON string.
fn scalar(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ./_-@".contains(c);
    let is_address = value.starts_with("https://") && !value.contains([' ', '"', '#']);
    let is_meant_otherwise = ["null", "true", "false", "yes", "no", "on", "off"];
    let is_word = value.chars().all(is_plain)
        && !value.ends_with(' ')
        && !is_meant_otherwise.contains(&value.to_lowercase().as_str());
    match value.chars().next() {
        Some(c) if c.is_ascii_alphabetic() && (is_word || is_address) => value.to_owned(),
        Some('@') if is_word => format!("'{value}'"),
        _ => quoted(value),
    }
}

fn quoted(value: &str) -> String {
    serde_json::to_string(value).expect("a string is JSON")
}
