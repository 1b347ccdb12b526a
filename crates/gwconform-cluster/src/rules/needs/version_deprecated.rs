use super::CrdsContext;
use super::shared::{VersionText, versions};
use crate::needs::absent_fields::Served;
use crate::rules::{Findings, rule};

rule!("version_deprecated.md", CrdsContext(check), VersionText);

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    versions(
        cx,
        "is deprecated in",
        |served| match served {
            Served::Deprecated { write } => Some(write),
            _ => None,
        },
        out,
    );
}
