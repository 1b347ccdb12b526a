//! Names, releases, profiles, rules and paths as people type them.

use crate::support::corpus::corpus;
use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{lines, run};

/// Names that people type, and the implementations in the real reports that they mean.
const TYPED: [(&str, &str); 23] = [
    ("VPC Lattice", "aws/aws-application-networking-k8s"),
    ("AKS", "microsoft-azure/application-gateway-for-containers"),
    ("linkerd", "linkerd/linkerd"),
    ("KGATEWAY", "kgateway-dev/kgateway"),
    ("nginx", "nginx/nginx-gateway-fabric"),
    ("NGINX Gateway Fabric", "nginx/nginx-gateway-fabric"),
    ("gke", "gke/gke-gateway"),
    ("envoy", "envoyproxy/envoy-gateway"),
    ("Envoy Gateway", "envoyproxy/envoy-gateway"),
    ("envoygateway", "envoyproxy/envoy-gateway"),
    ("Kong", "kong/kong-operator"),
    ("Istio", "istio/istio"),
    ("cilium", "cilium/cilium"),
    ("Traefik", "traefik/traefik"),
    (
        "azure",
        "microsoft-azure/application-gateway-for-containers",
    ),
    (
        "AWS Load Balancer Controller",
        "aws/aws-load-balancer-controller",
    ),
    ("gloo", "solo-io/gloo-gateway"),
    ("solo.io", "solo-io/gloo-gateway"),
    ("Gravitee", "gravitee-io/gravitee-kubernetes-operator"),
    ("contour", "projectcontour/contour"),
    ("higress", "higress-group/higress"),
    ("alibaba cloud", "alibaba-cloud/alibaba-cloud-service-mesh"),
    ("airlock", "airlock/microgateway"),
];

#[test]
fn people_find_the_real_implementations_by_the_names_they_type() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("gateway-api");
    for (typed, slug) in TYPED {
        let arguments = ["certify", typed, "--in", TREE, "--format", "json"];
        let output = run(&folder, &arguments.map(str::to_owned));
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap_or_default();
        let found = json["implementations"].as_array().cloned();
        let found: Vec<_> = found.unwrap_or_default();
        let slugs: Vec<_> = found.iter().map(|one| &one["implementation"]).collect();
        assert_eq!(slugs, [slug], "{typed}: {}", output.stderr);
    }
    for typed in ["aws", "Amazon EKS"] {
        let output = run(
            &folder,
            &["certify", typed, "--in", TREE].map(str::to_owned),
        );
        let both = "write `aws/aws-load-balancer-controller` (newest report for v1.6) or \
                    `aws/aws-application-networking-k8s` (newest report for v1.4)";
        assert!(output.stderr.contains(both), "{typed}: {}", output.stderr);
    }
}

#[test]
fn certify_shows_the_verdicts_over_the_minors() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("gateway-api");
    for (name, history) in [
        (
            "envoy",
            "v0.8 to v1.0 conformant, v1.1 partially conformant, v1.2 to v1.4 conformant, v1.5 partially conformant, v1.6 conformant",
        ),
        ("azure", "v1.0 partially conformant, v1.2 conformant"),
    ] {
        let output = run(&folder, &["certify", name, "--in", TREE].map(str::to_owned));
        let words: Vec<_> = output.stdout.split_whitespace().collect();
        let line = format!("history: {history}");
        assert!(words.join(" ").contains(&line), "{name}: {output:?}");
    }
}

#[test]
fn profiles_that_a_report_could_submit_are_suggested() {
    let folder = Folder::new();
    let udp = [
        "UDPRoute",
        "UDPRouteInvalidBackendRefNonexistent",
        "UDPRouteInvalidCrossNamespaceBackendRef",
        "UDPRouteMultipleRoutesAttachment",
        "UDPRouteNotAllowedByListeners",
        "UDPRouteParentRefAttachAllListeners",
        "UDPRouteParentRefPortAndSectionName",
        "UDPRouteReferenceGrant",
        "UDPRouteWeightedRouting",
    ];
    let certify = |provisional: &[&str]| {
        let core = Level::success(37);
        let report = ReportBuilder::new()
            .release("v1.6.1")
            .provisional(provisional)
            .profiles([Profile::new("GATEWAY-HTTP").core(core).summarized()]);
        let path = format!("{TREE}/v1.6/acme-operator/standard-v2.14.0-default-report.yaml");
        folder.file(&path, report.build());
        folder.run("certify acme/operator").stdout
    };
    let line = "could also submit GATEWAY-UDP: 9 more core tests passed\n";
    assert!(certify(&udp).contains(line), "{}", certify(&udp));
    assert!(!certify(&udp[1..]).contains("could also"));
    assert!(!certify(&[]).contains("could also"));
}

