//! gwconform for browsers: a WebAssembly module that takes bytes and returns JSON.
//!
//! `call` takes a request and returns an answer, both in the memory of the module:
//!
//! ```text
//! request   4 bytes, little-endian: length of the head; the head (JSON); the bytes of all files
//! head      {"call": "check", "files": [{"path": "a/report.yaml", "size": 120}], "options": {}}
//! answer    JSON: {"answer": …}, or {"error": "one sentence"}
//! ```
//!
//! Calls are `check`, `certify`, `diff`, `needs` and `version`. Without the feature `check`, only
//! the last two exist, without the option `in`. The module reads nothing but the request: no
//! files, no clock, no network. Before a panic ends the module, its message is passed to the
//! import `gwconform.panicked`; the caller must then create a new instance.

mod calls;
#[cfg(target_arch = "wasm32")]
mod memory;
mod request;

use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome<T> {
    Answer(T),
    Error(String),
}

/// Processes a request and returns the answer as JSON.
pub fn answer(request: &[u8]) -> String {
    let outcome = request::Request::read(request).and_then(calls::run);
    let outcome = match outcome {
        Ok(answer) => Outcome::Answer(answer),
        Err(sentence) => Outcome::Error(sentence),
    };
    let text = serde_json::to_string(&outcome);
    text.unwrap_or_else(|_| r#"{"error":"the answer is not JSON"}"#.to_owned())
}
