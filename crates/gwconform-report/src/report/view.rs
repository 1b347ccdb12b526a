//! Lenient view of a report for rules. Every field is optional and has its node.
//!
//! The view accepts what Go's decoder accepts, plus `profileReports` (the suite's first name for
//! `profiles`) and results under `extended.status` (from another serializer). Field names match in
//! any case.

use crate::report::model::{self, Spanned, Stated};
use crate::report::siblings;
use gwconform_base::api::SUBJECT;
use gwconform_base::text::suggest::nearest;
use gwconform_yaml::{Entry, Kind, NodeId, Yaml};

/// Report document with positions.
pub type Report<'y> = model::Report<&'y str, NodeId>;

/// Scalar text as written, with its position.
pub type Text<'y> = Spanned<&'y str, NodeId>;

/// Whole number with its position.
pub type Number = Spanned<u64, NodeId>;

/// List of texts with positions.
pub type List<'y> = model::List<&'y str, NodeId>;

/// `implementation` with positions.
pub type Implementation<'y> = model::Implementation<&'y str, NodeId>;

/// Entry of `profiles` with positions.
pub type Profile<'y> = model::Profile<&'y str, NodeId>;

/// `core` or `extended` of a profile with positions.
pub type Level<'y> = model::LevelData<&'y str, NodeId>;

/// `statistics` of a level with positions.
pub type Statistics = model::Statistics<NodeId>;

impl<'y> Report<'y> {
    /// Reads a report document. The result is empty if `root` is not a mapping.
    pub fn read(yaml: &'y Yaml<'_>, root: NodeId) -> Self {
        if !matches!(yaml.kind(root), Kind::Map(_)) {
            return Self::default();
        }
        let at = Mapping { yaml, node: root };
        let profiles: Vec<Profile<'y>> = at
            .profiles()
            .map(|list| yaml.items(list))
            .unwrap_or_default()
            .iter()
            .filter_map(|&node| Mapping::try_new(yaml, node))
            .map(read_profile)
            .collect();
        Self {
            root: Some(root),
            api_version: at.text("apiVersion"),
            kind: at.text("kind"),
            date: at.text("date"),
            stated_release: at.text(SUBJECT.release_field),
            channel: at.text(SUBJECT.channel_field),
            mode: at.text("mode"),
            implementation: at
                .mapping("implementation")
                .map(read_implementation)
                .unwrap_or_default(),
            succeeded_provisional_tests: at.list("succeededProvisionalTests"),
            other_project: other_project(yaml, root, &profiles),
            profiles,
        }
    }
}

fn read_implementation<'y>(at: Mapping<'y, '_>) -> Implementation<'y> {
    Implementation {
        node: Some(at.node),
        organization: at.text("organization"),
        project: at.text("project"),
        url: at.text("url"),
        version: at.text("version"),
        contact: at.list("contact"),
    }
}

fn read_profile<'y>(at: Mapping<'y, '_>) -> Profile<'y> {
    Profile {
        node: at.node,
        name: at.text("name"),
        summary: at.text("summary"),
        core: at.mapping("core").map(read_level),
        extended: at.mapping("extended").map(read_level),
    }
}

fn read_level<'y>(at: Mapping<'y, '_>) -> Level<'y> {
    let inner = at.mapping("status");
    let text = |name| {
        at.text(name)
            .or_else(|| inner.and_then(|inner| inner.text(name)))
    };
    let list = |name| {
        at.list(name)
            .or_else(|| inner.and_then(|inner| inner.list(name)))
    };
    let statistics = statistics_of(at).map(|(found, _)| found);
    Level {
        node: at.node,
        result: Stated::of(text("result")),
        summary: text("summary"),
        statistics: statistics.map(|at| Statistics {
            node: at.node,
            passed: at.number("Passed"),
            skipped: at.number("Skipped"),
            failed: at.number("Failed"),
        }),
        skipped_tests: list("skippedTests"),
        failed_tests: list("failedTests"),
        supported_features: list("supportedFeatures"),
        unsupported_features: list("unsupportedFeatures"),
    }
}

/// Finds numbers that are not plain digits. Go's decoder rejects fractions and exponents, and YAML
/// parsers disagree about `037`, `0o45` and `0x25`.
pub(super) fn not_in_digits(yaml: &Yaml<'_>, root: NodeId) -> Vec<(NodeId, String)> {
    let mut found = Vec::new();
    let profiles = Mapping::try_new(yaml, root)
        .and_then(|root| root.profiles())
        .map_or(&[][..], |list| yaml.items(list));
    for (at, &node) in profiles.iter().enumerate() {
        for level in gwconform_base::api::Level::ALL {
            let Some((statistics, below)) = Mapping::try_new(yaml, node)
                .and_then(|profile| profile.mapping(level.as_str()))
                .and_then(statistics_of)
            else {
                continue;
            };
            for count in ["Failed", "Passed", "Skipped"] {
                if let Some(node) = statistics.get(count)
                    && matches!(
                        yaml.kind(node),
                        Kind::Float(_) | Kind::Int(_) | Kind::BigInt(_)
                    )
                    && !yaml.text(node).is_some_and(is_in_digits)
                {
                    let path = format!("profiles[{at}].{level}{below}.statistics.{count}");
                    found.push((node, path));
                }
            }
        }
    }
    found
}

