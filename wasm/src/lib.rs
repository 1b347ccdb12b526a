//! gwconform for browsers: a module of WebAssembly with bytes in and JSON out.
//!
//! `call` takes a request and returns an answer, both in the memory of the module:
//!
//! ```text
//! request   4 bytes, little-endian: how long the head is; the head, JSON; the bytes of all files
//! head      {"call": "check", "files": [{"path": "a/report.yaml", "size": 120}], "options": {}}
//! answer    JSON: {"answer": …}, or {"error": "one sentence"}
//! ```
//!
//! Calls are `check`, `certify`, `diff`, `needs` and `version`; a module without the
//! feature `check` has the last two, and no option `in`. Nothing is read but the request: no files, no clock, no
//! network. A panic ends the module; its message goes to the import `gwconform.panicked` before,
//! and whoever called makes a new one.

mod calls;
#[cfg(target_arch = "wasm32")]
mod memory;
mod request;

use serde::Serialize;

/// What the module answers.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome<T> {
    Answer(T),
    Error(String),
}

/// The answer to a request.
pub fn answer(request: &[u8]) -> String {
    let outcome = request::Request::read(request).and_then(calls::run);
    let outcome = match outcome {
        Ok(answer) => Outcome::Answer(answer),
        Err(sentence) => Outcome::Error(sentence),
    };
    let text = serde_json::to_string(&outcome);
    text.unwrap_or_else(|_| r#"{"error":"the answer is not JSON"}"#.to_owned())
}
