//! Fuzzes release data with arbitrary text. Errors must name the file and a line in the file, and a
//! valid file must support every query.

#![no_main]

use gwconform_base::api::Channel;
use gwconform_base::release::Registry;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest).into_owned();
    // The first byte selects the file name: the policies, or a release before, among or after the
    // known releases.
    let name = [
        "v0.1.0.json",
        "v1.3.0.json",
        "v1.99.0.json",
        "policies.json",
    ][usize::from(first % 4)];
    let lines = text.split('\n').count() as u32;
    let registry = match Registry::with_files(&[(name.to_owned(), text)]) {
        Ok(registry) => registry,
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(!error.message.is_empty());
                assert!(
                    error.file != name || (1..=lines).contains(&error.line),
                    "{error}"
                );
            }
            return;
        }
    };
    for release in registry.releases() {
        registry.same_content(release);
        release.crds(Channel::Standard);
        release.crds(Channel::Experimental);
        for profile in release.profiles() {
            release.members(profile);
            for test in release.tests() {
                release.level(profile, test);
            }
        }
        for feature in release.features() {
            release.tests_of(&feature.name).count();
        }
    }
});
