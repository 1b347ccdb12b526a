//! Tests how `gwconform needs` reads the paths and hosts of Ingresses: as ingress-nginx does.

use std::collections::BTreeSet;

use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_cluster::needs::{IngressCounts, LossKind, Needs};
use gwconform_cluster::{Cluster, File};

/// Ingress with annotations (`name=value`, separated by spaces), and with paths (`type path`,
/// separated by commas).
fn ingress(name: &str, host: &str, annotations: &str, paths: &str) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let annotations = annotations.split_whitespace().map(|one| {
        let (name, value) = one.split_once('=').unwrap();
        format!(
            "    nginx.ingress.kubernetes.io/{name}: {}\n",
            quoted(value)
        )
    });
    let paths = paths.split(", ").filter(|one| !one.is_empty()).map(|one| {
        let (kind, path) = one.split_once(' ').unwrap();
        let backend = "backend: {service: {name: web, port: {number: 80}}}";
        format!(
            "      - {{path: {}, pathType: {kind}, {backend}}}\n",
            quoted(path)
        )
    });
    format!(
        "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: {name}\n  namespace: shop\n  annotations:\n    a: b\n{}spec:\n  ingressClassName: nginx\n  rules:\n  - host: {host}\n    http:\n      paths:\n{}",
        annotations.collect::<String>(),
        paths.collect::<String>()
    )
}

