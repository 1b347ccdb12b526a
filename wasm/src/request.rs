use serde::Deserialize;

pub struct Request<'r> {
    pub call: String,
    pub options: Options,
    pub files: Vec<NamedFile<'r>>,
}

pub struct NamedFile<'r> {
    pub path: String,
    pub bytes: &'r [u8],
}

/// Options of all calls. Each call ignores the options of other calls.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    /// For `check`: report warnings as errors.
    pub strict: bool,
    pub profile: Option<String>,
    /// For `needs`: paths of `support` data files to search for implementations.
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
    /// The error is one sentence.
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
