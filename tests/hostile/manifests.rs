//! Tests manifests for `gwconform needs`: alias bombs, cycles, depth, numbers, links and names.

use std::fmt::Write as _;

use super::bounded::{Call, can_be_seen, last_line};
use super::support::folder::Folder;
use super::table::{Case, in_two_sizes};

const CANARY: &str = "canary7f3a9e";

const HEAD: &str = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  parentRefs: [{name: edge}]\n";

fn needs(folder: &Folder, arguments: &str) -> String {
    for format in ["human", "markdown"] {
        let ran = Call::new(
            folder.path(),
            &format!("needs {arguments} --format {format}"),
        )
        .run();
        ran.lacks(CANARY);
        can_be_seen(ran.text(), format);
    }
    let ran = Call::new(folder.path(), &format!("needs {arguments} --format json")).run();
    ran.lacks(CANARY);
    if ran.code > 1 {
        return format!("exit {}: {}", ran.code, last_line(&ran.stderr));
    }
    let json = ran.json();
    let count = |name: &str| json[name].as_array().unwrap().len();
    let places = |name: &str| {
        let all = json[name].as_array().unwrap().iter();
        all.map(|one| one["count"].as_u64().unwrap())
            .max()
            .unwrap_or(0)
    };
    format!(
        "{} objects; {} features, up to {} places; {} beyond the API, {} more; {} not read",
        json["counts"]["resources"],
        count("needs"),
        places("needs"),
        count("beyond"),
        json["counts"]["omitted"],
        count("unread"),
    )
}

fn case(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::new();
        folder.file("a.yaml", text());
        needs(&folder, "a.yaml")
    })
}

fn rules(count: usize, rule: impl Fn(usize) -> String) -> String {
    let mut text = format!("{HEAD}  rules:\n");
    for nth in 0..count {
        let _ = writeln!(text, "  - {}", rule(nth));
    }
    text
}

fn alias_bomb() -> String {
    let mut text = format!("{HEAD}  a: &a [{{name: x}}]\n");
    for pair in "abcdefghi".chars().collect::<Vec<_>>().windows(2) {
        let list = vec![format!("*{}", pair[0]); 9].join(", ");
        let _ = writeln!(text, "  {}: &{} [{list}]", pair[1], pair[1]);
    }
    text + "  rules: *i\n"
}

