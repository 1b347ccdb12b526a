//! Simulates a run of the suite: its report and the log of `go test`. Follows `Run`, `Report` and
//! `addTestResults` of the suite, independently of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use gwconform_base::release::{Profile, Registry, Release, Test};
use serde_json::json;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Pass,
    Fail,
    /// The test is in `--skip-tests`.
    Skip,
}

#[derive(Debug, Clone)]
pub struct SuiteRun {
    pub release: &'static Release,
    pub profiles: Vec<&'static Profile>,
    pub supported: BTreeSet<String>,
    /// Results by test. Tests that are not listed pass.
    pub ends: BTreeMap<String, End>,
    pub skips_provisional: bool,
    pub root: &'static str,
    pub date: &'static str,
    pub prints_no_report: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recorded {
    Succeeded,
    Failed,
    Skipped,
    NotSupported(usize),
    ProvisionalSkipped,
}

#[derive(Debug, Default)]
struct Level {
    passed: usize,
    skipped: Vec<String>,
    failed: Vec<String>,
}

impl Level {
    fn total(&self) -> usize {
        self.passed + self.skipped.len() + self.failed.len()
    }

    fn result(&self) -> &'static str {
        match (self.failed.len(), self.skipped.len()) {
            (0, 0) => "success",
            (0, _) => "partial",
            _ => "failure",
        }
    }

    fn summary(&self) -> String {
        match self.result() {
            "success" => "succeeded".to_owned(),
            "partial" => format!("partially succeeded with {} test skips", self.skipped.len()),
            _ => format!("failed with {} test failures", self.failed.len()),
        }
    }
}

impl SuiteRun {
    /// Simulates a run of all profiles that supports every second extended feature and passes all
    /// tests.
    pub fn of(release: &'static Release) -> Self {
        let profiles: Vec<&Profile> = release.profiles().collect();
        let extended = profiles.iter().flat_map(|profile| &profile.extended);
        let all: BTreeSet<&String> = extended.collect();
        Self {
            release,
            supported: all.into_iter().step_by(2).cloned().collect(),
            profiles,
            ends: BTreeMap::new(),
            skips_provisional: false,
            root: "TestConformance",
            date: "2026-10-10T20:56:30Z",
            prints_no_report: false,
        }
    }

