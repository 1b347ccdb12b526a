//! Compares `resources --crds` and `needs --crds` with the rule of the API server and with the
//! policy `safe-upgrades`, for all pairs of releases and channels in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::support::corpus::{next_to_corpus, sources_of_releases};
use crate::support::folder::Folder;
use crate::support::{has, words_of};
use gwconform_base::api::{Channel, Version};
use gwconform_base::release::Registry;
use gwconform_base::text::source::{Digest, Source};
use gwconform_cluster::resources::{Against, check_resources};
use gwconform_report::rules::check::Settings;
use serde_yaml::Value;

const CHANNELS: [Channel; 2] = [Channel::Standard, Channel::Experimental];
const GROUP: &str = "gateway.networking.k8s.io";

/// Versions of each CRD by its name, and the text of the policy.
struct Installed {
    release: String,
    channel: Channel,
    crds: BTreeMap<String, (Value, Vec<String>)>,
    policy: Option<String>,
}

fn installed(sources: &Path) -> Vec<Installed> {
    let mut all = Vec::new();
    for tag in fs::read_dir(sources).unwrap() {
        let tag = tag.unwrap().file_name().into_string().unwrap();
        for channel in CHANNELS {
            let folder = sources.join(&tag).join(format!("config/crd/{channel}"));
            let mut one = Installed {
                release: tag.clone(),
                channel,
                crds: BTreeMap::new(),
                policy: None,
            };
            for file in fs::read_dir(folder).unwrap() {
                let text = fs::read_to_string(file.unwrap().path()).unwrap();
                if text.contains("kind: ValidatingAdmissionPolicy\n") {
                    one.policy = Some(text);
                    continue;
                }
                for crd in serde_yaml::Deserializer::from_str(&text) {
                    let crd: Value = serde::Deserialize::deserialize(crd).unwrap();
                    let Some(versions) = crd["spec"]["versions"].as_sequence() else {
                        continue;
                    };
                    let name = |version: &Value| version["name"].as_str().unwrap().to_owned();
                    let versions = versions.iter().map(name).collect();
                    let name = crd["metadata"]["name"].as_str().unwrap().to_owned();
                    one.crds.insert(name, (crd, versions));
                }
            }
            all.push(one);
        }
    }
    all
}

/// A cluster that stored objects in all versions of its CRDs.
fn dump(one: &Installed) -> String {
    let mut text = one.policy.clone().unwrap_or_default();
    for (name, (crd, versions)) in &one.crds {
        let annotations = serde_json::to_string(&crd["metadata"]["annotations"]).unwrap();
        let names = serde_json::to_string(&crd["spec"]["names"]).unwrap();
        let group = crd["spec"]["group"].as_str().unwrap();
        write!(
            text,
            "\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
             metadata: {{name: {name}, annotations: {annotations}}}\n\
             spec: {{group: {group}, names: {names}}}\n\
             status: {{storedVersions: {versions:?}}}\n"
        )
        .unwrap();
    }
    text
}

/// Regular expressions of the second condition, by release and channel. No policy denies v1.6.
fn first_allowed(one: &Installed) -> &'static str {
    match (one.release.as_str(), one.channel) {
        // `v1.[0-5].\d+`
        ("v1.6.1", Channel::Standard) => "v1.6.0",
        // `v1.[0-4].\d+`
        ("v1.5.1", _) | ("v1.6.1", Channel::Experimental) => "v1.5.0",
        _ => "v0.0.0",
    }
}

