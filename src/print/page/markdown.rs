use std::mem;

use super::{Block, Inline, Item, Page, Piece};
use gwconform_base::text::escape::{
    html, markdown_address, markdown_code, markdown_comment, markdown_text,
};

/// Maximum items in a truncated list.
const MAX_ITEMS: usize = 200;

/// Characters reserved for headings and for lines that count omitted items.
const MAX_REST: usize = 2_000;

/// Maximum characters of a page. GitHub comments allow 65,536, including text that the workflow
/// adds.
pub const MAX_CHARACTERS: usize = 60_000;

impl Page {
    /// Renders at most [`MAX_CHARACTERS`] characters of GitHub Flavored Markdown.
    pub fn markdown(&self) -> String {
        self.markdown_within(MAX_CHARACTERS)
    }

    /// Renders about `room` characters by truncating lists.
    pub fn markdown_within(&self, room: usize) -> String {
        let mut room = room.saturating_sub(MAX_REST);
        let mut out = String::new();
        let mut is_folded = false;
        for block in &self.blocks {
            if let Block::Heading(..) | Block::Folded { .. } = block
                && mem::take(&mut is_folded)
            {
                out.push_str("\n</details>\n");
            }
            if !out.is_empty() && !matches!(block, Block::Gap) {
                out.push('\n');
            }
            match block {
                Block::Gap => continue,
                Block::Mark(comment) => out.push_str(&format!("<!-- {comment} -->")),
                Block::Heading(level, text) => {
                    let marks = "#".repeat((*level).into());
                    out.push_str(&format!("{marks} {}", text.markdown()));
                }
                Block::Folded { title, is_open } => {
                    let title = html(&title.human());
                    let open = if *is_open { " open" } else { "" };
                    out.push_str(&format!("<details{open}><summary>{title}</summary>"));
                    is_folded = true;
                }
                Block::Paragraph(text) => out.push_str(&text.markdown()),
                Block::List(items) | Block::WholeList(items) => {
                    let mut shown = 0;
                    for item in items {
                        let text = item.markdown();
                        if self.cut.is_some() {
                            let length = text.chars().count();
                            if shown == MAX_ITEMS || length > room {
                                break;
                            }
                            room -= length;
                        }
                        out.push_str(&text);
                        shown += 1;
                    }
                    if shown < items.len() {
                        out.push_str(&format!("- {}\n", self.more(items.len() - shown)));
                    }
                    continue;
                }
                Block::Table(table) => {
                    out.push_str(&format!("| {} |\n", table.head.join(" | ")));
                    out.push_str(&format!("|{}", "---|".repeat(table.head.len())));
                    for row in &table.rows {
                        let cells: Vec<String> =
                            row.cells.iter().map(Inline::markdown_cell).collect();
                        out.push_str(&format!("\n| {} |", cells.join(" | ")));
                    }
                }
                Block::Code(command) => out.push_str(&format!("```sh\n{command}\n```")),
            }
            out.push('\n');
        }
        if is_folded {
            out.push_str("\n</details>\n");
        }
        out
    }
}

impl Inline {
    fn markdown(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Text(text) => markdown_text(text),
            Piece::Code(value) => markdown_code(value),
            Piece::Message(message) => markdown_comment(message),
            Piece::Link(text, address) => {
                format!("[{}]({})", markdown_text(text), markdown_address(address))
            }
            Piece::Image([says, address, leads_to]) => format!(
                "[![{says}]({})]({})",
                markdown_address(address),
                markdown_address(leads_to)
            ),
        });
        pieces.collect()
    }

    /// Renders code spans as text, because they cannot contain `|` in cells.
    fn markdown_cell(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Code(value) => Piece::Text(value.clone()),
            Piece::Message(message) => Piece::Text(message.to_string()),
            piece => piece.clone(),
        });
        Self(pieces.collect()).markdown()
    }
}

impl Item {
    fn markdown(&self) -> String {
        let indent = "  ".repeat(self.depth);
        let mut text = format!("{indent}- {}", self.text.markdown());
        for line in &self.lines {
            text.push_str(&format!("\\\n{indent}  {}", line.markdown()));
        }
        text.push('\n');
        text
    }
}
