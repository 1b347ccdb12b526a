//! Blocks of indented results. `go test` prints the results of subtests below the result of their
//! top-level test.
//!
//! Each level is indented by four spaces. The level cannot be derived from the name, because the
//! short name of a subtest can contain slashes, as in `0_request_to_'/get'`. See `handleInputLine`
//! in `cmd/internal/test2json`.

/// Real logs have five.
const MAX_LEVELS: usize = 32;

#[derive(Debug, Default)]
pub(super) struct Block {
    names: Vec<Box<str>>,
    /// True after a line that is not a result. Without `-v`, the messages of a test follow its
    /// result, and a message can look like a result.
    has_messages: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Length of the parent name in bytes.
    Below(usize),
    /// The result is below an ancestor, but the result of the parent is missing.
    WithoutParent,
    /// The result is not below a related test.
    Alone,
}

impl Block {
    /// The block continues, because other programs can write lines between results.
    pub(super) fn interrupt(&mut self) {
        self.has_messages = true;
    }

    /// When a top-level test starts, earlier results belong to other tests.
    pub(super) fn clear(&mut self) {
        self.names.clear();
    }

    pub(super) fn is_open(&self) -> bool {
        !self.names.is_empty() && !self.has_messages
    }

    pub(super) fn place(&mut self, name: &str, level: usize) -> Place {
        if level == 0 {
            self.names.clear();
            self.has_messages = false;
            // Tools that print events of `-json` write each result without indentation.
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
