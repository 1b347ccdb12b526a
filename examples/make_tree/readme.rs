use std::collections::BTreeSet;
use std::fmt::Write as _;

use gwconform_base::api::Family;

use super::Options;
use super::run::Run;

#[derive(Clone, Debug)]
pub struct Project {
    pub organization: String,
    pub project: String,
    pub title: String,
    pub about: String,
    /// Project website, without a trailing slash.
    pub site: String,
    /// Installation commands with the placeholders `{version}` and `{mode}`; empty for a Helm
    /// chart.
    pub install: String,
    /// GatewayClass name, which can contain the placeholder `{mode}`.
    pub class: String,
    pub modes: Vec<(String, String)>,
    pub notes: Vec<(String, String)>,
    pub formatting: usize,
}

impl Project {
    pub fn folder(&self) -> String {
        format!("{}-{}", self.organization, self.project)
    }
}

pub fn text(project: &Project, runs: &[&Run]) -> String {
    let mut text = format!("# {}\n\n{}\n\n", project.title, wrapped(&project.about));
    let heading = ["Table of contents", "Table of Contents"][project.formatting % 2];
    let _ = writeln!(text, "## {heading}\n");
    let mut listed = runs.to_vec();
    if project.formatting % 4 >= 2 {
        listed.reverse();
    }
    contents(project, &listed, &mut text);
    let _ = writeln!(text, "\n## Reproduce\n");
    match project.formatting % 3 {
        0 => steps(project, runs, &mut text),
        1 => sections(project, runs, &mut text),
        _ => by_make(project, runs, &mut text),
    }
    let folder = runs[0].release_folder();
    let notes = project.notes.iter().filter(|(of, _)| *of == folder);
    let mut notes: Vec<String> = notes.map(|(_, note)| wrapped(note)).collect();
    if runs
        .iter()
        .any(|run| run.lacks("GatewayHTTPListenerIsolation"))
    {
        notes.push(wrapped(
            "Listener isolation (`GatewayHTTPListenerIsolation`) is not supported where the reports say so: there a request can match a route of a less specific listener.",
        ));
    }
    if !notes.is_empty() {
        let _ = writeln!(text, "\n## Notes\n\n{}", notes.join("\n\n"));
    }
    text
}

fn contents(project: &Project, runs: &[&Run], text: &mut String) {
    let mut rows =
        vec![["API channel", "Implementation version", "Mode", "Report"].map(str::to_owned)];
    rows.extend(runs.iter().map(|run| {
        let version = &run.implementation.version;
        let known = |known: &str| if run.is_legacy() { "x" } else { known }.to_owned();
        [
            known(run.channel.as_str()),
            format!("[{version}]({}/releases/{version})", project.site),
            known(&run.mode),
            format!("[{version} report](./{})", run.file_name()),
        ]
    }));
    let is_aligned = project.formatting % 3 != 1;
    let widest = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3].map(|column| if is_aligned { widest(column) } else { 0 });
    for (at, row) in rows.iter().enumerate() {
        if is_aligned {
            let [a, b, c, d] = widths;
            let _ = writeln!(
                text,
                "| {:a$} | {:b$} | {:c$} | {:d$} |",
                row[0], row[1], row[2], row[3]
            );
        } else {
            let _ = writeln!(text, "|{}|", row.join("|"));
        }
        if at == 0 {
            let dashes = |column: usize| match widths[column] {
                0 => "-".repeat(row[column].len()),
                width => "-".repeat(width + 2),
            };
            let _ = writeln!(
                text,
                "|{}|{}|{}|{}|",
                dashes(0),
                dashes(1),
                dashes(2),
                dashes(3)
            );
        }
    }
}

fn steps(project: &Project, runs: &[&Run], text: &mut String) {
    let last = runs[runs.len() - 1];
    let _ = writeln!(
        text,
        "1. Create a cluster and install the CRDs of the channel:\n\n{}",
        indented(&crds(last))
    );
    let _ = writeln!(
        text,
        "2. Install {}, here {}:\n\n{}",
        project.title,
        last.implementation.version,
        indented(&install(project, last))
    );
    let _ = writeln!(
        text,
        "3. Run the suite:\n\n{}",
        indented(&(checkout(last) + &suite(project, last)))
    );
    text.push_str("4. Compare `report.yaml` with the report here; only the date differs.\n");
    if runs.len() > 1 {
        text.push('\n');
        let sentence = "The other reports were made the same way, with the channel, version and mode of their row and the features that they list as supported.";
        let _ = writeln!(text, "{}", wrapped(sentence));
    }
    modes(project, runs, text);
}

fn sections(project: &Project, runs: &[&Run], text: &mut String) {
    for (at, run) in runs.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        let version = &run.implementation.version;
        if run.is_legacy() {
            let _ = writeln!(text, "### {version}\n");
        } else {
            let _ = writeln!(
                text,
                "### {version}, {}, {}\n",
                run.channel.as_str(),
                run.mode
            );
        }
        if let Some((_, how)) = project.modes.iter().find(|(mode, _)| *mode == run.mode) {
            let _ = writeln!(
                text,
                "{}\n",
                wrapped(&format!("Mode `{}`. {how}", run.mode))
            );
        }
        let commands = [
            crds(run),
            install(project, run),
            checkout(run) + &suite(project, run),
        ]
        .join("\n");
        let _ = write!(text, "```sh\n{commands}```\n");
    }
}

