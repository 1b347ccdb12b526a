//! What the module is asked.

use serde::Deserialize;

/// A call, its options, and the files that it is about.
pub struct Request<'r> {
    pub call: String,
    pub options: Options,
    pub files: Vec<NamedFile<'r>>,
}

/// A file: its path as the caller names it, and its bytes.
pub struct NamedFile<'r> {
    pub path: String,
    pub bytes: &'r [u8],
}

/// The options of all calls; each call takes its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// `check`: rules or groups of rules to run.
    pub select: Vec<String>,
    /// `check`: rules or groups of rules to leave out.
    pub ignore: Vec<String>,
    /// `check`: as errors what a strict reviewer would reject.
    pub strict: bool,
    /// `needs`: the profile to ask about.
    pub profile: Option<String>,
    /// `needs`: the files that are data of a site, whose reports are asked who has all that is needed.
    #[serde(rename = "in")]
    pub published: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    call: String,
    #[serde(default)]
    files: Vec<FileHead>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHead {
    path: String,
    size: usize,
}

impl<'r> Request<'r> {
    /// # Errors
    /// A request that is not as it has to be, in a sentence.
    pub fn read(bytes: &'r [u8]) -> Result<Self, String> {
        let short = || "the request is shorter than it says".to_owned();
        let (length, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (head, mut rest) = rest.split_at_checked(length).ok_or_else(short)?;
        let head: Head = serde_json::from_slice(head)
            .map_err(|error| format!("the head of the request cannot be read: {error}"))?;
        let mut files = Vec::with_capacity(head.files.len());
        for file in head.files {
            let (bytes, others) = rest.split_at_checked(file.size).ok_or_else(short)?;
            rest = others;
            files.push(NamedFile {
                path: file.path,
                bytes,
            });
        }
        Ok(Self {
            call: head.call,
            options: head.options,
            files,
        })
    }
}
