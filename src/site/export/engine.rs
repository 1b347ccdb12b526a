//! Runs templates with limits on time, memory and output.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::Duration;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind, Output, State, UndefinedBehavior};

use super::bounds::{self, MAX_OUTPUT, MAX_TEXT};
use super::documents::Documents;
use super::error::{TemplateError, of_json};
use super::escaping::Escaping;
use super::filters;
use super::shipped::{SHIPPED, Template};

/// Maximum bytes read from a template file. The limit for rendering is lower.
pub const MAX_TEMPLATE: u64 = 1024 * 1024;

const MAX_INCLUDED: usize = 8 * 1024 * 1024;

/// An instruction, 64 bytes of output, or a level of a value usually costs 1. With 154 real
/// reports, a `tables` page uses 82,000 and the wizard JSON less than 170,000.
const FUEL: u64 = 4_000_000;

/// Stack size in bytes of virtual memory. Nested expressions and values are parsed and dropped
/// recursively; [`MAX_TEXT`] and [`FUEL`] limit the nesting.
const STACK: usize = 1024 * 1024 * 1024;

/// Stops templates whose operations cost no fuel, such as repeatedly doubled lists. A `tables` page
/// takes one second.
const MAX_TIME: Duration = Duration::from_secs(60);

const MAX_DEPTH: usize = 60;

/// Renders a template with documents and `variables`.
pub fn render(
    template: &Template,
    documents: &Documents,
    variables: &BTreeMap<&'static str, String>,
    escaping: Escaping,
) -> Result<String, TemplateError> {
    let (sender, receiver) = channel();
    let (owned, documents, variables) = (template.clone(), documents.clone(), variables.clone());
    let thread = Builder::new().stack_size(STACK).spawn(move || {
        let rendered = render_here(&owned, &documents, &variables, escaping);
        // After a timeout, the receiver no longer exists.
        drop(sender.send(rendered));
    });
    if let Err(error) = thread {
        return Err(TemplateError::no_thread(template, &error));
    }
    match receiver.recv_timeout(MAX_TIME) {
        Ok(rendered) => rendered,
        Err(_) => Err(TemplateError::too_slow(template, MAX_TIME)),
    }
}

fn render_here(
    template: &Template,
    documents: &Documents,
    variables: &BTreeMap<&'static str, String>,
    escaping: Escaping,
) -> Result<String, TemplateError> {
    if template.text.len() > MAX_TEXT {
        return Err(TemplateError::too_large(template));
    }
    let environment = environment(template, escaping);
    let mut out = Bounded::default();
    let rendered = environment
        .get_template(&template.name)
        .and_then(|compiled| {
            compiled
                .render_captured_to(documents.with(variables), &mut out)
                .map(drop)
        });
    if let Err(error) = rendered {
        return Err(match out.is_full {
            true => TemplateError::output_too_large(template),
            false => TemplateError::new(&error, template, documents),
        });
    }
    // The engine writes only strings, so the output is UTF-8.
    let text = String::from_utf8(out.bytes).unwrap_or_default();
    match escaping {
        // In JSON, `<` occurs only in strings. The escape prevents `</script>`.
        Escaping::Json => of_json(&text, template).map(|()| text.replace('<', "\\u003c")),
        _ => Ok(text),
    }
}

fn environment(template: &Template, escaping: Escaping) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(MAX_DEPTH);
    environment.set_debug(true);
    environment.set_syntax(syntax());
    environment.set_auto_escape_callback(move |_| escaping.auto_escape());
    environment.set_formatter(move |out, state, value| write(escaping, out, state, value));
    filters::add(&mut environment, escaping);
    environment.remove_global("debug");
    let loaded = AtomicUsize::new(0);
    let template = template.clone();
    environment.set_loader(move |name| {
        let text = load(&template, name)?;
        let length = text.as_ref().map_or(0, String::len);
        if loaded.fetch_add(length, Ordering::Relaxed) + length > MAX_INCLUDED {
            let message = format!(
                "the templates have more than {} MiB in all",
                MAX_INCLUDED / (1024 * 1024)
            );
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        Ok(text)
    });
    environment
}

/// Removes lines that contain only a tag.
fn syntax() -> SyntaxConfig {
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    syntax.keep_trailing_newline(true);
    // Only custom delimiters can be invalid, and these are the defaults.
    syntax.build().unwrap_or_default()
}

/// Writes a value with the escaping of the output format. Null becomes empty text, except in JSON.
fn write(
    escaping: Escaping,
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
) -> Result<(), Error> {
    bounds::check(value)?;
    if escaping.is_json() || value.is_undefined() {
        return minijinja::escape_formatter(out, state, value);
    }
    if value.is_none() {
        return Ok(());
    }
    let text = value.to_string();
    let written = match value.is_safe() || value.is_number() {
        true => out.write_str(&text),
        false => out.write_str(&escaping.escape(&text)),
    };
    written.map_err(|_| Error::from(ErrorKind::WriteFailure))
}

fn load(template: &Template, name: &str) -> Result<Option<String>, Error> {
    if name == template.name {
        return Ok(Some(template.text.clone()));
    }
    let shipped = || {
        let found = SHIPPED.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| (*text).to_owned())
    };
    let Some(folder) = &template.folder else {
        return Ok(shipped());
    };
    let refused = |reason: String| Err(Error::new(ErrorKind::InvalidOperation, reason));
    let path = Path::new(name);
    let is_below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below || name.contains('\\') {
        return refused(format!(
            "`{name}` is not below the folder of the template; expected a file below {}",
            template.shown_folder
        ));
    }
    match folder.read(path, MAX_TEMPLATE) {
        Ok(bytes) if bytes.len() > MAX_TEXT => refused(format!(
            "{} not read: it is larger than {} KiB",
            template.shown(name),
            MAX_TEXT / 1024
        )),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => refused(format!(
                "{} not read: it is not UTF-8",
                template.shown(name)
            )),
        },
        // A customized built-in template can include other built-in templates.
        Err(error) if error.is_missing() => Ok(shipped()),
        Err(error) => refused(format!("{} not read: {error}", template.shown(name))),
    }
}

#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MAX_OUTPUT {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
