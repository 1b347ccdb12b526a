use super::CrdsContext;
use crate::rules::{Findings, rule};
use crate::{FeatureList, Kind};
use gwconform_base::api::{Channel, Minor, Version};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::{Line, Message, Words};
use gwconform_base::text::shell;

rule! {
    "features_as_strings.md", CrdsContext(check), Text<'a>;
    Strings { class: Message, channel: Words, release: &'a Version } => "{class} lists features as strings, but the {channel} CRDs of {release} require objects with `name`: the API server refuses each update of the class, such as the removal of its finalizer",
    Objects { class: Message, channel: Words, release: &'a Version } => "{class} lists features as objects, but the {channel} CRDs of {release} require strings: the API server refuses each update of the class",
    Remove { patch: Line } => "use a version of the controller that supports these CRDs, and remove the list: {patch}",
    Update => "use a version of the controller that supports these CRDs",
}

/// Objects replaced strings in v1.2. Until v1.3, only the experimental channel has the field.
const OBJECTS_SINCE: Minor = Minor { major: 1, minor: 2 };
const STANDARD_SINCE: Minor = Minor { major: 1, minor: 4 };

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    let (release, channel) = (&cx.crds.release.version, cx.crds.channel);
    if channel == Channel::Standard && release.minor() < STANDARD_SINCE {
        return;
    }
    let are_objects = release.minor() >= OBJECTS_SINCE;
    let classes = cx.cluster.of(&[Kind::GatewayClass]);
    for (_, object) in classes {
        let Some(list) = FeatureList::try_new(object) else {
            continue;
        };
        let is_refused = list.node.items().any(|item| item.is_map() != are_objects);
        if !is_refused {
            continue;
        }
        let (class, channel) = (object.title(), Words(channel.as_str()));
        let text = if are_objects {
            Text::Strings {
                class,
                channel,
                release,
            }
        } else {
            Text::Objects {
                class,
                channel,
                release,
            }
        };
        let finding = out.at(list.node.head(), text);
        if !cx.is_sure {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        let patch = shell::word(object.name()).and_then(|name| {
            Line::printable(&format!(
                "kubectl patch gatewayclass {name} --subresource=status --type=json -p '[{{\"op\":\"remove\",\"path\":\"/status/supportedFeatures\"}}]'"
            ))
        });
        match patch {
            Some(patch) => finding.help(Text::Remove { patch }),
            None => finding.help(Text::Update),
        };
    }
}
