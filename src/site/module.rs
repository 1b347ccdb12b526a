//! The WebAssembly modules that pages load, built from the folder `wasm`.
//!
//! The custom section `gwconform` contains name and version, such as `check 0.1.0`. The version
//! must match this program, so that pages and program report the same findings.

use std::borrow::Cow;

use crate::VERSION;
use gwconform_base::text::visible;

/// Maximum module size in bytes, about ten times the real size.
pub const MAX_MODULE_BYTES: u64 = 64 * 1024 * 1024;

/// WebAssembly module with its license notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    kind: ModuleKind,
    bytes: Cow<'static, [u8]>,
    notices: Option<Cow<'static, [u8]>>,
}

/// Licenses of third-party code, which `dist/browser` writes next to the modules.
pub const NOTICES_FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// Calls that a module supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleKind {
    /// All calls.
    Check,
    /// Only the analysis of manifests, in a smaller module.
    Needs,
}

/// Reasons why a file is not a usable module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAModule {
    /// The file was not built from gwconform.
    #[error(
        "not a module of gwconform; expected check.wasm or needs.wasm, as dist/browser builds them"
    )]
    Other,
    /// The module belongs to another version of gwconform.
    #[error("a module of gwconform {found}; expected one of {VERSION}, as the pages are")]
    Version {
        /// Version of the module, such as `0.1.0`.
        found: String,
    },
}

impl Module {
    /// Reads the kind and version of a module.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, NotAModule> {
        let bytes = bytes.into();
        let label = label(&bytes).ok_or(NotAModule::Other)?;
        let (name, version) = label.split_once(' ').ok_or(NotAModule::Other)?;
        let kind = match name {
            "check" => ModuleKind::Check,
            "needs" => ModuleKind::Needs,
            _ => return Err(NotAModule::Other),
        };
        if version != VERSION {
            let found = visible(version);
            return Err(NotAModule::Version { found });
        }
        Ok(Self {
            kind,
            bytes,
            notices: None,
        })
    }

    /// Sets the content of [`NOTICES_FILE`].
    pub fn with_notices(mut self, notices: impl Into<Cow<'static, [u8]>>) -> Self {
        self.notices = Some(notices.into());
        self
    }

    /// Modules embedded in this program. Empty without the Cargo feature `browser`.
    pub fn built_in() -> Vec<Self> {
        #[cfg(feature = "browser")]
        const FILES: (&[&[u8]], &[u8]) = (
            &[
                include_bytes!(concat!(
                    env!(
                        "GWCONFORM_BROWSER",
                        "the feature `browser` needs the modules: run `dist/browser DIR`, and set GWCONFORM_BROWSER to the absolute path of DIR"
                    ),
                    "/check.wasm"
                )),
                include_bytes!(concat!(env!("GWCONFORM_BROWSER"), "/needs.wasm")),
            ],
            include_bytes!(concat!(
                env!("GWCONFORM_BROWSER"),
                "/THIRD-PARTY-NOTICES.txt"
            )),
        );
        #[cfg(not(feature = "browser"))]
        const FILES: (&[&[u8]], &[u8]) = (&[], &[]);
        let (modules, notices) = FILES;
        let modules = modules.iter().map(|bytes| Self::read(*bytes));
        let modules = modules.filter_map(Result::ok);
        modules.map(|module| module.with_notices(notices)).collect()
    }

    /// Calls that the module supports.
    pub fn kind(&self) -> ModuleKind {
        self.kind
    }

    /// Content of the module file, as served to browsers.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Content of [`NOTICES_FILE`]; `None` if not set.
    pub fn notices(&self) -> Option<&[u8]> {
        self.notices.as_deref()
    }
}

/// Reads the custom section `gwconform`. A section consists of an ID byte (0 for a custom section),
/// its length, and its content (WebAssembly Core Specification, 5.5).
fn label(bytes: &[u8]) -> Option<&str> {
    let mut rest = bytes.strip_prefix(b"\0asm\x01\0\0\0")?;
    while let [kind, after @ ..] = rest {
        let (length, after) = number(after)?;
        let (section, after) = after.split_at_checked(length)?;
        if *kind == 0 {
            let (length, section) = number(section)?;
            let (name, content) = section.split_at_checked(length)?;
            if name == b"gwconform" {
                return std::str::from_utf8(content).ok();
            }
        }
        rest = after;
    }
    None
}

/// Decodes 32-bit LEB128. Also returns the remaining bytes.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Module, ModuleKind, NotAModule, VERSION};

    fn module(label: &str) -> Vec<u8> {
        let mut bytes = b"\0asm\x01\0\0\0\x01\x01\x00".to_vec();
        let mut section = vec![9];
        section.extend(b"gwconform");
        section.extend(label.as_bytes());
        bytes.extend([0, section.len() as u8 | 0x80, 0]);
        bytes.extend(section);
        bytes
    }

    #[test]
    fn reads_kind_and_version_of_modules() {
        let version = VERSION;
        for (name, kind) in [("check", ModuleKind::Check), ("needs", ModuleKind::Needs)] {
            let bytes = module(&format!("{name} {version}"));
            let read = Module::read(bytes.clone()).unwrap();
            assert_eq!((read.kind(), read.bytes()), (kind, &bytes[..]));
        }
        let other = Module::read(module("check 0.0.1-\u{1b}")).unwrap_err();
        assert_eq!(
            other.to_string(),
            format!(
                "a module of gwconform 0.0.1-\\u{{1b}}; expected one of {version}, as the pages are"
            )
        );
    }

    #[test]
    fn other_files_are_refused() {
        let whole = module("check 1");
        for end in 0..whole.len() - 1 {
            let read = Module::read(whole[..end].to_vec());
            assert!(read.is_err(), "{end}");
        }
        let endless = [&b"\0asm\x01\0\0\0"[..], &[0, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        for bytes in [
            b"<!DOCTYPE html>".to_vec(),
            module("other 1"),
            module("x"),
            endless,
        ] {
            assert_eq!(Module::read(bytes), Err(NotAModule::Other));
        }
    }
}
