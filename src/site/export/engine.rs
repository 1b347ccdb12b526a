//! Runs a template.

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

/// Most bytes of a template that is read.
pub const MAX_TEMPLATE: u64 = 1024 * 1024;

/// Most bytes of all templates that one includes.
const MAX_INCLUDED: usize = 8 * 1024 * 1024;

/// How much work a template may do: an instruction, or 64 bytes that it makes, cost one, and most
/// levels of a value too. Of 154 real reports a page of tables takes 82,000, the JSON of the wizard
/// 293,000.
const FUEL: u64 = 4_000_000;

/// The stack of a template, of which only what is used is memory: expressions and values are read
/// and dropped level by level, as many as [`MAX_TEXT`] and [`FUEL`] let there be.
const STACK: usize = 1024 * 1024 * 1024;

/// What ends a template whose work costs no fuel, such as the length of lists that are each twice
/// the one before. A page of tables takes a second.
const MAX_TIME: Duration = Duration::from_secs(60);

/// How deep macros and includes may call each other.
const MAX_DEPTH: usize = 60;

/// Renders a template. `variables` are there besides the documents.
///
/// # Errors
/// What is wrong with the template, or with the JSON that it made.
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
        // Nobody waits any more when it took too long.
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
    // The engine writes texts only.
    let text = String::from_utf8(out.bytes).unwrap_or_default();
    match escaping {
        // In JSON `<` is in texts only; so no script of a page ends in one.
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

/// Lines that hold a tag only leave no empty line.
fn syntax() -> SyntaxConfig {
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true);
    syntax.keep_trailing_newline(true);
    // Only delimiters can be wrong, and these are the usual ones.
    syntax.build().unwrap_or_default()
}

/// Writes a value. Null is nothing, but in JSON.
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

/// The text of a template by its name; `None` where there is none.
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
        // A printed template includes what came with it.
        Err(error) if error.is_missing() => Ok(shipped()),
        Err(error) => refused(format!("{} not read: {error}", template.shown(name))),
    }
}

/// Takes up to [`MAX_OUTPUT`] bytes.
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
