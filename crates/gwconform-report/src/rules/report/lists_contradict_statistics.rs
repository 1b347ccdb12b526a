use super::profiles;
use crate::report::view::{List, Number};
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::{Message, Words};

rule! {
    "lists_contradict_statistics.md", ReportContext(check), Text, profiles::Text, Remedy;
    Other { of: Message, counter: Message, count: u64, list: Message, listed: usize, tests: Message } => "{of}: {counter} is {count}, but {list} lists {listed}: {tests}",
    Empty { of: Message, counter: Message, count: u64, list: Message } => "{of}: {counter} is {count}, but {list} is empty",
    Absent { of: Message, counter: Message, count: u64, list: Message } => "{of}: {counter} is {count}, but {list} is missing",
    Level { profile: Message, level: Words } => "{profile} {level}",
    Listed => "listed here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (level, status) in profile.levels() {
            let Some(statistics) = status.statistics else {
                continue;
            };
            let of = Message::from(Text::Level {
                profile: profiles::name(profile),
                level: Words(level.as_str()),
            });
            let (skipped, failed) = (&status.skipped_tests, &status.failed_tests);
            let counters = [
                ("Skipped", statistics.skipped, "skippedTests", skipped),
                ("Failed", statistics.failed, "failedTests", failed),
            ];
            for (counter, number, field, list) in counters {
                let Some(number) = number else { continue };
                compare(cx, out, &of, (counter, number), (field, list.as_ref()));
            }
        }
    }
}

fn compare(
    cx: &ReportContext<'_>,
    out: &mut Findings,
    of: &Message,
    (counter, number): (&str, Number),
    (field, list): (&str, Option<&List<'_>>),
) {
    let listed = list.map_or(0, |list| list.items.len());
    let count = number.value;
    if count == listed as u64 {
        return;
    }
    let (of, counter, field) = (of.clone(), Message::code(counter), Message::code(field));
    let text = match (list, listed) {
        (None, _) => Text::Absent {
            of,
            counter,
            count,
            list: field,
        },
        (Some(_), 0) => Text::Empty {
            of,
            counter,
            count,
            list: field,
        },
        (Some(_), listed) => Text::Other {
            of,
            counter,
            count,
            list: field,
            listed,
            tests: profiles::tests(list),
        },
    };
    let finding = out.at(cx.node(number.node), text);
    if let Some(list) = list {
        finding.label(cx.head(list.node), Text::Listed);
    }
    finding.help(Remedy::SubmitUnmodified);
}
