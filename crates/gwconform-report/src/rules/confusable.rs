//! Detects visually similar names (Unicode Technical Standard 39).

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use crate::report::naming::folded;

/// Mixed scripts in text order. `None` for "highly restrictive" names, which use one script, or
/// Latin with Chinese, Japanese or Korean.
pub(crate) fn mixed_scripts(name: &str) -> Option<Vec<&'static str>> {
    let (mut all, mut not_latin) = (AugmentedScriptSet::default(), AugmentedScriptSet::default());
    let mut scripts = Vec::new();
    for c in name.chars() {
        let set = AugmentedScriptSet::for_char(c);
        all.intersect_with(set);
        if !is_latin(set) {
            not_latin.intersect_with(set);
        }
        let named = (!set.is_all()).then(|| set.base.iter().next()).flatten();
        if let Some(script) = named.map(|script| script.full_name())
            && !scripts.contains(&script)
        {
            scripts.push(script);
        }
    }
    let is_east_asian = not_latin.hanb || not_latin.jpan || not_latin.kore;
    (all.is_empty() && !is_east_asian).then_some(scripts)
}

fn is_latin(mut set: AugmentedScriptSet) -> bool {
    set.intersect_with(AugmentedScriptSet::for_char('a'));
    !set.base.is_empty()
}

/// Keys for the name as written and in lowercase. Names that share a key look alike. `vv` is
/// replaced by `w`, because Unicode does not list this pair.
pub fn looks(name: &str) -> [String; 2] {
    let of = |name: &str| skeleton(name).collect::<String>();
    let plain: String = name.nfkd().filter(|c| !is_combining_mark(*c)).collect();
    // Lowercase alone keeps letters such as the long s.
    let lower = folded(&plain.to_uppercase());
    [folded(&of(&plain)), of(&lower)].map(|look| look.replace("vv", "w"))
}

#[cfg(test)]
mod tests {
    use super::{looks, mixed_scripts};

    #[test]
    fn accepts_scripts_that_are_written_together() {
        for name in [
            "",
            "acme",
            "Ächtung 2.0",
            "Яндекс",
            "акме-1",
            "東京ゲートウェイ",
            "Acme東京",
            "Acme ゲート",
            "서울 gateway",
            "漢字ㄅㄆ",
            "Ακμή",
            "חברה",
            "شركة",
            "acme_v1.2/x",
        ] {
            assert_eq!(mixed_scripts(name), None, "{name}");
        }
        for (name, scripts) in [
            ("\u{430}cme", ["Cyrillic", "Latin"]),
            ("acm\u{3b5}", ["Latin", "Greek"]),
            ("Ächtung-β", ["Latin", "Greek"]),
            ("東京\u{430}", ["Han", "Cyrillic"]),
            ("\u{43e}\u{3bf}", ["Cyrillic", "Greek"]),
            ("ac\u{13b7}e", ["Latin", "Cherokee"]),
        ] {
            assert_eq!(mixed_scripts(name).unwrap(), scripts, "{name}");
        }
    }

    #[test]
    fn names_that_look_alike_share_a_key() {
        let are_alike = |a: &str, b: &str| {
            let (a, b) = (looks(a), looks(b));
            a.iter().zip(&b).any(|(a, b)| a == b)
        };
        for (a, b) in [
            ("acme", "\u{430}cme"),
            ("Acme", "\u{430}cme"),
            ("ISTIO", "\u{399}stio"),
            ("paypal", "paypaI"),
            ("paypal", "paypa1"),
            ("acme", "acrne"),
            ("google", "g0ogle"),
            ("caf\u{e9}", "cafe\u{301}"),
            ("higress", "h\u{ed}gress"),
            ("higress", "higre\u{17f}s"),
            ("HIGRESS", "h\u{131}\u{307}gress"),
            ("strasse", "stra\u{df}e"),
            ("acme", "\u{ff41}cme"),
            ("acme", "ac\u{200b}me"),
            ("acme-gateway", "acrne gateway"),
            ("envoy-gateway", "envoy-gatevvay"),
            ("Web", "VVeb"),
            ("сосо", "coco"),
        ] {
            assert!(are_alike(a, b), "{a} {b}: {:?} {:?}", looks(a), looks(b));
        }
        for (a, b) in [
            ("acme", "acne"),
            ("envoy", "envoi"),
            ("a1", "a2"),
            ("kong", "kung"),
        ] {
            assert!(!are_alike(a, b), "{a} {b}");
        }
    }
}