#[test]
fn all_pairs_are_judged_as_by_the_api_server() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    let registry = Registry::embedded();
    let settings = Settings::default();
    let all = installed(&sources);
    let mut counts = [0; 3];
    for before in &all {
        let text = Source::new("dump.yaml".to_owned(), dump(before).into_bytes());
        for after in &all {
            let at = format!(
                "{} {} to {} {}",
                before.release, before.channel, after.release, after.channel
            );
            let version = Version::parse(&after.release).unwrap();
            let crds = registry.served().release(&version).unwrap();
            let against = Against {
                upgrade: Some(registry.served().crds(crds, after.channel)),
                ..Against::default()
            };
            let found = check_resources(std::slice::from_ref(&text), against, &settings, registry);
            let findings = &found.report.findings;
            let of = |rule: &str| {
                let found = findings.iter().filter(|one| one.rule == rule);
                found.map(|one| one.message.to_string()).collect::<Vec<_>>()
            };
            let mut refused = BTreeSet::new();
            let mut left = 0;
            let mut replaced = Vec::new();
            for (name, (_, versions)) in &before.crds {
                let Some((_, now)) = after.crds.get(name) else {
                    left += 1;
                    continue;
                };
                if name.ends_with(&format!(".{GROUP}")) {
                    replaced.push(name);
                }
                for version in versions.iter().filter(|version| !now.contains(version)) {
                    refused.insert((name.as_str(), version.as_str()));
                }
            }
            let stored = of("needs/stored-versions");
            assert_eq!(stored.len(), refused.len(), "{at}: {stored:?}");
            for (name, version) in &refused {
                let is_named = |message: &String| {
                    message.contains(&format!("`{name}`"))
                        && message.contains(&format!("contains `{version}`"))
                };
                assert!(stored.iter().any(is_named), "{at}: {name} {version}");
            }
            assert_eq!(of("needs/crd-left").len(), left, "{at}");
            let is_older = version < Version::parse(first_allowed(before)).unwrap();
            let is_mixed = before.channel == Channel::Standard
                && after.channel == Channel::Experimental
                && before.policy.is_some();
            let denied = of("needs/upgrade-denied");
            let is_denied = !replaced.is_empty() && (is_older || is_mixed);
            assert_eq!(denied.len(), usize::from(is_denied), "{at}: {denied:?}");
            let upgrade = found.cluster.upgrade.unwrap();
            let is_blocked = is_denied || !refused.is_empty();
            assert_eq!(upgrade.is_blocked, Some(is_blocked), "{at}");
            counts[0] += usize::from(!refused.is_empty());
            counts[1] += usize::from(is_denied);
            counts[2] += usize::from(!is_blocked);
        }
    }
    assert_eq!(counts.map(|count| count > 20), [true; 3], "{counts:?}");
}

/// If upstream changes the policy, compare its conditions with `upgrade_denied.rs`.
#[test]
fn the_policy_is_the_known_one() {
    let Some(sources) = next_to_corpus("sources") else {
        return;
    };
    let expected = [
        ("gateway-api/v1.5.1", "standard", "981a4da92706cb56"),
        ("gateway-api/v1.5.1", "experimental", "981a4da92706cb56"),
        ("gateway-api/v1.6.1", "standard", "afb0ea1b3cc2e934"),
        ("gateway-api/v1.6.1", "experimental", "0d286059670490d6"),
        ("gateway-api-main", "standard", "fdf38c9b29572b12"),
        ("gateway-api-main", "experimental", "617ef254666f9451"),
    ];
    let mut found = Vec::new();
    let releases = fs::read_dir(sources.join("gateway-api")).unwrap();
    let mut names: Vec<String> = releases
        .map(|tag| format!("gateway-api/{}", tag.unwrap().file_name().to_str().unwrap()))
        .collect();
    names.sort();
    names.push("gateway-api-main".to_owned());
    for name in names {
        for channel in ["standard", "experimental"] {
            let file = format!("config/crd/{channel}/{GROUP}_vap_safeupgrades.yaml");
            if let Ok(text) = fs::read(sources.join(&name).join(file)) {
                let digest = Digest::new(&text).to_string();
                found.push((name.clone(), channel, digest[..16].to_owned()));
            }
        }
    }
    let expected =
        expected.map(|(name, channel, digest)| (name.to_owned(), channel, digest.to_owned()));
    assert_eq!(found, expected);
}

const GRPC_CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    gateway.networking.k8s.io/bundle-version: VERSION
    gateway.networking.k8s.io/channel: CHANNEL
  name: grpcroutes.gateway.networking.k8s.io
spec:
  group: gateway.networking.k8s.io
  names: {kind: GRPCRoute, plural: grpcroutes}
  versions:
  - {name: STORAGE, served: true, storage: true}
status:
  storedVersions: [STORED]
";

fn crd(version: &str, channel: &str, storage: &str, stored: &str) -> String {
    GRPC_CRD
        .replace("VERSION", version)
        .replace("CHANNEL", channel)
        .replace("STORAGE", storage)
        .replace("STORED", stored)
}

/// Severity and rule of each finding, and the exit code.
fn run(input: &str, arguments: &str) -> (i32, Vec<String>, String) {
    let folder = Folder::new();
    folder.file("in.yaml", input);
    let output = folder.run(&format!("{arguments} --format json"));
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let text = |finding: &serde_json::Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = json["findings"].as_array().unwrap().iter();
    let findings = findings
        .map(|one| format!("{} {}", text(one, "severity"), text(one, "rule")))
        .collect();
    (output.code, findings, output.stdout)
}

