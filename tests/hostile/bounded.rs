//! Runs the program with limits on time and memory, and checks that its output is safe to display.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use gwconform_base::text::counted;

use super::support::EPOCH;
use super::support::keep::keep;

/// Memory limit, far above the largest real usage and far below the point where the system kills
/// the process.
const MOST_MEMORY_KIB: u64 = 2 * 1024 * 1024;
const MOST_SECONDS: u64 = 120;

const NOBODY: u32 = 65534;

pub struct Call {
    folder: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    limits: String,
    is_nobody: bool,
}

#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Call {
    pub fn new(folder: &Path, arguments: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            arguments: arguments.split_whitespace().map(OsString::from).collect(),
            environment: Vec::new(),
            limits: String::new(),
            is_nobody: false,
        }
    }

    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .push((name.into(), value.as_ref().to_owned()));
        self
    }

    pub fn limit(mut self, words: &str) -> Self {
        self.limits.push_str(words);
        self.limits.push(';');
        self
    }

    /// Runs the program as another account if the user is root.
    pub fn for_nobody(mut self) -> Self {
        self.is_nobody = is_root();
        self
    }

    pub fn command(&self) -> Command {
        let script = format!(
            "ulimit -v {MOST_MEMORY_KIB} 2>/dev/null; ulimit -t {MOST_SECONDS}; {} exec \"$@\"",
            self.limits
        );
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &script, "sh"])
            .arg(program())
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env(EPOCH.0, EPOCH.1)
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        if self.is_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    pub fn run(&self) -> Ran {
        let mut child = self
            .command()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let stdout = thread::spawn(move || all_of(&mut stdout));
        let stderr = thread::spawn(move || all_of(&mut stderr));
        let code = self.end(&mut child);
        let ran = Ran {
            code,
            stdout: stdout.join().unwrap(),
            stderr: String::from_utf8_lossy(&stderr.join().unwrap()).into_owned(),
        };
        assert!(
            (0..=3).contains(&ran.code),
            "{:?}: exit code {}: {}",
            self.arguments,
            ran.code,
            ran.stderr
        );
        assert!(
            !ran.stderr.contains("panicked at"),
            "{:?}: {}",
            self.arguments,
            ran.stderr
        );
        can_be_seen(&ran.stderr, "standard error");
        ran
    }

    fn end(&self, child: &mut Child) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            if start.elapsed() > Duration::from_secs(MOST_SECONDS) {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{:?} does not end", self.arguments);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Ran {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {self:.2000?}"))
    }

    pub fn lacks(&self, text: &str) {
        let printed = String::from_utf8_lossy(&self.stdout);
        assert!(!printed.contains(text), "{text} in {printed}");
        assert!(!self.stderr.contains(text), "{text} in {}", self.stderr);
    }
}

fn program() -> OsString {
    let built = || OsString::from(env!("CARGO_BIN_EXE_gwconform"));
    std::env::var_os("GWCONFORM_PROGRAM").unwrap_or_else(built)
}

fn all_of(stream: &mut dyn Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Detects control, bidirectional, line-separator and default-ignorable characters, except emoji
/// selectors, without the program's own tables.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

pub fn can_be_seen(text: &str, what: &str) {
    let unseen = text
        .char_indices()
        .find(|(_, c)| is_unseen(*c) && *c != '\n');
    if let Some((at, c)) = unseen {
        let around: String = text[at..].chars().take(80).collect();
        panic!("{what}: U+{:04X} in {around:?}", u32::from(c));
    }
}

pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout == b"0\n"
}

pub fn look(folder: &Path, arguments: &str) -> String {
    keep(folder, "hostile");
    let human = Call::new(folder, &format!("check {arguments}")).run();
    can_be_seen(human.text(), "human");
    let ran = Call::new(folder, &format!("check --format json {arguments}")).run();
    assert_eq!(ran.code, human.code);
    if ran.code > 1 {
        return format!("exit {}: {}", ran.code, last_line(&ran.stderr));
    }
    summary(&ran)
}

pub fn summary(ran: &Ran) -> String {
    let json = ran.json();
    let list = |name: &str| json[name].as_array().unwrap().clone();
    let mut rules: Vec<String> = (list("findings").iter())
        .map(|finding| format!("`{}`", finding["rule"].as_str().unwrap()))
        .collect();
    rules.sort();
    rules.dedup();
    let mut reasons: Vec<String> = (list("left_out").iter())
        .map(|one| one["reason"].as_str().unwrap().chars().take(90).collect())
        .collect();
    reasons.sort();
    reasons.dedup();
    let more = reasons.len().saturating_sub(1);
    let mut text = if rules.is_empty() {
        "no findings".to_owned()
    } else {
        rules.join(", ")
    };
    if let Some(first) = reasons.first() {
        text.push_str(&format!("; not checked: {first}"));
    }
    if more > 0 {
        text.push_str(&format!(", and {}", counted(more, "more reason")));
    }
    text
}

pub fn last_line(text: &str) -> String {
    let line = text.trim_end().lines().last().unwrap_or_default();
    line.chars().take(120).collect()
}