    pub fn releases() -> Vec<&'static Release> {
        let all = Registry::embedded().released();
        all.filter(|release| release.extended_when().is_some())
            .collect()
    }

    pub fn profile(mut self, name: &str) -> Self {
        self.profiles.retain(|profile| profile.name == name);
        assert!(!self.profiles.is_empty(), "{name}");
        let extended = self.profiles.iter().flat_map(|profile| &profile.extended);
        let of_profile: BTreeSet<&String> = extended.collect();
        self.supported
            .retain(|feature| of_profile.contains(feature));
        self
    }

    pub fn end(mut self, test: &str, end: End) -> Self {
        self.ends.insert(test.to_owned(), end);
        self
    }

    pub fn is_legacy(&self) -> bool {
        self.release.version().to_string().as_str() < "v1.1.0"
    }

    fn features(&self) -> BTreeSet<&str> {
        let core = self.profiles.iter().flat_map(|profile| &profile.core);
        core.chain(&self.supported).map(String::as_str).collect()
    }

    fn end_of(&self, test: &Test) -> End {
        self.ends.get(&test.name).copied().unwrap_or(End::Pass)
    }

    fn record(&self, test: &Test) -> Recorded {
        let features = self.features();
        let missing = test
            .features
            .iter()
            .position(|name| !features.contains(name.as_str()));
        if let Some(missing) = missing {
            return Recorded::NotSupported(missing);
        }
        match self.end_of(test) {
            // `t.Run` returns when a parallel test pauses.
            End::Fail if !test.parallel => Recorded::Failed,
            _ if self.skips_provisional && test.provisional => Recorded::ProvisionalSkipped,
            End::Skip => Recorded::Skipped,
            _ => Recorded::Succeeded,
        }
    }

    fn levels(&self, profile: &Profile) -> [Level; 2] {
        let mut levels = [Level::default(), Level::default()];
        for test in self.release.tests() {
            let has = |list: &[String], name: &String| list.contains(name);
            let is_member =
                |name: &String| has(&profile.core, name) || has(&profile.extended, name);
            if !test.features.iter().all(is_member) {
                continue;
            }
            let is_extended = test.features.iter().any(|name| {
                if self.is_legacy() {
                    has(&profile.extended, name)
                } else {
                    !has(&profile.core, name)
                }
            });
            let level = &mut levels[usize::from(is_extended)];
            match self.record(test) {
                Recorded::Succeeded => level.passed += 1,
                Recorded::Skipped => level.skipped.push(test.name.clone()),
                Recorded::Failed => level.failed.push(test.name.clone()),
                Recorded::NotSupported(_) | Recorded::ProvisionalSkipped => {}
            }
        }
        levels
    }

    pub fn report(&self) -> String {
        self.report_with(&self.release.version().to_string())
    }

    /// Report as printed in the log. Up to v1.0.x, the suite prints no version.
    pub fn printed(&self) -> String {
        if self.is_legacy() {
            self.report_with("TODO")
        } else {
            self.report()
        }
    }

    fn report_with(&self, version: &str) -> String {
        let api_version = self.release.report_api_version().unwrap();
        let mut text = format!("apiVersion: {api_version}\ndate: \"{}\"\n", self.date);
        if !self.is_legacy() {
            text.push_str("gatewayAPIChannel: standard\n");
        }
        let _ = write!(
            text,
            "gatewayAPIVersion: {version}\nimplementation:\n  contact:\n  - '@acme/maintainers'\n  organization: acme\n  project: operator\n  url: https://acme.example\n  version: v2.14.0\nkind: ConformanceReport\n"
        );
        if !self.is_legacy() {
            text.push_str("mode: default\n");
        }
        text.push_str("profiles:\n");
        for profile in &self.profiles {
            self.write_profile(profile, &mut text);
        }
        let provisional: Vec<&str> = self
            .release
            .tests()
            .filter(|test| test.provisional && self.record(test) == Recorded::Succeeded)
            .map(|test| test.name.as_str())
            .collect();
        write_list(&mut text, "", "succeededProvisionalTests", &provisional);
        text
    }

    fn write_profile(&self, profile: &Profile, text: &mut String) {
        let [core, extended] = self.levels(profile);
        text.push_str("- core:\n");
        write_level(&core, self.is_legacy(), text);
        let mut summary = format!("Core tests {}", core.summary());
        if extended.total() > 0 {
            text.push_str("  extended:\n");
            write_level(&extended, self.is_legacy(), text);
            let (supported, unsupported): (Vec<&str>, Vec<&str>) = profile
                .extended
                .iter()
                .map(String::as_str)
                .partition(|name| self.features().contains(name));
            write_list(text, "    ", "supportedFeatures", &supported);
            write_list(text, "    ", "unsupportedFeatures", &unsupported);
            let _ = write!(summary, ". Extended tests {}", extended.summary());
        }
        let _ = writeln!(text, "  name: {}", profile.report_name);
        if !self.is_legacy() {
            let _ = writeln!(text, "  summary: {summary}.");
        }
    }

    fn tests(&self) -> Vec<(String, &'static str, Vec<String>, bool)> {
        let tests = self.release.tests();
        tests
            .map(|test| {
                let name = format!("{}/{}", self.root, test.name);
                let short = &test.name;
                let (end, log) = match (self.record(test), self.end_of(test)) {
                    (Recorded::NotSupported(at), _) => {
                        let feature = &test.features[at];
                        ("SKIP", format!("conformance.go:54: Skipping {short}: suite does not support {feature}"))
                    }
                    (_, End::Skip) => {
                        ("SKIP", format!("conformance.go:66: Skipping {short}: test explicitly skipped"))
                    }
                    (_, End::Fail) => ("FAIL", "http.go:12: 2026-10-10T20:56:20Z: --- FAIL: not a result line".to_owned()),
                    _ => ("PASS", "conformance.go:72: 2026-10-10T20:56:10.5Z: Applying tests/x.yaml".to_owned()),
                };
                (name, end, vec![log], test.parallel)
            })
            .collect()
    }

    fn heading(&self) -> Vec<String> {
        let supported: Vec<&str> = self.supported.iter().map(String::as_str).collect();
        let list = supported.join(" ");
        if self.is_legacy() {
            return vec![
                "experimental_conformance_test.go:117: Running experimental conformance tests with acme GatewayClass".to_owned(),
                "     cleanup: true".to_owned(),
                "     enable all features: false ".to_owned(),
                format!("     supported features: [{}]", supported.join(",")),
                "     exempt features: []".to_owned(),
            ];
        }
        let names: Vec<&str> = self
            .profiles
            .iter()
            .map(|profile| profile.name.as_str())
            .collect();
        let mut lines = vec![
            "conformance.go:117: Running conformance tests with:".to_owned(),
            "conformance.go:135:   GatewayClass: acme".to_owned(),
            "conformance.go:140:   Enable All Features: false".to_owned(),
            format!("conformance.go:140:   Supported Features: [{list}]"),
            "conformance.go:141:   ExemptFeatures: []".to_owned(),
        ];
        if self.release.version().to_string().as_str() >= "v1.4.0" {
            let names = names.join(" ");
            lines.push(format!(
                "conformance.go:142:   ConformanceProfiles: [{names}]"
            ));
        }
        lines
    }

    fn report_lines(&self) -> Vec<String> {
        if self.prints_no_report {
            return Vec::new();
        }
        let mut lines = vec!["    conformance.go:156: Conformance report:".to_owned()];
        lines.extend(self.printed().lines().map(|line| format!("        {line}")));
        lines
    }

    fn verdict(&self) -> &'static str {
        if self.tests().iter().any(|(_, end, ..)| *end == "FAIL") {
            "FAIL"
        } else {
            "PASS"
        }
    }

    pub fn text(&self) -> String {
        let root = self.root;
        let mut lines = vec![format!("=== RUN   {root}")];
        lines.extend(self.heading().iter().map(|line| format!("    {line}")));
        let tests = self.tests();
        for (name, _, log, is_parallel) in &tests {
            lines.push(format!("=== RUN   {name}"));
            if *is_parallel {
                lines.push(format!("=== PAUSE {name}"));
            } else {
                lines.extend(log.iter().map(|line| format!("    {line}")));
            }
        }
        lines.push(format!("=== NAME  {root}"));
        lines.extend(self.report_lines());
        for (name, _, log, _) in tests.iter().filter(|(.., is_parallel)| *is_parallel) {
            lines.push(format!("=== CONT  {name}"));
            lines.extend(log.iter().map(|line| format!("    {line}")));
        }
        let depth = root.matches('/').count();
        let verdict = self.verdict();
        for (level, (at, _)) in root.match_indices('/').enumerate() {
            let indent = "    ".repeat(level);
            lines.push(format!("{indent}--- {verdict}: {} (913.00s)", &root[..at]));
        }
        let indent = "    ".repeat(depth);
        lines.push(format!("{indent}--- {verdict}: {root} (912.41s)"));
        for (name, end, ..) in &tests {
            lines.push(format!("{indent}    --- {end}: {name} (0.41s)"));
            lines.push(format!(
                "{indent}        --- PASS: {name}/Requests_should_have_it (0.10s)"
            ));
        }
        lines.push(verdict.to_owned());
        match verdict {
            "PASS" => lines.push("ok  \texample.com/acme/conformance\t912.431s".to_owned()),
            _ => lines.extend(
                ["FAIL\texample.com/acme/conformance\t912.431s", "FAIL"].map(str::to_owned),
            ),
        }
        lines.join("\n") + "\n"
    }

    /// Log in `go test -json` format. Lines are split over events, and events of different tests
    /// are interleaved.
    pub fn json(&self) -> String {
        let mut events = Vec::new();
        let mut second = 0;
        let mut event = |action: &str, test: &str, output: &str| {
            second += 1;
            let (minute, second) = (50 + second / 120 % 10, second / 2 % 60);
            let time = format!("2026-10-10T20:{minute:02}:{second:02}.5+00:00");
            let mut one = json!({"Time": time, "Action": action, "Package": "example.com/acme", "Unknown": {"deep": [1]}});
            if !test.is_empty() {
                one["Test"] = json!(test);
            }
            if !output.is_empty() {
                one["Output"] = json!(output);
            }
            events.push(one.to_string());
        };
        event("start", "", "");
        event("run", self.root, "");
        event("output", self.root, &format!("=== RUN   {}\n", self.root));
        for line in self.heading() {
            event("output", self.root, &format!("    {line}\n"));
        }
        let tests = self.tests();
        for (name, _, log, _) in &tests {
            event("run", name, "");
            // Output of another test can follow the first part of a line.
            for line in log {
                let line = format!("    {line}\n");
                let (first, rest) = line.split_at(line.len() / 2);
                event("output", name, first);
                event("output", self.root, "    conformance.go:1: between\n");
                event("output", name, rest);
            }
        }
        for line in self.report_lines() {
            event("output", self.root, &format!("{line}\n"));
        }
        for (name, end, ..) in &tests {
            event("output", name, &format!("--- {end}: {name} (0.41s)\n"));
            event(&end.to_lowercase(), name, "");
        }
        let verdict = self.verdict().to_lowercase();
        event(&verdict, self.root, "");
        event("output", "", "PASS\n");
        event(&verdict, "", "");
        let wrapper = "go: downloading example.com/acme v1.0.0\n{\"not\": \"an event\"}\n";
        format!("{wrapper}{}\n", events.join("\n"))
    }
}

fn write_level(level: &Level, is_legacy: bool, text: &mut String) {
    let failed: Vec<&str> = level.failed.iter().map(String::as_str).collect();
    let skipped: Vec<&str> = level.skipped.iter().map(String::as_str).collect();
    write_list(text, "    ", "failedTests", &failed);
    let _ = writeln!(text, "    result: {}", level.result());
    write_list(text, "    ", "skippedTests", &skipped);
    let _ = writeln!(
        text,
        "    statistics:\n      Failed: {}\n      Passed: {}\n      Skipped: {}",
        failed.len(),
        level.passed,
        skipped.len()
    );
    if is_legacy {
        text.push_str("    summary: \"\"\n");
    }
}

fn write_list(text: &mut String, indent: &str, key: &str, names: &[&str]) {
    if names.is_empty() {
        return;
    }
    let _ = writeln!(text, "{indent}{key}:");
    for name in names {
        let _ = writeln!(text, "{indent}- {name}");
    }
}
