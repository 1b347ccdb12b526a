//! What an implementation shows is a function of its own files, the configuration, the release data
//! and the date. Trees of several implementations are attacked with reports of every kind, and each
//! implementation is compared with a tree that contains only its own files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gwconform::print::certify;
use gwconform::site::{self, Input, badge};
use gwconform::workspace::{
    Changed, Depth, EntryKind, History, HistoryError, Options, PathBase, Point, Target, TreeEntry,
    Workspace,
};
use gwconform_base::files::MemoryFiles;
use gwconform_report::certify::{AsOf, DaySource};
use gwconform_report::rules::check::Selection;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::support::corpus::corpus;
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{has_time, one_in};

const TREE: &str = "conformance/reports";

/// Organizations and projects. Some differ only in where a hyphen or a separator stands.
const NAMES: [(&str, &str); 6] = [
    ("acme", "operator"),
    ("higress-group", "higress"),
    ("WSO2", "api-platform-gateway"),
    ("Varnish Software", "Varnish Gateway"),
    ("solo.io", "kgateway"),
    ("istio", "istio"),
];
const RELEASES: [&str; 6] = ["v1.3.0", "v1.4.1", "v1.5.1", "v1.6.0", "v1.6.1", "v1.7.0"];

type Name = (String, String);
type Files = BTreeMap<String, String>;

