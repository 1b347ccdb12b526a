//! The modules of WebAssembly that pages load, which the folder `wasm` of the sources is built to.
//!
//! A module names itself in its custom section `gwconform`: `check 0.1.0`, or `needs 0.1.0` for one
//! that can do less. Pages and modules of one version belong together, so that what a page finds is what
//! this program finds.

use std::borrow::Cow;

use crate::VERSION;
use crate::text::visible;

/// Most bytes of a file that is read as a module: ten times as many as one has.
pub const MAX_MODULE_BYTES: u64 = 64 * 1024 * 1024;

/// A module for browsers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    kind: ModuleKind,
    bytes: Cow<'static, [u8]>,
    notices: Option<Cow<'static, [u8]>>,
}

/// The file that `dist/browser` writes next to the modules: the licenses of the third-party code in them.
pub const NOTICES_FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// What a module can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleKind {
    /// All calls.
    Check,
    /// What manifests need, alone.
    Needs,
}

/// Why a file is not a module that pages can load.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAModule {
    /// It is something else.
    #[error(
        "not a module of gwconform; expected check.wasm or needs.wasm, as dist/browser builds them"
    )]
    Other,
    /// It was built from other sources.
    #[error("a module of gwconform {found}; expected one of {VERSION}, as the pages are")]
    Version {
        /// The version that it names.
        found: String,
    },
}

impl Module {
    /// Reads what the bytes of a module say that it is.
    ///
    /// # Errors
    /// When they are no module of this version of gwconform.
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

    /// Adds the content of [`NOTICES_FILE`], which the site publishes with the module.
    pub fn with_notices(mut self, notices: impl Into<Cow<'static, [u8]>>) -> Self {
        self.notices = Some(notices.into());
        self
    }

    /// The modules that this program was built with; none without the feature `browser`.
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

    /// What it can do.
    pub fn kind(&self) -> ModuleKind {
        self.kind
    }

    /// Its file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The licenses of the third-party code in it; `None` if they were not next to the module.
    pub fn notices(&self) -> Option<&[u8]> {
        self.notices.as_deref()
    }
}

/// The text of the custom section `gwconform`: sections follow each other, each with a byte for its kind
/// (0: custom, with a name) and its length (WebAssembly Core Specification, 5.5).
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

/// A number of 32 bits in LEB128, and what follows it.
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

    /// A module with a section of one byte, and one that names it.
    fn module(label: &str) -> Vec<u8> {
        let mut bytes = b"\0asm\x01\0\0\0\x01\x01\x00".to_vec();
        let mut section = vec![9];
        section.extend(b"gwconform");
        section.extend(label.as_bytes());
        // A length of two bytes.
        bytes.extend([0, section.len() as u8 | 0x80, 0]);
        bytes.extend(section);
        bytes
    }

    #[test]
    fn a_module_names_itself() {
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