/// Rejects leading zeros. Accepts a minus sign, which the schema rejects.
fn is_in_digits(text: &str) -> bool {
    let digits = text.strip_prefix('-').filter(|digits| *digits != "0");
    let digits = digits.unwrap_or(text);
    let is_padded = digits.len() > 1 && digits.starts_with('0');
    !is_padded && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn statistics_of<'y, 't>(level: Mapping<'y, 't>) -> Option<(Mapping<'y, 't>, &'static str)> {
    let own = level.mapping("statistics").map(|found| (found, ""));
    own.or_else(|| {
        let inner = level.mapping("status")?;
        Some((inner.mapping("statistics")?, ".status"))
    })
}

#[derive(Clone, Copy)]
struct Mapping<'y, 't> {
    yaml: &'y Yaml<'t>,
    node: NodeId,
}

impl<'y, 't> Mapping<'y, 't> {
    fn try_new(yaml: &'y Yaml<'t>, node: NodeId) -> Option<Self> {
        matches!(yaml.kind(node), Kind::Map(_)).then_some(Self { yaml, node })
    }

    /// Prefers the exact case. The last of equal keys wins.
    fn get(&self, name: &str) -> Option<NodeId> {
        let entries = self.yaml.entries(self.node);
        let named = |matches: fn(&str, &str) -> bool| {
            let is_it = |entry: &&Entry| {
                self.yaml
                    .text(entry.key)
                    .is_some_and(|key| matches(key, name))
            };
            entries.iter().rev().find(is_it).map(|entry| entry.value)
        };
        named(|key, name| key == name).or_else(|| named(same_name))
    }

    fn profiles(&self) -> Option<NodeId> {
        self.get("profiles").or_else(|| self.get("profileReports"))
    }

    fn mapping(&self, name: &str) -> Option<Self> {
        Self::try_new(self.yaml, self.get(name)?)
    }

    fn text(&self, name: &str) -> Option<Text<'y>> {
        text(self.yaml, self.get(name)?)
    }

    fn number(&self, name: &str) -> Option<Number> {
        let node = self.get(name)?;
        match self.yaml.kind(node) {
            Kind::Int(value) if self.yaml.text(node).is_some_and(is_in_digits) => Some(Number {
                value: u64::try_from(value).ok()?,
                node,
            }),
            _ => None,
        }
    }

    fn list(&self, name: &str) -> Option<List<'y>> {
        let node = self.get(name)?;
        let Kind::Seq(nodes) = self.yaml.kind(node) else {
            return None;
        };
        let items = nodes
            .iter()
            .filter_map(|&item| text(self.yaml, item))
            .collect();
        Some(List { node, items })
    }
}

fn text<'y>(yaml: &'y Yaml<'_>, node: NodeId) -> Option<Text<'y>> {
    if matches!(yaml.kind(node), Kind::Null | Kind::Alias) {
        return None;
    }
    let value = yaml.text(node)?;
    Some(Text { value, node })
}

/// Field or profile of another project: a known field, an unknown version field such as
/// `meshVersion`, or profiles that only other projects have.
fn other_project<'y>(
    yaml: &'y Yaml<'_>,
    root: NodeId,
    profiles: &[Profile<'y>],
) -> Option<Text<'y>> {
    let mut known = None;
    let mut unknown = None;
    for entry in yaml.entries(root) {
        let Some(value) = yaml.text(entry.key) else {
            continue;
        };
        let field = Text {
            value,
            node: entry.key,
        };
        let is_known = if same_name(value, siblings::GROUPS) {
            has_groups(yaml, entry.value, profiles)
        } else {
            siblings::by_field(value).is_some()
        };
        if is_known {
            known = known.or(Some(field));
        } else if is_other_version(value) {
            unknown = unknown.or(Some(field));
        }
    }
    let is_foreign = |profile: &Profile<'y>| {
        let name = profile
            .name
            .filter(|name| siblings::by_profile(name.value).next().is_some());
        name.is_some()
    };
    let by_profile = || {
        let first = profiles.first()?.name;
        first.filter(|_| profiles.iter().all(is_foreign))
    };
    known.or(unknown).or_else(by_profile)
}

/// The reports of the Multi-Cluster Services API have groups of tests instead of profiles.
fn has_groups(yaml: &Yaml<'_>, list: NodeId, profiles: &[Profile<'_>]) -> bool {
    let mut groups = yaml.items(list).iter();
    let is_group = |node: &NodeId| {
        let group = Mapping::try_new(yaml, *node);
        group.is_some_and(|group| group.get("tests").is_some())
    };
    matches!(yaml.kind(list), Kind::Seq(_)) && profiles.is_empty() && groups.any(is_group)
}

fn is_other_version(name: &str) -> bool {
    let before = |end: &str| {
        let stem = name.len().checked_sub(end.len())?;
        same_name(name.get(stem..)?, end).then_some(stem)
    };
    // `mcsAPIVersion` is not a misspelled `apiVersion`.
    let is_prefixed = before("apiVersion") > Some(1);
    before("version") > Some(0)
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && nearest(name, [SUBJECT.release_field]).is_none()
        && (is_prefixed || nearest(name, ["apiVersion"]).is_none())
}

/// Compares field names. Go's decoder ignores case.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
