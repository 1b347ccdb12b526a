//! Reads object contents through one `git cat-file --batch` process.

use std::io::{BufRead, BufReader, Read, Write, copy, sink};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context, anyhow, bail};

use super::{Repository, not_run};
use crate::text::source::MAX_FILE_BYTES;

/// Maximum bytes in the line that git prints before the object content.
const MAX_HEADER: u64 = 512;

pub struct Blobs {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    hint: &'static str,
}

impl Blobs {
    pub fn start(repository: &Repository) -> anyhow::Result<Self> {
        let mut child = repository
            .git(repository.top())
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(not_run)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("git has no input and output");
        };
        Ok(Self {
            hint: repository.partial_hint()?,
            child,
            stdin,
            stdout: BufReader::new(stdout),
        })
    }

    /// The outer error means that git failed or does not have the blob. The inner error is the
    /// reason why the content was not read.
    pub fn read(&mut self, id: &str) -> anyhow::Result<Result<Vec<u8>, String>> {
        let context = || format!("git did not print the content of {id}");
        writeln!(self.stdin, "{id}").with_context(context)?;
        self.stdin.flush().with_context(context)?;
        let mut header = String::new();
        let mut line = (&mut self.stdout).take(MAX_HEADER);
        line.read_line(&mut header).with_context(context)?;
        let mut words = header.trim_end().split(' ').skip(1);
        let (kind, size) = (words.next().unwrap_or_default(), words.next());
        let Some(size) = size.and_then(|size| size.parse::<u64>().ok()) else {
            return match kind {
                // In a partial clone, git before 2.45 exits instead of reporting a blob that it
                // would have to fetch.
                "missing" | "" => Err(anyhow!("git has no blob {id}{}", self.hint)),
                _ => Err(anyhow!(
                    "unexpected output of git for {id}: `{}`",
                    header.trim_end()
                )),
            };
        };
        let mut content = (&mut self.stdout).take(size);
        let read = if kind != "blob" {
            Err("it was not a file".to_owned())
        } else if size > MAX_FILE_BYTES {
            Err(format!(
                "it is larger than {} MiB",
                MAX_FILE_BYTES / (1024 * 1024)
            ))
        } else {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes).with_context(context)?;
            Ok(bytes)
        };
        copy(&mut content, &mut sink()).with_context(context)?;
        self.stdout.read_exact(&mut [0]).with_context(context)?;
        Ok(read)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // Killing git is safe, because this process only reads.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