#[derive(Debug, Clone)]
struct Submission {
    name: Name,
    release: String,
    date: String,
    outcome: Outcome,
    folder: String,
    version: String,
    url: &'static str,
    /// Report to edit, with its path. `None` to write a report.
    real: Option<(String, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Outcome {
    Clean,
    Partial,
    Failing,
    ThreeTests,
    SecondDocument,
    Tab,
}

#[derive(Debug, Clone, Copy)]
enum Identity {
    Victim,
    Third,
    New,
    LookAlike,
    Accent,
    Spelling,
    MovedHyphen,
    Alias,
}

#[derive(Debug, Clone, Copy)]
enum Time {
    OfVictim,
    OtherZone,
    Fraction,
    NextSecond,
    Future,
    BeforeRelease,
    Broken,
    Own,
}

#[derive(Debug, Clone, Copy)]
enum Which {
    Same,
    Older,
    Newer,
    OtherPatch,
    Unknown,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Own,
    OfVictim,
    New,
}

#[derive(Debug, Clone)]
struct Attack {
    victim: usize,
    third: usize,
    identity: Identity,
    time: Time,
    outcome: Outcome,
    which: Which,
    place: Place,
    url: &'static str,
    copies: usize,
}

#[derive(Debug, Clone)]
struct Case {
    tree: Vec<Submission>,
    attacks: Vec<Attack>,
    config: Configuration,
    /// Configuration after the change.
    config_after: Configuration,
    day: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Configuration {
    None,
    Named,
    Alias,
    Newest,
}

impl Submission {
    /// Real reports keep their path and text.
    fn file(&self) -> (String, String) {
        match &self.real {
            Some((path, text)) if !self.version.starts_with("v9.") => (path.clone(), text.clone()),
            _ => (self.path(), self.text()),
        }
    }

    fn path(&self) -> String {
        let patch = self.release.rsplit_once('.').map_or("", |(minor, _)| minor);
        let is_recent = ["v1.5", "v1.6", "v1.7", "v1.99"].contains(&patch);
        let release = if is_recent { patch } else { &self.release };
        // Some real reports name no release.
        let release = if release.starts_with('v') {
            release
        } else {
            "v1.6"
        };
        let (folder, version) = (&self.folder, &self.version);
        format!("{TREE}/{release}/{folder}/standard-{version}-default-report.yaml")
    }

    fn text(&self) -> String {
        if let Some((_, text)) = &self.real {
            return self.edited(text);
        }
        let tests = if self.release.as_str() < "v1.6" {
            13
        } else {
            15
        };
        let core = match self.outcome {
            Outcome::Partial => Level::result("partial")
                .counts(tests - 1, 1, 0)
                .skipped(&["GRPCRouteWeight"]),
            Outcome::Failing => Level::result("failure")
                .counts(tests - 1, 0, 1)
                .failed(&["GRPCRouteWeight"]),
            Outcome::ThreeTests => Level::success(3),
            _ => Level::success(tests),
        };
        let report = ReportBuilder::new()
            .organization(&self.name.0)
            .project(&self.name.1)
            .release(&self.release)
            .version(&self.version)
            .date(&self.date)
            .url(self.url)
            .profiles([Profile::grpc().core(core).summarized()]);
        self.damaged(report.build())
    }

    fn damaged(&self, text: String) -> String {
        match self.outcome {
            Outcome::SecondDocument => format!("{text}---\n{text}"),
            Outcome::Tab => text.replace("- core:", "-\tcore:"),
            _ => text,
        }
    }

    /// Replaces the fields of a report, one line each.
    fn edited(&self, text: &str) -> String {
        let (organization, project) = &self.name;
        let mut edited = String::new();
        for line in text.lines() {
            let (key, _) = line.split_once(':').unwrap_or_default();
            let value = match key.trim_start() {
                "date" => Some(&*self.date),
                "gatewayAPIVersion" => Some(&*self.release),
                "organization" => Some(&**organization),
                "project" => Some(&**project),
                "version" => Some(&*self.version),
                "url" => Some(self.url),
                "Passed" if self.outcome == Outcome::ThreeTests => Some("3"),
                "result" if self.outcome == Outcome::Failing => Some("failure"),
                "result" if self.outcome == Outcome::Partial => Some("partial"),
                _ => None,
            };
            match value {
                Some(value) => edited += &format!("{key}: {value:?}\n"),
                None => edited += &format!("{line}\n"),
            }
        }
        self.damaged(edited).replace(": \"3\"", ": 3")
    }
}

impl Attack {
    fn submissions(&self, nth: usize, tree: &[Submission]) -> Vec<Submission> {
        let [victim, third] = [self.victim, self.third].map(|at| &tree[at % tree.len()]);
        let name = self.identity.of(&victim.name, &third.name);
        let folder = match self.place {
            Place::Own => slug(&name),
            Place::OfVictim => victim.folder.clone(),
            Place::New => "zz".to_owned(),
        };
        let one = |copy: usize| Submission {
            name: name.clone(),
            release: self.which.of(&victim.release).to_owned(),
            date: self.time.of(&victim.date),
            outcome: self.outcome,
            folder: folder.clone(),
            version: format!("v9.{nth}.{copy}"),
            url: self.url,
            real: victim.real.clone(),
        };
        (0..self.copies).map(one).collect()
    }
}

impl Identity {
    fn of(self, (organization, project): &Name, third: &Name) -> Name {
        let with = |organization: String| (organization, project.clone());
        match self {
            Self::Victim => with(organization.clone()),
            Self::Third => third.clone(),
            Self::New => ("newcomer".to_owned(), "gateway".to_owned()),
            Self::LookAlike => with(
                organization
                    .replace('o', "0")
                    .replace('m', "rn")
                    .replace('i', "\u{456}"),
            ),
            Self::Accent => with(organization.replace('i', "\u{ed}").replace('a', "\u{e1}")),
            Self::Spelling => (organization.to_uppercase(), project.replace('-', "_")),
            Self::MovedHyphen => match organization.split_once(['-', ' ', '.']) {
                Some((first, rest)) => (first.to_owned(), format!("{rest}-{project}")),
                None => (format!("{organization}-{project}"), project.clone()),
            },
            Self::Alias => ("former".to_owned(), "acme".to_owned()),
        }
    }
}

impl Time {
    fn of(self, date: &str) -> String {
        let seconds = date.trim_end_matches('Z');
        match self {
            Self::OfVictim => date.to_owned(),
            Self::OtherZone => format!("{seconds}+00:00"),
            Self::Fraction => format!("{seconds}.25Z"),
            Self::NextSecond => format!("{}1Z", &seconds[..seconds.len() - 1]),
            Self::Future => "2099-01-01T00:00:00Z".to_owned(),
            Self::BeforeRelease => "2024-01-01T00:00:00Z".to_owned(),
            Self::Broken => date.replace('T', " "),
            Self::Own => "2026-11-01T11:11:11Z".to_owned(),
        }
    }
}

impl Which {
    fn of(self, release: &str) -> &str {
        let at = RELEASES
            .iter()
            .position(|one| *one == release)
            .unwrap_or_default();
        match self {
            Self::Same => release,
            Self::Older => RELEASES[at.saturating_sub(1)],
            Self::Newer => RELEASES[(at + 1).min(RELEASES.len() - 1)],
            Self::OtherPatch if release == "v1.6.0" => "v1.6.1",
            Self::OtherPatch => "v1.4.0",
            Self::Unknown => "v1.99.0",
        }
    }
}

impl Configuration {
    fn text(self, tree: &[Submission]) -> String {
        let (organization, project) = &tree[0].name;
        let entry =
            format!("[[implementation]]\norganization = {organization:?}\nproject = {project:?}\n");
        match self {
            Self::None => String::new(),
            Self::Named => entry + "name = 'Named'\nurl = 'https://named.example'\n",
            Self::Alias => entry + "aliases = ['former/acme']\n",
            Self::Newest => "[policy]\nnewest-minor = 'v1.5'\n".to_owned(),
        }
    }

    /// Normalized name of the implementation that a report names.
    fn key(self, name: &Name, tree: &[Submission]) -> String {
        let folded = |text: &str| {
            let is_kept = |c: &char| !c.is_whitespace() && !"-_.".contains(*c);
            text.to_lowercase()
                .chars()
                .filter(is_kept)
                .collect::<String>()
        };
        let own = |name: &Name| format!("{}/{}", folded(&name.0), folded(&name.1));
        match self {
            Self::Alias if own(name) == "former/acme" => own(&tree[0].name),
            _ => own(name),
        }
    }
}

fn slug((organization, project): &Name) -> String {
    let text = format!("{organization}-{project}").to_lowercase();
    text.replace(|c: char| !c.is_ascii_alphanumeric(), "-")
}

impl Case {
    fn added(&self) -> Vec<Submission> {
        let attacks = self.attacks.iter().enumerate();
        attacks
            .flat_map(|(nth, attack)| attack.submissions(nth, &self.tree))
            .collect()
    }

    fn key(&self, submission: &Submission) -> String {
        self.config.key(&submission.name, &self.tree)
    }

    fn files(&self, submissions: &[&Submission], config: Configuration) -> Files {
        let mut files: Files = submissions
            .iter()
            .map(|submission| submission.file())
            .collect();
        files.insert("gwconform.toml".to_owned(), config.text(&self.tree));
        files
    }

    fn shown(&self, submissions: &[&Submission]) -> BTreeMap<String, Value> {
        let files = self.files(submissions, self.config);
        let mut all = BTreeMap::new();
        for (name, one) in shown(&files, self.day) {
            let other = all.insert(self.config.key(&name, &self.tree), one);
            assert_eq!(other, None, "{name:?} is shown twice");
        }
        all
    }
}

fn open(files: &Files) -> Workspace {
    let files = files.iter();
    let files = files.map(|(path, text)| (PathBuf::from(path), text.clone().into_bytes()));
    let files = MemoryFiles::new(files).expect("paths are valid");
    let options = Options {
        target: Target::Paths(vec![TREE.into()]),
        ..Options::default()
    };
    Workspace::open(files, options).expect("a tree")
}

fn as_of(day: Option<&str>) -> AsOf {
    AsOf {
        day: day.map(|day| day.parse().expect("a date")),
        from: DaySource::Commit,
    }
}

/// Everything that each implementation shows, with its name.
fn shown(files: &Files, day: Option<&str>) -> Vec<(Name, Value)> {
    let workspace = open(files);
    let tree = workspace
        .certify(PathBase::WorkingDir, &|_| {})
        .expect("verdicts")
        .whole()
        .expect("a tree that can be read");
    let as_of = as_of(day);
    let catalog = tree.catalog_as_of(as_of);
    let certified =
        serde_json::to_value(certify::Verdicts::new(&catalog, tree.config())).expect("JSON");
    let data = site::data_files(&Input {
        catalog: &catalog,
        registry: tree.registry(),
        tree: "",
        config: tree.config(),
        unreleased: None,
        findings: &[],
        sections: None,
        base: None,
        revision: None,
        modules: &[],
    });
    let data = |name: &str, list: &str| -> Vec<Value> {
        let path = format!("api/v1/{name}.json");
        let file = data.iter().find(|file| file.path == path);
        let bytes = &file.expect("a data file").bytes;
        let mut all: Value = serde_json::from_slice(bytes).expect("JSON");
        serde_json::from_value(all[list].take()).expect("a list")
    };
    let implementations = data("implementations", "implementations");
    let (reports, support) = (data("reports", "reports"), data("support", "reports"));
    let scopes = badge::BadgeScopes::new(tree.registry());
    let mut all = Vec::new();
    let certified = certified["implementations"].as_array().expect("a list");
    for (one, certified) in catalog.implementations.iter().zip(certified) {
        let name = (one.organization.to_owned(), one.project.to_owned());
        let is_own = |value: &&Value| value["implementation"] == *one.slug;
        let own = |all: &[Value]| all.iter().filter(is_own).cloned().collect::<Vec<_>>();
        let badges: BTreeMap<_, _> = badge::files_of(&catalog, &scopes, one)
            .into_iter()
            .collect();
        let mut value = json!({
            "certify": certified,
            "implementation": own(&implementations),
            "reports": own(&reports),
            "support": own(&support),
            "badges": badges,
        });
        drop_counts(&mut value);
        all.push((name, value));
    }
    all
}

/// Findings compare reports, so their numbers depend on other implementations.
fn drop_counts(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["errors", "warnings", "infos", "findings", "preference"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(drop_counts);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_counts),
        _ => {}
    }
}

fn attack() -> impl Strategy<Value = Attack> {
    use Identity::{Accent, Alias, LookAlike, MovedHyphen, Spelling, Third, Victim};
    let identities = [
        Victim,
        Third,
        Identity::New,
        LookAlike,
        Accent,
        Spelling,
        MovedHyphen,
        Alias,
    ];
    let times = [
        Time::OfVictim,
        Time::OtherZone,
        Time::Fraction,
        Time::NextSecond,
        Time::Future,
        Time::BeforeRelease,
        Time::Broken,
        Time::Own,
    ];
    let outcomes = [
        Outcome::Clean,
        Outcome::Partial,
        Outcome::Failing,
        Outcome::ThreeTests,
        Outcome::SecondDocument,
        Outcome::Tab,
    ];
    let releases = [
        Which::Same,
        Which::Older,
        Which::Newer,
        Which::OtherPatch,
        Which::Unknown,
    ];
    let places = [Place::Own, Place::OfVictim, Place::New];
    let urls = ["https://acme.example", "https://evil.example"];
    let identities = select(identities.to_vec());
    (
        (any::<usize>(), any::<usize>(), identities),
        select(times.to_vec()),
        select(outcomes.to_vec()),
        select(releases.to_vec()),
        select(places.to_vec()),
        select(urls.to_vec()),
        1_usize..4,
    )
        .prop_map(|(who, time, outcome, which, place, url, copies)| Attack {
            victim: who.0,
            third: who.1,
            identity: who.2,
            time,
            outcome,
            which,
            place,
            url,
            copies,
        })
}

fn tree() -> impl Strategy<Value = Vec<Submission>> {
    let outcomes = [
        Outcome::Clean,
        Outcome::Clean,
        Outcome::Partial,
        Outcome::Failing,
        Outcome::ThreeTests,
    ];
    let report = (select(RELEASES.to_vec()), select(outcomes.to_vec()));
    let party = vec(report, 1..5);
    vec(party, 2..6).prop_map(|parties| {
        let mut submissions = Vec::new();
        for ((name, reports), who) in NAMES.iter().zip(parties).zip(0..) {
            let name = (name.0.to_owned(), name.1.to_owned());
            for ((release, outcome), nth) in reports.into_iter().zip(0..) {
                let minor = release.split('.').nth(1).unwrap_or_default();
                let date = match minor {
                    "6" | "7" => format!("2026-08-0{}T1{who}:15:30Z", nth + 1),
                    _ => format!("2026-05-0{}T1{who}:15:30Z", nth + 1),
                };
                submissions.push(Submission {
                    folder: slug(&name),
                    name: name.clone(),
                    release: release.to_owned(),
                    date,
                    outcome,
                    version: format!("v1.{nth}.0"),
                    url: "https://acme.example",
                    real: None,
                });
            }
        }
        submissions
    })
}

fn case() -> impl Strategy<Value = Case> {
    let configurations = [
        Configuration::None,
        Configuration::Named,
        Configuration::Alias,
        Configuration::Newest,
    ];
    let days = [
        None,
        Some("2025-12-24"),
        Some("2026-06-01"),
        Some("2026-11-20"),
    ];
    (
        tree(),
        vec(attack(), 1..7),
        select(configurations.to_vec()),
        prop_oneof![3 => Just(None), 1 => select(configurations.to_vec()).prop_map(Some)],
        select(days.to_vec()),
    )
        .prop_map(|(tree, attacks, config, config_after, day)| Case {
            tree,
            attacks,
            config,
            config_after: config_after.unwrap_or(config),
            day,
        })
}

/// Checks the law for a tree and the files that are added to it.
fn check(case: &Case) {
    let added = case.added();
    let before: Vec<&Submission> = case.tree.iter().collect();
    let after: Vec<&Submission> = case.tree.iter().chain(&added).collect();
    let (old, new) = (case.shown(&before), case.shown(&after));
    let attacked: BTreeSet<String> = added
        .iter()
        .map(|submission| case.key(submission))
        .collect();
    let is_refused = |submission: &&Submission| {
        let (path, _) = submission.file();
        let reports = new
            .values()
            .flat_map(|one| list(&one["certify"]["reports"]));
        let of_file = reports.filter(|report| path.ends_with(report["path"].as_str().unwrap()));
        let mut profiles = of_file.flat_map(|report| list(&report["profiles"]));
        !profiles.any(|profile| {
            ["conformant", "partial", "failing"]
                .iter()
                .any(|one| profile["status"] == *one)
        })
    };
    let are_refused = added.iter().all(|submission| is_refused(&submission));
    for (name, shown) in &new {
        // The others are compared with the tree before the attacks, which contains less.
        if attacked.contains(name) {
            let own: Vec<&Submission> = (after.iter().copied())
                .filter(|submission| case.key(submission) == *name)
                .collect();
            assert!(!own.is_empty(), "no report of {name}");
            let alone = case.shown(&own);
            same(shown, &alone[name], &format!("{name} alone"));
        }
        let Some(earlier) = old.get(name) else {
            continue;
        };
        if !attacked.contains(name) {
            same(earlier, shown, &format!("{name} before"));
        }
        for family in list(&earlier["certify"]["families"]) {
            let is_same = |other: &&Value| other["family"] == family["family"];
            let now = list(&shown["certify"]["families"]).find(is_same);
            let verdict = now.map_or("none", |now| now["standing"].as_str().unwrap());
            let before = family["standing"].as_str().unwrap();
            assert!(
                rank(verdict) >= rank(before),
                "{name}: {verdict}, was {before}"
            );
        }
        let has_sound = before
            .iter()
            .any(|submission| case.key(submission) == *name && !is_refused(submission));
        if are_refused && has_sound {
            let [earlier, shown] = [earlier, shown].map(without_reports);
            same(&earlier, &shown, &format!("{name} before refused reports"));
        }
    }
}

fn rank(verdict: &str) -> usize {
    // A family without a sufficient report may have an entry or not.
    let all = ["not-current", "partially-conformant", "conformant"];
    let verdict = if verdict == "none" {
        "not-current"
    } else {
        verdict
    };
    all.iter()
        .position(|one| *one == verdict)
        .expect("a verdict")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Without the list of reports.
fn without_reports(shown: &Value) -> Value {
    let mut shown = shown.clone();
    for field in ["reports", "support"] {
        shown[field].take();
    }
    shown["certify"]["reports"].take();
    shown["implementation"][0]["reports"].take();
    shown
}

fn same(one: &Value, other: &Value, what: &str) {
    if one != other {
        let text = |value: &Value| serde_json::to_string_pretty(value).expect("JSON");
        let (one, other) = (text(one), text(other));
        let mut differ = one.lines().zip(other.lines()).filter(|(a, b)| a != b);
        let first = differ.next().map(|(a, b)| format!("{a:.300} | {b:.300}"));
        panic!("{what}: {first:?}");
    }
}

/// Earlier files of a repository at the root folder. The id of an object is its path.
struct Base<'f> {
    files: &'f Files,
    changed: Vec<Changed>,
}

impl<'f> Base<'f> {
    fn new(files: &'f Files, now: &Files) -> Self {
        let paths: BTreeSet<&String> = files.keys().chain(now.keys()).collect();
        let changed = paths
            .into_iter()
            .filter(|path| files.get(*path) != now.get(*path));
        let changed = changed.map(|path| Changed {
            path: Path::new("/").join(path),
            before: files.contains_key(path).then(|| path.clone()),
            is_there: now.contains_key(path),
            is_link: false,
            was_link: false,
        });
        Self {
            files,
            changed: changed.collect(),
        }
    }
}

impl History for Base<'_> {
    fn name(&self) -> &'static str {
        "main"
    }

