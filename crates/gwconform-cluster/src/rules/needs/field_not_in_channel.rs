use super::CrdsContext;
use super::shared::absent;
use crate::needs::absent_fields::Absent;
use crate::rules::{Findings, rule};
use gwconform_base::api::{Minor, Version};

rule! {
    "field_not_in_channel.md", CrdsContext(check), Text<'a>;
    Experimental { field: &'a str, release: &'a Version } => "{field} is only in the experimental CRDs of {release}",
    Since { field: &'a str, release: &'a Version, since: Minor } => "{field} is only in the experimental CRDs of {release}; the standard ones have it since {since}",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    for (crds, one) in absent(cx) {
        let Absent::Experimental(since) = one.why else {
            continue;
        };
        let (field, release) = (one.path, &crds.release.version);
        let text = match since {
            Some(since) => Text::Since {
                field,
                release,
                since,
            },
            None => Text::Experimental { field, release },
        };
        out.at(one.node.head(), text);
    }
}