fn by_make(project: &Project, runs: &[&Run], text: &mut String) {
    let last = runs[runs.len() - 1];
    let _ = writeln!(
        text,
        "The reports come from the pipeline of each release. Locally:\n\n```sh\ngit clone --branch {} {}.git\ncd {}\nmake conformance CHANNEL={} MODE={}\n```\n",
        last.implementation.version,
        project.site,
        project.project,
        last.channel.as_str(),
        last.mode,
    );
    let _ = write!(
        text,
        "The target installs the CRDs of Gateway API {} into a new cluster and runs:\n\n```sh\n{}```\n",
        last.release.version(),
        suite(project, last)
    );
    modes(project, runs, text);
}

fn modes(project: &Project, runs: &[&Run], text: &mut String) {
    let used: BTreeSet<&str> = runs.iter().map(|run| run.mode.as_str()).collect();
    for (mode, how) in &project.modes {
        if used.contains(mode.as_str()) {
            let _ = writeln!(text, "\n### Mode `{mode}`\n\n{}", wrapped(how));
        }
    }
}

fn crds(run: &Run) -> String {
    format!(
        "kubectl apply --server-side -f https://github.com/kubernetes-sigs/gateway-api/releases/download/{}/{}-install.yaml\n",
        run.release.version(),
        run.channel.as_str()
    )
}

fn install(project: &Project, run: &Run) -> String {
    let version = &run.implementation.version;
    if !project.install.is_empty() {
        let command = project.install.replace("{version}", version);
        return command.replace("{mode}", &run.mode) + "\n";
    }
    let mut command = format!(
        "helm install {0} {1}/charts/{0} --version {version} --namespace {0}-system --create-namespace",
        project.project, project.site
    );
    if run.mode != "default" {
        let _ = write!(
            command,
            " --values {}/modes/{}.yaml",
            project.site, run.mode
        );
    }
    command + "\n"
}

fn checkout(run: &Run) -> String {
    format!(
        "git clone --depth 1 --branch {} https://github.com/kubernetes-sigs/gateway-api\ncd gateway-api\n",
        run.release.version()
    )
}

fn suite(project: &Project, run: &Run) -> String {
    let mut flags = Vec::new();
    let is_mesh = |name: &String| {
        run.release
            .profile(name)
            .is_some_and(|profile| profile.family == Family::Mesh)
    };
    if !run.profiles.iter().all(is_mesh) {
        flags.push(format!(
            "--gateway-class={}",
            project.class.replace("{mode}", &run.mode)
        ));
    }
    flags.push(format!("--conformance-profiles={}", run.profiles.join(",")));
    let claims: Vec<&str> = run.claims.iter().map(String::as_str).collect();
    if !claims.is_empty() {
        flags.push(format!("--supported-features={}", claims.join(",")));
    }
    let skipped: Vec<&str> = run.skipped.iter().map(String::as_str).collect();
    if !skipped.is_empty() {
        flags.push(format!("--skip-tests={}", skipped.join(",")));
    }
    if run.without_provisional {
        flags.push("--skip-provisional-tests".to_owned());
    }
    let of = &run.implementation;
    flags.push(format!("--organization={}", of.organization));
    flags.push(format!("--project={}", of.project));
    flags.push(format!("--url={}", of.url));
    flags.push(format!("--version={}", of.version));
    flags.push(format!("--contact={}", of.contact.join(",")));
    if !run.is_legacy() {
        flags.push(format!("--mode={}", run.mode));
    }
    flags.push("--report-output=report.yaml".to_owned());
    let tags = if run.is_legacy() {
        " -tags experimental"
    } else {
        ""
    };
    format!(
        "go test ./conformance -run Conformance{tags} -v -timeout 60m -args \\\n  {}\n",
        flags.join(" \\\n  ")
    )
}

fn indented(commands: &str) -> String {
    let lines = commands.lines().map(|line| format!("   {line}\n"));
    format!("   ```sh\n{}   ```\n", lines.collect::<String>())
}

fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > 100 {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines
}

pub fn of_made_tree(options: &Options) -> String {
    format!(
        "# Conformance reports\n\nA tree made from seed {}. Everything in it is fictional.\n",
        options.seed
    )
}

pub const OF_SAMPLE_TREE: &str = "\
# Conformance reports of implementations that do not exist

This is a reports tree like the one of the Gateway API project (`conformance/reports`): release folders, in each a
folder for every implementation, in it a README and the reports of the conformance suite. It is here so that every
command can be tried and everything a site can show is shown.

**All organizations, projects, versions and people in it are fictional.** No suite was run. The reports hold what the
suite of their release writes for the features they claim: the number of tests, the lists of features, the summaries and
the provisional tests follow from the facts in `schema/registry`.

- `v1.0.0` has the rules' exceptions for old releases: no channel, no mode, names without them.
- From v1.5 on a folder holds all patch releases of a minor; `v1.5.0`, `v1.5.1` and `v1.6.0` are links to it.
- A few submissions are imperfect in ways that are accepted, so `gwconform check reports` has some warnings.

Nothing here is edited by hand. `examples/make_tree/sample.txt` has a line for every report,
`examples/make_tree/sample.rs` the words, and

```sh
cargo run --example make_tree -- --sample --out reports
```

writes the tree again.
";
