use crate::rules::tree::identity_in_words;
use crate::rules::{ChangeContext, Findings, rule};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "deleted_report.md", ChangeContext(check), Text;
    Deleted => "the change deletes an accepted report",
    DeletedOf { identity: Message } => "the change deletes the accepted report of {identity}",
    Restore => "restore the report; a report that moves, or that a newer one of its channel and mode replaces, is not a deletion",
}

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for pair in cx.pairs {
        let (Some(before), None) = (pair.before, pair.after) else {
            continue;
        };
        if !before.is_report {
            continue;
        }
        let text = before
            .identity()
            .map_or(Text::Deleted, |identity| Text::DeletedOf {
                identity: identity_in_words(&identity),
            });
        out.at(Anchor::path(&before.path), text).help(Text::Restore);
    }
}
