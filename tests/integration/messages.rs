//! Keeps a snapshot of all texts that rules can print.

use std::collections::BTreeSet;
use std::path::Path;

use gwconform::rules;

use crate::support::{page, run};

fn slots(template: &str) -> Vec<&str> {
    let slots = template.split('{').skip(1);
    slots.map(|rest| rest.split('}').next().unwrap()).collect()
}

#[test]
fn a_template_has_a_slot_for_each_of_its_fields_and_no_other() {
    for rule in rules::ALL.iter() {
        for template in rule.texts.iter().copied().flatten() {
            let slots: BTreeSet<&str> = slots(template.text).into_iter().collect();
            let fields: BTreeSet<&str> = template.fields.iter().copied().collect();
            assert_eq!(slots, fields, "{}: {}", rule.id, template.text);
        }
    }
}

#[test]
fn rules_point_at_rules_that_are_there_and_not_at_themselves() {
    for rule in rules::ALL.iter() {
        for related in rule.related() {
            assert!(
                rules::find(&rules::ALL, related).is_some(),
                "{}: {related}",
                rule.id
            );
            assert_ne!(related, rule.id);
        }
    }
}

#[test]
fn a_rule_stands_in_the_folder_of_its_group_under_its_name() {
    for rule in rules::ALL.iter() {
        page::rule_file(rule, "rs");
        page::rule_file(rule, "md");
    }
    let mut ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(
        ids,
        rules::ALL.iter().map(|rule| rule.id).collect::<Vec<_>>()
    );
}

#[test]
fn lists_all_messages() {
    let output = run(
        Path::new("."),
        &["explain", "--messages"].map(str::to_owned),
    );
    insta::assert_snapshot!("messages", output.stdout);
}
