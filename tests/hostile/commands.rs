//! Tests each command and format of the help with hostile files, arguments and programs. Nothing of
//! these becomes a workflow command or a terminal sequence.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use regex::Regex;

use super::bounded::{Call, Ran, can_be_seen};
use super::support::folder::Folder;
use super::support::git::commit_all;
use super::support::{one_in, write_program};
use super::table::Case;
use super::text::{readme, report};

/// Text that acts in a workflow at the start of a line, and in the middle of one.
const TEXT: &str = "::stop-commands::m001k ##[add-mask]m001k";
const UNSEEN: &str = "::add-mask::m001k\u{1b}]0;m001k\u{7}\r\n::error::m001k\u{202e}##[error]m001k";
const MARK: &str = "m001k";

const MANIFESTS: &str = "manifests.yaml";
const REPORT: &str = "reports/v1.5/p000/shown-report.yaml";

/// Outputs with the exact bytes of files (SECURITY.md).
const EXACT: &[(&str, &str)] = &[
    ("check", "--diff"),
    ("add", "--dry-run"),
    ("export", "--check"),
];

#[derive(Debug, Clone)]
struct Shape {
    command: String,
    /// Required options and all positional arguments, with the names of their values.
    operands: Vec<(String, bool)>,
    required: Vec<String>,
    options: BTreeMap<String, Takes>,
}

#[derive(Debug, Clone)]
enum Takes {
    Nothing,
    Value,
    One(Vec<String>),
}

fn help(command: &str) -> String {
    let ran = Call::new(Path::new("."), &format!("help {command}")).run();
    assert_eq!(ran.code, 0, "{command}");
    ran.text().to_owned()
}

fn shapes(command: &str, all: &mut Vec<Shape>) {
    let is_program = command.is_empty();
    let help = help(if is_program { "--all" } else { command });
    let below = if is_program {
        help.split("\nOptions:\n").next()
    } else {
        let listed = help.split_once("\nCommands:\n");
        listed.and_then(|(_, listed)| listed.split("\n\n").next())
    };
    let below = below.unwrap_or_default();
    let name = Regex::new("(?m)^  ([a-z-]+)(?:  |$)").unwrap();
    let names = name.captures_iter(below).map(|found| found[1].to_owned());
    let mut names: Vec<String> = names.filter(|name| name != "help").collect();
    if is_program {
        names.sort();
    }
    for name in &names {
        shapes(format!("{command} {name}").trim_start(), all);
    }
    let usage = help
        .lines()
        .find_map(|line| line.strip_prefix("Usage: "))
        .unwrap();
    if usage.ends_with("<COMMAND>") {
        return;
    }
    let usage = usage.strip_prefix("gwconform ").unwrap();
    let usage = usage
        .strip_prefix(command)
        .unwrap()
        .replace("[OPTIONS]", "");
    let required = Regex::new("--([a-z-]+) <").unwrap();
    let required: Vec<String> = (required.captures_iter(&usage))
        .map(|found| format!("--{}", &found[1]))
        .collect();
    let operands = Regex::new("--[a-z-]+ <[^ ]+>")
        .unwrap()
        .replace_all(&usage, "");
    let operands = operands.split_whitespace().map(|word| {
        let name = word.trim_matches(['[', ']', '<', '>', '.']);
        (name.to_owned(), word.starts_with('<'))
    });
    let option = Regex::new(r"(?m)^ +(?:-[a-z], )?(--[a-z-]+)( <[^\n>]+>)?").unwrap();
    let values = Regex::new(r"\[possible\s+values:\s+([^\]]+)\]").unwrap();
    let described = Regex::new(r"(?m)^ +- ([a-z0-9-]+):").unwrap();
    let starts: Vec<_> = option.captures_iter(&help).collect();
    let mut options = BTreeMap::new();
    for (nth, found) in starts.iter().enumerate() {
        let end = starts
            .get(nth + 1)
            .map_or(help.len(), |next| next.get_match().start());
        let about = &help[found.get_match().end()..end];
        let each: Vec<String> = described
            .captures_iter(about)
            .map(|one| one[1].to_owned())
            .collect();
        let takes = match (found.get(2), values.captures(about)) {
            (None, _) => Takes::Nothing,
            (Some(_), None) if !each.is_empty() => Takes::One(each),
            (Some(_), None) => Takes::Value,
            (Some(_), Some(named)) => {
                let named = named[1].split(',').map(|name| name.trim().to_owned());
                Takes::One(named.collect())
            }
        };
        if !matches!(&found[1], "--help" | "--version") {
            options.insert(found[1].to_owned(), takes);
        }
    }
    all.push(Shape {
        command: command.to_owned(),
        operands: operands.collect(),
        required,
        options,
    });
}