#[test]
fn both_commands_give_the_same_answer() {
    let policy = "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: safe-upgrades.gateway.networking.k8s.io}\n";
    let class = "---\napiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme}\nspec: {controllerName: acme.example/gateway}\nstatus: {supportedFeatures: [Gateway]}\n";
    let route = "---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: shop}\nspec: {parentRefs: [{name: edge}], rules: [{retry: {attempts: 2}}]}\n";
    let old = crd("v1.0.0", "experimental", "v1alpha2", "v1alpha2");
    let standard = crd("v1.5.1", "standard", "v1", "v1");
    for (input, crds, expected) in [
        (old, "v1.6/standard", vec!["error needs/stored-versions"]),
        (
            format!("{standard}{policy}"),
            "v1.6/experimental",
            vec!["error needs/upgrade-denied"],
        ),
        (
            standard.clone(),
            "v1.6/experimental",
            vec!["warning needs/upgrade-denied"],
        ),
        (standard.clone(), "v1.6/standard", vec![]),
        (
            class.to_owned(),
            "v1.2/experimental",
            vec!["error needs/features-as-strings"],
        ),
        (class.to_owned(), "v1.3/standard", vec![]),
        (class.to_owned(), "v1.1/experimental", vec![]),
        (
            route.to_owned(),
            "v1.6/standard",
            vec!["error needs/field-not-in-channel"],
        ),
    ] {
        let is_error = expected.iter().any(|one| one.starts_with("error"));
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        for command in ["resources in.yaml --crds", "needs in.yaml --crds"] {
            let (code, findings, _) = run(&input, &format!("{command} {crds}"));
            assert_eq!(findings, expected, "{command} {crds}\n{input}");
            assert_eq!(code, i32::from(is_error), "{command} {crds}\n{input}");
        }
    }
}

#[test]
fn a_missing_policy_counts_in_a_complete_dump() {
    let input = crd("v1.5.1", "standard", "v1", "v1");
    let (_, findings, _) = run(
        &input,
        "resources in.yaml --complete --crds v1.6/experimental",
    );
    assert_eq!(findings, Vec::<String>::new());
    let unbound = "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: safe-upgrades.gateway.networking.k8s.io}\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: audit}\nspec: {policyName: safe-upgrades.gateway.networking.k8s.io, validationActions: [Audit]}\n";
    let (_, findings, _) = run(
        &format!("{input}{unbound}"),
        "resources in.yaml --crds v1.6/experimental",
    );
    assert_eq!(findings, Vec::<String>::new());
}

/// The policy of the installed release denies all earlier minors, by any of its bindings.
#[test]
fn a_downgrade_that_the_policy_may_deny_is_not_allowed() {
    let input = crd("v1.6.1", "standard", "v1", "v1");
    let answer = |input: &str, arguments: &str| {
        let folder = Folder::new();
        folder.file("in.yaml", input);
        let output = folder.run(&format!("resources in.yaml {arguments}")).stdout;
        words_of(&output)
    };
    let open = "Downgrade to v1.5.1, channel standard: unknown, because the input lacks the policy that may deny the CRDs";
    has(answer(&input, "--crds v1.5/standard"), open);
    let complete = answer(&input, "--complete --crds v1.5/standard");
    has(
        complete,
        "Downgrade to v1.5.1, channel standard: may be installed",
    );
    let binding = |name: &str, action: &str| {
        format!(
            "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {{name: {name}}}\nspec: {{policyName: safe-upgrades.gateway.networking.k8s.io, validationActions: [{action}]}}\n"
        )
    };
    let policy = "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: safe-upgrades.gateway.networking.k8s.io}\nspec: {validations: [{expression: \"matches('v1.[0-5].')\"}]}\n";
    let denied = "Downgrade to v1.5.1, channel standard: blocked by the errors above";
    let both = [binding("audit", "Audit"), binding("deny", "Deny")].concat();
    has(
        answer(&format!("{input}{policy}{both}"), "--crds v1.5/standard"),
        denied,
    );
    // The release between is denied, too.
    let old = crd("v1.0.0", "experimental", "v1alpha2", "v1alpha2");
    let help = answer(&format!("{old}{policy}{both}"), "--crds v1.6/standard");
    has(
        help,
        "first, because the policy denies the CRD between; then install the standard CRD of v1.1.0",
    );
}

/// A CRD that the other channel lacks stays, and serves its objects.
#[test]
fn the_answer_agrees_with_the_findings() {
    let good = include_str!("../../examples/cluster/good.yaml");
    let (code, findings, _) = run(good, "resources in.yaml --crds v1.6/standard");
    assert_eq!(
        (code, findings),
        (
            0,
            [
                "warning needs/crd-left",
                "warning needs/kind-not-in-channel"
            ]
            .map(str::to_owned)
            .to_vec()
        )
    );
    let (code, findings, _) = run(good, "resources in.yaml --crds v1.6/experimental");
    assert_eq!((code, findings), (0, Vec::new()));
}

