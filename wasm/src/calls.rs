#[cfg(feature = "check")]
mod check;
#[cfg(feature = "check")]
mod lines;
mod needs;

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
