use crate::report::view::{Level, List, Number, Profile};
use gwconform_base::text::MAX_EXAMPLES;
use gwconform_base::text::message::{Message, texts};

texts! {
    pub(super) enum Text {
        Unnamed => "unnamed profile",
        NotNamed => "the report does not name them",
    }
}

pub(super) fn name(profile: &Profile<'_>) -> Message {
    profile
        .name
        .map(|name| Message::code(name.value))
        .unwrap_or_else(|| Text::Unnamed.into())
}

/// Names in a list of tests.
pub(super) fn tests(list: Option<&List<'_>>) -> Message {
    let items = list.iter().flat_map(|list| &list.items);
    let named: Vec<_> = items.map(|test| Message::code(test.value)).collect();
    if named.is_empty() {
        return Text::NotNamed.into();
    }
    Message::list_up_to(MAX_EXAMPLES, named, ", ", " and ")
}

/// Number of tests in the statistics; missing numbers count as zero.
pub(super) fn total(level: &Level<'_>) -> u64 {
    let counts = level.statistics.iter();
    let counts = counts.flat_map(|counts| [counts.passed, counts.skipped, counts.failed]);
    counts.map(count).fold(0, u64::saturating_add)
}

pub(super) fn count(number: Option<Number>) -> u64 {
    number.map_or(0, |number| number.value)
}
