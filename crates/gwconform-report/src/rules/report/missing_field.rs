use super::schema;
use crate::report::fit::Problem;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::Message;

rule! {
    "missing_field.md", ReportContext(check), Text<'a>, schema::Text, Remedy;
    Missing { name: &'a str, object: Message } => "missing field {name} in {object}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for violation in cx.violations {
        let Problem::MissingField { name } = &violation.problem else {
            continue;
        };
        let object = schema::object(violation);
        out.at(
            schema::anchor(cx, violation),
            Text::Missing { name, object },
        )
        .help(Remedy::of_field(name));
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::check::{Placement, Selection, Settings, check_lone};
    use crate::rules::configuration::Config;
    use crate::tree::Submission;
    use crate::tree::load::Loaded;
    use gwconform_base::release::Registry;
    use gwconform_base::text::source::Source;

    #[test]
    fn reports_no_missing_field_in_truncated_documents() {
        let selection = Selection::new(
            &["report/missing-field".to_owned()],
            &[],
            &[super::RULE.about()],
        )
        .expect("the rule's own id");
        let settings = Settings::new(&selection, &Config::default());
        let missing = |text: &str| {
            let source = Source::new("report.yaml".to_owned(), text.into());
            let loaded = Loaded::Report {
                source,
                name: "report.yaml".to_owned(),
            };
            let submission = Submission::default();
            let registry = Registry::embedded();
            check_lone(
                &submission,
                Placement::Alone,
                vec![loaded],
                &settings,
                registry,
            )
            .findings
            .len()
        };
        let cut = "kind: ConformanceReport\ndate: [\n";
        assert_eq!(missing(cut), 0);
        assert_eq!(missing(&format!("---\n---\n{cut}")), 0);
        assert!(missing("kind: ConformanceReport\n") > 0);
        let whole_then_cut = format!("kind: ConformanceReport\n---\n{cut}");
        assert_eq!(
            missing(&whole_then_cut),
            missing("kind: ConformanceReport\n")
        );
    }
}
