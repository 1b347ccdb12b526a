use super::CrdsContext;
use super::shared::{Installed, installed};
use super::upgrade_denied::{self, POLICY};
use crate::rules::{Findings, rule};
use gwconform_base::api::{Channel, Version};
use gwconform_base::release::served::Versions;
use gwconform_base::text::message::{Line, Message, Words};
use gwconform_base::text::shell;

rule! {
    "stored_versions.md", CrdsContext(check), Text<'a>;
    NotListed { crd: Message, version: &'a str, channel: Words, release: &'a Version } => "`status.storedVersions` of {crd} contains {version}, which is not in the {channel} CRD of {release}: the API server refuses this CRD",
    Migrate { get: Line, patch: Line } => "store the objects again, then remove the version: {get}, then {patch}",
    MigrateBetween { release: &'a Version, channel: Words, get: Line, patch: Line } => "install the {channel} CRD of {release} first, which has both versions; then store the objects again and remove the version: {get}, then {patch}",
    MigrateDespitePolicy { delete: Line, release: &'a Version, channel: Words, get: Line, patch: Line } => "run {delete} first, because the policy denies the CRD between; then install the {channel} CRD of {release}, which has both versions, store the objects again and remove the version: {get}, then {patch}; the CRDs of v1.5 and later install the policy again",
    Replace { save: Line, delete: Line } => "no known release stores a version of the new CRD: save the objects with {save}, then run {delete}, which also deletes them, and create them again in a version of the new CRD",
}

/// The API server compares `status.storedVersions` with all versions of the new CRD, served or not
/// (`ValidateCustomResourceDefinitionStoredVersions`).
fn check(cx: &CrdsContext<'_>, out: &mut Findings) {
    let (release, channel) = (&cx.crds.release.version, cx.crds.channel);
    for one in installed(cx) {
        let Some(versions) = one.to_install else {
            continue;
        };
        let stored = || one.object.items(&["status", "storedVersions"]);
        for version in stored().filter_map(|stored| stored.text()) {
            if versions.lists(version.value) {
                continue;
            }
            let text = Text::NotListed {
                crd: one.object.title(),
                version: version.value,
                channel: Words(channel.as_str()),
                release,
            };
            let finding = out.at(version.place(), text);
            if let Some(help) = migration(cx, &one, versions, version.value) {
                finding.help(help);
            }
        }
    }
}

fn migration<'a>(
    cx: &CrdsContext<'a>,
    one: &Installed<'a>,
    versions: &Versions,
    stored: &str,
) -> Option<Text<'a>> {
    let name = shell::word(one.object.name())?;
    let get = Line::printable(&format!(
        "kubectl get {name} -A -o json | kubectl replace -f -"
    ))?;
    let patch = |storage: &str| {
        Line::printable(&format!(
            "kubectl patch crd {name} --subresource=status --type=merge -p '{{\"status\":{{\"storedVersions\":[\"{storage}\"]}}}}'"
        ))
    };
    let mut own = one.object.items(&["spec", "versions"]);
    let storage = own.find(|version| version.str_at("storage") == "true");
    let storage = storage.map(|version| version.str_at("name"));
    if let Some(storage) = storage.filter(|storage| versions.lists(storage)) {
        let patch = patch(storage)?;
        return Some(Text::Migrate { get, patch });
    }
    let (group, kind) = (one.group, one.kind);
    let between = [cx.crds.channel, Channel::Standard, Channel::Experimental];
    let found = between.into_iter().find_map(|channel| {
        let mut releases = cx.crds.all_releases().iter().rev();
        releases.find_map(|release| {
            let both = release.kind(group, kind)?.versions(channel)?;
            // Kinds that dropped a version store the most stable one.
            let storage = both.served.first()?;
            let is_between = both.lists(stored) && versions.lists(storage);
            is_between.then_some((release, channel, storage))
        })
    });
    let Some((release, channel, storage)) = found else {
        return Some(Text::Replace {
            save: Line::printable(&format!("kubectl get {name} -A -o yaml"))?,
            delete: Line::printable(&format!("kubectl delete crd {name}"))?,
        });
    };
    let (release, channel, patch) = (&release.version, Words(channel.as_str()), patch(storage)?);
    let policy = upgrade_denied::policy(cx.cluster);
    if policy.is_some_and(|policy| release.minor() < policy.floor) {
        return Some(Text::MigrateDespitePolicy {
            delete: Line::printable(&format!(
                "kubectl delete validatingadmissionpolicy,validatingadmissionpolicybinding {POLICY}"
            ))?,
            release,
            channel,
            get,
            patch,
        });
    }
    Some(Text::MigrateBetween {
        release,
        channel,
        get,
        patch,
    })
}