fn tree() -> Folder {
    let folder = Folder::new();
    for (release, version, organization, project) in [
        ("v1.2.1", "v1.0.0", "Acme", "old-operator"),
        ("v1.5.1", "v1.28.0", "Acme", "edge-gateway"),
        ("v1.5.1", "v1.28.3", "Acme", "edge-gateway"),
        ("v1.6.1", "v1.30.0", "Acme", "edge-gateway"),
        ("v1.6.1", "v2.0.0", "Globex", "mesh"),
    ] {
        let report = ReportBuilder::new()
            .organization(organization)
            .project(project)
            .date(&format!(
                "2026-05-{:02}T10:15:30Z",
                version.len() + release.len() + version.matches('3').count()
            ))
            .version(version)
            .release(release);
        let minor = release.rsplit_once('.').unwrap().0;
        let shown = if release < "v1.5" { release } else { minor };
        folder.file(
            &format!("{TREE}/{shown}/{project}/standard-{version}-default-report.yaml"),
            report.build(),
        );
    }
    folder
}

#[test]
fn part_of_a_name_finds_the_implementation_with_a_current_report() {
    let folder = tree();
    let found = folder.run("certify acme");
    assert_eq!(
        (found.code, found.stderr.as_str()),
        (0, "`acme` is `acme/edge-gateway` in this tree\n")
    );
    assert_eq!(found.stdout, folder.run("certify acme/edge-gateway").stdout);
    let several = folder.run("certify e --in conformance/reports");
    assert_eq!(several.code, 2, "{several:?}");
    let several = folder.run("badge g --in conformance/reports");
    let unknown = "error: no implementation in this tree is named `g`\n";
    assert_eq!((several.code, several.stderr.as_str()), (2, unknown));
}

#[test]
fn a_configured_product_finds_its_implementation() {
    let folder = tree();
    folder.file(
        "gwconform.toml",
        "[[implementation]]\norganization = 'Globex'\nproject = 'mesh'\nproducts = ['GKS']\n",
    );
    let expected = folder.run("certify globex-mesh").stdout;
    assert!(expected.contains("Globex/mesh"), "{expected}");
    assert_eq!(folder.run("certify gks").stdout, expected);
}

#[test]
fn diff_takes_versions_of_an_implementation() {
    let folder = tree();
    let at = |release: &str, version: &str| {
        format!("{TREE}/{release}/edge-gateway/standard-{version}-default-report.yaml")
    };
    let old = at("v1.5", "v1.28.3");
    let by_path = folder.run(&format!("diff {old} {}", at("v1.6", "v1.30.0")));
    for (names, compared) in [
        ("edge-gateway@1.28.3 edge-gateway", &old),
        ("edge@1.28.3 EDGE-GATEWAY@v1.30", &old),
        ("edge-gateway@1.28 edge-gateway@1.30", &old),
        ("edge-gateway@v1.28.0 acme", &at("v1.5", "v1.28.0")),
    ] {
        let output = folder.run(&format!("diff {names} --in {TREE}"));
        assert_eq!(output.code, 0, "{names}: {output:?}");
        let line = format!("comparing {} with {compared}\n", at("v1.6", "v1.30.0"));
        assert!(output.stderr.ends_with(&line), "{names}: {output:?}");
        if *compared == old {
            assert_eq!(output.stdout, by_path.stdout, "{names}");
        }
    }
    let unknown = folder.run("diff edge-gateway@1.27 edge-gateway@1.28");
    let expected = "error: acme/edge-gateway has no report of version `1.27`; expected one of \
                    `v1.28.0`, `v1.28.3` or `v1.30.0`\n";
    assert_eq!((unknown.code, unknown.stderr.as_str()), (2, expected));
}

#[test]
fn outlook_takes_a_name_and_a_tree() {
    let folder = tree();
    let named = folder.run("outlook --release v1.6 mesh --in conformance/reports");
    assert_eq!(named.code, 0, "{named:?}");
    named.stdout_has("Globex/mesh");
}

