//! Parses listings of changed files: `git status --porcelain=v2 -z` and `git diff-tree --raw -z`.

use anyhow::anyhow;

/// File that git lists as changed.
#[derive(Debug, Clone)]
pub struct Listed<'g> {
    /// Path relative to the top of the repository.
    pub name: &'g [u8],
    /// Entry before the change.
    pub before: Entry,
    /// Entry after the change. For files with uncommitted edits, git lists only the mode.
    pub after: Entry,
    /// True if the index differs from HEAD.
    pub is_staged: bool,
}

/// File, link or submodule in a commit, the index or the working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    mode: String,
    /// Object ID. `None` if the entry does not exist, or if only its mode is known.
    pub id: Option<String>,
}

impl Entry {
    fn new(mode: &str, id: &str) -> Self {
        let is_id = id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_zero = id.bytes().all(|byte| byte == b'0');
        Self {
            mode: mode.to_owned(),
            id: (is_id && !is_zero).then(|| id.to_owned()),
        }
    }

    pub fn is_file(&self) -> bool {
        self.mode.starts_with("100")
    }

    pub fn is_link(&self) -> bool {
        self.mode.starts_with("120")
    }

    pub fn is_there(&self) -> bool {
        self.mode != "000000"
    }

    pub fn has_mode_of(&self, other: &Self) -> bool {
        self.mode == other.mode
    }

    fn is_submodule(&self) -> bool {
        self.mode == "160000"
    }
}

/// Parses the output of `git status`: tracked files that differ, and the names of untracked files.
pub fn status(output: &[u8]) -> anyhow::Result<(Vec<Listed<'_>>, Vec<&[u8]>)> {
    let (mut tracked, mut untracked) = (Vec::new(), Vec::new());
    for record in records(output) {
        match record {
            [b'?', b' ', name @ ..] => untracked.push(name),
            // Header lines that the user's configuration requests.
            [b'#', ..] => {}
            _ => tracked.push(changed(record).ok_or_else(|| unexpected_output(record))?),
        }
    }
    Ok((tracked, untracked))
}

/// Parses `1 <XY> <submodule> <modes: HEAD, index, now> <IDs: HEAD, index> <name>`. In merge
/// conflicts, `u` and the modes and IDs of three stages are listed instead.
fn changed(record: &[u8]) -> Option<Listed<'_>> {
    let fields = if record.starts_with(b"u ") { 11 } else { 9 };
    let mut fields: Vec<&[u8]> = record.splitn(fields, |&byte| byte == b' ').collect();
    let name = fields.pop()?;
    let fields: Vec<&str> = (fields.into_iter())
        .map(|field| std::str::from_utf8(field).ok())
        .collect::<Option<_>>()?;
    let (head, index, states, now) = match fields[..] {
        ["1", states, _, head, index, now, head_id, index_id] => {
            let entries = (Entry::new(head, head_id), Entry::new(index, index_id));
            (entries.0, entries.1, states, now)
        }
        ["u", _, _, _, ours, _, now, _, ours_id, _] => {
            let ours = Entry::new(ours, ours_id);
            (ours.clone(), ours, "UU", now)
        }
        _ => return None,
    };
    let (staged, edited) = states.split_at_checked(1)?;
    // The files of a submodule belong to another repository.
    let is_in_index = edited == "." || head.is_submodule() || index.is_submodule();
    Some(Listed {
        name,
        before: head,
        after: if is_in_index {
            index
        } else {
            Entry::new(now, "0")
        },
        is_staged: staged != ".",
    })
}

/// Parses `:<mode before> <mode after> <ID before> <ID after> <status>` and the name of each file.
pub fn differences(output: &[u8]) -> anyhow::Result<Vec<Listed<'_>>> {
    let mut records = records(output);
    let mut listed = Vec::new();
    while let (Some(head), Some(name)) = (records.next(), records.next()) {
        let text = std::str::from_utf8(head).map_err(|_| unexpected_output(head))?;
        let words: Vec<&str> = text.trim_start_matches(':').split(' ').collect();
        let [mode, mode_after, id, id_after, _] = words[..] else {
            return Err(unexpected_output(head));
        };
        listed.push(Listed {
            name,
            before: Entry::new(mode, id),
            after: Entry::new(mode_after, id_after),
            is_staged: false,
        });
    }
    Ok(listed)
}

fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    let records = output.split(|&byte| byte == 0);
    records.filter(|record| !record.is_empty())
}

fn unexpected_output(record: &[u8]) -> anyhow::Error {
    let record = String::from_utf8_lossy(record);
    anyhow!("unexpected output of git: `{record}`")
}
