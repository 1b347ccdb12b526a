use crate::report::suite::{self, Ran};
use crate::report::view::Report;
use gwconform_base::release::Registry;

/// Highest known count, if `count` exceeds it by more than 10%. Suites built from a branch can have
/// a few more tests.
pub(crate) fn exceeded_core_tests(
    report: &Report<'_>,
    registry: &Registry,
    profile: &str,
    count: u64,
) -> Option<u64> {
    let namesakes: Vec<_> = registry.profiles_called(profile).collect();
    let ran = Ran {
        provisional: report.named_tests(),
        ..Ran::default()
    };
    let by_release = namesakes.chunk_by(|(a, _), (b, _)| std::ptr::eq(*a, *b));
    let mut counts = by_release.rev().filter_map(|profiles| {
        let (release, _) = profiles.first()?;
        let profiles = profiles.iter().map(|(_, profile)| *profile);
        Some(suite::core_total(release, profiles, &ran))
    });
    let mut most = counts.next()?;
    let is_exceeded = |most: u64| count > most.saturating_add(most.div_ceil(10));
    while is_exceeded(most) {
        match counts.next() {
            Some(other) => most = most.max(other),
            None => return Some(most),
        }
    }
    None
}
