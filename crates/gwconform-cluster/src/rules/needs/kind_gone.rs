use super::CrdsContext;
use super::shared::named;
use crate::needs::absent_fields::{Crds, Served};
use crate::rules::{Findings, rule};
use gwconform_base::api::{Channel, Minor, Version};

rule! {
    "kind_gone.md", CrdsContext(check), Text<'a>;
    Now { kind: &'a str, release: &'a Version, since: Minor, now: &'a str, api_version: &'a str } => "{kind} is in no CRD of {release}; since {since} it is {now} ({api_version})",
    NowExperimental { kind: &'a str, release: &'a Version, since: Minor, now: &'a str, api_version: &'a str } => "{kind} is in no CRD of {release}; since {since} it is {now} ({api_version}), in the experimental channel only",
    Gone { kind: &'a str, release: &'a Version, until: Minor } => "{kind} is in no CRD of {release}; the last minor with it is {until}",
    Before { kind: &'a str, release: &'a Version, since: Minor, before: &'a str, api_version: &'a str } => "{kind} is in no CRD of {release}; before {since} it was {before} ({api_version})",
    BeforeExperimental { kind: &'a str, release: &'a Version, since: Minor, before: &'a str, api_version: &'a str } => "{kind} is in no CRD of {release}; before {since} it was {before} ({api_version}), in the experimental channel only",
    NotYet { kind: &'a str, release: &'a Version, since: Minor } => "{kind} is in no CRD of {release}; the first minor with it is {since}",
    Similar { kind: &'a str, api_version: &'a str, meant: &'a str } => "no release has a kind {kind} of {api_version}; did you mean {meant}?",
    SimilarExperimental { kind: &'a str, api_version: &'a str, meant: &'a str } => "no release has a kind {kind} of {api_version}; did you mean {meant}, which is in the experimental channel only?",
    Unknown { kind: &'a str, api_version: &'a str } => "no known release has a kind {kind} of {api_version}",
}

fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    for one in named(cx) {
        let kind = one.kind;
        let release = &one.crds.release.version;
        let text = match &one.served {
            Served::Gone {
                now: Some((since, now)),
                ..
            } => {
                let channel = now.channel;
                let (since, now, api_version) = (*since, now.kind, &now.api_version);
                if is_out_of_reach(&one.crds, channel) {
                    Text::NowExperimental {
                        kind,
                        release,
                        since,
                        now,
                        api_version,
                    }
                } else {
                    Text::Now {
                        kind,
                        release,
                        since,
                        now,
                        api_version,
                    }
                }
            }
            Served::Gone { until, now: None } => Text::Gone {
                kind,
                release,
                until: *until,
            },
            Served::NotYet {
                since,
                before: Some(before),
            } => {
                let channel = before.channel;
                let (since, before, api_version) = (*since, before.kind, &before.api_version);
                if is_out_of_reach(&one.crds, channel) {
                    Text::BeforeExperimental {
                        kind,
                        release,
                        since,
                        before,
                        api_version,
                    }
                } else {
                    Text::Before {
                        kind,
                        release,
                        since,
                        before,
                        api_version,
                    }
                }
            }
            Served::NotYet {
                since,
                before: None,
            } => Text::NotYet {
                kind,
                release,
                since: *since,
            },
            Served::Unknown => {
                let similar = (!out.is_full()).then(|| {
                    let kinds = one.crds.release.kinds.keys();
                    gwconform_base::text::suggest::nearest(kind, kinds.map(String::as_str))
                });
                let api_version = one.api_version;
                let channel_of = |meant: &str| {
                    if one.crds.release.is_standard(meant) {
                        Channel::Standard
                    } else {
                        Channel::Experimental
                    }
                };
                match similar.flatten().filter(|meant| *meant != kind) {
                    Some(meant) if is_out_of_reach(&one.crds, channel_of(meant)) => {
                        Text::SimilarExperimental {
                            kind,
                            api_version,
                            meant,
                        }
                    }
                    Some(meant) => Text::Similar {
                        kind,
                        api_version,
                        meant,
                    },
                    None => Text::Unknown { kind, api_version },
                }
            }
            _ => continue,
        };
        out.at(one.at, text);
    }
}

fn is_out_of_reach(crds: &Crds<'_>, channel: Channel) -> bool {
    crds.channel == Channel::Standard && channel == Channel::Experimental
}
