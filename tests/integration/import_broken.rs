//! Tests unsupported sources: an import must fail quickly, and the error must have a location.

use std::fmt::Write;

use gwconform::api::Version;
use gwconform::release::import::{OnUnread, Request, Unread, import};

use crate::support::sources::{MemorySources, first};

const GATEWAY: &str = "pkg/features/gateway.go";
const PROFILES: &str = "conformance/utils/suite/profiles.go";
const SUITE: &str = "conformance/utils/suite/suite.go";
const ANSWERS: &str = "conformance/tests/gateway-answers.go";

fn request(on_unread: OnUnread) -> Request<'static> {
    Request {
        release: Version::parse("v1.98.0").unwrap(),
        date: Some("2030-01-02".parse().unwrap()),
        commit: None,
        base: None,
        on_unread,
    }
}

fn problems(sources: &MemorySources) -> Vec<Unread> {
    import(sources, &request(OnUnread::Fail)).expect_err("it is not supported")
}

fn told(sources: &MemorySources) -> String {
    let problems = problems(sources);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

#[test]
fn what_is_not_understood_has_its_place() {
    let first = first();
    let colour = "Feature{Name: SupportGatewayColour, Channel: Standard}";
    let cases = [
        ("a function of another module", first.clone().replacing(GATEWAY, colour, "external.Feature(1)")),
        ("another module's function, imported", first.clone()
            .replacing(GATEWAY, colour, "set.Random()")
            .replacing(GATEWAY, "import \"k8s.io/apimachinery/pkg/util/sets\"", "import (\n\t\"k8s.io/apimachinery/pkg/util/sets\"\n\t\"example.com/set\"\n)")),
        ("a channel that is none", first.clone().replacing(GATEWAY, "Channel: Standard},\n\tF", "Channel: \"beta\"},\n\tF")),
        ("a feature in no set", first.clone().replacing(GATEWAY, "\tFeature{SupportGatewayTaste, Experimental},\n", "")),
        ("a list that a loop fills with something else", first.clone().replacing(ANSWERS, "ConformanceTests = append(ConformanceTests, GatewayAnswers, GatewayAnswersInColour)", "select {\n\tcase t := <-tests:\n\t\tConformanceTests = append(ConformanceTests, t)\n\t}")),
        ("a test that is not registered", first.clone().replacing(ANSWERS, ", GatewayAnswersInColour)", ")")),
        ("two tests of one name", first.clone().replacing(ANSWERS, "\"GatewayAnswersInColour\"", "\"GatewayAnswers\"")),
        ("a feature that is declared nowhere", first.clone().replacing(ANSWERS, "features.SupportGatewayColour", "features.FeatureName(\"GatewaySmell\")")),
        ("another rule for extended tests", first.clone().replacing(SUITE, "!profile.CoreFeatures.Has(feature)", "feature == \"Gateway\"")),
        ("a suite that hides when it reports", first.clone().replacing(SUITE, "res := t.Run(test.ShortName, run)", "res := runLater(t, run)")),
        ("a value that depends on itself", first.clone().replacing(GATEWAY, "sets.New(GatewayFeature)", "sets.New(GatewayFeature).Union(GatewayExtendedFeatures)").replacing(GATEWAY, "GatewayExtendedFeatures = sets.New(", "GatewayExtendedFeatures = GatewayCoreFeatures.Clone().Insert(")),
        ("a bracket too many", first.clone().replacing(PROFILES, "Mesh: meshProfile,", "Mesh: meshProfile),")),
        ("a package that is not there", first.clone().replacing(ANSWERS, "gateway-api/pkg/features", "gateway-api/pkg/featured")),
        ("a file that is a link", first.clone().with_link(GATEWAY)),
        ("no profiles at all", first.clone().replacing(PROFILES, "conformanceProfileMap", "allProfiles")),
        ("no folder of CRDs", first.clone().without("config/crd/standard/gateway.networking.k8s.io_gateways.yaml").without("config/crd/standard/gateway.networking.k8s.io_vap_upgrades.yaml")),
        ("a feature whose name is markup", first.clone().replacing(GATEWAY, "\"GatewayColour\"", "\"<img src=x>\"")),
        ("a feature whose name has a line end", first.clone().replacing(GATEWAY, "\"GatewayColour\"", "\"Gateway\\nColour\"")),
        ("a test whose name is a mention", first.clone().replacing(ANSWERS, "\"GatewayAnswersInColour\"", "\"@octocat\"")),
        ("a profile whose name is a command", first.clone().replacing(PROFILES, "\"GATEWAY-HTTP\"", "\"/lgtm\"")),
        ("a text that is none", first.clone().with(GATEWAY, vec![0xff, 0xfe])),
    ];
    let mut all = String::new();
    for (what, sources) in cases {
        writeln!(all, "# {what}\n{}\n", told(&sources)).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_not_understood_can_be_noted() {
    let sources = first().replacing(
        ANSWERS,
        "features.SupportGateway, features.SupportGatewayColour",
        "features.SupportGateway, chosen(t)",
    );
    let imported = import(&sources, &request(OnUnread::Note)).unwrap();
    assert_eq!(
        imported.notes.last().map(String::as_str),
        Some(
            "Not understood: conformance/tests/gateway-answers.go:30: declared nowhere in the sources: `chosen`."
        )
    );
    assert!(imported.text.contains(
        "\"GatewayAnswersInColour\": {\"features\": [\"Gateway\"], \"provisional\": true}"
    ));
    assert_eq!(problems(&sources).len(), 1);
}

/// Repetition counts toward the limits for parsed types and functions, copied lists, and nested
/// structs.
#[test]
fn what_is_repeated_is_bounded() {
    let many = |what: &str, count: usize| what.repeat(count);
    let numbered = |start: &str, count: usize, end: &str| -> String {
        (0..count).map(|nth| format!("{start}{nth}{end}")).collect()
    };
    let steps = "evaluation stopped after 500000 steps";
    let loops = "var x = g()\nfunc g() int { for { _ = ";
    let sets = "import \"k8s.io/apimachinery/pkg/util/sets\"\nimport \"maps\"\n";
    let cases = [
        (
            "a union with itself of what is not read",
            steps,
            format!(
                "{sets}var zz = sets.New[string](nope)\nfunc init() {{\n{}}}\n",
                many("zz = zz.Union(zz)\n", 60)
            ),
        ),
        (
            "a map that is copied into itself",
            steps,
            format!(
                "{sets}var zz = map[string]int{{nope: 1}}\nfunc init() {{\n{}}}\n",
                many("maps.Copy(zz, zz)\n", 60)
            ),
        ),
        (
            "structs that hold one another twice",
            "cannot be compared here",
            format!(
                "{sets}type T struct{{ A, B any }}\nvar d0 = T{{1, 1}}\n{}var YyFeatures = sets.New(d40)\n",
                (1..=40)
                    .map(|nth| format!("var d{nth} = T{{d{}, d{0}}}\n", nth - 1))
                    .collect::<String>(),
            ),
        ),
        (
            "a wide struct that is converted",
            steps,
            format!(
                "type T struct{{ A int }}\nvar t = T{{{}}}\n{loops}T(t) }} }}\n",
                numbered("a", 20_000, ":1,")
            ),
        ),
        (
            "a long body that is called",
            steps,
            format!(
                "{loops}h() }} }}\nfunc h() int {{ return 1\n{}}}\n",
                many("a(b)\n", 40_000)
            ),
        ),
        (
            "a long type that is asked for",
            steps,
            format!(
                "type T struct {{\n{}}}\n{loops}T{{}} }} }}\n",
                numbered("a", 20_000, " int\n")
            ),
        ),
        (
            "a wide struct",
            steps,
            format!(
                "type T struct {{\n{}}}\nvar l = T{{{}}}\n",
                numbered("a", 30_000, " int\n"),
                numbered("a", 30_000, ":1,")
            ),
        ),
        (
            "a long constant that is repeated",
            steps,
            format!(
                "const (\nc = false && (1{})\n{})\nvar l = []any{{{}}}\n",
                many("+a", 40_000),
                numbered("c", 5000, "\n"),
                numbered("c", 5000, ",")
            ),
        ),
        (
            "many results",
            steps,
            format!(
                "func s() int {{ return 1{} }}\nvar l = []any{{s()}}\n{loops}[]any{{h()}} }} }}\nfunc h() int {{ return l[0] }}\n",
                many(",1", 50_000)
            ),
        ),
        (
            "names of many imports",
            steps,
            format!(
                "{}var l = []any{{{}}}\n",
                numbered("import \"sigs.k8s.io/gateway-api/x", 299, "\"\n"),
                many("zz.y,", 20_000)
            ),
        ),
        (
            "a long name",
            "a name longer than 256 bytes",
            format!("var {} = 1\n", many("N", 257)),
        ),
        (
            "a long import",
            "expected the path of a package",
            format!("import \"{}\"\n", many("n", 257)),
        ),
        (
            "a long text",
            "a text longer than 4096 bytes",
            format!("const SupportX = \"{}\"\n", many("n", 4097)),
        ),
        (
            "many comments behind constants",
            "a feature in no set",
            format!(
                "{}{}",
                numbered("const SupportA", 1, " = \"A\"\n"),
                many("/**/\n", 100_000)
            ),
        ),
    ];
    for (what, reason, text) in cases {
        let sources = first().with(
            "pkg/features/hostile.go",
            format!("package features\n{text}"),
        );
        let told = told(&sources);
        assert!(told.contains(reason), "{what}: {told}");
    }
}

#[test]
fn hostile_sources_end_soon() {
    let deep = |open: &str, close: &str, count: usize| {
        format!(
            "package features\n\nvar GatewayExtendedFeatures = {}1{}\n",
            open.repeat(count),
            close.repeat(count)
        )
    };
    let mut chain = "package features\n\nimport \"k8s.io/apimachinery/pkg/util/sets\"\n\nvar v0 = sets.New(\"Gateway\")\n".to_owned();
    for nth in 1..3000 {
        writeln!(chain, "var v{nth} = v{}", nth - 1).unwrap();
    }
    chain.push_str("var GatewayExtendedFeatures = v2999\n");
    let endless = "package features\n\nvar GatewayExtendedFeatures = grow()\n\nfunc grow() []string {\n\txs := []string{}\n\tfor {\n\t\txs = append(xs, \"x\")\n\t}\n}\n";
    let recursive = "package features\n\nvar GatewayExtendedFeatures = again(1)\n\nfunc again(n int) []string { return again(n + 1) }\n";
    let doubled = "package features\n\nvar GatewayExtendedFeatures = double()\n\nfunc double() []string {\n\tx := \"x\"\n\tfor {\n\t\tx += x\n\t}\n}\n";
    let cases = [
        deep("(", ")", 150),
        deep("(", ")", 100_000),
        deep("[]any{", "}", 190),
        deep("!", "", 300_000),
        deep("func() int { return ", "}()", 90),
        deep("1 + ", "", 200_000),
        format!("package features\n\nvar GatewayExtendedFeatures = x{}\n", ".x()".repeat(100_000)),
        format!("package features\n\n{}\n", "/* a comment */ ".repeat(10_000)),
        format!("package features\n\nconst SupportX = \"{}", "x".repeat(500_000)),
        "x".repeat(50 * 1024 * 1024),
        chain,
        endless.to_owned(),
        recursive.to_owned(),
        doubled.to_owned(),
        "package features\n\ntype a b\ntype b a\n\nvar GatewayExtendedFeatures = a{}\n".to_owned(),
        "package features\n\nvar p = &p\nvar GatewayExtendedFeatures = p.x\n".to_owned(),
        "package features\n\nvar xs = []any{nil}\nvar GatewayExtendedFeatures = xs\n\nfunc init() {\n\txs[0] = xs\n\txs[0][0][0] = xs\n}\n".to_owned(),
    ];
    for (nth, text) in cases.into_iter().enumerate() {
        let sources = first().with("pkg/features/hostile.go", text).replacing(
            GATEWAY,
            "GatewayExtendedFeatures",
            "GatewayOtherFeatures",
        );
        let found = import(&sources, &request(OnUnread::Fail));
        assert!(found.is_err(), "{nth}");
        let noted = import(&sources, &request(OnUnread::Note));
        drop(noted);
    }
}
