//! Message parts shared by several rules.

use super::{Findings, Remedy, ReportContext};
use gwconform_base::api::NameKind;
use gwconform_base::release::stated::ComparedFacts;
use gwconform_base::release::{Registry, Release};
use gwconform_base::text::diagnostic::{Anchor, Diagnostic, Severity};
use gwconform_base::text::message::{Message, Words};

/// Lists the first names, and the number of other names.
pub fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> Message {
    Message::short_list(names.into_iter().map(Message::code), ", ", " and ")
}

/// [`names`] with a verb, such as `` `a` was `` or `` `a` and `b` were ``.
pub fn names_were<'n>(list: impl IntoIterator<Item = &'n str>) -> Message {
    let values: Vec<_> = list.into_iter().collect();
    let verb = if values.len() == 1 { " was" } else { " were" };
    let mut message = names(values);
    message.push_words(verb.into());
    message
}

/// Word for a kind of name, such as `feature`.
pub fn noun(kind: NameKind) -> Words {
    Words(match kind {
        NameKind::Feature => "feature",
        NameKind::Profile => "profile",
        NameKind::Test => "test",
    })
}

/// Lists releases, with ranges such as `v1.1.0 to v1.4.1` for consecutive ones.
pub fn releases(registry: &Registry, releases: &[&Release]) -> Message {
    let all = registry.releases().iter();
    let is_listed = |candidate: &Release| {
        releases
            .iter()
            .any(|release| release.version() == candidate.version())
    };
    let flags: Vec<_> = all.map(|release| (release, is_listed(release))).collect();
    let runs = flags.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1);
    let ranges = runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{} to {}", first.0.version(), last.0.version())],
        few => few
            .iter()
            .map(|(release, _)| release.version().to_string())
            .collect(),
    });
    Message::words(ranges.collect::<Vec<_>>().join(", "))
}

/// Lists all releases with the same data as `release`.
pub(crate) fn facts_of(cx: &ReportContext<'_>, release: &Release) -> Message {
    let mut same = releases(cx.registry, &cx.registry.same_content(release));
    if let Some(version) = &cx.release.version
        && version != release.version()
    {
        let why = match cx.compared() {
            Some(ComparedFacts::OfOlderPatch(_)) => " ({version} was released after the suite ran)",
            _ => " (the nearest patch below {version})",
        };
        same.push(Message::fill(why, &[("version", version)]));
    }
    same
}

/// Adds a finding. If the exact release is unknown, the severity is at most info or, for rules that
/// block verdicts, warning.
pub fn by_facts<'o>(
    cx: &ReportContext<'_>,
    out: &'o mut Findings,
    anchor: impl Into<Anchor>,
    message: impl Into<Message>,
) -> &'o mut Diagnostic {
    let finding = out.at(anchor, message);
    if !cx.facts().is_some_and(|(_, is_own)| is_own) {
        let rule = super::find(&super::ALL, finding.rule);
        let is_blocking = rule.is_some_and(|rule| rule.blocks_verdict);
        finding.severity = if is_blocking {
            finding.severity.min(Severity::Warning)
        } else {
            Severity::Info
        };
    }
    finding
}

/// Advice to run the suite of the report's release.
pub(crate) fn rerun_release(cx: &ReportContext<'_>) -> Remedy {
    match &cx.release.version {
        Some(version) => Remedy::RerunFromTag {
            tag: version.clone(),
        },
        None => Remedy::Rerun,
    }
}

#[cfg(test)]
mod tests {
    use super::{names, releases};
    use gwconform_base::release::Registry;

    #[test]
    fn many_names_are_cut() {
        assert_eq!(names(["a"]).to_string(), "`a`");
        assert_eq!(names(["a", "b"]).to_string(), "`a` and `b`");
        assert_eq!(
            names(["a", "b", "c", "d"]).to_string(),
            "`a`, `b`, `c` and `d`"
        );
        assert_eq!(
            names(["a", "b", "c", "d", "e"]).to_string(),
            "`a`, `b`, `c` and 2 more"
        );
    }

    #[test]
    fn releases_in_a_row_are_a_range() {
        let registry = Registry::embedded();
        let named = |wanted: &[&str]| {
            let all = registry.releases().iter();
            let found: Vec<_> = all
                .filter(|release| wanted.contains(&release.version().to_string().as_str()))
                .collect();
            releases(registry, &found)
        };
        assert_eq!(named(&["v1.5.0", "v1.5.1"]).to_string(), "v1.5.0, v1.5.1");
        assert_eq!(
            named(&["v1.4.0", "v1.4.1", "v1.5.0"]).to_string(),
            "v1.4.0 to v1.5.0"
        );
        assert_eq!(named(&["v0.8.0", "v1.6.1"]).to_string(), "v0.8.0, v1.6.1");
        assert_eq!(named(&[]).to_string(), "");
    }
}
