use std::io;
use std::time::Duration;

use minijinja::{Error, ErrorKind};

use super::bounds::{MAX_OUTPUT, MAX_TEXT};
use super::documents::Documents;
use super::shipped::Template;
use crate::text::listed;
use crate::text::suggest;

/// Problem with loading or rendering an export template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct TemplateError {
    /// Location, such as `templates/list.md.j2:12:8`; line and column are omitted if unknown.
    pub place: String,
    /// The problem and the expected value.
    pub message: String,
}

impl TemplateError {
    pub(super) fn output_too_large(template: &Template) -> Self {
        Self {
            place: template.shown(&template.name),
            message: format!(
                "the output is larger than {} MiB",
                MAX_OUTPUT / (1024 * 1024)
            ),
        }
    }

    pub(super) fn too_large(template: &Template) -> Self {
        Self {
            place: template.shown(&template.name),
            message: format!("the template is larger than {} KiB", MAX_TEXT / 1024),
        }
    }

    pub(super) fn too_slow(template: &Template, most: Duration) -> Self {
        Self {
            place: template.shown(&template.name),
            message: format!(
                "the template took more than {} seconds; expected fewer or shorter loops",
                most.as_secs()
            ),
        }
    }

    pub(super) fn no_thread(template: &Template, error: &io::Error) -> Self {
        Self {
            place: template.shown(&template.name),
            message: format!("the system has no thread to run the template: {error}"),
        }
    }

    /// Reports the innermost error. For an included template, the location is then in that template
    /// and not at the `include`.
    pub(super) fn new(error: &Error, template: &Template, documents: &Documents) -> Self {
        let mut innermost = error;
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            match inner.downcast_ref::<Error>() {
                Some(inner) if inner.name().is_some() => innermost = inner,
                _ => {}
            }
            source = inner.source();
        }
        Self {
            place: place(innermost, template),
            message: message(innermost, template, documents),
        }
    }
}

fn place(error: &Error, template: &Template) -> String {
    let mut place = template.shown(error.name().unwrap_or(&template.name));
    if let Some(line) = error.line() {
        place.push_str(&format!(":{line}"));
        if let Some(column) = column(error) {
            place.push_str(&format!(":{column}"));
        }
    }
    place
}

fn column(error: &Error) -> Option<usize> {
    let before = error.template_source()?.get(..error.range()?.start)?;
    let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
    Some(line.chars().count() + 1)
}

fn expression(error: &Error) -> Option<&str> {
    let source = error.template_source()?;
    let expression = source.get(error.range()?)?.trim();
    (!expression.is_empty() && expression.len() <= 120 && !expression.contains('\n'))
        .then_some(expression)
}

fn message(error: &Error, template: &Template, documents: &Documents) -> String {
    let detail = error.detail().unwrap_or_default();
    match error.kind() {
        ErrorKind::UndefinedError => undefined(error, documents),
        ErrorKind::OutOfFuel => {
            "the template does more work than is allowed; expected fewer or shorter loops"
                .to_owned()
        }
        ErrorKind::TemplateNotFound => {
            format!("{detail}; expected a file below {}", template.shown_folder)
        }
        ErrorKind::UnknownFilter => format!("{detail}{}", nearest_filter(detail)),
        kind if detail.is_empty() => kind.to_string(),
        ErrorKind::SyntaxError => format!("syntax error: {detail}"),
        _ => detail.to_owned(),
    }
}

fn undefined(error: &Error, documents: &Documents) -> String {
    let expression = expression(error);
    let what = match (expression, error.detail()) {
        (Some(expression), _) => format!("`{expression}` is undefined"),
        (None, Some(detail)) => detail.to_owned(),
        (None, None) => "undefined value".to_owned(),
    };
    let missing = documents.missing().filter(|missing| {
        let texts = [expression, error.detail()].into_iter().flatten();
        texts.into_iter().any(|text| text.contains(&missing.key))
    });
    let Some(missing) = missing else {
        return what;
    };
    let known = missing.known.iter().map(String::as_str);
    let near = suggest::nearest(&missing.key, known);
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!(
        "{what}: there is no `{}`{near}; expected one of {}",
        missing.key,
        listed(&missing.known)
    )
}

const FILTERS: [&str; 9] = [
    "address", "alike", "by", "compare", "md", "shields", "slug", "versions", "words",
];

fn nearest_filter(detail: &str) -> String {
    let name = detail.split_whitespace().find_map(|word| {
        let name = word.trim_matches(['`', '"', '\'']);
        suggest::nearest(name, FILTERS)
    });
    let near = name.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("{near}; expected one of jinja's or {}", listed(&FILTERS))
}

pub(super) fn of_json(text: &str, template: &Template) -> Result<(), TemplateError> {
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(drop)
        .map_err(|error| TemplateError {
            place: template.shown(&template.name),
            message: format!("the output is not JSON: {error}"),
        })
}
