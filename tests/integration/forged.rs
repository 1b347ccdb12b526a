//! Forged reports must not appear as conformant in any output, and outputs must not name releases
//! that the report does not name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::support::{corpus, lines, list};

use crate::support::folder::{Folder, NAME, TREE, files};
use crate::support::report::{Level, Profile, ReportBuilder};
use gwconform_base::release::Registry;
use serde_json::Value;

struct Forgery {
    name: &'static str,
    folder: &'static str,
    text: String,
    states: &'static [&'static str],
}

fn forgery(
    name: &'static str,
    folder: &'static str,
    text: String,
    states: &'static [&'static str],
) -> Forgery {
    Forgery {
        name,
        folder,
        text,
        states,
    }
}

fn report() -> ReportBuilder {
    ReportBuilder::new()
}

fn passed(profile: &str, core: u32) -> Profile {
    Profile::new(profile)
        .core(Level::success(core))
        .summary("Core tests succeeded.")
}

fn of(profile: Profile) -> String {
    report().profiles([profile]).build()
}

fn extended(profile: Profile, features: &[&str], tests: u32) -> Profile {
    extended_by(profile, Level::success(tests).supported(features))
}

fn extended_by(profile: Profile, level: Level) -> Profile {
    let summary = "Core tests succeeded. Extended tests succeeded.";
    profile.extended(level).summary(summary)
}

const V1_5: &[&str] = &["v1.5.1"];
const V1_6: &[&str] = &["v1.6.1"];

fn core_tests(release: &str, profile: &str) -> Vec<&'static str> {
    let mut releases = Registry::embedded().releases().iter();
    let release = releases.find(|one| one.version().to_string() == release);
    let release = release.unwrap();
    let members = release.members(release.profile(profile).unwrap()).iter();
    let core = members.filter(|member| {
        member.level == gwconform_base::api::Level::Core && !member.test.provisional
    });
    core.map(|member| member.test.name.as_str()).collect()
}

