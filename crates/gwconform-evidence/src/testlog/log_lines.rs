use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use super::MAX_LINE;

const CHUNK: usize = 256 * 1024;

pub(super) struct Lines<R> {
    stream: R,
    hash: Sha256,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    line: Vec<u8>,
    number: u32,
    cut: u32,
}

#[derive(Clone, Copy)]
pub(super) struct Line<'b> {
    pub(super) number: u32,
    pub(super) bytes: &'b [u8],
    /// False for the last line if the stream does not end with a line feed.
    pub(super) is_ended: bool,
}

pub(super) struct Summary {
    pub(super) digest: [u8; 32],
    pub(super) lines: u32,
    pub(super) cut: u32,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(stream: R) -> Self {
        Self {
            stream,
            hash: Sha256::new(),
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            line: Vec::new(),
            number: 0,
            cut: 0,
        }
    }

    pub(super) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        let mut is_begun = false;
        let mut is_cut = false;
        let is_ended = loop {
            if self.start == self.end {
                self.start = 0;
                self.end = self.fill()?;
                if self.end == 0 {
                    break false;
                }
            }
            let rest = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', rest);
            let length = found.unwrap_or(rest.len());
            if let (Some(length), false) = (found, is_begun)
                && length <= MAX_LINE
            {
                let start = self.start;
                self.start += length + 1;
                self.number = self.number.saturating_add(1);
                return Ok(Some(Line {
                    number: self.number,
                    bytes: &self.buffer[start..start + length],
                    is_ended: true,
                }));
            }
            let kept = length.min(MAX_LINE - self.line.len());
            is_cut |= kept < length;
            self.line.extend_from_slice(&rest[..kept]);
            is_begun = true;
            self.start += length + usize::from(found.is_some());
            if found.is_some() {
                break true;
            }
        };
        if !is_begun {
            return Ok(None);
        }
        self.number = self.number.saturating_add(1);
        self.cut = self.cut.saturating_add(u32::from(is_cut));
        Ok(Some(Line {
            number: self.number,
            bytes: &self.line,
            is_ended,
        }))
    }

    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.stream.read(&mut self.buffer) {
                Ok(read) => {
                    self.hash.update(&self.buffer[..read]);
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn finish(self) -> Summary {
        Summary {
            digest: self.hash.finalize().into(),
            lines: self.number,
            cut: self.cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::Digest as _;

    use super::super::MAX_LINE;
    use super::Lines;

    #[test]
    fn lines_are_counted_and_long_ones_are_cut() {
        let long = "x".repeat(3 * MAX_LINE);
        let text = format!("a\n\n{long}\nb");
        let mut lines = Lines::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.bytes.len(), line.is_ended));
        }
        let expected = [
            (1, 1, true),
            (2, 0, true),
            (3, MAX_LINE, true),
            (4, 1, false),
        ];
        assert_eq!(found, expected);
        let summary = lines.finish();
        assert_eq!((summary.lines, summary.cut), (4, 1));
        assert_eq!(
            summary.digest,
            <[u8; 32]>::from(sha2::Sha256::digest(text.as_bytes()))
        );
    }
}
