//! Defines cases and writes their table in README.md.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::support::has_time;

pub struct Case {
    pub name: String,
    pub what: String,
    pub is_long: bool,
    /// Returns the result for the table, or an empty text if this machine cannot run the case.
    /// Panics if the program breaks a promise.
    pub run: Box<dyn Fn() -> String + Send + Sync>,
}

impl Case {
    pub fn new(
        name: impl Into<String>,
        what: impl Into<String>,
        run: impl Fn() -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            what: what.into(),
            is_long: false,
            run: Box::new(run),
        }
    }

    pub fn long(mut self) -> Self {
        self.is_long = true;
        self
    }
}

/// Each size is a text for the table and a number. The larger case runs only with `GWCONFORM_LONG`.
pub fn in_two_sizes(sizes: [(&str, usize); 2], case: impl Fn(&str, usize) -> Case) -> [Case; 2] {
    let [few, many] = sizes.map(|(written, size)| case(written, size));
    [few, many.long()]
}

pub struct Subject {
    pub name: &'static str,
    pub title: &'static str,
    pub cases: Vec<Case>,
}

enum Ended {
    As(String),
    Failed,
    LeftOut,
}

pub fn hold(subject: &Subject) {
    let ended = run_all(subject);
    let failed: Vec<&str> = (subject.cases.iter().zip(&ended))
        .filter(|(_, ended)| matches!(ended, Ended::Failed))
        .map(|(case, _)| case.name.as_str())
        .collect();
    let left_out: Vec<&str> = (subject.cases.iter().zip(&ended))
        .filter(|(_, ended)| matches!(ended, Ended::LeftOut))
        .map(|(case, _)| case.name.as_str())
        .collect();
    if !left_out.is_empty() {
        // The test harness hides the output of print macros in passing tests, but not direct writes
        // to stderr.
        let _ = writeln!(
            std::io::stderr(),
            "LEFT OUT of {} (set GWCONFORM_LONG, or not to be made here): {}",
            subject.name,
            left_out.join(", ")
        );
    }
    assert!(failed.is_empty(), "{}: {failed:#?}", subject.name);
    let table = Table::read();
    let section = table.with(subject, &ended);
    if std::env::var_os("GWCONFORM_UPDATE").is_some() {
        table.write(subject.name, &section);
    } else {
        assert_eq!(
            table.section(subject.name),
            section,
            "the table is another one; GWCONFORM_UPDATE=1 writes it"
        );
    }
}

fn run_all(subject: &Subject) -> Vec<Ended> {
    let next = AtomicUsize::new(0);
    let ended: Vec<Mutex<Ended>> = (subject.cases.iter())
        .map(|_| Mutex::new(Ended::LeftOut))
        .collect();
    let work = || {
        while let Some(case) = subject.cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if case.is_long && !has_time() {
                continue;
            }
            let at = subject
                .cases
                .iter()
                .position(|other| std::ptr::eq(other, case));
            let result = match catch_unwind(AssertUnwindSafe(|| (case.run)())) {
                Ok(happened) if happened.is_empty() => Ended::LeftOut,
                Ok(happened) => Ended::As(happened),
                Err(_) => {
                    let _ = writeln!(std::io::stderr(), "FAILED: {}: {}", subject.name, case.name);
                    Ended::Failed
                }
            };
            *ended[at.unwrap()].lock().unwrap() = result;
        }
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(work);
        work();
        second.join().unwrap();
    });
    ended
        .into_iter()
        .map(|one| one.into_inner().unwrap())
        .collect()
}

/// Serializes updates, because several tests write sections of the same file.
static WRITING: Mutex<()> = Mutex::new(());

struct Table(String);

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/README.md")
}

impl Table {
    fn read() -> Self {
        Self(fs::read_to_string(path()).unwrap())
    }

    fn marks(name: &str) -> [String; 2] {
        ["begin", "end"].map(|word| format!("<!-- {word} {name} -->\n"))
    }

    fn section(&self, name: &str) -> String {
        let [begin, end] = Self::marks(name);
        let rest = self.0.split_once(&begin).map_or("", |(_, rest)| rest);
        rest.split_once(&end)
            .map_or("", |(section, _)| section)
            .to_owned()
    }

    fn with(&self, subject: &Subject, ended: &[Ended]) -> String {
        let before = self.section(subject.name);
        let mut section = format!(
            "## {}\n\n| input | what it is | what happens |\n|---|---|---|\n",
            subject.title
        );
        for (case, ended) in subject.cases.iter().zip(ended) {
            let start = format!("| {} | {} | ", cell(&case.name), cell(&case.what));
            let kept = before.lines().find(|line| line.starts_with(&start));
            match (ended, kept) {
                (Ended::As(happened), _) => writeln!(section, "{start}{} |", cell(happened)),
                (_, Some(line)) => writeln!(section, "{line}"),
                (_, None) => writeln!(section, "{start}not run yet |"),
            }
            .unwrap();
        }
        section
    }

    fn write(&self, name: &str, section: &str) {
        let _one = WRITING.lock().unwrap();
        let now = Self::read();
        let [begin, end] = Self::marks(name);
        let (before, after) = match now.0.split_once(&begin) {
            Some((before, rest)) => (before, rest.split_once(&end).unwrap().1),
            None => (now.0.as_str(), ""),
        };
        fs::write(path(), format!("{before}{begin}{section}{end}{after}")).unwrap();
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
