//! Reads object contents through one `git cat-file --batch` process.

use std::io::{BufRead, BufReader, Read, Write, copy, sink};
use std::process::{ChildStdin, Stdio};

use anyhow::{Context, anyhow, bail};

use super::{MAX_OUTPUT, Repository};
use crate::cli::program::Program;
use gwconform_base::text::source::MAX_FILE_BYTES;

pub struct Blobs {
    stdin: ChildStdin,
    stdout: BufReader<Program>,
    hint: &'static str,
}

impl Blobs {
    pub fn start(repository: &Repository) -> anyhow::Result<Self> {
        let arguments = ["cat-file", "--batch"];
        let mut program = repository.start(repository.top(), &arguments, Stdio::piped())?;
        let Some(stdin) = program.stdin() else {
            bail!("git has no input");
        };
        Ok(Self {
            hint: repository.partial_hint(),
            stdin,
            stdout: BufReader::new(program),
        })
    }

    /// The outer error means that git failed or does not have the blob. The inner error is the
    /// reason why the content was not read.
    pub fn read(&mut self, id: &str) -> anyhow::Result<Result<Vec<u8>, String>> {
        let header = self.ask(id)?;
        let Some((_, kind, size)) = parse(&header) else {
            return match header.rsplit(' ').next().unwrap_or_default() {
                // In a partial clone, git before 2.45 exits instead of reporting a blob that it
                // would have to fetch.
                "missing" | "" => Err(anyhow!("git has no blob {id}{}", self.hint)),
                _ => Err(anyhow!("unexpected output of git for {id}: `{header}`")),
            };
        };
        if kind != "blob" {
            self.content(id, size, 0)?;
            return Ok(Err("it was not a file".to_owned()));
        }
        let content = self.content(id, size, MAX_FILE_BYTES)?;
        Ok(content.ok_or_else(|| {
            let most = MAX_FILE_BYTES / (1024 * 1024);
            format!("it is larger than {most} MiB")
        }))
    }

    /// True if an object has the content of a file. Files of any size are compared.
    pub fn is_content(&mut self, id: &str, file: impl Read) -> anyhow::Result<bool> {
        let header = self.ask(id)?;
        let Some((_, _, size)) = parse(&header) else {
            return Err(anyhow!("git has no blob {id}{}", self.hint));
        };
        let context = || format!("git did not print the content of {id}");
        let mut file = BufReader::new(file);
        let mut content = (&mut self.stdout).take(size);
        let mut is_same = true;
        while is_same && content.limit() > 0 {
            let bytes = content.fill_buf().with_context(context)?;
            if bytes.is_empty() {
                return Err(anyhow!("git did not print the content of {id}"));
            }
            let mut others = vec![0; bytes.len()];
            is_same = file.read_exact(&mut others).is_ok() && bytes == others;
            let read = bytes.len();
            content.consume(read);
        }
        copy(&mut content, &mut sink()).with_context(context)?;
        self.stdout.read_exact(&mut [0]).with_context(context)?;
        Ok(is_same && file.fill_buf().is_ok_and(<[u8]>::is_empty))
    }

    /// ID and content of an object, such as `main^{commit}`. `None` if git has no such object of
    /// this kind.
    pub fn object(&mut self, name: &str, kind: &str) -> anyhow::Result<Option<(String, Vec<u8>)>> {
        if name.contains('\n') {
            return Ok(None);
        }
        let header = self.ask(name)?;
        let Some((id, found, size)) = parse(&header) else {
            return Ok(None);
        };
        let content = self.content(name, size, MAX_OUTPUT)?;
        Ok(content
            .filter(|_| found == kind)
            .map(|content| (id.to_owned(), content)))
    }

    fn ask(&mut self, name: &str) -> anyhow::Result<String> {
        let context = || format!("git did not print the content of {name}");
        writeln!(self.stdin, "{name}").with_context(context)?;
        self.stdin.flush().with_context(context)?;
        let mut header = String::new();
        self.stdout.read_line(&mut header).with_context(context)?;
        Ok(header.trim_end().to_owned())
    }

    /// `None` if the content is larger than `most` bytes.
    fn content(&mut self, name: &str, size: u64, most: u64) -> anyhow::Result<Option<Vec<u8>>> {
        let context = || format!("git did not print the content of {name}");
        let mut content = (&mut self.stdout).take(size);
        let mut bytes = Vec::new();
        if size <= most {
            content.read_to_end(&mut bytes).with_context(context)?;
        }
        copy(&mut content, &mut sink()).with_context(context)?;
        self.stdout.read_exact(&mut [0]).with_context(context)?;
        Ok((size <= most).then_some(bytes))
    }
}

/// ID, kind and size.
fn parse(header: &str) -> Option<(&str, &str, u64)> {
    let mut words = header.rsplitn(3, ' ');
    let size = words.next()?.parse().ok()?;
    let kind = words.next()?;
    Some((words.next()?, kind, size))
}
