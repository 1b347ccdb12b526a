use super::CrdsContext;
use super::shared::{VersionText, versions};
use crate::needs::absent_fields::Served;
use crate::rules::{Findings, rule};

rule!("version_not_served.md", CrdsContext(check), VersionText);

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
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