#[test]
fn releases_and_profiles_have_short_forms() {
    let folder = tree();
    let full = folder
        .run("tests --release v1.6.2 --profile GATEWAY-HTTP")
        .stdout;
    for short in [
        "--release v1.6.2 --profile HTTP",
        "--release v1.6.2 --profile gateway-http",
    ] {
        assert_eq!(
            folder.run(&format!("tests {short}")).stdout,
            full,
            "{short}"
        );
    }
    let latest = folder.run("profiles --release latest");
    latest.stdout_has("the newest release");
    assert_eq!(folder.run("profiles --release 1.6").code, 0);
}

#[test]
fn near_misses_are_suggested() {
    let folder = tree();
    for (command, hint) in [
        ("explain contact", "did you mean `report/contact`?"),
        (
            "explain date",
            "did you mean `evidence/date` or `report/date`?",
        ),
        ("features preflight", "did you mean `HTTPRouteCORS`?"),
        (
            "check conformance/reports/v1.6.1",
            "did you mean `conformance/reports/v1.6`?",
        ),
        (
            r"check conformance\reports\v1.6",
            "did you mean `conformance/reports/v1.6`?",
        ),
        (
            "check conformance/report",
            "did you mean `conformance/reports`?",
        ),
    ] {
        let output = folder.run(command);
        assert!(output.code >= 2, "{command}: {output:?}");
        assert!(output.stderr.contains(hint), "{command}: {output:?}");
    }
    let long = folder.run(&format!("check {}", "a/".repeat(20_000)));
    assert!(long.stderr.len() < 500, "{}", long.stderr.len());
    long.stderr_has("too long");
}

#[test]
fn mistakes_in_the_configuration_are_in_the_terms_of_toml() {
    let folder = tree();
    for (text, expected) in [
        (
            "[rules]\n'report/date' = 3\n",
            "unexpected type; expected one of `error`, `warning`",
        ),
        (
            "rules = 5\n",
            "unexpected type: integer `5`, expected a table",
        ),
        (
            "ignore = [3]\n",
            "unexpected type: integer `3`, expected a table",
        ),
        (
            "[[review]]\nminor = 'v1.6'\ndate = 2026-08-03\n",
            "unquoted date",
        ),
    ] {
        folder.file("gwconform.toml", text);
        let output = folder.run("check");
        assert_eq!(output.code, 2, "{text}");
        let stderr = output.stderr.replace("\n               ", " ");
        assert!(stderr.contains(expected), "{text}: {stderr}");
    }
}

#[test]
fn features_selects_reports_by_release_and_channel() {
    let folder = Folder::new();
    for (channel, release, version, day) in [
        ("experimental", "v1.4.1", "v0.9.0", "01"),
        ("standard", "v1.5.1", "v1.0.0", "01"),
        ("experimental", "v1.6.2", "v2.0.0", "02"),
    ] {
        let extended = Level::success(1).supported(&["HTTPRouteCORS"]);
        let profile = Profile::new("GATEWAY-HTTP").core(Level::success(33));
        let report = ReportBuilder::new()
            .channel(channel)
            .release(release)
            .version(version)
            .date(&format!("2026-05-{day}T10:15:30Z"))
            .profiles([profile.extended(extended).summarized()]);
        let minor = release.rsplit_once('.').unwrap().0;
        let name = format!("{channel}-{version}-default-report.yaml");
        let path = format!("{TREE}/{minor}/acme-operator/{name}");
        folder.file(&path, report.build());
    }
    for (options, expected) in [
        ("", "v2.0.0 v1.6.2 experimental"),
        ("--channel experimental", "v2.0.0 v1.6.2 experimental"),
        // The fields are in the standard channel since v1.5.
        ("--channel standard", "v2.0.0 v1.6.2 experimental"),
        ("--release v1.4", "v0.9.0 v1.4.1 experimental"),
        ("--release v1.4 --channel standard", ""),
        ("--release v1.5 --channel experimental", ""),
        ("--release v1.5", "v1.0.0 v1.5.1 standard"),
        ("--release latest", "v2.0.0 v1.6.2 experimental"),
        ("--release v1.6.1", ""),
        (
            "--release v1.6 --channel standard",
            "v2.0.0 v1.6.2 experimental",
        ),
    ] {
        let json = folder.json(format!("features HTTPRouteCORS --in {TREE} {options}").trim_end());
        let rows = lines(
            &json["implementations"],
            "{implementation_version} {release} {channel}",
        );
        let expected: Vec<&str> = expected.split_terminator('\n').collect();
        assert_eq!(rows, expected, "{options}");
    }
}
