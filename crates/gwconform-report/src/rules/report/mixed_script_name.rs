use crate::rules::confusable::mixed_scripts;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::text::message::Message;

rule! {
    "mixed_script_name.md", ReportContext(check), Text<'a>, Remedy;
    Mixed { field: &'a str, value: &'a str, scripts: Message } => "{field}: {value} mixes the scripts {scripts}; expected letters of one script",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for (field, text) in cx.implementation_names() {
        let Some(scripts) = mixed_scripts(text.value) else {
            continue;
        };
        let message = Text::Mixed {
            field,
            value: text.value,
            scripts: Message::list(scripts.into_iter().map(Message::words), ", ", " and "),
        };
        out.at(cx.value(text.node), message)
            .help(Remedy::of_field(field));
    }
}