fn forgeries() -> Vec<Forgery> {
    let right = report().build();
    let line = |from: &str, to: &str| {
        assert!(right.contains(from), "{from}");
        right.replacen(from, to, 1)
    };
    let few = || passed("GATEWAY-GRPC", 3);
    let released = |release: &str| report().release(release).profiles([few()]).build();
    let of_v1_6 = |profile: Profile| report().release("v1.6.1").profiles([profile]);
    let as_mesh = line("name: GATEWAY-GRPC", "name: MESH-GRPC");
    let as_mesh = as_mesh.replace("Passed: 13", "Passed: 15");
    let features = &["HTTPRouteCORS", "HTTPRouteMethodMatching"];
    let http = extended(passed("GATEWAY-TLS", 13), features, 3);
    let port = Level::success(1).supported(&["GatewayPort8080"]);
    let in_both = passed("GATEWAY-GRPC", 13).extended(port.unsupported(&["GatewayPort8080"]));
    let skipped =
        Profile::new("GATEWAY-GRPC").core(Level::partial(0, &core_tests("v1.5.1", "GATEWAY-GRPC")));
    let weight = Level::result("success")
        .counts(12, 1, 0)
        .skipped(&["GRPCRouteWeight"]);
    let empty = of(extended_by(passed("GATEWAY-GRPC", 13), Level::success(0)));
    let provisional =
        of_v1_6(passed("GATEWAY-UDP", 11)).provisional(&["UDPRoute", "UDPRouteReferenceGrant"]);
    let twice = [passed("GATEWAY-GRPC", 13), passed("GATEWAY-GRPC", 13)];
    let channel = "gatewayAPIChannel: standard";
    let succeeded = "    result: success";
    // Name, folder, releases that outputs may name, and text.
    let mut all: Vec<Forgery> = Vec::new();
    let mut add = |name, folder, states, text| all.push(forgery(name, folder, text, states));
    add(
        "v1.4.1 in v1.5",
        "v1.5",
        &["v1.4.1"][..],
        report().release("v1.4.1").build(),
    );
    add(
        "gatewayAPIVersion: UNDEFINED",
        "v1.5",
        &[],
        report().release("UNDEFINED").build(),
    );
    add(
        "gatewayAPIChannel: UNDEFINED",
        "v1.5",
        V1_5,
        report().channel("UNDEFINED").build(),
    );
    add(
        "a prerelease with 3 core tests",
        "v1.6",
        &["v1.6.0-rc.1"],
        released("v1.6.0-rc.1"),
    );
    let candidate = report().release("v1.5.0-rc.1").build();
    add(
        "a prerelease with all core tests",
        "v1.5",
        &["v1.5.0-rc.1"],
        candidate,
    );
    let candidate = released("v1.8.0-rc.1");
    add(
        "a prerelease of a release to come",
        "v1.8",
        &["v1.8.0-rc.1"],
        candidate,
    );
    add(
        "a suite built from a branch",
        "v1.5",
        &["v0.0.0-dev"],
        released("v0.0.0-dev"),
    );
    add("15 core tests as MESH-GRPC", "v1.5", V1_5, as_mesh);
    add("HTTP's features as TLS", "v1.5", V1_5, of(http));
    add(
        "HTTP's core tests as TLS",
        "v1.5",
        V1_5,
        of(passed("GATEWAY-TLS", 33)),
    );
    add("the old profile MESH", "v1.5", V1_5, of(passed("MESH", 13)));
    add(
        "GRPC's core tests as TCP",
        "v1.6",
        V1_6,
        of_v1_6(passed("GATEWAY-TCP", 15)).build(),
    );
    let name = "provisional tests that succeeded and are not counted";
    add(name, "v1.6", V1_6, provisional.build());
    add(
        "all core tests skipped",
        "v1.5",
        V1_5,
        of(skipped.summarized()),
    );
    add("a newer release", "v1.8", &["v1.8.0"], released("v1.8.0"));
    let mut add = |name, text| add(name, "v1.5", V1_5, text);
    add(
        "a result twice",
        line(succeeded, &format!("{succeeded}\n    result: failure")),
    );
    let cyrillic = report().organization("acm\u{435}").build();
    add("a Cyrillic organization among Latin letters", cyrillic);
    let hidden = report().organization("ac\u{200b}me").build();
    add("an organization with a hidden character", hidden);
    add("a blank project", report().project(" ").build());
    add("a profile in small letters", of(passed("gateway-grpc", 13)));
    add("a profile with a blank", of(passed("GATEWAY-GRPC ", 13)));
    add(
        "a profile in full-width letters",
        of(passed("GATEWAY-GRP\u{ff23}", 13)),
    );
    add(
        "a channel with a blank",
        report().channel("standard ").build(),
    );
    add("a mode as channel", report().channel("default").build());
    add("no channel", line(&format!("{channel}\n"), ""));
    add(
        "a channel that is a list",
        line(channel, "gatewayAPIChannel: [standard, experimental]"),
    );
    add(
        "more tests than can be",
        line("Passed: 13", "Passed: 18446744073709551615"),
    );
    add(
        "tests beyond the numbers",
        line("Passed: 13", "Passed: 99999999999999999999"),
    );
    add("negative failures", line("Failed: 0", "Failed: -1"));
    add("a fraction of a test", line("Passed: 13", "Passed: 13.0"));
    let empty = empty.replace("      Passed: 0\n", "      Passed: 0\n      passed: 9\n");
    add("an empty extended that succeeded", empty);
    add(
        "statistics in small letters",
        right.replace("Passed:", "passed:"),
    );
    add(
        "a feature in both lists",
        of(in_both.summary("Core tests succeeded.")),
    );
    add(
        "skipped tests that succeeded",
        of(Profile::new("GATEWAY-GRPC").core(weight)),
    );
    add("the profile twice", report().profiles(twice).build());
    add(
        "results by an alias",
        line("  name: GATEWAY-GRPC", "  name: &x GATEWAY-GRPC"),
    );
    add(
        "another kind",
        line("kind: ConformanceReport", "kind: Certificate"),
    );
    add(
        "another API",
        line(
            "gateway.networking.k8s.io/v1",
            "inference.networking.k8s.io/v1",
        ),
    );
    add("a broken end", format!("{right}  more: [\n"));
    let twice = "gatewayAPIVersion: v1.5.1\ngatewayAPIVersion: v1.4.1";
    let twice = line("gatewayAPIVersion: v1.5.1", twice);
    all.push(forgery(
        "a release twice",
        "v1.5",
        twice,
        &["v1.5.1", "v1.4.1"],
    ));
    let huge: &[&str] = &["v1.18446744073709551615.0"];
    let versions: [(&str, &str, &[&str]); 7] = [
        (
            "a patch that never was, with 3 tests",
            "v1.6.99",
            &["v1.6.99"],
        ),
        ("a release with a zero before it", "v01.5.1", &[]),
        ("a release without its v", "1.5.1", V1_5),
        ("a release with a capital V", "V1.5.1", &[]),
        ("a release with build data", "v1.5.1+x", &[]),
        ("a minor as release", "v1.5", &[]),
        ("a release of huge numbers", huge[0], huge),
    ];
    all.extend(versions.map(|(name, version, states)| {
        let (folder, core) = if version == "v1.6.99" {
            ("v1.6", 3)
        } else {
            ("v1.5", 13)
        };
        let text = of(passed("GATEWAY-GRPC", core));
        let text = text.replacen("v1.5.1", &format!("\"{version}\""), 1);
        forgery(name, folder, text, states)
    }));
    all
}