fn in_sizes() -> impl Iterator<Item = Case> {
    let rules_with_a_name = in_two_sizes(
        [("20,000", 20_000), ("200,000", 200_000)],
        |written, count| {
            case(&format!("{written} rules"), "each with a name", move || {
                rules(count, |nth| format!("{{name: r{nth}}}"))
            })
        },
    );
    let extensions = in_two_sizes(
        [("10,000", 10_000), ("100,000", 100_000)],
        |written, count| {
            case(
                &format!("{written} extensions"),
                "each of a group of its own",
                move || {
                    rules(count, |nth| {
                        format!(
                            "{{filters: [{{type: ExtensionRef, extensionRef: {{group: g{nth}.x, kind: K, name: a}}}}]}}"
                        )
                    })
                },
            )
        },
    );
    let keys = in_two_sizes(
        [("100,000", 100_000), ("a million", 1_000_000)],
        |written, count| {
            case(&format!("{written} keys"), "of one rule", move || {
                let keys: String = (0..count).map(|nth| format!("k{nth}: ,")).collect();
                rules(1, |_| format!("{{{keys}}}"))
            })
        },
    );
    let broken = in_two_sizes(
        [("20,000", 20_000), ("200,000", 200_000)],
        |written, count| {
            case(
                &format!("{written} broken documents"),
                "`a: [`",
                move || "a: [\n---\n".repeat(count),
            )
        },
    );
    [rules_with_a_name, extensions, keys, broken]
        .into_iter()
        .flatten()
}

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        case(
            "alias bomb",
            "9 lists of 9 aliases of the list before",
            alias_bomb,
        ),
        case("alias of itself", "a rule in itself", || {
            format!("{HEAD}  rules:\n  - &r {{name: a, filters: [*r]}}\n")
        }),
        case(
            "merge keys in a circle",
            "each is merged into the other",
            || format!("{HEAD}  a: &a {{<<: *b}}\n  b: &b {{<<: *a}}\n  rules: [*a, *b]\n"),
        ),
        case(
            "10,000 uses of a megabyte",
            "an alias of a long text",
            || {
                let long = "x".repeat(1_000_000);
                let mut text = rules(1, |_| format!("{{name: &n {long}}}"));
                for _ in 0..9_000 {
                    text.push_str("  - {name: *n, filters: [{type: ExtensionRef, extensionRef: {group: *n, kind: *n}}]}\n");
                }
                text
            },
        ),
        case("100,000 filters", "of one rule, all mirrors", || {
            rules(1, |_| {
                format!(
                    "{{filters: [{}]}}",
                    "{type: RequestMirror},".repeat(100_000)
                )
            })
        }),
        case("100,000 annotations", "each of a domain of its own", || {
            let keys: String = (0..100_000).map(|nth| format!("d{nth}.x/a: b,")).collect();
            HEAD.replace(
                "{name: a}",
                &format!("{{name: a, annotations: {{{keys}}}}}"),
            )
        }),
        case(
            "50,000 listeners",
            "on one port, each within the one before",
            || {
                let listeners: String = (0..50_000)
                    .map(|nth| format!("{{protocol: HTTPS, port: 1, hostname: a{nth}.b}},"))
                    .collect();
                format!(
                    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {{name: a}}\nspec: {{listeners: [{listeners}]}}\n"
                )
            },
        ),
        case(
            "50,000 backends",
            "of one Service with 50,000 ports",
            || {
                let ports: String = (0..50_000)
                    .map(|nth| format!("{{port: {nth}, appProtocol: kubernetes.io/h2c}},"))
                    .collect();
                let backends = "{name: s, port: 49999},".repeat(50_000);
                let service = format!(
                    "apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec: {{ports: [{ports}]}}\n---\n"
                );
                service + &rules(1, |_| format!("{{backendRefs: [{backends}]}}"))
            },
        ),
        case("50,000 kinds", "none of which is read", || {
            let objects = (0..50_000).map(|nth| {
                format!("---\napiVersion: a{nth}.example/v1\nkind: \"K{nth}\\e[31m|\"\n")
            });
            let objects: String = objects.collect();
            format!("{}{objects}", rules(1, |_| "{}".to_owned()))
        }),
        case("nested lists", "100,000 times in a rule", || {
            rules(1, |_| format!("{{filters: {}}}", "[".repeat(100_000)))
        }),
        case("templates", "10,000 of them in a file", || {
            "{{ .Values.a }}\n---\n".repeat(10_000)
        }),
        case("control characters", "in names, groups and kinds", || {
            let name = "\"\\e[2J\\u202e`|<b>\\n::error::x\"";
            rules(1, |_| {
                format!(
                    "{{name: {name}, filters: [{{type: ExtensionRef, extensionRef: {{group: {name}, kind: {name}, name: a}}}}]}}"
                )
            })
        }),
        Case::new("link out of a folder", "to a manifest elsewhere", || {
            let folder = Folder::new();
            folder.file(
                "elsewhere.yaml",
                rules(1, |_| format!("{{name: {CANARY}}}")),
            );
            folder.file("m/a.yaml", HEAD);
            folder.link("m/b.yaml", "../elsewhere.yaml");
            folder.link("m/c", "..");
            needs(&folder, "m")
        }),
        Case::new("device", "`/dev/zero`", || {
            needs(&Folder::new(), "/dev/zero")
        }),
        case("Secret", "between Routes, and as a policy", || {
            format!(
                "{HEAD}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\nstringData: {{a: {CANARY}}}\n---\napiVersion: acme.example/v1\nkind: P\nmetadata: {{name: a}}\nspec: {{targetRef: {{group: gateway.networking.k8s.io, kind: HTTPRoute, name: a}}, password: {CANARY}}}\n"
            )
        }),
    ];
    cases.extend(in_sizes());
    cases
}
