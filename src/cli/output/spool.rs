use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::site::{self, locked};

pub type Put<'p> = dyn Fn(Vec<site::File>) + Sync + 'p;

/// Content of all generated files, in one temporary file without a name. It keeps the memory of a
/// large site small, and is gone when the run ends in any way.
pub(super) struct Spool {
    content: File,
    length: u64,
    /// Offsets and lengths of the parts of each file.
    parts: BTreeMap<String, Vec<(u64, usize)>>,
}

impl Spool {
    pub(super) fn fill(folder: &Path, make: impl FnOnce(&Put<'_>)) -> io::Result<Self> {
        let spool = Mutex::new(Ok(Self {
            content: tempfile::tempfile_in(folder)?,
            length: 0,
            parts: BTreeMap::new(),
        }));
        make(&|files| {
            let mut spool = locked(&spool);
            for file in files {
                let added = spool.as_mut().map_or(Ok(()), |spool| spool.add(file));
                if let Err(error) = added {
                    *spool = Err(error);
                }
            }
        });
        spool.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&mut self, file: site::File) -> io::Result<()> {
        self.content.write_all(&file.bytes)?;
        // Most files have one part, and large sites have many files.
        let parts = self.parts.entry(file.path);
        let parts = parts.or_insert_with(|| Vec::with_capacity(1));
        if !file.continues {
            parts.clear();
        }
        parts.push((self.length, file.bytes.len()));
        self.length += file.bytes.len() as u64;
        Ok(())
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.parts.keys().map(String::as_str)
    }

    pub(super) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let parts = self.parts.get(path).map_or(&[][..], |parts| parts);
        let mut bytes = Vec::with_capacity(parts.iter().map(|(_, length)| length).sum());
        for &(start, length) in parts {
            (&self.content).seek(SeekFrom::Start(start))?;
            (&self.content)
                .take(length as u64)
                .read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }
}