/// A migration needs a CRD that has both versions.
#[test]
fn the_commands_depend_on_the_storage_version() {
    let help = |input: &str, crds: &str| {
        let (_, _, json) = run(input, &format!("resources in.yaml --crds {crds}"));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        json["findings"][0]["help"].as_str().unwrap().to_owned()
    };
    let get = "kubectl get grpcroutes.gateway.networking.k8s.io -A -o json | kubectl replace -f -";
    let patch = "kubectl patch crd grpcroutes.gateway.networking.k8s.io --subresource=status --type=merge -p '{\"status\":{\"storedVersions\":[\"v1\"]}}'";
    let between = help(
        &crd("v1.0.0", "experimental", "v1alpha2", "v1alpha2"),
        "v1.6/standard",
    );
    assert!(
        between.starts_with("install the standard CRD of v1.1.0 first"),
        "{between}"
    );
    let own = help(
        &crd("v1.1.0", "experimental", "v1", "v1alpha2, v1"),
        "v1.2/standard",
    );
    assert!(own.starts_with("store the objects again"), "{own}");
    for help in [&between, &own] {
        assert!(help.contains(get) && help.contains(patch), "{help}");
    }
    let policy = crd("v1.0.0", "experimental", "v1alpha2", "v1alpha2")
        .replace("grpcroutes", "backendtlspolicies")
        .replace("GRPCRoute", "BackendTLSPolicy");
    let replaced = help(&policy, "v1.6/standard");
    assert!(
        replaced.contains("`kubectl delete crd backendtlspolicies.gateway.networking.k8s.io`"),
        "{replaced}"
    );
}

/// A release that was only requested for the check blocks as well.
#[test]
fn the_requested_release_is_one_to_install() {
    let input = crd("v1.0.0", "experimental", "v1alpha2", "v1alpha2");
    let (code, findings, _) = run(&input, "resources in.yaml --release v1.6");
    assert_eq!(code, 1);
    assert!(
        findings.contains(&"error needs/stored-versions".to_owned()),
        "{findings:?}"
    );
    let (_, findings, _) = run(&input, "resources in.yaml --select needs,resource");
    assert!(
        !findings.contains(&"error needs/stored-versions".to_owned()),
        "{findings:?}"
    );
}

#[test]
fn reports_name_the_releases_that_a_class_was_tested_with() {
    let folder = Folder::with_tree();
    let class = |domain: &str| {
        format!(
            "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {{name: one}}\nspec: {{controllerName: {domain}/controller}}\nstatus: {{conditions: [{{type: Accepted, status: 'True', reason: Accepted}}]}}\n"
        )
    };
    let tested = |domain: &str, crds: &str| {
        folder.file("in.yaml", class(domain));
        let json = folder.json(&format!(
            "resources in.yaml --crds {crds} --in conformance/reports"
        ));
        let text = |list: &str, key: &str| {
            let all = json[list].as_array().unwrap().iter();
            all.map(|one| one[key].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        (text("findings", "message"), text("left_out", "reason"))
    };
    let nothing = Vec::<String>::new();
    let older = "the implementation of GatewayClass `one` was tested with v1.5.1, channel `standard` (`conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml`), not with v1.6.1, channel standard";
    let older = vec![older.to_owned()];
    assert_eq!(
        tested("gateway.acme.example", "v1.6/standard"),
        (older.clone(), nothing.clone())
    );
    assert_eq!(
        tested("example.acme", "v1.6/standard"),
        (older, nothing.clone())
    );
    assert_eq!(
        tested("acme.example", "v1.5/standard"),
        (nothing.clone(), nothing.clone())
    );
    let unknown = "needs/class-tested: no report is known to be of `other.example/controller`";
    assert_eq!(
        tested("other.example", "v1.6/standard"),
        (nothing, vec![unknown.to_owned()])
    );
}

#[test]
fn the_answer_is_unknown_without_the_status_of_the_crds() {
    let crd = crd("v1.5.1", "standard", "v1", "v1");
    let blocked = |input: &str| {
        let (_, _, json) = run(
            input,
            "resources in.yaml --crds v1.6/standard --allow-empty",
        );
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        json["cluster"]["upgrade"]["blocked"].clone()
    };
    assert_eq!(blocked(&crd), false);
    let (spec, _) = crd.split_once("status:").unwrap();
    assert_eq!(blocked(spec), serde_json::Value::Null);
    assert_eq!(blocked("kind: Note\n"), serde_json::Value::Null);
    assert_eq!(blocked(&crd.replace("[v1]", "[v1alpha2]")), true);
}
