//! JSON of places and edits.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::Place;
use crate::text::change::Edit;
use crate::text::source::{Digest, Position};

/// Path and range of a place.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlaceFields<'a> {
    /// Path of the file or folder, with `/` separators. Bytes that are not UTF-8 are
    /// percent-encoded.
    path: &'a str,
    #[serde(flatten)]
    range: Range,
}

/// Lines and columns start at 1, columns count Unicode scalar values, and the end is exclusive. All
/// four are null for a whole file or folder.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Range {
    /// Line of the first character.
    #[schemars(range(min = 1))]
    line: Option<u32>,
    /// Column of the first character.
    #[schemars(range(min = 1))]
    column: Option<u32>,
    /// Line of the end.
    #[schemars(range(min = 1))]
    end_line: Option<u32>,
    /// Column after the last character.
    #[schemars(range(min = 1))]
    end_column: Option<u32>,
}

/// An edit. Fields that do not apply to the kind are null.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Edit")]
pub(crate) struct EditFields<'a> {
    /// Kind of change.
    kind: EditKind,
    /// Path of the file to change or rename.
    path: &'a str,
    #[serde(flatten)]
    range: Range,
    /// Text that replaces the range; null for a rename.
    text: Option<&'a str>,
    /// New path in the same folder, which does not exist yet; null for a replacement.
    to: Option<&'a str>,
    /// SHA-256 digest of the original file. Do not apply the edit to other content.
    #[schemars(with = "String", extend("pattern" = "^[0-9a-f]{64}$"))]
    sha256: &'a Digest,
}

/// Kind of change in an edit.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EditKind {
    /// Replaces a range of a README with `text`. Reports are never changed.
    Replace,
    /// Renames a file to `to`.
    Rename,
}

impl Range {
    fn new(start: Position, end: Position) -> Self {
        Self {
            line: Some(start.line),
            column: Some(start.column),
            end_line: Some(end.line),
            end_column: Some(end.column),
        }
    }
}

pub(crate) fn place<S: Serializer>(place: &Place, out: S) -> Result<S::Ok, S::Error> {
    let region = place.region.as_ref();
    let range = region.map_or_else(Range::default, |one| Range::new(one.start, one.end));
    let path = &place.path;
    PlaceFields { path, range }.serialize(out)
}

impl Serialize for Edit {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let fields = match self {
            Self::Replace {
                path,
                start,
                end,
                of,
                text,
                ..
            } => EditFields {
                kind: EditKind::Replace,
                path,
                range: Range::new(*start, *end),
                text: Some(text),
                to: None,
                sha256: of,
            },
            Self::Rename { path, to, of } => EditFields {
                kind: EditKind::Rename,
                path,
                range: Range::default(),
                text: None,
                to: Some(to),
                sha256: of,
            },
        };
        fields.serialize(out)
    }
}
