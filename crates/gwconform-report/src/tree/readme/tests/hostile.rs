//! Hostile input must not cause panics, wrong spans, or superlinear time.

use proptest::prelude::*;

use super::{SUBMISSION, check_spans, read};
use crate::tree::readme::{Bound, bounds, parse};

#[test]
fn bounds_every_list() {
    let rows = "|1|2|3|\n".repeat(bounds::ROWS + 1);
    let readme = read(&format!("|a|b|\n|-|-|\n{rows}"));
    assert_eq!(readme.tables[0].rows.len(), bounds::ROWS);
    assert_eq!(readme.truncated, [Bound::Rows]);

    let readme = read(&"# a\n".repeat(bounds::HEADINGS + 1));
    assert_eq!(readme.headings.len(), bounds::HEADINGS);
    assert_eq!(readme.truncated, [Bound::Headings]);

    let readme = read(&"|a|\n|-|\n\n".repeat(bounds::TABLES + 1));
    assert_eq!(readme.tables.len(), bounds::TABLES);
    assert_eq!(readme.truncated, [Bound::Tables]);

    let readme = read(&"[a](b)\n".repeat(bounds::LINKS + 1));
    assert_eq!(readme.links.len(), bounds::LINKS);
    assert_eq!(readme.truncated, [Bound::Links]);

    let wide = format!(
        "{}\n{}\n",
        "|a".repeat(bounds::CELLS + 9),
        "|-".repeat(bounds::CELLS + 9)
    );
    assert_eq!(read(&wide).truncated, [Bound::Cells]);
    let wide = format!("|a|\n|-|\n|b|{}\n", "c|".repeat(bounds::CELLS + 9));
    assert_eq!(read(&wide).truncated, [Bound::Cells]);
}

#[test]
fn stops_at_deep_nesting() {
    let deep = "> ".repeat(bounds::NESTING + 1);
    let readme = read(&format!("# a\n\n{deep}x\n\n# b\n"));
    assert_eq!(readme.headings.len(), 1);
    assert_eq!(readme.truncated, [Bound::Nesting]);
    for rule in [
        "-".repeat(300),
        "- ".repeat(300),
        "*".repeat(300),
        format!("|{}|", "-".repeat(300)),
    ] {
        assert_eq!(read(&format!("|a|\n{rule}\n")).truncated, [], "{rule}");
    }
    let bare = format!("a | b\n{} | {}\n", "-".repeat(300), "-".repeat(300));
    assert_eq!(read(&bare).tables.len(), 1);
}

/// With quadratic time, each of these texts would take minutes.
#[test]
fn reads_repeated_pieces_in_linear_time() {
    let units = [
        "[",
        "]",
        "![",
        "[](",
        "![a](",
        "[a][",
        "[a](b",
        "<",
        "<!--",
        "<!-- ",
        "-->",
        "<a ",
        "*a ",
        "**a",
        "_a_",
        "`",
        "``a`",
        "\\",
        "\\|",
        "|",
        "|-",
        "|a|\n|-|\n",
        "> ",
        ">",
        "- ",
        "- a\n",
        "1. ",
        "* \n",
        "\n",
        "\r",
        "&",
        "&amp;",
        "# ",
        "#",
        "# a\n",
        "=\n",
        "-\n",
        "[a]: b\n",
        "[a]\n",
        "~~~\n",
        "```\n",
        "<table>",
        "<h1>\n",
        "http://",
        "http",
        "(",
        ")",
        "[^a]",
        "[^a]: b\n",
        "\t",
        "\t- \n",
        "a|b\n-|-\n",
        "\0",
        "\u{feff}",
        "é",
        "\"",
        "'",
        "TODO\n\n",
    ];
    for unit in units {
        let text = unit.repeat(60_000 / unit.len());
        check_spans(&text, &parse(&text));
        let cell = format!("|a|\n|-|\n|{}|\n", text.replace(['\n', '\r'], " "));
        check_spans(&cell, &parse(&cell));
    }
    let list = "- ".repeat(bounds::NESTING - 1) + "x" + &"\n".repeat(50_000);
    check_spans(&list, &parse(&list));
    let stairs: String = (0..bounds::NESTING)
        .map(|at| "  ".repeat(at) + "-\n")
        .collect();
    let stairs = stairs + &"\n".repeat(50_000);
    check_spans(&stairs, &parse(&stairs));
}

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "# ",
        "## Reproduce",
        "\n",
        "\n\n",
        "\r\n",
        "|",
        "| ",
        "\\|",
        "\\",
        "-",
        "|-|-|\n",
        "|a|b|\n",
        "a",
        " ",
        "\t",
        "> ",
        "- ",
        "1. ",
        "`",
        "```\n",
        "<!--",
        "-->",
        "<table>",
        "<br>",
        "[",
        "]",
        "](",
        ")",
        "[a](b)",
        "[r]",
        "[r]: c\n",
        "![",
        "<",
        ">",
        "https://e.f/",
        "*",
        "_",
        "~~",
        "&amp;",
        "é",
        "\u{202e}",
        "\u{feff}",
        "===\n",
        "    ",
        "TODO",
        "[^1]",
        "[!NOTE]\n",
        "\0",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_any_pieces(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        check_spans(&text, &parse(&text));
    }

    #[test]
    fn reads_readmes_with_a_changed_byte(at in 0..SUBMISSION.len(), byte: u8, how in 0..3) {
        let mut bytes = SUBMISSION.as_bytes().to_vec();
        match how {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            _ => { bytes.remove(at); }
        }
        let text = String::from_utf8_lossy(&bytes);
        check_spans(&text, &parse(&text));
    }

    #[test]
    fn reads_any_text(text in "\\PC*") {
        check_spans(&text, &parse(&text));
    }
}
