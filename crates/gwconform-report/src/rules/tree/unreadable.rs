use crate::rules::{EntryContext, Findings, rule};
use gwconform_base::text::diagnostic::Place;

rule!("unreadable.md", EntryContext(check), super::NotRead);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if let Some(unread) = cx.unexpected.kind.why_not_read() {
        super::not_read(Place::path(cx.path()), &unread, out);
    }
}