fn read<T>(text: &str, found: impl FnOnce(&Needs<'_>) -> T) -> T {
    let source = [Source::new("a.yaml", text.as_bytes().to_vec())];
    let files: Vec<File<'_>> = source.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    found(&Needs::new(&cluster, Registry::embedded()))
}

/// Extended features without their kind, and settings beyond the API.
fn effects(text: &str) -> String {
    read(text, |needs| {
        let features = needs.features().filter_map(|name| {
            let name = name.strip_prefix("HTTPRoute").unwrap_or(name);
            (!["", "Gateway"].contains(&name)).then(|| name.to_owned())
        });
        let beyond = needs.of_kind(LossKind::Beyond);
        let beyond = beyond.map(|loss| match loss.title.to_string().as_str() {
            "path match RegularExpression" => "regular expression".to_owned(),
            title => title.split(':').next().unwrap().to_owned(),
        });
        features.chain(beyond).collect::<Vec<_>>().join(", ")
    })
}

fn differences(text: &str) -> BTreeSet<String> {
    read(text, |needs| {
        let all = needs.of_kind(LossKind::Approximate);
        all.map(|loss| {
            let name = loss.name.rsplit('/').next().unwrap();
            format!("{name}: {}", loss.rest)
        })
        .collect()
    })
}

fn has(text: &str, start: &str, part: &str) -> bool {
    let all = differences(text);
    all.iter()
        .any(|one| one.starts_with(start) && one.contains(part))
}

fn counts(text: &str) -> IngressCounts {
    read(text, |needs| needs.ingresses.counts)
}

const NOTHING: &str = "";
const REWRITE: &str = "PathRewrite";
const HTTPS: &str = "PathRedirect, SchemeRedirect";
const GROUPS: &str = "regular expression, path rewrites with capture groups";
const REGEX: &str = "PathRewrite, regular expression";

// Sources. Files without a repository are those of ingress-nginx.
const SAME: &str = "template.go, buildProxyPass: no rewrite if the target equals the path";
const SLASH: &str = "location.go, updateServerLocations: `/` needs no location of its own";
const PROXY_PASS: &str = "template.go, buildProxyPass: the target replaces all of the path, in `rewrite \"(?i)PATH\" TARGET break`";
const TEMPLATE_TEST: &str = "template_test.go, tmplFuncTestcases";
const REWRITE_DOCS: &str = "docs/examples/rewrite/README.md: /something(/|$)(.*)";
const OLD_REWRITE_DOCS: &str = "docs/examples/rewrite/README.md of 0.22: /something/?(.*)";
const MATCHING_DOCS: &str = "docs/user-guide/ingress-path-matching.md";
const E2E: &str = "test/e2e/annotations/rewrite.go";
const MIGRATION: &str = "traefik/ingress-nginx-migration, e2e/rewritetarget_suite_test.go";
const NGINX_URL: &str = "nginx.org, ngx_http_rewrite_module: a replacement that starts with http://, https:// or $scheme redirects";
const NO_GROUP: &str =
    "traefik/traefik#12931: without a group, `$1` is empty in a real ingress-nginx";
const URL_GROUP: &str = "traefik/traefik#12982: Location of a real ingress-nginx";
const VARIABLES: &str = "annotations/parser/validators.go, RegexPathWithCapture permits `$`";
const NOT_ANCHORED: &str = "template.go, buildLocation: `~* \"^PATH\"`";

/// Path, type, target, effects and source.
const TRIPLES: &[(&str, &str, &str, &str, &str)] = &[
    // A target that equals the path.
    ("/", "Prefix", "/", NOTHING, SAME),
    ("/", "Exact", "/", NOTHING, SAME),
    ("/", "ImplementationSpecific", "/", NOTHING, SLASH),
    (
        "/something",
        "ImplementationSpecific",
        "/something",
        NOTHING,
        TEMPLATE_TEST,
    ),
    ("/something", "Exact", "/something", NOTHING, SAME),
    ("/something", "Prefix", "/something", NOTHING, SAME),
    ("/something/", "Prefix", "/something/", NOTHING, SAME),
    ("/a/b/c", "Exact", "/a/b/c", NOTHING, SAME),
    // Any other path replaces the path of all requests.
    ("/", "Prefix", "/jenkins", REWRITE, TEMPLATE_TEST),
    (
        "/",
        "ImplementationSpecific",
        "/something",
        REWRITE,
        TEMPLATE_TEST,
    ),
    ("/there", "Prefix", "/something", REWRITE, TEMPLATE_TEST),
    ("/", "Exact", "/new", REWRITE, PROXY_PASS),
    ("/something", "Prefix", "/", REWRITE, E2E),
    ("/something", "ImplementationSpecific", "/", REWRITE, E2E),
    ("/", "Prefix", "/new/backend", REWRITE, E2E),
    ("/original", "Exact", "/rewritten", REWRITE, MIGRATION),
    ("/", "Prefix", "/rewritten", REWRITE, MIGRATION),
    ("/Something", "Prefix", "/something", REWRITE, SAME),
    ("/something/", "Prefix", "/something", REWRITE, SAME),
    ("/something", "Exact", "/something/", REWRITE, SAME),
    ("/api", "Prefix", "/api/v1", REWRITE, PROXY_PASS),
    ("/a", "Exact", "b", REWRITE, VARIABLES),
    ("/a", "Prefix", "//b/c", REWRITE, NGINX_URL),
    ("/a", "Prefix", "/b~c:d", REWRITE, VARIABLES),
    // Capture groups need regular expressions.
    ("/old", "Prefix", "/$1", REWRITE, NO_GROUP),
    ("/old", "Exact", "/new/$1", REWRITE, NO_GROUP),
    ("/", "Prefix", "/$2", REWRITE, NO_GROUP),
    ("/old", "Prefix", "/old$1", REWRITE, NO_GROUP),
    // A prefix and the rest of the path.
    (
        "/something(/|$)(.*)",
        "ImplementationSpecific",
        "/$2",
        REWRITE,
        REWRITE_DOCS,
    ),
    (
        "/something(/|$)(.*)",
        "Prefix",
        "/$2",
        REWRITE,
        REWRITE_DOCS,
    ),
    (
        "/app(/|$)(.*)",
        "ImplementationSpecific",
        "/$2",
        REWRITE,
        MIGRATION,
    ),
    (
        "/api(/|$)(.*)",
        "ImplementationSpecific",
        "/$2",
        REWRITE,
        MIGRATION,
    ),
    (
        "/something/?(.*)",
        "ImplementationSpecific",
        "/$1",
        REWRITE,
        OLD_REWRITE_DOCS,
    ),
    (
        "/foo/bar/(.+)",
        "ImplementationSpecific",
        "/new/backend/$1",
        REWRITE,
        E2E,
    ),
    (
        "/foo/bar/(.+)",
        "ImplementationSpecific",
        "/$1",
        REWRITE,
        MATCHING_DOCS,
    ),
    (
        "/api/(.*)",
        "ImplementationSpecific",
        "/v1/$1",
        REWRITE,
        PROXY_PASS,
    ),
    (
        "^/api/(.*)$",
        "ImplementationSpecific",
        "/v1/$1",
        REWRITE,
        PROXY_PASS,
    ),
    (
        "/api(.*)",
        "ImplementationSpecific",
        "/v1$1",
        REWRITE,
        PROXY_PASS,
    ),
    (
        "/(.*)",
        "ImplementationSpecific",
        "/v1/$1",
        REWRITE,
        PROXY_PASS,
    ),
    (
        "/(.*)",
        "ImplementationSpecific",
        "/$1",
        NOTHING,
        PROXY_PASS,
    ),
    ("/(.*)", "Prefix", "/$1", NOTHING, PROXY_PASS),
    (
        "/api/(.*)",
        "ImplementationSpecific",
        "/api/$1",
        NOTHING,
        PROXY_PASS,
    ),
    (
        "/api(/|$)(.*)",
        "ImplementationSpecific",
        "/api/$2",
        NOTHING,
        PROXY_PASS,
    ),
    // Groups that no prefix replaces.
    (
        "/shops/([0-9]+)/items/(.*)",
        "ImplementationSpecific",
        "/v2/$1/items/$2",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/api/(.*)",
        "ImplementationSpecific",
        "/$1/api",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/api/(.*)",
        "ImplementationSpecific",
        "/$1/",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/(a|b)/(.*)",
        "ImplementationSpecific",
        "/$2",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/(v[0-9]+)",
        "ImplementationSpecific",
        "/api/$1",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/api(/|$)(.*)",
        "ImplementationSpecific",
        "/$1$2",
        GROUPS,
        PROXY_PASS,
    ),
    (
        "/a/(.*)/b",
        "ImplementationSpecific",
        "/$1",
        GROUPS,
        PROXY_PASS,
    ),
    // Regular expressions without references to groups.
    (
        "/foo.+",
        "ImplementationSpecific",
        "/new/backend",
        REGEX,
        E2E,
    ),
    (
        "/foo/bar/[a-z]{3}",
        "ImplementationSpecific",
        "/new/backend",
        REGEX,
        E2E,
    ),
    (
        "/foo/bar/[A-Z0-9]{3}",
        "ImplementationSpecific",
        "/a",
        REGEX,
        MATCHING_DOCS,
    ),
    (
        "/foo/.*",
        "ImplementationSpecific",
        "/a",
        REGEX,
        MATCHING_DOCS,
    ),
    (
        "/app(/|$)(.*)",
        "ImplementationSpecific",
        "/index.html",
        REWRITE,
        NOT_ANCHORED,
    ),
    (
        "/app/(.*)",
        "ImplementationSpecific",
        "/app",
        REWRITE,
        NOT_ANCHORED,
    ),
    ("/[a-z]+", "ImplementationSpecific", "/$1", REGEX, NO_GROUP),
    // Absolute URLs redirect with 302.
    (
        "/(.*)",
        "Prefix",
        "https://new.example/$1",
        HTTPS,
        NGINX_URL,
    ),
    (
        "/original",
        "Prefix",
        "https://bar.example.org/$1",
        HTTPS,
        NO_GROUP,
    ),
    (
        "/original/(.*)",
        "ImplementationSpecific",
        "https://bar.example.org/$1",
        HTTPS,
        URL_GROUP,
    ),
    (
        "/",
        "Prefix",
        "https://bar.example.org/",
        HTTPS,
        "traefik/traefik#12911",
    ),
    ("/", "Exact", "http://bar.example.org/", HTTPS, NGINX_URL),
    (
        "/",
        "Prefix",
        "https://bar.example.org$request_uri",
        "SchemeRedirect",
        NGINX_URL,
    ),
    (
        "/",
        "Prefix",
        "https://bar.example.org:8443/a",
        "PathRedirect, PortRedirect, SchemeRedirect",
        NGINX_URL,
    ),
    (
        "/",
        "Prefix",
        "$scheme://bar.example.org/",
        "PathRedirect",
        NGINX_URL,
    ),
    ("/", "Prefix", "https://$host/a", HTTPS, NGINX_URL),
    (
        "/",
        "Prefix",
        "https://bar.example.org/$uri",
        "PathRedirect, SchemeRedirect, NGINX variables",
        NGINX_URL,
    ),
    (
        "/(a|b)",
        "ImplementationSpecific",
        "https://bar.example.org/$1",
        "PathRedirect, SchemeRedirect, regular expression, path rewrites with capture groups",
        NGINX_URL,
    ),
    (
        "/a",
        "Prefix",
        "HTTPS://bar.example.org/",
        REWRITE,
        NGINX_URL,
    ),
    // Variables.
    (
        "/",
        "Prefix",
        "/a$request_uri",
        "NGINX variables",
        VARIABLES,
    ),
    ("/a", "Exact", "/$host/a", "NGINX variables", VARIABLES),
    (
        "/a/(.*)",
        "ImplementationSpecific",
        "/$host/$1",
        "NGINX variables, regular expression, path rewrites with capture groups",
        VARIABLES,
    ),
];

#[test]
fn a_target_is_read_with_its_path_and_type() {
    assert!(TRIPLES.len() >= 60, "{}", TRIPLES.len());
    let mut seen = BTreeSet::new();
    for (path, kind, target, expected, source) in TRIPLES {
        assert!(seen.insert((path, kind, target)), "{path} {kind} {target}");
        let annotation = format!("rewrite-target={target}");
        let text = ingress(
            "web",
            "shop.example",
            &annotation,
            &format!("{kind} {path}"),
        );
        let mut found: Vec<String> = effects(&text).split(", ").map(str::to_owned).collect();
        let mut wanted: Vec<&str> = expected.split(", ").collect();
        found.sort();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{path} {kind} {target}: {source}");
        let is_url = ["http://", "https://", "$scheme"]
            .iter()
            .any(|start| target.starts_with(start));
        assert_eq!(has(&text, "rewrite-target: ", "(302)"), is_url, "{text}");
        let is_told = has(&text, "rewrite-target: ", "before you convert");
        assert_eq!(is_told, path == target, "{text}");
    }
}

#[test]
fn a_target_below_an_equal_prefix_is_told() {
    // `updateServerLocations` turns the prefix into `/app/`, which differs from the target, unless
    // the Ingress uses regular expressions.
    let below = "except for requests below the path";
    let with = |annotations: &str, path: &str| {
        has(
            &ingress("web", "shop.example", annotations, path),
            "rewrite-target: ",
            below,
        )
    };
    assert!(with("rewrite-target=/app", "Prefix /app"));
    assert!(!with("rewrite-target=/app", "Exact /app"));
    assert!(!with("rewrite-target=/app/", "Prefix /app/"));
    assert!(!with("rewrite-target=/ use-regex=false", "Prefix /"));
    assert!(!with("rewrite-target=/app use-regex=true", "Prefix /app"));
}

#[test]
fn a_rule_without_paths_is_rewritten_as_the_root() {
    let url = "rewrite-target=https://bar.example.org/";
    let text = ingress("web", "shop.example", url, "");
    assert_eq!(effects(&text), HTTPS);
    let same = ingress("web", "shop.example", "rewrite-target=/", "");
    assert_eq!(effects(&same), NOTHING);
}

const ALL_PATHS: &str = "all paths of the host are regular expressions";

#[test]
fn one_ingress_turns_all_paths_of_a_host_into_regular_expressions() {
    let other = ingress("b", "shop.example", "", "Exact /helloworld");
    let with =
        |annotations: &str, paths: &str| ingress("a", "shop.example", annotations, paths) + &other;
    for annotations in ["use-regex=true", "rewrite-target=/new"] {
        let name = annotations.split('=').next().unwrap();
        for path in ["Exact /assets", "Prefix /"] {
            let text = with(annotations, path);
            assert!(has(&text, name, ALL_PATHS), "{text}");
            let found = counts(&text);
            // `/` of the first Ingress matches the same requests.
            let is_core = path == "Prefix /" && name == "use-regex";
            assert_eq!(found.core, usize::from(is_core), "{text}");
            assert_eq!(found.ingresses, 2);
        }
    }
    for annotations in [
        "use-regex=false",
        "rewrite-target=/assets",
        "canary=true use-regex=true",
        "canary=true rewrite-target=/new",
    ] {
        let text = with(annotations, "Exact /assets");
        assert!(!has(&text, "", ALL_PATHS), "{text}");
        assert_eq!(counts(&text).core, 2, "{text}");
    }
    // `updateServerLocations` in `location.go` adds the location `/x/`.
    for (path, is_regex) in [
        ("Prefix /x", true),
        ("Prefix /x/", false),
        ("Exact /x", false),
    ] {
        let target = path.split(' ').nth(1).unwrap();
        let first = ingress(
            "a",
            "shop.example",
            &format!("rewrite-target={target}"),
            path,
        );
        let text = first + &ingress("b", "shop.example", "", "Exact /API");
        assert_eq!(has(&text, "rewrite-target", ALL_PATHS), is_regex, "{path}");
    }
    // Hosts and classes are apart.
    let regex = with("use-regex=true", "Prefix /");
    let apart = regex.replacen("shop.example", "other.example", 1);
    assert!(!has(&apart, "", ALL_PATHS), "{apart}");
    let apart = regex.replacen("ingressClassName: nginx", "ingressClassName: nginx-b", 1);
    assert!(!has(&apart, "", ALL_PATHS), "{apart}");
    // Each place is a path.
    let places = read(&with("use-regex=true", "Exact /a, Prefix /b"), |needs| {
        let all = needs.of_kind(LossKind::Approximate);
        let places = all.flat_map(|loss| loss.places.kept.clone());
        places.map(|place| place.pointer).collect::<Vec<_>>()
    });
    let path = |nth: usize| format!("/spec/rules/0/http/paths/{nth}/path");
    assert_eq!(places, [path(0), path(1), path(0)]);
}

#[test]
fn regular_expressions_match_prefixes_and_ignore_case() {
    let regex = ingress(
        "a",
        "shop.example",
        "use-regex=true",
        "ImplementationSpecific /[A-Z]{3}",
    );
    assert_eq!(effects(&regex), "regular expression");
    assert!(has(&regex, "use-regex: ", "match prefixes and ignore case"));
    // A path with the characters of a regular expression is one, too.
    let other = ingress("b", "shop.example", "", "ImplementationSpecific /(a|b)");
    assert_eq!(effects(&other), NOTHING);
    let first = ingress("a", "shop.example", "use-regex=true", "Prefix /");
    assert_eq!(effects(&(first + &other)), "regular expression");
}

#[test]
fn a_path_without_its_slash_is_redirected() {
    let told = |paths: &str| {
        let text = ingress("a", "shop.example", "", paths);
        let told = has(&text, "spec.rules: ", "(301)");
        assert_eq!(counts(&text).core, usize::from(!told), "{text}");
        told
    };
    for paths in [
        "Exact /my-path/",
        "Prefix /my-path/",
        "ImplementationSpecific /my-path/",
        "Prefix /, Exact /my-path/",
    ] {
        assert!(told(paths), "{paths}");
    }
    for paths in [
        "Prefix /",
        "Exact /my-path",
        "Prefix /my-path, Exact /my-path/",
    ] {
        assert!(!told(paths), "{paths}");
    }
    // Regular expressions have no such redirect.
    let regex = ingress("a", "shop.example", "use-regex=true", "Exact /my-path/");
    assert!(!has(&regex, "spec.rules: ", ""));
    let shorter = ingress("b", "shop.example", "", "Prefix /my-path");
    let both = ingress("a", "shop.example", "", "Exact /my-path/") + &shorter;
    assert!(!has(&both, "spec.rules: ", ""));
}

#[test]
fn a_canary_joins_the_routes_of_its_main_ingress() {
    let kinds = |text: &str| {
        read(text, |needs| {
            let kinds = needs.routes.iter();
            let kinds = kinds.map(|((kind, _), places)| format!("{kind} {}", places.count));
            kinds.collect::<Vec<_>>().join(", ")
        })
    };
    let main = ingress("a", "shop.example", "backend-protocol=GRPC", "Prefix /");
    let canary = ingress(
        "b",
        "shop.example",
        "canary=true canary-weight=10",
        "Prefix /",
    );
    assert_eq!(kinds(&(main.clone() + &canary)), "GRPCRoute 2");
    assert_eq!(kinds(&(canary.clone() + &main)), "GRPCRoute 2");
    let apart = canary.replace("shop.example", "other.example");
    assert_eq!(kinds(&(main + &apart)), "GRPCRoute 1, HTTPRoute 1");
}

#[test]
fn settings_of_a_host_count_once() {
    for annotation in [
        "server-snippet=a",
        "ssl-ciphers=HIGH",
        "auth-tls-match-cn=CN=a",
    ] {
        let annotations = format!("auth-tls-secret=shop/ca {annotation}");
        let text = |host: &str| {
            ingress("a", "shop.example", &annotations, "Prefix /a")
                + &ingress("b", host, &annotations, "Prefix /b")
        };
        let ignored = |text: &str| {
            read(text, |needs| {
                let all = needs.ingresses.ignored.iter();
                let all = all.map(|((by, _), places)| format!("{by} {}", places.kept[0].object));
                all.collect::<Vec<_>>()
            })
        };
        let name = annotation.split('=').next().unwrap();
        let mut expected = [
            "turned off by auth-tls-secret of another Ingress 1".to_owned(),
            format!("turned off by {name} of another Ingress 1"),
        ];
        expected.sort();
        assert_eq!(ignored(&text("shop.example")), expected);
        assert_eq!(ignored(&text("other.example")), [""; 0]);
    }
    // The oldest Ingress decides, not the first in the input.
    let created = |at: &str, host: &str| {
        let text = ingress("a", host, "server-snippet=a", "Prefix /");
        text.replace(
            "  namespace:",
            &format!("  creationTimestamp: '{at}'\n  namespace:"),
        )
    };
    let both = created("2025-02-01T00:00:00Z", "shop.example")
        + &created("2024-12-31T00:00:00Z", "shop.example");
    read(&both, |needs| {
        let mut all = needs.ingresses.ignored.values();
        assert_eq!(all.next().unwrap().kept[0].object, 0);
    });
    // Settings of paths count for each Ingress.
    let limits = ingress("a", "shop.example", "limit-rps=5", "Prefix /a")
        + &ingress("b", "shop.example", "limit-rps=5", "Prefix /b");
    assert_eq!(counts(&limits).beyond, 2);
}

#[test]
fn a_server_alias_may_be_a_regular_expression() {
    let alias = |value: &str| {
        let text = ingress(
            "a",
            "shop.example",
            &format!("server-alias={value}"),
            "Prefix /",
        );
        (effects(&text), counts(&text).core)
    };
    let regex = "hostnames with regular expressions".to_owned();
    assert_eq!(alias(r"~^www\d+\.shop\.example$"), (regex.clone(), 0));
    assert_eq!(alias(r"b.example,~^c"), (regex, 0));
    assert_eq!(alias("*.shop.example,b.example"), (String::new(), 1));
}

#[test]
fn passthrough_with_force_ssl_redirect_redirects_on_port_80() {
    let with = |annotations: &str| ingress("a", "shop.example", annotations, "Prefix /");
    let both = with("ssl-passthrough=true force-ssl-redirect=true");
    assert_eq!(
        effects(&both),
        "308RedirectStatusCode, SchemeRedirect, TLSRoute"
    );
    assert!(has(&both, "force-ssl-redirect: ", "port 80"));
    let kinds = read(&both, |needs| {
        let kinds = needs.routes.keys().map(|(kind, _)| *kind);
        kinds.collect::<Vec<_>>()
    });
    assert_eq!(kinds, ["HTTPRoute", "TLSRoute"]);
    let alone = with("ssl-passthrough=true force-ssl-redirect=false");
    assert_eq!(effects(&alone), "TLSRoute");
}

#[test]
fn hosts_with_tls_are_redirected_by_default() {
    let tls = |annotations: &str| {
        let text = ingress("a", "shop.example", annotations, "Prefix /");
        text.replace("  rules:", "  tls: [{hosts: [shop.example]}]\n  rules:")
    };
    assert!(has(&tls(""), "spec.tls: ", "by default"));
    for annotations in ["ssl-redirect=true", "ssl-redirect=false"] {
        assert!(!has(&tls(annotations), "", "by default"));
    }
}

#[test]
fn a_long_target_is_read_once_for_all_paths() {
    let target = format!("rewrite-target=/{}$2", "x".repeat(200_000));
    let paths: Vec<String> = (0..4_000)
        .map(|nth| format!("ImplementationSpecific /p{nth}(/|$)(.*)"))
        .collect();
    let text = ingress("a", "a.example", &target, &paths.join(", "));
    let start = std::time::Instant::now();
    assert_eq!(counts(&text).ingresses, 1);
    // Once per path takes more than 30 s.
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn ingresses_without_a_host_share_the_default_host() {
    let canary = ingress("b", "''", "canary=true canary-weight=10", "Prefix /");
    for host in ["''", "shop.example"] {
        let main = ingress("a", host, "backend-protocol=GRPC", "Prefix /");
        let features = |text: &str| {
            read(text, |needs| {
                needs.features().map(str::to_owned).collect::<Vec<_>>()
            })
        };
        let canary = canary.replace("host: ''", &format!("host: {host}"));
        assert_eq!(
            features(&(main.clone() + &canary)),
            ["GRPCRoute", "Gateway"]
        );
        let without = |text: &str| text.replace("  - host: ''\n    http:", "  - http:");
        assert_eq!(
            features(&without(&(main + &canary))),
            ["GRPCRoute", "Gateway"]
        );
    }
    let snippet = |name: &str| ingress(name, "''", "server-snippet=a", "Prefix /");
    let ignored = read(&(snippet("a") + &snippet("b")), |needs| {
        needs.ingresses.ignored.len()
    });
    assert_eq!(ignored, 1);
}
