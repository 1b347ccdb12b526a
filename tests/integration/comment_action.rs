//! Runs `comment/post` with a fake `gh` to test the posted comments and the handling of hostile
//! artifacts.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Output, write_program};

const README: &str = "conformance/reports/v1.5/acme-operator/README.md";

const HEAD: &str = "<!-- gwconform -->\n*This text comes from the pull request's own run and can be forged. Rely on the result of the check, not on this comment.*\n\n";

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

pub struct Scratch {
    folder: tempfile::TempDir,
    author: Option<&'static str>,
}

impl Scratch {
    pub fn new() -> Self {
        let scratch = Self {
            folder: tempfile::tempdir().unwrap(),
            author: None,
        };
        fs::create_dir_all(scratch.path("bin")).unwrap();
        // The fake `gh` records its arguments and input, and responds with the file for the URL.
        write_program(
            &scratch.path("bin/gh"),
            "for last; do :; done\n\
             if [ \"$last\" = - ]; then method=$3; for word; do case $word in repos/*) last=$word;; esac; done\n\
             printf '%s\\t%s\\t' \"$method\" \"$last\" >>\"$ANSWERS/calls\"; cat >>\"$ANSWERS/calls\"; echo >>\"$ANSWERS/calls\"; exit; fi\n\
             printf '%s\\n' \"$*\" >>\"$ANSWERS/asked\"\n\
             file=$ANSWERS/$(printf %s \"$last\" | tr / _)\n\
             if [ -f \"$file\" ]; then cat \"$file\"; else echo '[[]]'; fi",
        );
        scratch.answer(
            "repos_acme_reports_actions_runs_7_artifacts",
            &json!([{ "artifacts": [artifact(9, "2026-03-01T00:00:00Z")] }]),
        );
        scratch.answer(
            "repos_acme_reports_pulls",
            &json!([[
                { "number": 12, "head": { "sha": "f".repeat(40), "repo": { "id": 5 } } },
                pull(34),
                { "number": 56, "head": { "sha": COMMIT, "repo": null } },
            ]]),
        );
        scratch.answer(
            "repos_acme_reports_pulls_34_files",
            &json!([[
                { "filename": README, "patch": "@@ -1,2 +2,3 @@ x\n a\n+b\n@@ -9 +20 @@\n-a\n+b" },
                { "filename": "conformance/reports/v1.5/large/README.md" },
            ]]),
        );
        scratch.event("pull_request", "success");
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn answer(&self, name: &str, answer: &Value) {
        self.answer_with(name, &answer.to_string());
    }

    pub fn answer_with(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn event(&self, name: &str, conclusion: &str) {
        self.answer(
            "event.json",
            &json!({ "workflow_run": {
                "id": 7, "event": name, "conclusion": conclusion, "head_sha": COMMIT, "head_branch": "x&state=all",
                "head_repository": { "id": 5, "owner": { "login": "someone" } },
                "pull_requests": [],
            } }),
        );
    }

    /// Creates an artifact with a different zip implementation than the script under test.
    pub fn artifact(&self, files: &[(&str, &[u8])]) {
        self.artifact_of("DEFLATED", files);
    }

    fn artifact_of(&self, kind: &str, files: &[(&str, &[u8])]) {
        let script = "import sys, json, zipfile\n\
            with zipfile.ZipFile(sys.argv[1], 'w', getattr(zipfile, 'ZIP_' + sys.argv[2])) as z:\n \
            for name, text in json.load(sys.stdin): z.writestr(name, bytes(text))\n";
        let mut child = Command::new("python3")
            .args(["-c", script])
            .arg(self.path("repos_acme_reports_actions_artifacts_9_zip"))
            .arg(kind)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let text = serde_json::to_vec(files).unwrap();
        child.stdin.take().unwrap().write_all(&text).unwrap();
        assert!(child.wait().unwrap().success());
    }

    pub fn run(&self) -> Output {
        let path = std::env::var("PATH").unwrap();
        self.start("python3", &format!("{}:{path}", self.path("bin").display()))
    }

    /// Runs the script with a `PATH` that contains no program.
    pub fn run_without_gh(&self) -> Output {
        let found = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output();
        let python = String::from_utf8(found.unwrap().stdout).unwrap();
        self.start(python.trim(), &self.path("").display().to_string())
    }

    fn start(&self, python: &str, path: &str) -> Output {
        let output = Command::new(python)
            .arg("-I")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("comment/post"))
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("ANSWERS", self.folder.path())
            .env("GITHUB_EVENT_PATH", self.path("event.json"))
            .env("GITHUB_REPOSITORY", "acme/reports")
            .env("ARTIFACT", "gwconform")
            .env("DOCS_URL", "")
            .env("REPOSITORY", "docs/example")
            .env("AUTHOR", "")
            .envs(self.author.map(|author| ("AUTHOR", author)))
            .output();
        output.unwrap().into()
    }

    fn post(&self) -> (bool, String, Vec<(String, String, Value)>) {
        let _ = fs::remove_file(self.path("calls"));
        let output = self.run();
        let text = output.stdout + &output.stderr;
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let calls = calls.lines().map(|line| {
            let mut parts = line.splitn(3, '\t').map(str::to_owned);
            let mut next = || parts.next().unwrap();
            (next(), next(), serde_json::from_str(&next()).unwrap())
        });
        (output.code == 0, text, calls.collect())
    }

    fn refuses(&self, reason: &str) {
        let (is_done, text, calls) = self.post();
        assert!(!is_done && calls.is_empty(), "{text}: {calls:?}");
        assert!(
            text.starts_with("error: ") && text.contains(reason),
            "{text}"
        );
    }
}

/// Open pull request with the commit of the run.
pub fn pull(number: u64) -> Value {
    json!({ "number": number, "head": { "sha": COMMIT, "repo": { "id": 5 } } })
}

/// Artifact in the list of a run.
pub fn artifact(id: u64, created_at: &str) -> Value {
    json!({ "id": id, "name": "gwconform", "created_at": created_at, "expired": false, "size_in_bytes": 500 })
}

fn suggestion(path: &str, line: u64) -> Value {
    json!({ "path": path, "line": line, "side": "LEFT", "body": "write @it\n\n```suggestion\na @b\n```", "evil": 1 })
}

fn with_body(body: &str) -> String {
    json!({ "comments": [{ "path": README, "line": 3, "body": body }] }).to_string()
}

#[test]
fn one_comment_is_posted_and_then_replaced() {
    let scratch = Scratch::new();
    scratch.artifact(&[
        ("comment.md", b"## no errors in 5 files\n"),
        ("number", b"1"),
    ]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    let body = json!({ "body": format!("{HEAD}## no errors in 5 files\n") });
    let address = "repos/acme/reports/issues/34/comments".to_owned();
    assert_eq!(calls, [("POST".to_owned(), address, body.clone())]);
    let asked = fs::read_to_string(scratch.path("asked")).unwrap();
    assert!(
        asked.contains("-f head=someone:x&state=all repos/acme/reports/pulls\n"),
        "{asked}"
    );

    let by = |login: &str| json!({ "login": login });
    scratch.answer(
        "repos_acme_reports_issues_34_comments",
        &json!([
            [{ "id": 1, "user": by("someone"), "body": "<!-- gwconform -->\nforged" }],
            [{ "id": 2, "user": by("github-actions[bot]"), "body": "of another workflow" },
             { "id": 3, "user": by("github-actions[bot]"), "body": "<!-- gwconform -->\nearlier" },
             { "id": 4, "user": null, "body": null }],
        ]),
    );
    let (_, _, calls) = scratch.post();
    let address = "repos/acme/reports/issues/comments/3".to_owned();
    assert_eq!(calls, [("PATCH".to_owned(), address, body)]);
}

#[test]
fn suggestions_are_built_from_checked_fields_and_posted_once() {
    let scratch = Scratch::new();
    let listed = json!({ "event": "APPROVE", "body": "x", "commit_id": "0", "comments": [suggestion(README, 3)] });
    scratch.artifact(&[("suggestions.json", listed.to_string().as_bytes())]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    let body = "write @\u{200b}it\n\n```suggestion\na @b\n```";
    let review = json!({
        "commit_id": COMMIT, "event": "COMMENT",
        "body": HEAD.lines().nth(1).unwrap(),
        "comments": [{ "path": README, "line": 3, "side": "RIGHT", "body": body }],
    });
    let address = "repos/acme/reports/pulls/34/reviews".to_owned();
    assert_eq!(calls, [("POST".to_owned(), address, review)]);

    let there =
        json!([[{ "path": README, "body": body, "user": { "login": "github-actions[bot]" } }]]);
    scratch.answer("repos_acme_reports_pulls_34_comments", &there);
    assert_eq!(scratch.post().2, []);
}

#[test]
fn a_comment_mentions_no_one_and_loads_nothing() {
    let scratch = Scratch::new();
    let hostile = "## 1 error in 1 file\n@acme/team ![x](https://acme.example/x.png) <img src=x> <!-- gwconform --> a<br>b \u{202e} ${{ secrets.X }}\n";
    scratch.artifact(&[("comment.md", hostile.as_bytes())]);
    let (_, _, calls) = scratch.post();
    let body = calls[0].2["body"].as_str().unwrap();
    assert_eq!(
        body,
        format!(
            "{HEAD}## 1 error in 1 file\n@\u{200b}acme/team !\u{200b}[x]\u{200b}(https:\u{200b}//acme.example/x.png) <\u{200b}img src=x> <\u{200b}!-- gwconform --> a<br>b \u{fffd} \\${{{{ secrets.X }}}}\n"
        )
    );
}

#[test]
fn a_hostile_artifact_posts_nothing() {
    let scratch = Scratch::new();
    let comment = ("comment.md", b"## no errors in 5 files\n".as_slice());
    let zip = scratch.path("repos_acme_reports_actions_artifacts_9_zip");
    scratch.artifact(&[("comment.md", &vec![b' '; 1 << 20])]);
    assert!(fs::metadata(&zip).unwrap().len() < 10_000);
    scratch.refuses("comment.md is too large");
    fs::write(&zip, vec![b'x'; (1 << 20) + 1]).unwrap();
    scratch.refuses("the response of GitHub is too large");
    fs::write(&zip, "PK\u{3}\u{4} not an archive").unwrap();
    scratch.refuses("zip");
    for kind in ["BZIP2", "LZMA"] {
        scratch.artifact_of(kind, &[comment]);
        scratch.refuses("comment.md: expected a stored or deflated file");
    }
    scratch.artifact(&[("comment.md", b"## \xff")]);
    scratch.refuses("UTF-8");
    scratch.artifact(&[("comment.md", b"<script>")]);
    scratch.refuses("not in the format that gwconform writes");
    let deep = "[".repeat(100_000);
    let many = "9".repeat(100_000);
    let wrong = [
        deep,
        many.clone(),
        "null".to_owned(),
        "{}".to_owned(),
        "{\"comments\": 1}".to_owned(),
        "{\"comments\": [1]}".to_owned(),
        format!(
            "{{\"comments\": [{{\"path\": \"{README}\", \"body\": \"```suggestion\", \"line\": {}}}]}}",
            &many[..300]
        ),
        json!({ "comments": [suggestion("a\nb", 1)] }).to_string(),
        json!({ "comments": [suggestion(README, 0)] }).to_string(),
        json!({ "comments": [{ "path": README, "line": true, "body": "```suggestion" }] })
            .to_string(),
        json!({ "comments": [{ "path": README, "line": 1, "body": "buy" }] }).to_string(),
        with_body("x\n```suggestion\na\n```\n@octocat"),
        with_body("````\n```suggestion\na\n````\n@octocat\n```"),
        with_body("> ~~~\n```suggestion\na\n```"),
        with_body("x\n```suggestion\na\n```\n@octocat\n```"),
        with_body("x\n```suggestion\na"),
    ];
    for text in &wrong {
        // A valid comment next to invalid suggestions is not posted either.
        scratch.artifact(&[comment, ("suggestions.json", text.as_bytes())]);
        scratch.refuses("suggestions.json");
    }
    // Files with other names are neither read nor extracted.
    scratch.artifact(&[("../../comment.md", b"x"), ("/etc/x", b"x")]);
    scratch.refuses("neither comment.md nor suggestions.json");
    assert!(!scratch.path("comment.md").exists());
}

/// Each attempt of a run can upload an artifact, and the list of artifacts has several pages.
#[test]
fn the_newest_artifact_is_posted() {
    let scratch = Scratch::new();
    let other = json!({ "id": 99, "name": "other", "created_at": "2026-03-09T00:00:00Z" });
    scratch.answer(
        "repos_acme_reports_actions_runs_7_artifacts",
        &json!([
            { "artifacts": [artifact(50, "2026-03-01T00:00:00Z"), other] },
            { "artifacts": [artifact(8, "2026-03-02T00:00:00Z"), artifact(9, "2026-03-02T00:00:00Z")] },
        ]),
    );
    scratch.artifact(&[("comment.md", b"## no errors in 5 files\n")]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    assert_eq!(calls.len(), 1);
    let asked = fs::read_to_string(scratch.path("asked")).unwrap();
    assert!(
        asked.contains("--paginate --slurp --method GET -f name=gwconform "),
        "{asked}"
    );
    assert!(
        !asked.contains("/artifacts/8/") && !asked.contains("/artifacts/50/"),
        "{asked}"
    );
}

#[test]
fn a_comment_links_to_the_pages_of_rules_only() {
    let scratch = Scratch::new();
    for (line, expected) in [
        (
            "[`report/date`](https://docs.github.io/example/rules/report/date/)",
            "[`report/date`](https://docs.github.io/example/rules/report/date/)",
        ),
        (
            "[`report/date`](https://acme.example/report/date/)",
            "`report/date`",
        ),
        ("[`a`](https://docs.github.io/example/rules/b/)", "`a`"),
        ("![`a`](https://docs.github.io/example/rules/a/)", "!`a`"),
        (
            "[log in](https://acme.example)",
            "[log in]~(https:~//acme.example)",
        ),
        (
            "https\\:/\\/acme.example WWW.acme.example",
            "https\\:~/\\/acme.example WWW~.acme.example",
        ),
        ("[a]: //acme.example", "[a]~: //acme.example"),
        ("acme/other#1 gh-2", "acme/other#~1 gh-~2"),
        (
            "&#64;octocat &commat;octocat",
            "&~#~64;octocat &~commat;octocat",
        ),
        ("a&#8203;b", "a&#8203;b"),
        ("```mermaid", "```~mermaid"),
        ("/lgtm", "/~lgtm"),
        ("  /override x", "  /~override x"),
        ("a /lgtm or //lgtm", "a /lgtm or //lgtm"),
        ("$$math$$ \\$5 \\\\$x$", "\\$\\$math\\$\\$ \\$5 \\\\\\$x\\$"),
        ("$`x`$", "\\$`x`\\$"),
        (
            "0123456789abcdef0123456789abcdef01234567",
            "012345~6789ab~cdef01~234567~89abcd~ef0123~4567",
        ),
        ("acme/reports@0123abc", "acme/reports@~0123ab~c"),
    ] {
        scratch.artifact(&[("comment.md", format!("## a\n{line}\n").as_bytes())]);
        let (_, _, calls) = scratch.post();
        let body = calls[0].2["body"].as_str().unwrap();
        let expected = expected.replace('~', "\u{200b}");
        assert_eq!(body, format!("{HEAD}## a\n{expected}\n"));
    }
}

#[test]
fn cuts_long_comments_after_escaping() {
    let scratch = Scratch::new();
    let folded = "## a\n\n<details><summary>All: 1</summary>\n\n- x<br>y\n\n</details>\n";
    scratch.artifact(&[("comment.md", folded.as_bytes())]);
    let (_, _, calls) = scratch.post();
    assert_eq!(
        calls[0].2["body"].as_str().unwrap(),
        format!("{HEAD}{folded}")
    );

    let alone = "## a\n</details>\n<details open>\n";
    scratch.artifact(&[("comment.md", alone.as_bytes())]);
    let (_, _, calls) = scratch.post();
    assert_eq!(
        calls[0].2["body"].as_str().unwrap(),
        format!("{HEAD}## a\n<\u{200b}/details>\n<\u{200b}details open>\n")
    );

    let long = format!(
        "## a\n<details><summary>b</summary>\n\n{}",
        "@a\n".repeat(19_900)
    );
    scratch.artifact(&[("comment.md", long.as_bytes())]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    let body = calls[0].2["body"].as_str().unwrap();
    let length = body.chars().count();
    assert!((65_000..=65_536).contains(&length), "{length}");
    assert!(
        body.ends_with(
            "a\n\n</details>\n\nThis comment is truncated. Run `gwconform check --all` to see all findings.\n"
        ),
        "{}",
        &body[body.len() - 200..]
    );
}

#[test]
fn suggestions_outside_of_the_change_are_left_out() {
    let scratch = Scratch::new();
    let places = [
        (README, 1),
        (README, 4),
        (README, 5),
        (README, 20),
        ("conformance/reports/v1.5/acme-operator/b.yaml", 3),
        ("conformance/reports/v1.5/large/README.md", 1),
    ];
    let listed: Vec<Value> = places
        .iter()
        .map(|(path, line)| suggestion(path, *line))
        .collect();
    let document = json!({ "comments": listed }).to_string();
    scratch.artifact(&[("suggestions.json", document.as_bytes())]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    let posted = calls[0].2["comments"].as_array().unwrap().iter();
    let lines: Vec<_> = posted.map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [4, 20]);
}

#[test]
fn suggestions_are_for_the_tree_and_contain_no_command() {
    let scratch = Scratch::new();
    let (name, folder) = (README.rsplit('/').next().unwrap(), "conformance/reports");
    let refused = [
        ".github/workflows/x.yaml".to_owned(),
        "README.md".to_owned(),
        format!("{folder}/README.md"),
        format!("{folder}/v1.5/a/../../../../README.md"),
        format!("/{README}"),
        format!("{folder}/v1.5/acme-operator/run.sh"),
        format!("{folder}-2/v1.5/acme-operator/{name}"),
    ];
    let patch = |path: &str| json!({ "filename": path, "patch": "@@ -1,2 +2,3 @@ x\n a\n+b" });
    let mut files: Vec<Value> = refused.iter().map(|path| patch(path)).collect();
    files.push(patch(README));
    scratch.answer("repos_acme_reports_pulls_34_files", &json!([files]));
    let command = "write it\n\n```suggestion\na\n/override all\n```";
    let mut listed: Vec<Value> = refused.iter().map(|path| suggestion(path, 3)).collect();
    listed.push(json!({ "path": README, "line": 3, "body": command }));
    listed.push(suggestion(README, 4));
    let document = json!({ "comments": listed }).to_string();
    scratch.artifact(&[("suggestions.json", document.as_bytes())]);
    let (is_done, text, calls) = scratch.post();
    assert!(is_done, "{text}");
    let posted = calls[0].2["comments"].as_array().unwrap();
    assert_eq!(posted.len(), 1, "{posted:?}");
    assert_eq!(posted[0]["line"], 4);
    assert_eq!(
        text.matches("skipped a suggestion that is not for ")
            .count(),
        7,
        "{text}"
    );
}

#[test]
fn the_author_of_another_token_is_recognised() {
    let mut scratch = Scratch::new();
    scratch.author = Some("acme[bot]");
    scratch.artifact(&[("comment.md", b"## no errors in 5 files\n")]);
    scratch.answer(
        "repos_acme_reports_issues_34_comments",
        &json!([[
            { "id": 1, "user": { "login": "github-actions[bot]" }, "body": "<!-- gwconform -->\n" },
            { "id": 2, "user": { "login": "acme[bot]" }, "body": "<!-- gwconform -->\n" },
        ]]),
    );
    let (_, _, calls) = scratch.post();
    assert_eq!(calls[0].1, "repos/acme/reports/issues/comments/2");
}
