use super::CrdsContext;
use super::shared::absent;
use crate::needs::absent_fields::Absent;
use crate::rules::{Findings, rule};
use gwconform_base::api::{Minor, Version};

rule! {
    "field_gone.md", CrdsContext(check), Text<'a>;
    Gone { field: &'a str, release: &'a Version, until: Minor } => "{field} is in no CRD of {release}; the last minor with it is {until}",
    NotYet { field: &'a str, release: &'a Version, since: Minor } => "{field} is in no CRD of {release}; the first minor with it is {since}",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    for (crds, one) in absent(cx) {
        let (field, release) = (one.path, &crds.release.version);
        let text = match one.why {
            Absent::Gone(until) => Text::Gone {
                field,
                release,
                until,
            },
            Absent::NotYet(since) => Text::NotYet {
                field,
                release,
                since,
            },
            Absent::Experimental(_) => continue,
        };
        out.at(one.node.head(), text);
    }
}