    fn commit(&self) -> &'static str {
        "0123456789abcdef0123456789abcdef01234567"
    }

    fn committed(&self, _: &Path) -> Result<Option<jiff::Timestamp>, HistoryError> {
        Ok(None)
    }

    fn has_moved_on(&self) -> bool {
        false
    }

    fn changed(&self) -> &[Changed] {
        &self.changed
    }

    fn entries(&self, _: Point, path: &Path, depth: Depth) -> Result<Vec<TreeEntry>, HistoryError> {
        let is_named = |file: &Path| match depth {
            Depth::Named => file == path,
            Depth::Files => file.starts_with(path),
        };
        let files = self.files.keys().filter(|file| is_named(Path::new(file)));
        let entry = |file: &String| TreeEntry {
            path: file.into(),
            id: file.clone(),
            kind: EntryKind::File,
        };
        Ok(files.map(entry).collect())
    }

    fn read(&self, id: &str) -> Result<Result<Vec<u8>, String>, HistoryError> {
        Ok(Ok(self.files[id].clone().into_bytes()))
    }

    fn below(&self, path: &Path) -> Option<PathBuf> {
        path.strip_prefix("/").ok().map(Path::to_owned)
    }

    fn absolute(&self, below: &Path) -> PathBuf {
        Path::new("/").join(below)
    }
}