/// Value of an option or of a positional argument. A new one has to be named here.
fn value(command: &str, name: &str) -> &'static str {
    match (command, name) {
        ("check" | "site", "PATH") => "reports",
        (_, "--in" | "TREE" | "TREE|NAME") => "reports",
        (_, "--class" | "--mesh") | ("needs", "PATH") | ("resources", "FILE") => MANIFESTS,
        ("releases diff", "OLD") => "v1.5.1",
        ("releases diff", "NEW") => "v1.6.1",
        ("diff", "OLD") => "stop-commands",
        (_, "REPORT" | "--report") => REPORT,
        (_, "NEW") => "reports/v1.5/p000/all-report.yaml",
        (_, "--log" | "--from-log") => "run.log",
        (_, "FACTS") => "facts/v1.9.json",
        (_, "CHECKOUTS") => "v1.6.1",
        (_, "--color") => "always",
        (_, "--config") => "hostile.toml",
        (_, "--registry") => "facts",
        (_, "--statements") => "statements",
        (_, "--baseline") => "accepted.json",
        (_, "--details" | "--integrations") => "list",
        (_, "--header" | "--footer" | "--wasm") => "text.md",
        (_, "--since") => "HEAD",
        (_, "--out" | "--write-baseline" | "--references") => "made",
        (_, "--also") => "json=made",
        ("features", "NAME") | (_, "--skip-tests") => "HTTPRouteCORS",
        (_, "--supported-features" | "--unsupported-features" | "--exempt-features") => {
            "HTTPRouteCORS"
        }
        ("tests", "NAME") => "HTTPRouteWeight",
        (_, "NAME" | "NAME|REPORT" | "--to" | "--from") => "stop-commands",
        (_, "--channel") => "standard",
        (_, "--profile") => "GATEWAY-HTTP",
        ("badge", "--release") => "v1.6",
        (_, "--release" | "--base") => "v1.6.1",
        (_, "--crds") => "v1.6/standard",
        (_, "--as-of" | "--date") => "2026-06-01",
        (_, "--run") => "1",
        (_, "--commit" | "--source-revision") => "0123456789012345678901234567890123456789",
        (_, "--select" | "--ignore") => "report",
        ("explain", "RULE") => "report/date",
        (_, "--release-url" | "--log-url" | "--base-url") => "https://acme.example",
        (_, "--stdin-filename" | "--context") => TEXT,
        ("completions", "SHELL") => "bash",
        ("export", "WHAT") => "list",
        ("man", "COMMAND") => "check",
        ("schema", "OF") => "findings",
        _ => panic!("which value has {name} of `{command}`?"),
    }
}

