/// Sort key of a version. Texts that are not versions sort first, and prereleases sort before their
/// release.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct VersionKey {
    numbers: Vec<u64>,
    stage: Stage,
    rest: Vec<VersionPart>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Stage {
    Prerelease,
    #[default]
    Release,
    After,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum VersionPart {
    Number(u64),
    Word(String),
}

const PRERELEASES: [&str; 9] = [
    "alpha", "beta", "rc", "pre", "preview", "dev", "snapshot", "main", "nightly",
];

/// Parses versions such as `v3.7`, `1.35.2-gke.1751000`, `enterprise-2.18`, `v2.1.0-main` and
/// `v3.2.0-244-gea4944bb0` (244 commits after v3.2.0). Missing numbers are 0.
pub fn version_key(text: &str) -> VersionKey {
    let is_commit = text.len() >= 7 && text.chars().all(|c| c.is_ascii_hexdigit());
    if is_commit || text.contains("://") {
        return VersionKey::default();
    }
    let Some(start) = text.find(|c: char| c.is_ascii_digit()) else {
        return VersionKey::default();
    };
    let version = &text[start..];
    let end = version
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(version.len());
    let (dotted, suffix) = version.split_at(end);
    let mut numbers: Vec<u64> = dotted
        .split('.')
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().unwrap_or(u64::MAX))
        .collect();
    while numbers.last() == Some(&0) && numbers.len() > 1 {
        numbers.pop();
    }
    let rest: Vec<VersionPart> = parts(suffix);
    let is_word = |part: &VersionPart, words: &[&str]| match part {
        VersionPart::Word(word) => words.contains(&word.as_str()),
        VersionPart::Number(_) => false,
    };
    let stage = match rest.first() {
        None => Stage::Release,
        Some(first) if is_word(first, &PRERELEASES) => Stage::Prerelease,
        Some(_) => Stage::After,
    };
    VersionKey {
        numbers,
        stage,
        rest,
    }
}

fn parts(text: &str) -> Vec<VersionPart> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let same = |other: char| match () {
            () if c.is_ascii_digit() => other.is_ascii_digit(),
            () if c.is_alphabetic() => other.is_alphabetic(),
            () => !other.is_alphabetic() && !other.is_ascii_digit(),
        };
        let end = rest.find(|other| !same(other)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        if c.is_ascii_digit() {
            parts.push(VersionPart::Number(part.parse().unwrap_or(u64::MAX)));
        } else if c.is_alphabetic() {
            parts.push(VersionPart::Word(part.to_lowercase()));
        }
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::version_key;

    #[test]
    fn orders_versions_as_reports_spell_them() {
        let rising = [
            "latest",
            "v0.9.1",
            "1.2.0-alpha1",
            "1.2.0-alpha2",
            "v1.2.0-rc.1",
            "version-1.2",
            "1.2.0-gke.5",
            "1.2.0-gke.10",
            "enterprise-1.10",
            "v2.1.0-main",
            "2.1.0",
            "v2.1.0-244-gea4944bb0",
            "v2.1.1",
        ];
        for pair in rising.windows(2) {
            assert!(version_key(pair[0]) < version_key(pair[1]), "{pair:?}");
        }
        for (a, b) in [
            ("v1.20", "1.20.0"),
            ("main", "f6c112e60a40"),
            ("2.18", "enterprise-2.18"),
        ] {
            assert_eq!(version_key(a), version_key(b), "{a} {b}");
        }
    }
}
