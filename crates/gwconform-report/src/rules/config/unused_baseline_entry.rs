use crate::rules::{ConfigContext, Findings, rule};
use gwconform_base::text::diagnostic::{Anchor, Subject};

rule! {
    "unused_baseline_entry.md", ConfigContext(check), Text<'a>;
    Unused { rule: &'a str } => "the entry accepts no finding of {rule}",
    Fewer { count: usize, rule: &'a str, found: usize } => "the entry accepts {count} findings of {rule}; found {found}",
    Regenerate => "regenerate the baseline with `--write-baseline`, or remove the entry",
}

fn check(cx: &ConfigContext<'_>, out: &mut Findings) {
    for &(place, entry, remainder) in cx.unused_accepted {
        let (rule, count) = (entry.rule.as_str(), entry.count);
        let subject = format!("{rule} {} {}", entry.path, entry.subject);
        let anchor = Anchor::new(place.clone(), Subject::new(subject.trim_end()));
        let text = match count - remainder {
            0 => Text::Unused { rule },
            found => Text::Fewer { count, rule, found },
        };
        out.at(anchor, text).help(Text::Regenerate);
    }
}