fn folder() -> &'static Folder {
    static FOLDER: OnceLock<Folder> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Folder::new();
        for (nth, text) in [TEXT, UNSEEN].into_iter().enumerate() {
            let path = format!("reports/v1.5/p{nth:03}");
            folder
                .file(&format!("{path}/README.md"), readme(text))
                .file(&format!("{path}/shown-report.yaml"), report(text, false))
                .file(&format!("{path}/all-report.yaml"), report(text, true));
        }
        let line = TEXT;
        let quoted = serde_json::to_string(UNSEEN).unwrap();
        folder
            .file(
                MANIFESTS,
                format!(
                    "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {{name: {quoted}}}\nspec: {{controllerName: '{line}'}}\nstatus: {{supportedFeatures: [{{name: '{line}'}}]}}\n---\napiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: XMesh\nmetadata: {{name: '{line}'}}\nstatus: {{supportedFeatures: [{{name: {quoted}}}]}}\n---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: '{line}', namespace: {quoted}, annotations: {{{quoted}: '{line}'}}}}\nspec:\n  parentRefs: [{{name: '{line}', sectionName: {quoted}}}]\n  hostnames: ['{line}', {quoted}]\n  rules: [{{backendRefs: [{{name: '{line}', kind: {quoted}}}], filters: [{{type: '{line}'}}], {quoted}: 1}}]\n---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: '{line}', annotations: {{'nginx.ingress.kubernetes.io/{line}': {quoted}, 'nginx.ingress.kubernetes.io/rewrite-target': '{line}'}}}}\nspec: {{ingressClassName: nginx, rules: [{{host: {quoted}}}]}}\n---\n{line}: [\n"
                ),
            )
            .file(
                "run.log",
                format!(
                    "=== RUN   TestConformance\n{line}\n=== RUN   TestConformance/{line}\n    --- FAIL: TestConformance/{line} (0.00s)\n{UNSEEN}\n--- FAIL: TestConformance (0.00s)\nFAIL {line}\n"
                ),
            )
            .file(
                "hostile.toml",
                format!(
                    "{quoted} = 1\n[[implementation]]\norganization = '{line}'\nproject = {quoted}\nname = '{line}'\n[rules]\n'{line}' = 'off'\n"
                ),
            )
            .file("facts/v1.9.json", format!("{{\"version\": {quoted}, {quoted}: 1}}"))
            .file("statements/a.json", format!("{{\"_type\": {quoted}}}"))
            .file("accepted.json", format!("{{\"version\": 1, {quoted}: [{quoted}]}}"))
            .file(
                "list/a/details.yaml",
                format!(
                    "kind: ImplementationListDetails\norganization: {quoted}\nproject: '{line}'\nfullName: '{line}'\n"
                ),
            )
            .file("list/b/details.yaml", format!("{line}\n"))
            .file("text.md", "text\n")
            .file(
                "v1.6.1/config/crd/standard/a.yaml",
                format!("kind: CustomResourceDefinition\nmetadata: {{name: {quoted}}}\n"),
            );
        let answers = "case \"$*\" in *api-resources*) echo gateways.gateway.networking.k8s.io; echo httproutes.gateway.networking.k8s.io;; *secrets*) ;; *) cat manifests.yaml;; esac; cat message >&2; exit 1";
        folder.file("message", format!("{UNSEEN}\n {line}\nError from server: {line}\n"));
        fs::create_dir(folder.path().join("bin")).unwrap();
        write_program(&folder.path().join("bin/kubectl"), answers);
        commit_all(folder.path());
        fs::create_dir(folder.path().join("git")).unwrap();
        write_program(&folder.path().join("git/git"), "cat message >&2; cat message; exit 128");
        folder
    })
}

impl Shape {
    /// Arguments in all forms that are tested, and whether the form is always tested.
    fn forms(&self) -> Vec<(Vec<String>, bool)> {
        let own = |name: &str| value(&self.command, name).to_owned();
        let required: Vec<String> = (self.required.iter())
            .flat_map(|option| [option.clone(), own(option)])
            .collect();
        let operands = |is_all: bool| {
            let operands = self
                .operands
                .iter()
                .filter(move |(_, is_required)| is_all || *is_required);
            operands.map(|(name, _)| own(name)).collect::<Vec<_>>()
        };
        let bases = [true, false].map(|is_all| [required.clone(), operands(is_all)].concat());
        let with = |base: &[String], more: &[&str]| {
            let more = more.iter().copied().map(str::to_owned);
            base.iter().cloned().chain(more).collect::<Vec<_>>()
        };
        let mut forms = Vec::new();
        for base in &bases {
            forms.push((base.clone(), true));
            for (option, takes) in &self.options {
                match takes {
                    Takes::Nothing => forms.push((with(base, &[option]), option == "--cluster")),
                    Takes::Value => {
                        forms.push((with(base, &[option, &own(option)]), option == "--in"))
                    }
                    Takes::One(values) => {
                        let is_format = option == "--format";
                        let values = values.iter().take(if is_format { values.len() } else { 1 });
                        forms.extend(values.map(|one| (with(base, &[option, one]), is_format)));
                    }
                }
            }
        }
        for (option, takes) in &self.options {
            if !matches!(takes, Takes::Nothing) {
                let wrong = format!("{option}={UNSEEN}");
                let is_always = self.operands.is_empty();
                forms.push((with(&bases[0], &[&wrong]), is_always));
            }
        }
        for nth in 0..self.operands.len() {
            for text in [TEXT, UNSEEN] {
                let mut wrong: Vec<String> =
                    self.operands.iter().map(|(name, _)| own(name)).collect();
                text.clone_into(&mut wrong[nth]);
                let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
                forms.push((with(&required, &wrong), true));
            }
        }
        forms.dedup();
        forms
    }

