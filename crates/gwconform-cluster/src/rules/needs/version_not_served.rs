use super::NeedsContext;
use super::shared::{VersionText, versions};
use crate::needs::absent_fields::Served;
use crate::rules::{Findings, rule};

rule!("version_not_served.md", NeedsContext(check), VersionText);

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    versions(
        cx,
        "is not served by",
        |served| match served {
            Served::VersionNotServed { write } => Some(write),
            _ => None,
        },
        out,
    );
}
