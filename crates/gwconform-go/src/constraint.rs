//! Selects the files that a build for linux/amd64 without tags includes.

use super::file::shortened;

/// GOOS and GOARCH values in file names, except linux and amd64.
const OTHERS: [&str; 30] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "illumos",
    "ios",
    "js",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "386",
    "arm",
    "arm64",
    "loong64",
    "mips",
    "mips64",
    "mips64le",
    "mipsle",
    "ppc64",
    "ppc64le",
    "riscv64",
    "s390x",
    "wasm",
    "sparc64",
    "hurd",
    "zos",
];

/// Reason for excluding the file; `None` if it is included.
pub(crate) fn left_out_by_name(name: &str) -> Option<String> {
    let stem = name.trim_end_matches(".go");
    // `tests_js.go` has a constraint; `arm.go` and `js_tests.go` do not.
    let behind_first = stem.split_once('_').map_or("", |(_, rest)| rest);
    let mut endings = behind_first.rsplit('_');
    let mut ending = endings.next().unwrap_or_default();
    if ending == "amd64" {
        ending = endings.next().unwrap_or_default();
    }
    OTHERS
        .contains(&ending)
        .then(|| format!("its name ends like that of another system, `{ending}`"))
}

pub(crate) fn left_out_by_text(text: &str) -> Option<String> {
    let mut older = Vec::new();
    for line in comments_at_top(text) {
        if let Some(expression) = line.strip_prefix("go:build ") {
            let words = words(expression);
            let holds = any(&words, &mut 0, 0);
            return (holds != Some(true))
                .then(|| format!("its build constraint is `{}`", shortened(expression)));
        }
        if let Some(options) = line.trim_start().strip_prefix("+build ") {
            older.push(options);
        }
    }
    let fails = |options: &&str| {
        let mut options = options.split_whitespace();
        !options.any(|option| {
            option.split(',').all(|tag| match tag.strip_prefix('!') {
                Some(tag) => !is_set(tag),
                None => is_set(tag),
            })
        })
    };
    let failing = older.into_iter().find(fails)?;
    Some(format!("its build constraint is `{}`", shortened(failing)))
}

fn comments_at_top(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(block) = rest.strip_prefix("/*") {
            let Some(end) = block.find("*/") else {
                return found;
            };
            rest = &block[end + 2..];
        } else if let Some(comment) = rest.strip_prefix("//") {
            let end = comment.find('\n').unwrap_or(comment.len());
            found.push(&comment[..end]);
            rest = &comment[end..];
        } else {
            return found;
        }
    }
}

fn is_set(tag: &str) -> bool {
    matches!(tag, "linux" | "amd64" | "unix" | "gc" | "cgo") || tag.starts_with("go1.")
}

fn words(expression: &str) -> Vec<String> {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('!', " ! ")
        .replace("&&", " && ")
        .replace("||", " || ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

fn any(words: &[String], at: &mut usize, depth: u32) -> Option<bool> {
    let mut holds = all(words, at, depth)?;
    while words.get(*at).is_some_and(|word| word == "||") {
        *at += 1;
        holds |= all(words, at, depth)?;
    }
    (depth > 0 || *at == words.len()).then_some(holds)
}

fn all(words: &[String], at: &mut usize, depth: u32) -> Option<bool> {
    let mut holds = one(words, at, depth)?;
    while words.get(*at).is_some_and(|word| word == "&&") {
        *at += 1;
        holds &= one(words, at, depth)?;
    }
    Some(holds)
}

fn one(words: &[String], at: &mut usize, depth: u32) -> Option<bool> {
    let word = words.get(*at)?;
    *at += 1;
    match word.as_str() {
        _ if depth > 50 => None,
        "!" => Some(!one(words, at, depth + 1)?),
        "(" => {
            let holds = any(words, at, depth + 1)?;
            let closes = words.get(*at).is_some_and(|word| word == ")");
            *at += 1;
            closes.then_some(holds)
        }
        ")" | "&&" | "||" => None,
        tag => Some(is_set(tag)),
    }
}

#[cfg(test)]
mod tests {
    use super::{left_out_by_name, left_out_by_text};

    #[test]
    fn files_of_other_systems_are_left_out() {
        for name in [
            "a.go",
            "arm.go",
            "js_tests.go",
            "a_linux.go",
            "a_linux_amd64.go",
            "a_arm_b.go",
        ] {
            assert_eq!(left_out_by_name(name), None, "{name}");
        }
        for name in [
            "a_windows.go",
            "a_arm64.go",
            "a_windows_amd64.go",
            "a_linux_arm64.go",
        ] {
            assert!(left_out_by_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_constraint_must_hold() {
        let holds =
            |line: &str| left_out_by_text(&format!("/* x */\n\n{line}\n\npackage a\n")).is_none();
        for line in [
            "// a comment",
            "//go:build linux && !windows",
            "//go:build ignore || (unix && go1.24)",
            "//go:build !(ignore || darwin)",
            "// +build linux,amd64 darwin",
        ] {
            assert!(holds(line), "{line}");
        }
        for line in [
            "//go:build ignore",
            "//go:build linux && experimental",
            "//go:build !linux",
            "//go:build (linux",
            "//go:build linux)",
            "//go:build",
            "// +build ignore",
            "// +build !linux",
        ] {
            assert!(!holds(line) || line == "//go:build", "{line}");
        }
        let deep = format!("//go:build {}linux", "!".repeat(100_000));
        assert!(!holds(&deep));
        assert!(left_out_by_text("package a\n//go:build ignore\n").is_none());
    }
}