    fn run(&self, form: &[String], git: &str) -> Ran {
        let folder = copy();
        let usual = std::env::var("PATH").unwrap();
        let path = format!("{0}/{git}{0}/bin:{usual}", folder.path().display());
        self.call(form, &folder).env("PATH", path).run()
    }

    fn call(&self, form: &[String], folder: &Folder) -> Call {
        let call = Call::new(folder.path(), &self.command);
        form.iter().fold(call, Call::arg)
    }

    /// The first form that reads the tree, alone and with each option without a value.
    fn of_tree(&self) -> Vec<Vec<String>> {
        let reads_tree = |form: &Vec<String>| form.iter().any(|word| word == "reports");
        let forms = self.forms().into_iter().map(|(form, _)| form);
        let Some(mut first) = forms.into_iter().find(reads_tree) else {
            return Vec::new();
        };
        if self.command == "resources" {
            let crds = value("resources", "--crds").to_owned();
            first.extend(["--crds".to_owned(), crds]);
        }
        let flags = self.options.iter();
        let flags = flags.filter(|(option, takes)| {
            let reads_tree = match option.as_str() {
                "--allow-unread" | "--hook" => false,
                "--dry-run" => !["needs", "resources"].contains(&self.command.as_str()),
                _ => true,
            };
            reads_tree && matches!(takes, Takes::Nothing)
        });
        let with = flags.map(|(option, _)| [&first[..], std::slice::from_ref(option)].concat());
        std::iter::once(first.clone()).chain(with).collect()
    }
}

fn copy() -> Folder {
    let copy = Folder::new();
    let all = folder().path().join(".");
    let copied = Command::new("cp")
        .arg("-al")
        .arg(all)
        .arg(copy.path())
        .status();
    assert!(copied.unwrap().success());
    copy
}

fn acts(line: &str, is_github: bool) -> bool {
    let is_ours = Regex::new("^::(error|warning|notice) (file|title)=").unwrap();
    if is_github && is_ours.is_match(line) {
        return false;
    }
    line.trim_start().starts_with("::") || line.contains("##[")
}

/// Runs all forms of a command, or a sample of them.
fn nothing_acts(shape: &Shape, every: usize) -> String {
    let mut shown = 0;
    for (nth, (form, is_always)) in shape.forms().into_iter().enumerate() {
        if !is_always && nth % every != 0 {
            continue;
        }
        let reads_git = form.iter().any(|word| word == "--since");
        let paths: &[&str] = if reads_git { &["", "git:"] } else { &[""] };
        for git in paths {
            let ran = shape.run(&form, git);
            let what = format!("{} {form:?}", shape.command);
            let is_exact = EXACT.iter().any(|(command, option)| {
                *command == shape.command && form.iter().any(|word| word == option)
            });
            let is_github = form.iter().any(|word| word == "github");
            for (text, is_exact) in [(ran.text(), is_exact), (ran.stderr.as_str(), false)] {
                shown += usize::from(text.contains(MARK));
                if is_exact {
                    continue;
                }
                can_be_seen(text, &what);
                let mut lines = text.split(['\n', '\r']);
                let acting = lines.find(|line| acts(line, is_github));
                assert!(acting.is_none(), "{what}: {acting:?}");
            }
        }
    }
    assert!(
        shown > 0 || shape.operands.is_empty() && shape.options.is_empty(),
        "{}: nothing hostile was shown",
        shape.command
    );
    "text".to_owned()
}