/// Verdict, reason and report by family and normalized name.
type Verdicts = BTreeMap<(String, String), Value>;

/// If a new alias joins two implementations, the better verdict is compared.
fn verdicts_of(shown: &[(Name, Value)], key: &dyn Fn(&Name) -> String) -> Verdicts {
    let mut all = Verdicts::new();
    for (name, one) in shown {
        for family in list(&one["certify"]["families"]) {
            let key = (key(name), family["family"].to_string());
            let verdict = json!([family["standing"], family["reason"], family["path"]]);
            let of = |verdict: &Value| rank(verdict[0].as_str().expect("a verdict"));
            if all.get(&key).is_none_or(|other| of(other) < of(&verdict)) {
                all.insert(key, verdict);
            }
        }
    }
    all
}

/// Checks that the preview of a change shows the difference between the verdicts before and after.
fn check_preview(case: &Case) {
    let added = case.added();
    let before: Vec<&Submission> = case.tree.iter().collect();
    let after: Vec<&Submission> = case.tree.iter().chain(&added).collect();
    let old = case.files(&before, case.config);
    let new = case.files(&after, case.config_after);
    let key = |name: &Name| case.config_after.key(name, &case.tree);
    let [old_verdicts, new_verdicts] =
        [&old, &new].map(|files| verdicts_of(&shown(files, case.day), &key));
    let base = Base::new(&old, &new);
    let workspace = open(&new);
    let review = workspace.review(&Selection::default(), &base, as_of(case.day), &|_| {});
    let review = review.expect("a review").review;
    let mut previewed = BTreeSet::new();
    for change in &review.verdicts {
        let change = serde_json::to_value(change).expect("JSON");
        let text = |field: &str| change[field].as_str().unwrap_or_default().to_owned();
        let key = (
            key(&(text("organization"), text("project"))),
            change["family"].to_string(),
        );
        let verdict = |side: &Value| {
            let side = side.as_object()?;
            Some(json!([side["standing"], side["reason"], side["path"]]))
        };
        assert_eq!(
            verdict(&change["before"]).as_ref(),
            old_verdicts.get(&key),
            "{key:?} before"
        );
        assert_eq!(
            verdict(&change["after"]).as_ref(),
            new_verdicts.get(&key),
            "{key:?} after"
        );
        previewed.insert(key);
    }
    let all: BTreeSet<_> = old_verdicts.keys().chain(new_verdicts.keys()).collect();
    for key in all {
        let standing = |all: &Verdicts| all.get(key).map(|verdict| verdict[0].clone());
        let is_changed = standing(&old_verdicts) != standing(&new_verdicts);
        assert!(
            !is_changed || previewed.contains(key),
            "{key:?} is not previewed"
        );
    }
}

