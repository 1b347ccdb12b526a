use super::CrdsContext;
use super::shared::{Installed, installed};
use crate::rules::{Findings, rule};
use crate::{Cluster, GROUP, Kind};
use gwconform_base::api::{Channel, Minor, Version};
use gwconform_base::release::stated::lenient_version;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "upgrade_denied.md", CrdsContext(check), Text<'a>;
    Older { release: &'a Version, floor: Minor } => "the policy `safe-upgrades.gateway.networking.k8s.io` denies the CRDs of {release}; it allows {floor} and later",
    Experimental { crds: Message } => "the policy `safe-upgrades.gateway.networking.k8s.io` denies experimental CRDs in place of standard ones: {crds}",
    MayOlder { release: &'a Version, floor: Minor } => "the policy `safe-upgrades.gateway.networking.k8s.io`, which is not in the input, may deny the CRDs of {release}: v1.5 and later install it, and that of {floor} denies earlier releases",
    MayExperimental { crds: Message } => "the policy `safe-upgrades.gateway.networking.k8s.io`, which is not in the input, may deny experimental CRDs in place of standard ones: {crds}",
    Delete => "if you intend this change, run `kubectl delete validatingadmissionpolicy,validatingadmissionpolicybinding safe-upgrades.gateway.networking.k8s.io` first",
    DeleteIfThere => "if the policy exists and you intend this change, run `kubectl delete validatingadmissionpolicy,validatingadmissionpolicybinding safe-upgrades.gateway.networking.k8s.io` first",
}

/// Policy that v1.5 and later install with the CRDs.
pub(super) const POLICY: &str = "safe-upgrades.gateway.networking.k8s.io";

/// First minor that installs the policy, and the earliest that its versions allow, except on the
/// main branch.
const SINCE: Minor = Minor { major: 1, minor: 5 };

pub(super) struct Policy {
    /// First minor that the policy allows.
    pub(super) floor: Minor,
    /// False if the input does not include the policy.
    is_sure: bool,
}

/// The two conditions of the policy. They concern only CRDs of the stable group. An experimental
/// CRD may be created, and replace an experimental one.
fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    let Some(policy) = policy(cx.cluster) else {
        return;
    };
    let release = &cx.crds.release.version;
    let floor = policy.floor;
    let changed = || installed(cx).filter(|one| one.group == GROUP && one.to_install.is_some());
    let at = |text: Option<crate::Text<'_>>, one: &Installed<'_>| {
        text.map_or_else(|| one.object.place(), |text| text.place())
    };
    let is_experimental = |one: &Installed<'_>| {
        let channel = one.crd.channel;
        channel.is_some_and(|channel| channel.value == Channel::Experimental.as_str())
    };
    let others: Vec<_> = changed().filter(|one| !is_experimental(one)).collect();
    let (anchor, text) = if let Some(one) = changed().next()
        && release.minor() < floor
    {
        let text = if policy.is_sure {
            Text::Older { release, floor }
        } else {
            Text::MayOlder { release, floor }
        };
        (at(one.crd.version, &one), text)
    } else if let Some(one) = others.first()
        && cx.crds.channel == Channel::Experimental
    {
        let names = others.iter().map(|one| Message::code(one.object.name()));
        let crds = Message::short_list(names, ", ", " and ");
        let text = if policy.is_sure {
            Text::Experimental { crds }
        } else {
            Text::MayExperimental { crds }
        };
        (at(one.crd.channel, one), text)
    } else {
        return;
    };
    let finding = out.at(anchor, text);
    if policy.is_sure {
        finding.help(Text::Delete);
    } else {
        finding.severity = finding.severity.min(Severity::Warning);
        finding.help(Text::DeleteIfThere);
    }
}

/// The policy in the input. If the input does not show that it is missing, the policy that the
/// installed release contains, which denies all earlier minors.
pub(super) fn policy(cluster: &Cluster<'_>) -> Option<Policy> {
    let mut policies = cluster.of(&[Kind::AdmissionPolicy]);
    let found = policies.find(|(_, object)| object.name() == POLICY);
    let Some((_, object)) = found else {
        let installed = cluster.crds.found.iter().filter_map(|crd| crd.version);
        let minors = installed.filter_map(|text| Some(lenient_version(text.value)?.minor()));
        let floor = minors.max().filter(|minor| *minor >= SINCE)?;
        return (!cluster.is_listed(Kind::AdmissionPolicy)).then_some(Policy {
            floor,
            is_sure: false,
        });
    };
    let bindings = cluster.of(&[Kind::AdmissionBinding]);
    let denies = |binding: &crate::Object<'_>| {
        let mut actions = binding.items(&["spec", "validationActions"]);
        actions.any(|action| action.text().is_some_and(|text| text.value == "Deny"))
    };
    let mut own = bindings
        .filter(|(_, binding)| {
            let spec = binding.at(&["spec"]);
            spec.is_some_and(|spec| spec.str_at("policyName") == POLICY)
        })
        .peekable();
    let is_bound = match own.peek() {
        Some(_) => own.any(|(_, binding)| denies(binding)),
        None => !cluster.is_listed(Kind::AdmissionBinding),
    };
    // Each version of the policy denies `v1.[0-N]`.
    let rules = object.items(&["spec", "validations"]);
    let last = rules.filter_map(|rule| {
        let (_, after) = rule.str_at("expression").split_once("[0-")?;
        after.chars().next()?.to_digit(10)
    });
    let minor = last.max().map_or(SINCE.minor, |last| u64::from(last) + 1);
    is_bound.then_some(Policy {
        floor: Minor { major: 1, minor },
        is_sure: true,
    })
}