/// Commands whose output is published, or decides about an implementation.
const REFUSES: [&str; 4] = ["badge", "certify", "export", "site"];

/// Runs a command on a tree without permission to read `path`, or with a pipe there.
fn says_what_is_missing(shape: &Shape, form: &[String], path: &str, reason: &str) -> String {
    let folder = copy();
    let _ = fs::remove_dir_all(folder.path().join(".git"));
    let at = folder.path().join(path);
    let is_pipe = path.ends_with(".yaml");
    if is_pipe {
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        let made = Command::new("mkfifo").arg(&at).status().unwrap();
        assert!(made.success());
    } else {
        fs::create_dir_all(&at).unwrap();
    }
    let _ = Command::new("chmod")
        .args(["-R", "a+rwX"])
        .arg(folder.path())
        .status();
    if !is_pipe {
        fs::set_permissions(&at, fs::Permissions::from_mode(0o000)).unwrap();
    }
    let call = shape.call(form, &folder).for_nobody();
    let ran = call.run();
    if ran.code == 2 {
        // The flag needs another one.
        return String::new();
    }
    // Some commands print paths that are relative to the tree.
    let end = format!(
        "{} ({reason})",
        path.strip_prefix("reports/").unwrap_or(path)
    );
    let is_line = |text: &&str| text.contains("could not be read: ") && text.contains(&end);
    let lines = ran.stderr.lines().filter(is_line);
    assert_eq!(lines.count(), 1, "{form:?}: {}", ran.stderr);
    let is_refused = ran.stderr.contains("pass --allow-unread");
    assert_eq!(is_refused, REFUSES.contains(&shape.command.as_str()));
    if is_refused {
        assert_eq!((ran.code, ran.text()), (3, ""), "{}", ran.stderr);
        let ran = call.arg("--allow-unread").run();
        let lines = ran.stderr.lines().filter(is_line);
        assert_eq!(lines.count(), 1, "{form:?}: {}", ran.stderr);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        return "exit 3, and standard error names it".to_owned();
    }
    "standard error names it".to_owned()
}

fn unread(shape: &Shape) -> Vec<Case> {
    let forms = shape.of_tree();
    if forms.is_empty() {
        return Vec::new();
    }
    let parts = [
        (
            "a pipe",
            "reports/v1.6/acme-operator/pipe.yaml",
            "it is a pipe, a socket or a device",
        ),
        (
            "a folder of a release without permission",
            "reports/v1.6",
            "permission denied",
        ),
        (
            "a pipe in the list of implementations",
            "list/implementations/acme-operator/details.yaml",
            "it is a pipe, a socket or a device; expected a regular file",
        ),
    ];
    // These do not read the list.
    let parts = match shape.command.as_str() {
        "add" | "check" => &parts[..2],
        _ => &parts[..],
    };
    let case = |&(what, path, reason): &(&str, &'static str, &'static str)| {
        let (shape, forms) = (shape.clone(), forms.clone());
        Case::new(
            format!("`{}` on {what}", shape.command),
            "in its tree",
            move || {
                let said = says_what_is_missing(&shape, &forms[0], path, reason);
                for form in forms[1..].iter().step_by(one_in(4)) {
                    says_what_is_missing(&shape, form, path, reason);
                }
                said
            },
        )
    };
    parts.iter().map(case).collect()
}

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    shapes("", &mut all);
    let case = |shape: Shape| {
        let name = format!("`{}`", shape.command);
        Case::new(name, "each format and option", move || {
            nothing_acts(&shape, one_in(32))
        })
    };
    let unread: Vec<Case> = all.iter().flat_map(unread).collect();
    all.into_iter().map(case).chain(unread).collect()
}