fn seed(identity: Identity, time: Time, outcome: Outcome, which: Which, place: Place) -> Attack {
    Attack {
        victim: 0,
        third: 3,
        identity,
        time,
        outcome,
        which,
        place,
        url: "https://evil.example",
        copies: 1,
    }
}

/// Attacks that once changed what somebody else shows.
#[test]
fn known_attacks_do_not_change_other_implementations() {
    use Identity::{Accent, LookAlike, MovedHyphen, Spelling, Third, Victim};
    use Outcome::{Clean, Failing, ThreeTests};
    use Place::{OfVictim, Own};
    use Time::{BeforeRelease, Future};
    use Which::{Older, Same};
    let old = |attack: Attack| Attack {
        copies: 2,
        ..attack
    };
    let backdated = old(seed(Identity::New, Time::Own, Clean, Older, Own));
    let copy = seed(Identity::New, Time::OfVictim, Clean, Same, Own);
    let attacks = [
        // A run under the name of a third party.
        vec![seed(Third, Time::OfVictim, Clean, Same, Place::New)],
        vec![seed(Third, Time::OfVictim, Failing, Same, Place::New)],
        vec![old(seed(LookAlike, Time::Own, Clean, Older, Own))],
        // History of a newcomer, and refused reports with the dates of the victim.
        vec![backdated.clone(), copy.clone()],
        vec![
            old(seed(Identity::New, Time::OfVictim, ThreeTests, Older, Own)),
            backdated,
            copy.clone(),
        ],
        // Reports that set the date.
        vec![
            seed(Third, Future, ThreeTests, Same, Own),
            seed(Victim, Future, ThreeTests, Same, Own),
        ],
        vec![old(seed(Identity::New, Future, Clean, Same, Own))],
        // Website, spelling, address.
        vec![seed(Victim, Time::Own, ThreeTests, Same, Place::New)],
        vec![old(seed(Spelling, Time::Own, Clean, Older, Own))],
        vec![seed(Spelling, Time::Own, Clean, Same, Place::New)],
        vec![old(seed(MovedHyphen, Time::Own, Failing, Same, OfVictim))],
        vec![seed(Victim, BeforeRelease, Clean, Same, Own)],
        vec![seed(Accent, Time::OfVictim, Clean, Same, Own)],
        vec![Attack {
            copies: 16,
            ..seed(Victim, Time::Own, ThreeTests, Same, Place::New)
        }],
    ];
    let submission = |name: (&str, &str), nth: usize, release: &str| Submission {
        name: (name.0.to_owned(), name.1.to_owned()),
        release: release.to_owned(),
        date: format!("2026-08-1{nth}T10:15:30Z"),
        outcome: Clean,
        folder: slug(&(name.0.to_owned(), name.1.to_owned())),
        version: format!("v1.{nth}.0"),
        url: "https://acme.example",
        real: None,
    };
    let tree = vec![
        submission(NAMES[1], 0, "v1.6.1"),
        submission(NAMES[2], 1, "v1.5.1"),
        submission(NAMES[2], 2, "v1.6.1"),
        submission(NAMES[5], 3, "v1.4.1"),
        submission(NAMES[5], 4, "v1.6.1"),
    ];
    let step = one_in(2);
    for (nth, attacks) in attacks.into_iter().enumerate() {
        let configs = [Configuration::None, Configuration::Named].into_iter();
        for config in configs.skip(nth % step).step_by(step) {
            let mut case = Case {
                tree: tree.clone(),
                attacks: attacks.clone(),
                config,
                config_after: config,
                day: Some("2026-08-21"),
            };
            check(&case);
            check_preview(&case);
            // The copy is there before the original.
            let added = case.added();
            case.attacks.clear();
            case.tree = tree[1..].iter().cloned().chain(added).collect();
            check(&case);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::with_cases(if has_time() { 256 } else { 12 }) })]

    #[test]
    fn an_implementation_shows_only_what_its_own_files_say(case in case()) {
        check(&case);
        check_preview(&case);
    }
}

