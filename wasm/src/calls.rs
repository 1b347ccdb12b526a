#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
mod lines;
mod needs;

use std::io;

use serde_json::value::RawValue;

use crate::request::Request;

/// JSON document for the caller, or an error in a single sentence.
pub type Answer = Result<Box<RawValue>, String>;

pub fn run(request: Request<'_>) -> Answer {
    match request.call.as_str() {
        "needs" => needs::needs(&request),
        "version" => document(&gwconform::VERSION),
        #[cfg(feature = "check")]
        "check" => check::check(&request),
        #[cfg(feature = "check")]
        "certify" => check::certify(&request),
        #[cfg(feature = "check")]
        "diff" => check::diff(&request),
        other => Err(format!("this module has no call `{other}`")),
    }
}

fn document(value: &impl serde::Serialize) -> Answer {
    serde_json::value::to_raw_value(value).map_err(|error| error.to_string())
}

fn text(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Result<String, String> {
    let mut out = Vec::new();
    write(&mut out).map_err(|error| error.to_string())?;
    String::from_utf8(out).map_err(|error| error.to_string())
}

fn written(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> Answer {
    RawValue::from_string(text(write)?).map_err(|error| error.to_string())
}
