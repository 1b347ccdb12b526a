//! gwconform for browsers, as a WebAssembly module.
//!
//! The function `call` processes a request and returns an answer, both in the memory of the module:
//!
//! ```text
//! request   4 bytes, little-endian: length of the head; the head (JSON); the bytes of all files
//! head      {"call": "check", "files": [{"path": "a/report.yaml", "size": 120}], "options": {}}
//! answer    JSON: {"answer": …}, or {"error": "one sentence"}
//! ```
//!
//! Calls are `check`, `certify`, `diff`, `needs` and `version`. Without the Cargo feature `check`,
//! only `needs` (without the option `in`) and `version` are available. The module reads only the
//! request. If it panics, it passes the message to the import `gwconform.panicked` and ends, and
//! the caller must create a new instance.

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
