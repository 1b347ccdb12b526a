use super::{CheckReport, Checked, Settings, Skipped, collect_facts};
use crate::report::facts::Block;
use crate::report::fit;
use crate::report::fit::Extent;
use crate::report::siblings;
use crate::report::view::{Report, Text};
use crate::rules::blocking::Blocking;
use crate::rules::{
    self, About, ReadmeContext, ReportContext, SubmissionContext, TextContext, YamlContext,
};
use crate::tree::Submission;
use crate::tree::load::Loaded;
use gwconform_base::api::FolderRelease;
use gwconform_base::api::Shape;
use gwconform_base::files::Unread;
use gwconform_base::release::Registry;
use gwconform_base::release::stated::{self, NO_RELEASE, ReferenceRelease};
use gwconform_base::text::diagnostic::{Place, Severity};
use gwconform_base::text::file_type::FileType;
use gwconform_base::text::source::Source;
use gwconform_yaml as yaml;

pub(super) struct Run<'a> {
    pub(super) submission: &'a Submission,
    pub(super) is_in_tree: bool,
    pub(super) settings: &'a Settings,
    pub(super) registry: &'a Registry,
    pub(super) is_to_fix: bool,
}

impl Run<'_> {
    pub(super) fn check(&self, files: Vec<Loaded>) -> CheckReport {
        let mut outcome = CheckReport {
            is_to_fix: self.is_to_fix,
            ..CheckReport::default()
        };
        let mut path = String::new();
        let mut readme = None;
        for file in files {
            if let Loaded::Folder { shown } = &file {
                path.clone_from(shown);
            }
            outcome.checked.push(Checked {
                path: file.path().to_owned(),
                submission: path.clone(),
            });
            match file {
                Loaded::Folder { .. } => outcome.counts.submissions += 1,
                Loaded::Readme {
                    source,
                    readme: parts,
                    link_targets,
                } => {
                    outcome.counts.readmes += 1;
                    self.text(
                        TextContext {
                            source: &source,
                            is_report: false,
                        },
                        &mut outcome,
                    );
                    readme = Some((source, parts, link_targets));
                }
                Loaded::Report { source, name } => {
                    self.report_file(&source, &name, &mut outcome);
                    outcome.bound_soon();
                }
                Loaded::Unreadable { shown, unread } => {
                    self.unreadable(&shown, &unread, &mut outcome);
                }
            }
        }
        outcome.counts.reports = outcome.reports.len();
        let mut reports = std::mem::take(&mut outcome.reports);
        let section = readme.as_ref().and_then(|(_, parts, _)| parts.reproduce());
        reports.iter_mut().for_each(|one| one.reproduce = section);
        let is_folder_known = self.submission.folder.is_some();
        let known = is_folder_known.then_some(reports.as_slice());
        let readme = readme.as_ref().map(|(source, readme, link_targets)| {
            ReadmeContext::new(source, readme, link_targets, self.submission, known)
        });
        if let Some(cx) = &readme {
            self.readme(cx, &mut outcome);
        }
        if self.is_in_tree {
            let cx = SubmissionContext {
                submission: self.submission,
                reports: &reports,
                names: self.settings.names(),
                path: &path,
                readme: readme.as_ref(),
            };
            let severity = |rule: &About| self.folder_severity(rule);
            outcome.run_all_with(rules::tree::SUBMISSION, self.settings, severity, &path, &cx);
        }
        outcome.reports = reports;
        outcome
    }

    fn shape(&self) -> Shape {
        if stated::is_legacy_folder(self.submission.release.as_ref()) {
            Shape::Legacy
        } else {
            Shape::Current
        }
    }

    fn file_severity(&self, rule: &About) -> Option<Severity> {
        self.settings.severity(rule, self.shape(), None)
    }

    fn folder_severity(&self, rule: &About) -> Option<Severity> {
        let minor = self.submission.release.as_ref().map(FolderRelease::minor);
        let policy = self.settings.policy(rule, minor, self.registry);
        self.settings.severity(rule, self.shape(), policy)
    }

    fn unreadable(&self, path: &str, unread: &Unread, outcome: &mut CheckReport) {
        outcome.not_read(path, unread);
        let rule = rules::tree::UNREADABLE.about();
        if self.settings.is_selected(rule) {
            let severity = self.file_severity(rule);
            outcome.run(rule, severity, path, |out| {
                rules::tree::not_read(Place::path(path), unread, out);
            });
        }
    }

    fn text(&self, cx: TextContext<'_>, outcome: &mut CheckReport) {
        let source = cx.source;
        let severity = |rule: &About| self.file_severity(rule);
        outcome.run_all_with(
            rules::text::RULES,
            self.settings,
            severity,
            source.path(),
            &cx,
        );
        if source.valid_len() < source.text().len() {
            let position = source.position(source.valid_len());
            outcome.skipped(
                source.path(),
                format!(
                    "text from line {}, column {} on: invalid UTF-8",
                    position.line, position.column
                ),
            );
        }
    }

    /// Reports the file's type once instead of the many errors in its content.
    fn other_file(&self, source: &Source, file_type: FileType, outcome: &mut CheckReport) {
        let owner = match file_type {
            FileType::Utf16 => &rules::text::ENCODING,
            _ => &rules::text::OTHER_FORMAT,
        };
        let cx = TextContext {
            source,
            is_report: true,
        };
        let severity = |rule: &About| self.file_severity(rule);
        outcome.run_all_with(&[owner], self.settings, severity, source.path(), &cx);
        let reason = "content of a file that is not YAML";
        outcome.skipped(source.path(), reason);
        outcome.unreadable.push(Skipped {
            path: source.path().to_owned(),
            reason: "the file is not YAML".to_owned(),
        });
    }

    fn report_file(&self, source: &Source, name: &str, outcome: &mut CheckReport) {
        if let Some(file_type) = source.file_type() {
            return self.other_file(source, file_type, outcome);
        }
        self.text(
            TextContext {
                source,
                is_report: true,
            },
            outcome,
        );
        let text = &source.text()[..source.valid_len()];
        let yaml = yaml::load(text);
        let cx = YamlContext {
            source,
            yaml: &yaml,
        };
        let severity = |rule: &About| self.file_severity(rule);
        outcome.run_all_with(
            rules::yaml::RULES,
            self.settings,
            severity,
            source.path(),
            &cx,
        );
        for (&kind, &count) in &yaml.issues_left_out {
            let rule = rules::yaml::rule_of(kind).about();
            outcome.leave_out(rule, self.settings, self.shape(), source.path(), count);
        }
        if yaml.read_to < text.len() {
            let position = source.position(yaml.read_to);
            outcome.skipped(
                source.path(),
                format!(
                    "text after line {}, column {}: invalid YAML",
                    position.line, position.column
                ),
            );
        }
        if yaml
            .documents
            .iter()
            .all(|document| document.root.is_none())
        {
            outcome.unreadable.push(Skipped {
                path: source.path().to_owned(),
                reason: "the file is empty".to_owned(),
            });
        }
        let last_root = yaml.documents.last().and_then(|document| document.root);
        let digest = source.digest();
        for (document, root) in yaml
            .documents
            .iter()
            .filter_map(|document| document.root)
            .enumerate()
        {
            let mut report = Report::read(&yaml, root);
            let stated = report.stated_release.map(|text| text.value);
            let folder = self.submission.release.as_ref();
            let release = ReferenceRelease::new(stated, folder, self.registry);
            if release.is_newer_than_known && stated.is_some() {
                // A newer suite may write unknown version fields.
                let is_known = |field: &Text<'_>| siblings::by_field(field.value).is_some();
                report.other_project = report.other_project.filter(is_known);
            }
            let is_cut = yaml.read_to < source.text().len() && last_root == Some(root);
            let extent = if is_cut {
                Extent::BrokenOff
            } else {
                Extent::Whole
            };
            let violations = if report.is_recognizable() && report.other_project.is_none() {
                let shape = if stated == Some(NO_RELEASE)
                    && report.mode.is_none()
                    && report.channel.is_none()
                {
                    Shape::Legacy
                } else {
                    release.shape
                };
                fit::validate(shape, extent, &yaml, root)
            } else {
                Vec::new()
            };
            let cx = ReportContext {
                source,
                yaml: &yaml,
                root,
                report: &report,
                violations: &violations,
                release: &release,
                submission: self.submission,
                registry: self.registry,
                is_cut,
                shared: Default::default(),
            };
            let blocks = self.report(&cx, outcome);
            outcome.bound_soon();
            outcome
                .reports
                .push(collect_facts::collect(&cx, name, document, digest, blocks));
        }
    }

    fn report(&self, cx: &ReportContext<'_>, outcome: &mut CheckReport) -> Vec<Block> {
        let is_other = cx.report.other_project.is_some();
        let mut blocking = Blocking::try_new(cx);
        for rule in rules::report::RULES {
            let about = rule.about();
            let applies = !is_other || about.id == rules::report::OTHER_PROJECT.about().id;
            if !applies || !self.settings.is_selected(about) {
                continue;
            }
            let severity = self.report_severity(about, cx.release);
            let first = outcome.findings.len();
            let path = cx.source.path();
            let has_run = outcome.run(about, severity, path, |out| rule.check(cx, out));
            if let (true, Some(blocking)) = (has_run, &mut blocking) {
                blocking.take(about, &outcome.findings[first..]);
            }
        }
        blocking.map(Blocking::blocks).unwrap_or_default()
    }

    fn report_severity(&self, rule: &About, release: &ReferenceRelease) -> Option<Severity> {
        let minor = release
            .version
            .as_ref()
            .map(gwconform_base::api::Version::minor);
        let policy = self.settings.policy(rule, minor, self.registry);
        self.settings.severity(rule, release.shape(), policy)
    }

    fn readme(&self, cx: &ReadmeContext<'_>, outcome: &mut CheckReport) {
        let (source, readme) = (cx.source, cx.readme);
        for bound in &readme.truncated {
            let reason = format!("{}: over the limit", bound.as_str());
            outcome.skipped(source.path(), reason);
        }
        if readme.html_table.is_some() && cx.listing.contents.table.is_none() {
            outcome.skipped(source.path(), "rows of an HTML table");
        }
        let severity = |rule: &About| self.folder_severity(rule);
        outcome.run_all_with(
            rules::readme::RULES,
            self.settings,
            severity,
            source.path(),
            cx,
        );
    }
}