#[derive(Debug, Default)]
struct Said {
    conformant: BTreeSet<String>,
    releases: BTreeSet<String>,
    certify: Vec<String>,
    badges: BTreeSet<String>,
    api: Vec<String>,
    pages: BTreeSet<String>,
}

impl Said {
    fn status(&mut self, place: &str, status: &Value) -> String {
        let status = text(status);
        if status.contains("conformant") && status != "not conformant" {
            self.conformant.insert(place.to_owned());
        }
        status
    }

    fn release(&mut self, value: &Value) {
        self.releases.extend(value.as_str().map(str::to_owned));
    }

    fn line(&self) -> String {
        let joined = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join("; ");
        format!(
            "  certify: {}\n  badges: {}\n  site: {}\n  API: {}\n",
            self.certify.join("; "),
            joined(&self.badges),
            joined(&self.pages),
            self.api.join("; ")
        )
    }
}

struct Outputs {
    certify: Value,
    human: String,
    reports: Value,
    implementations: Value,
    site: BTreeMap<String, String>,
}

impl Outputs {
    fn of(folder: &Folder) -> Self {
        let site: BTreeMap<_, _> = (folder.site("").into_iter())
            .filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?)))
            .collect();
        let json = |name: &str| serde_json::from_str(&site[name]).unwrap();
        Self {
            certify: folder.json("certify"),
            human: folder.run("certify --all").stdout,
            reports: json("api/v1/reports.json"),
            implementations: json("api/v1/implementations.json"),
            site,
        }
    }

    fn said(&self, folder: &Folder, submission: &str) -> Said {
        let mut said = Said::default();
        let is_it = |path: &Value| text(path).contains(&format!("/{submission}/"));
        let mut slug = None;
        for one in list(&self.certify["implementations"]) {
            let families = list(&one["families"]).iter();
            for family in families.filter(|one| is_it(&one["path"])) {
                if family["standing"] != "not-current" {
                    said.conformant.insert("certify".to_owned());
                }
                said.release(&family["minor"]);
                said.certify.push(text(&family["standing"]));
            }
            let reports = list(&one["reports"]).iter();
            for report in reports.filter(|one| is_it(&one["path"])) {
                slug = Some(text(&one["implementation"]));
                said.release(&report["release"]);
                for profile in list(&report["profiles"]) {
                    let status = said.status("certify", &profile["status"]);
                    let reason = text(&profile["reason"]);
                    said.certify.push(format!("{status}, {reason}"));
                }
            }
        }
        for left_out in list(&self.certify["left_out"]) {
            if is_it(&left_out["path"]) {
                let reason = text(&left_out["reason"]);
                said.certify.push(format!("left out, {reason}"));
            }
        }
        let listed = self.human.split("Left out:").next().unwrap();
        let families = listed.split("\n===");
        let current = families.map(|family| family.split("\nNot current:").next());
        let in_folder = format!("/{submission}/");
        if current.flatten().any(|part| part.contains(&in_folder)) {
            said.conformant.insert("certify for people".to_owned());
        }
        for report in list(&self.reports["reports"]) {
            if is_it(&report["path"]) {
                said.release(&report["release"]);
                said.release(&report["minor"]);
                for profile in list(&report["profiles"]) {
                    let status = said.status("API", &profile["status"]);
                    said.api.push(status);
                }
                said.api.push(format!("release {}", report["release"]));
            }
        }
        let Some(slug) = slug else { return said };
        for one in list(&self.implementations["implementations"]) {
            if one["implementation"] == *slug {
                for family in list(&one["families"]) {
                    if family["standing"] != "not-current" {
                        said.conformant.insert("API".to_owned());
                    }
                    said.release(&family["minor"]);
                }
            }
        }
        self.badges(folder, &slug, &mut said);
        self.pages(&slug, &mut said);
        said
    }

    fn badges(&self, folder: &Folder, slug: &str, said: &mut Said) {
        let printed = folder.run(&format!("badge {slug}")).stdout;
        assert_eq!(printed, self.site[&format!("badges/{slug}.svg")]);
        for (path, badge) in &self.site {
            let name = path.strip_prefix("badges/").unwrap_or_default();
            let is_its = name.starts_with(&format!("{slug}/"))
                || name == format!("{slug}.svg")
                || name == format!("{slug}.json");
            if !is_its {
                continue;
            }
            if name.ends_with(".svg") {
                let shown = visible_text(badge);
                if shown.contains("conformant") || shown.contains("partial") {
                    said.conformant.insert("badge".to_owned());
                }
                continue;
            }
            let json: Value = serde_json::from_str(badge).unwrap();
            let (label, message) = (text(&json["label"]), text(&json["message"]));
            said.status("badge", &json["message"]);
            // Without a report, the badge names only its own minor.
            if message == "no current report" {
                continue;
            }
            let words = label.split(' ').chain(message.split(' '));
            let releases = words.filter(|word| is_release(word)).map(str::to_owned);
            said.releases.extend(releases);
            said.badges.insert(format!("{label}: {message}"));
        }
    }

    fn pages(&self, slug: &str, said: &mut Said) {
        for (path, page) in &self.site {
            let Some(path) = path.strip_prefix(&format!("implementations/{slug}/")) else {
                continue;
            };
            let shown = visible_text(page).replace("● passed, ◐ passed with skips", "");
            // A verdict on the implementation, or the result of a report.
            let shown_in_small = shown.to_lowercase();
            let is_good = |word: &str| shown_in_small.contains(&format!("● {word}"));
            if is_good("conformant") || is_good("passed") {
                said.conformant.insert("site".to_owned());
            }
            match path.split('/').collect::<Vec<_>>().as_slice() {
                [release, _, "index.html"] => {
                    if *release != "unknown" {
                        said.releases.insert((*release).to_owned());
                    }
                    said.pages.insert(format!("report for {release}"));
                }
                ["index.html"] => {
                    for family in ["Gateway: ", "Mesh: "] {
                        let after = shown.split_once(family).map(|(_, after)| after);
                        let verdict = after.filter(|after| after.starts_with(['○', '●', '◐']));
                        let words = verdict.unwrap_or_default().split(',').next();
                        said.pages
                            .extend(words.map(|words| format!("{family}{words}")));
                    }
                    said.pages.retain(|page| !page.ends_with(": "));
                }
                // Text below the titles may name the release of the folder.
                ["feed.atom"] => {
                    for title in page.split("<title>").skip(1) {
                        let title = title.split("</title>").next().unwrap();
                        let words = title.split([' ', ',', ':', '(', ')']);
                        let releases = words.filter(|word| is_release(word) && *word != "v2.14.0");
                        said.releases.extend(releases.map(str::to_owned));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The text, or nothing if there is none.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn is_release(word: &str) -> bool {
    let numbers = word.strip_prefix('v').unwrap_or_default();
    numbers.starts_with(|c: char| c.is_ascii_digit()) && numbers.contains('.')
}

fn visible_text(page: &str) -> String {
    let mut shown = String::new();
    for part in page.split('<') {
        let after = part.split_once('>').map_or(part, |(_, after)| after);
        shown.push_str(after);
        shown.push(' ');
    }
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn may_be_named(states: &[&str]) -> BTreeSet<String> {
    let minors = states.iter().map(|release| {
        let mut numbers = release.splitn(3, '.');
        let (major, minor) = (numbers.next().unwrap(), numbers.next().unwrap());
        format!("{major}.{minor}")
    });
    let releases = states.iter().map(|release| (*release).to_owned());
    minors.chain(releases).collect()
}

#[test]
fn no_forged_report_is_conformant_anywhere() {
    let folder = Folder::new();
    let mut forgeries = forgeries();
    let honest = forgery("an honest report", "v1.5", report().build(), V1_5);
    forgeries.insert(0, honest);
    for (nth, forgery) in forgeries.iter().enumerate() {
        let path = format!("{TREE}/{}/forged-{nth}/{NAME}", forgery.folder);
        let project = format!("project: operator-{nth}\n");
        let text = forgery.text.replace("project: operator\n", &project);
        // Reports with the same date would be copies of one run.
        let date = format!("2026-09-20T10:{nth:02}:30Z");
        folder.file(&path, text.replace("2026-05-20T10:15:30Z", &date));
    }
    let outputs = Outputs::of(&folder);
    let (mut all, mut wrong) = (String::new(), String::new());
    for (nth, forgery) in forgeries.iter().enumerate() {
        let said = outputs.said(&folder, &format!("forged-{nth}"));
        let _ = writeln!(all, "{}\n{}", forgery.name, said.line());
        let expected: &[&str] = match nth {
            0 => &["API", "badge", "certify", "certify for people", "site"],
            _ => &[],
        };
        if said.conformant.iter().ne(expected) {
            let _ = writeln!(wrong, "{}: {:?}", forgery.name, said.conformant);
        }
        let allowed = may_be_named(forgery.states);
        let strange: Vec<_> = said.releases.difference(&allowed).collect();
        if !strange.is_empty() {
            let _ = writeln!(wrong, "{}: names {strange:?}", forgery.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{all}");
    insta::assert_snapshot!(all);
}

#[test]
fn a_second_document_or_a_linked_folder_earns_nothing() {
    let folder = Folder::new();
    let newer = report().release("v1.6.1").date("2026-09-21T10:15:30Z");
    let few = newer.profiles([passed("GATEWAY-GRPC", 3)]).build();
    let two = format!("{}---\n{few}", report().build());
    folder.file(&format!("{TREE}/v1.5/forged-0/{NAME}"), two);
    #[cfg(unix)]
    folder.link(&format!("{TREE}/v1.6"), "v1.5");
    let json = folder.json("certify");
    let reports = &json["implementations"][0]["reports"];
    let statuses = lines(reports, "{release} {profiles.0.status}");
    assert_eq!(statuses, ["v1.5.1 contradictory", "v1.6.1 contradictory"]);
    let gateway = &json["implementations"][0]["families"][0];
    assert_eq!(gateway["standing"], "not-current");
}

/// The same run is submitted for two releases. Both keep their verdicts, because neither file shows
/// which of them is the copy.
#[test]
fn a_run_that_is_submitted_for_two_releases_is_an_error() {
    let folder = Folder::new();
    let old = report().release("v1.4.1").build();
    let new = old.replace("v1.4.1", "v1.5.1");
    folder.file(&format!("{TREE}/v1.4.1/forged-0/{NAME}"), &old);
    folder.file(&format!("{TREE}/v1.5/forged-1/{NAME}"), new);
    let found = folder.findings("check --select tree/copied-report");
    assert_eq!(found.len(), 1, "{found:?}");
    let json = folder.json("certify");
    for report in list(&json["implementations"][0]["reports"]) {
        assert_eq!(text(&report["profiles"][0]["status"]), "conformant");
    }
}

#[test]
fn edited_real_reports_earn_nothing() {
    let Some(corpus) = corpus() else { return };
    let tree = corpus.join("gateway-api").join(TREE);
    let folder = Folder::new();
    let mut count = 0;
    let mut put = |minor: &str, text: &str| {
        let path = format!("{TREE}/{minor}/forged-{count}/{NAME}");
        let (minute, second) = (count / 60, count % 60);
        let date = format!("date: \"2026-01-01T00:{minute:02}:{second:02}Z\"");
        let old = text.lines().find(|line| line.starts_with("date: "));
        folder.file(&path, text.replace(old.unwrap(), &date));
        count += 1;
    };
    for minor in ["v1.4.1", "v1.5", "v1.6"] {
        for (path, bytes) in files(&tree.join(minor)) {
            if !path.ends_with(".yaml") {
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            let edited = |field: &str, value: &str| {
                let start = text.find(&format!("{field}: ")).unwrap();
                let end = start + text[start..].find('\n').unwrap();
                format!("{}{field}: {value}{}", &text[..start], &text[end..])
            };
            put("v1.3.0", &text);
            put(minor, &edited("gatewayAPIVersion", "UNDEFINED"));
            put(minor, &edited("gatewayAPIVersion", "v0.0.0-dev"));
            put(minor, &edited("gatewayAPIChannel", "UNDEFINED"));
            put("v1.8", &edited("gatewayAPIVersion", "v1.8.0"));
            let release = edited("gatewayAPIVersion", "v1.6.0-rc.1");
            put("v1.6", &release);
            put(minor, &text.replace("name: GATEWAY-", "name: MESH-"));
        }
    }
    let json = folder.json("certify");
    let mut earned = Vec::new();
    for one in list(&json["implementations"]) {
        for report in list(&one["reports"]) {
            for profile in list(&report["profiles"]) {
                let status = text(&profile["status"]);
                // Minors from v1.7 on limit the number of skipped core tests.
                if !["contradictory", "unverified", "failing"].contains(&status.as_str()) {
                    let (path, name) = (&report["path"], &profile["profile"]);
                    earned.push(format!("{path} {name} {status}"));
                }
            }
        }
    }
    assert!(earned.is_empty(), "{earned:#?}");
}
