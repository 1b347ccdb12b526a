//! The results that `go test` writes below that of a test without parent.
//!
//! Each level is indented by four blanks. A name does not tell its level, as the own name of a subtest
//! may have slashes (`0_request_to_'/get'`). (`go test`: `cmd/internal/test2json`, `handleInputLine`.)

/// Most levels that are kept. Real logs have five.
const MAX_LEVELS: usize = 32;

/// The results above a line.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The name of the last result of each level.
    names: Vec<Box<str>>,
    /// True after a line that is not a result. Without `-v`, messages follow the result of their test,
    /// and a message may look like a result.
    has_messages: bool,
}

/// Where a result is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Below the result of its parent, whose name has so many bytes.
    Below(usize),
    /// Below the result of a test further above: the result of its parent is missing.
    WithoutParent,
    /// Below no test that it is part of.
    Alone,
}

impl Block {
    /// Another line follows. Lines of other programs can be between results, so the results are not over.
    pub(super) fn interrupt(&mut self) {
        self.has_messages = true;
    }

    /// A test without parent begins: the results above are not those of its parents.
    pub(super) fn clear(&mut self) {
        self.names.clear();
    }

    /// True below the result of a test without parent, if only results follow it.
    pub(super) fn is_open(&self) -> bool {
        !self.names.is_empty() && !self.has_messages
    }

    /// The place of the next result.
    pub(super) fn place(&mut self, name: &str, level: usize) -> Place {
        if level == 0 {
            self.names.clear();
            self.has_messages = false;
            // Tools that print the events of `-json` write each result without indentation.
            if !name.contains('/') {
                self.names.push(name.into());
            }
            return Place::Alone;
        }
        let above = self.names.iter().take(level).rposition(|above| {
            let own = name.strip_prefix(&**above);
            own.is_some_and(|own| own.starts_with('/'))
        });
        match above {
            Some(at) if at + 1 == level => {
                let length = self.names[at].len();
                self.names.truncate(level);
                if level < MAX_LEVELS {
                    self.names.push(name.into());
                }
                Place::Below(length)
            }
            Some(_) if !self.has_messages => Place::WithoutParent,
            _ => Place::Alone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Place};

    #[test]
    fn the_level_tells_the_parent() {
        let mut block = Block::default();
        let steps = [
            ("T/A/x", 2, Place::Alone),
            ("T", 0, Place::Alone),
            ("T/A", 1, Place::Below(1)),
            ("T/A/0_'/get'", 2, Place::Below(3)),
            ("T/A/0_'/get'/b/c", 3, Place::Below(12)),
            ("T/AB", 2, Place::WithoutParent),
            ("T/B/x", 2, Place::WithoutParent),
            ("T/B", 1, Place::Below(1)),
            ("U/x", 1, Place::Alone),
            ("T/A/x", 4, Place::WithoutParent),
        ];
        for (name, level, expected) in steps {
            assert_eq!(block.place(name, level), expected, "{name} {level}");
        }
        block.interrupt();
        assert_eq!(block.place("T/A/x", 2), Place::Alone);
        assert_eq!(block.place("T/B/x", 2), Place::Below(3));
        block.clear();
        assert_eq!(block.place("T/B/x", 2), Place::Alone);
    }
}