/// Reports of the real tree, by implementation.
fn real(corpus: &Path) -> Vec<Vec<Submission>> {
    let root = corpus.join("gateway-api");
    let mut all: BTreeMap<String, Vec<Submission>> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root.join(TREE)).sort_by_file_name() {
        let entry = entry.expect("a readable tree");
        let path = entry
            .path()
            .strip_prefix(&root)
            .expect("a path of the tree");
        let Some(text) = (path.extension().is_some_and(|end| end == "yaml"))
            .then(|| std::fs::read_to_string(entry.path()).expect("text"))
        else {
            continue;
        };
        let field = |name: &str| {
            let mut lines = text.lines().map(str::trim_start);
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            value
                .unwrap_or_default()
                .trim()
                .trim_matches(['"', '\''])
                .to_owned()
        };
        let name = (field("organization"), field("project"));
        if name.0.is_empty() || name.1.is_empty() {
            continue;
        }
        let folder = path.parent().and_then(Path::file_name).expect("a folder");
        let submission = Submission {
            release: field("gatewayAPIVersion"),
            date: field("date"),
            outcome: Outcome::Clean,
            folder: folder.to_string_lossy().into_owned(),
            version: field("version"),
            url: "",
            real: Some((path.to_string_lossy().into_owned(), text.clone())),
            name,
        };
        let key = Configuration::None.key(&submission.name, &[]);
        all.entry(key).or_default().push(submission);
    }
    all.into_values().collect()
}

/// Attacks implementations of the real tree. `.ci/long` runs 20,000 cases.
#[test]
fn an_implementation_of_the_real_tree_shows_only_what_its_own_files_say() {
    let Some(corpus) = corpus() else { return };
    let all = real(&corpus);
    assert!(all.len() > 30, "{}", all.len());
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(if has_time() { 20_000 } else { 4 })
    };
    let parties = vec(any::<Index>(), 2..6);
    proptest!(config, |(parties in parties, case in case())| {
        let parties: BTreeMap<usize, &Vec<Submission>> = parties
            .iter()
            .map(|index| (index.index(all.len()), index.get(&all)))
            .collect();
        let case = Case {
            tree: parties.into_values().flatten().cloned().collect(),
            ..case
        };
        check(&case);
        check_preview(&case);
    });
}
