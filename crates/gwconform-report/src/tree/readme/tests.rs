//! Tests corner cases of GFM that affect READMEs.

use super::contents::is_placeholder;
use super::*;

mod corpus;
mod hostile;

pub(super) fn check_spans(text: &str, readme: &Readme) {
    let slice = |span: Span| {
        text.get(span.range())
            .unwrap_or_else(|| panic!("{span:?} is outside of the text or cuts a character"))
    };
    let untrimmed =
        |text: &str| text.starts_with([' ', '\t', '\n']) || text.ends_with([' ', '\t', '\n']);
    for heading in &readme.headings {
        let shown = slice(heading.span);
        assert!(!untrimmed(shown), "{shown:?}");
        assert!(slice(heading.block).contains(shown));
        if !shown.contains([
            '\\', '&', '<', '[', ']', '*', '_', '`', '~', '\n', '\r', '!', '\0',
        ]) {
            assert_eq!(shown, heading.text);
        }
    }
    for section in &readme.sections {
        slice(section.body);
        slice(section.own);
        assert!(section.own.end <= section.body.end && section.own.start == section.body.start);
        if let Some(placeholder) = section.placeholder {
            assert!(is_placeholder(slice(placeholder)));
        }
    }
    for table in &readme.tables {
        let whole = slice(table.span);
        assert!(!untrimmed(whole), "{whole:?}");
        assert!(table.section < readme.sections.len());
        for row in std::iter::once(&table.header).chain(&table.rows) {
            let line = slice(row.span);
            assert!(!untrimmed(line) && !line.contains('\n'), "{line:?}");
            assert!(table.span.start <= row.span.start && row.span.end <= table.span.end);
            assert_eq!(row.opened, line.starts_with('|'));
            if row.closed {
                assert!(line.ends_with('|'));
            }
            let mut end = row.span.start;
            for span in row
                .cells
                .iter()
                .map(|cell| cell.span)
                .chain(row.surplus.clone())
            {
                assert!(end <= span.start && span.end <= row.span.end);
                end = span.end;
                let cell = slice(span);
                assert!(!untrimmed(cell), "{cell:?}");
                assert!(!cell.replace("\\|", "").contains('|'), "{cell:?}");
            }
            for cell in &row.cells {
                let shown = slice(cell.span);
                if !shown.contains(['\\', '&', '<', '[', ']', '*', '_', '`', '~', '!', '\0']) {
                    assert_eq!(shown, cell.text);
                }
                if let Some(url) = cell.bare_url {
                    assert!(slice(url).starts_with("http"));
                    assert!(cell.span.start <= url.start && url.end <= cell.span.end);
                }
                for link in &cell.links {
                    assert!(cell.span.start <= link.span.start && link.span.end <= cell.span.end);
                }
            }
        }
    }
    let in_cells = readme
        .tables
        .iter()
        .flat_map(|table| &table.rows)
        .flat_map(|row| &row.cells)
        .flat_map(|cell| &cell.links);
    for link in readme.links.iter().chain(in_cells) {
        let whole = slice(link.span);
        match link.kind {
            LinkKind::Image => assert!(whole.starts_with('!'), "{whole:?}"),
            LinkKind::Autolink => assert!(whole.starts_with('<') && whole.ends_with('>')),
            _ => assert!(whole.starts_with('['), "{whole:?}"),
        }
        let target = slice(link.target_span);
        if link.target_span != link.span && !target.contains(['\\', '&', '\0']) {
            assert_eq!(target, link.target.trim_start_matches("mailto:"));
        }
    }
    for row in &readme.stray_rows {
        assert!(slice(*row).starts_with('|'));
    }
    for span in [readme.html_table, readme.html_heading]
        .into_iter()
        .flatten()
    {
        assert!(slice(span).starts_with('<'));
    }
    if let Some(span) = readme.unclosed_comment {
        assert!(slice(span).starts_with("<!--"));
    }
}

fn read(text: &str) -> Readme {
    let readme = parse(text);
    check_spans(text, &readme);
    readme
}

fn cells<'t>(text: &'t str, row: &Row) -> Vec<&'t str> {
    row.cells
        .iter()
        .map(|cell| &text[cell.span.range()])
        .collect()
}

fn texts(row: &Row) -> Vec<&str> {
    row.cells.iter().map(|cell| cell.text.as_str()).collect()
}

const SUBMISSION: &str = "\
# Acme Gateway

About it.

## Table of contents

| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard    | [v1.2.0](https://example.com/v1.2.0) | default | [v1.2.0 report](./standard-v1.2.0-default-report.yaml) |

## Reproduce

### Steps

1. `make conformance`
";

#[test]
fn a_submission() {
    let readme = read(SUBMISSION);
    assert_eq!(readme.title().unwrap().text, "Acme Gateway");
    let contents = readme.find_table_of_contents();
    assert_eq!(contents.table, Some(0));
    assert!(contents.under_heading && contents.others.is_empty());
    assert_eq!(
        contents.columns.as_array(),
        [Some(0), Some(1), Some(2), Some(3)]
    );
    let row = &readme.tables[0].rows[0];
    assert!(row.opened && row.closed && row.surplus.is_empty());
    assert_eq!(
        texts(row),
        ["standard", "v1.2.0", "default", "v1.2.0 report"]
    );
    let link = &row.cells[3].links[0];
    assert_eq!(&SUBMISSION[link.target_span.range()], link.target);
    assert_eq!(
        link.classify(),
        Target::new("standard-v1.2.0-default-report.yaml")
    );
    let reproduce = readme.find_reproduce().unwrap();
    assert_eq!(readme.heading_of(reproduce).unwrap().text, "Reproduce");
    assert!(!readme.sections[reproduce].content_is_empty);
    assert!(SUBMISSION[readme.sections[reproduce].body.range()].ends_with("conformance`\n"));
    assert_eq!(
        SUBMISSION[readme.sections[reproduce].own.range()].trim(),
        ""
    );
    assert_eq!(readme.truncated, []);
}

#[test]
fn reads_empty_readmes() {
    for text in ["", "\n", "\u{feff}", "   \n\t\n"] {
        let readme = read(text);
        assert_eq!(readme.sections.len(), 1);
        assert!(readme.sections[0].content_is_empty);
        assert_eq!(readme.find_table_of_contents(), Contents::default());
        assert_eq!(readme.find_reproduce(), None);
        assert_eq!(readme.title(), None);
    }
}

#[test]
fn reads_cells_with_pipes_in_any_place() {
    let text = "a | b\n--|:-:\nx\\|y | `c\\|d`\nx \\| y | z \\|\n| e | f\ng | h |\n| `i | j` |\n";
    let readme = read(text);
    let table = &readme.tables[0];
    assert_eq!(cells(text, &table.header), ["a", "b"]);
    assert!(!table.header.opened && !table.header.closed);
    assert_eq!(texts(&table.rows[0]), ["x|y", "c|d"]);
    assert_eq!(texts(&table.rows[1]), ["x | y", "z |"]);
    assert!(!table.rows[1].closed, "an escaped pipe closes nothing");
    assert!(table.rows[2].opened && !table.rows[2].closed);
    assert!(!table.rows[3].opened && table.rows[3].closed);
    assert_eq!(
        texts(&table.rows[4]),
        ["`i", "j`"],
        "a pipe divides code too"
    );
}

#[test]
fn a_form_feed_before_the_first_pipe() {
    let text = "|a|b|\n|-|-|\n\x0c|1|2|\n \t|3|4|\n";
    let rows = &read(text).tables[0].rows;
    assert_eq!(cells(text, &rows[0]), ["", "1"]);
    assert!(!rows[0].opened);
    assert_eq!(rows[0].surplus.len(), 1);
    assert_eq!(cells(text, &rows[1]), ["3", "4"]);
}

#[test]
fn fewer_and_more_cells() {
    let text = "|a|b|\n|-|-|\n|1|\n|1||\n|1|2|3|4 \\| 5|\n|1|2|3 \n|1|2||\nonly words\n|\\|| |\n";
    let rows = &read(text).tables[0].rows;
    assert_eq!(cells(text, &rows[0]), ["1"]);
    assert!(rows[0].closed);
    assert_eq!(cells(text, &rows[1]), ["1", ""]);
    assert!(rows[1].closed);
    let surplus =
        |row: &Row| -> Vec<&str> { row.surplus.iter().map(|at| &text[at.range()]).collect() };
    assert_eq!(surplus(&rows[2]), ["3", "4 \\| 5"]);
    assert!(rows[2].closed);
    assert_eq!(surplus(&rows[3]), ["3"]);
    assert!(!rows[3].closed);
    assert_eq!(surplus(&rows[4]), [""]);
    assert!(rows[4].closed);
    assert!(rows[5].has_no_pipe());
    assert_eq!(texts(&rows[6]), ["|", ""]);
}

#[test]
fn rows_that_are_paragraphs() {
    let text = "|a|b|\n|-|-|\n|1|2|\n\n|3|4|\ntext\n> |5|6|\n\n|c|d|\n|-|\n|7|8|\n";
    let readme = read(text);
    assert_eq!(readme.tables.len(), 1);
    assert_eq!(readme.tables[0].rows.len(), 1);
    let stray: Vec<_> = readme
        .stray_rows
        .iter()
        .map(|at| &text[at.range()])
        .collect();
    assert_eq!(stray, ["|3|4|", "|5|6|", "|c|d|", "|7|8|"]);
}

#[test]
fn finds_no_table_in_other_blocks() {
    for text in [
        "```\n|a|\n|-|\n```\n",
        "    |a|\n    |-|\n",
        "<!--\n|a|\n|-|\n|1|\n-->\n",
        "<!-- x\n\n|a|\n|-|\n\n-->\n",
        "<div>\n|a|\n|-|\n</div>\n",
    ] {
        let readme = read(text);
        assert!(
            readme.tables.is_empty() && readme.stray_rows.is_empty(),
            "{text}"
        );
    }
}

#[test]
fn comments() {
    let text = "|a|b|\n|-|-|\n|<!-- c -->1|x <!-- y --> z|\n|<!-- | -->|\n\n## R\n\n<!-- hidden\n\nstill -->\n\n[d]: e\n\n### lone\n\n## S\n\n<!-- a --> shown\n\n## T\n\n<!-- no end\n\n# U\n";
    let readme = read(text);
    let rows = &readme.tables[0].rows;
    assert_eq!(texts(&rows[0]), ["1", "x  z"]);
    assert_eq!(&text[rows[0].cells[0].span.range()], "<!-- c -->1");
    assert_eq!(
        cells(text, &rows[1]),
        ["<!--", "-->"],
        "cells are divided before comments are seen"
    );
    let empty: Vec<_> = readme
        .sections
        .iter()
        .map(|section| section.content_is_empty)
        .collect();
    assert_eq!(empty, [false, true, true, false, true]);
    assert_eq!(
        &text[readme.unclosed_comment.unwrap().range()],
        "<!-- no end\n\n# U"
    );
}

#[test]
fn html() {
    let text =
        "<table><tr><td>1</td></tr></table>\n\n<h2 align=\"center\">Reproduce</h2>\n\nx <b>y</b>\n";
    let readme = read(text);
    assert_eq!(&text[readme.html_table.unwrap().range()], "<table");
    assert_eq!(&text[readme.html_heading.unwrap().range()], "<h2");
    let readme = read("<!-- <table> <h2> -->\n\n`<table>`\n\n```\n<table>\n```\n");
    assert_eq!((readme.html_table, readme.html_heading), (None, None));
}

#[test]
fn headings() {
    let text = "Title\n=====\n\nTwo\nlines\n---\n\n## \\# `code` [link](x) ##\n\n```sh\n# none\n```\n\n> ## quoted\n\n- # listed\n\n####### seven\n\n#none\n\n##\n\n### A&amp;B <!-- c --> #\n";
    let readme = read(text);
    let found: Vec<_> = readme
        .headings
        .iter()
        .map(|heading| {
            (
                heading.level,
                heading.text.as_str(),
                &text[heading.span.range()],
                heading.nested,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (1, "Title", "Title", false),
            (2, "Two lines", "Two\nlines", false),
            (2, "# code link", "\\# `code` [link](x)", false),
            (2, "quoted", "quoted", true),
            (1, "listed", "listed", true),
            (2, "", "", false),
            (3, "A&B", "A&amp;B <!-- c -->", false),
        ]
    );
    assert_eq!(readme.sections.len(), 6);
    assert_eq!(readme.title().unwrap().text, "Title");
    let parents: Vec<_> = readme
        .sections
        .iter()
        .map(|section| section.parent)
        .collect();
    assert_eq!(parents, [None, None, Some(1), Some(1), Some(1), Some(4)]);
}

#[test]
fn sections_by_level() {
    let text = "before\n# A\n### B\nb\n## C\n# D\nd\n";
    let readme = read(text);
    let bodies: Vec<_> = readme
        .sections
        .iter()
        .map(|at| &text[at.body.range()])
        .collect();
    assert_eq!(bodies, ["before\n", "### B\nb\n## C\n", "b\n", "", "d\n"]);
    let own: Vec<_> = readme
        .sections
        .iter()
        .map(|at| &text[at.own.range()])
        .collect();
    assert_eq!(own, ["before\n", "", "b\n", "", "d\n"]);
}

#[test]
fn recognizes_sections_without_content() {
    for text in [
        "\n\n",
        "***\n",
        "```\n\n```\n",
        "<!-- a --><!-- b -->\n",
        "[a]: b\n",
        "### lone\n",
        "|  |\n|--|\n|  |\n",
        "&nbsp;\n",
        "-\n",
        ">\n",
        "\u{200b}\n",
    ] {
        let readme = read(&format!("## Reproduce\n{text}"));
        assert!(readme.sections[1].content_is_empty, "{text:?}");
    }
    for text in [
        "x\n",
        "- x\n",
        "> x\n",
        "    code\n",
        "```\ncode\n```\n",
        "![](x.png)\n",
        "<https://a.b>\n",
        "<img src=x>\n",
        "|a|\n|-|\n",
        "### sub\nx\n",
    ] {
        let readme = read(&format!("## Reproduce\n{text}"));
        assert!(!readme.sections[1].content_is_empty, "{text:?}");
    }
}

#[test]
fn links() {
    let text = "[a](./x.yaml \"t\") [b][Ref] [ref][] [ref] [c](<d e.yaml>) <https://e.f> <g@h.i> ![j](k.png) [![l](m.png)](n) [o](p\\)q) [r]( s ) [`]t`](u) [none] [w]()\n\n[REF]: ./v.yaml 'title'\n";
    let readme = read(text);
    let found: Vec<_> = readme
        .links
        .iter()
        .map(|link| {
            (
                link.text.as_str(),
                link.target.as_str(),
                &text[link.target_span.range()],
                link.kind,
            )
        })
        .collect();
    use LinkKind::*;
    assert_eq!(
        found,
        [
            ("a", "./x.yaml", "./x.yaml", Inline),
            ("b", "./v.yaml", "./v.yaml", Reference),
            ("ref", "./v.yaml", "./v.yaml", Reference),
            ("ref", "./v.yaml", "./v.yaml", Reference),
            ("c", "d e.yaml", "d e.yaml", Inline),
            ("https://e.f", "https://e.f", "https://e.f", Autolink),
            ("g@h.i", "mailto:g@h.i", "g@h.i", Autolink),
            ("j", "k.png", "k.png", Image),
            ("l", "n", "n", Inline),
            ("l", "m.png", "m.png", Image),
            ("o", "p)q", "p\\)q", Inline),
            ("r", "s", "s", Inline),
            ("]t", "u", "u", Inline),
            ("w", "", "", Inline),
        ]
    );
}

#[test]
fn links_in_cells() {
    let text = "|a|b|c|d|\n|-|-|-|-|\n|[v0.6.0]|[v1][r]|x https://e.f/g_(h). y|[z] (https://i.j)|\n|`https://k.l`|<https://m.n>|[o](https://p.q)|see https://r.s/t)|\n\n[r]: ./x.yaml\n";
    let readme = read(text);
    let rows = &readme.tables[0].rows;
    let brackets = |row: &Row| -> Vec<bool> {
        row.cells
            .iter()
            .map(|cell| cell.bracketed_without_link)
            .collect()
    };
    let bare = |row: &Row| -> Vec<Option<&str>> {
        row.cells
            .iter()
            .map(|cell| cell.bare_url.map(|at| &text[at.range()]))
            .collect()
    };
    assert_eq!(brackets(&rows[0]), [true, false, false, true]);
    assert_eq!(
        bare(&rows[0]),
        [None, None, Some("https://e.f/g_(h)"), Some("https://i.j")]
    );
    assert_eq!(bare(&rows[1]), [None, None, None, Some("https://r.s/t")]);
    assert_eq!(rows[0].cells[1].links[0].target, "./x.yaml");
    assert_eq!(readme.links.len(), 3);
}

#[test]
fn tables_in_containers() {
    let text = "> |a|b|\n> |-|-|\n> |1|2|3|\n\n- x\n\n  |c|d|\n  |-|-|\n  |4|\n";
    let readme = read(text);
    assert_eq!(readme.tables.len(), 2);
    assert!(readme.tables.iter().all(|table| table.nested));
    assert_eq!(&text[readme.tables[0].rows[0].span.range()], "|1|2|3|");
    assert_eq!(readme.tables[0].rows[0].surplus.len(), 1);
    assert_eq!(cells(text, &readme.tables[1].rows[0]), ["4"]);
}

#[test]
fn line_ends_marks_and_scripts() {
    let crlf = SUBMISSION.replace('\n', "\r\n");
    let bom = format!("\u{feff}{SUBMISSION}");
    let tabs = SUBMISSION.replace("| ", "|\t").replace(" |", "\t|");
    for text in [&crlf, &bom, &tabs] {
        let readme = read(text);
        assert_eq!(readme.title().unwrap().text, "Acme Gateway");
        assert_eq!(
            texts(&readme.tables[0].rows[0])[..3],
            ["standard", "v1.2.0", "default"]
        );
        let contents = readme.find_table_of_contents();
        assert!(contents.under_heading && contents.columns.missing().is_empty());
        let section = &readme.sections[readme.find_reproduce().unwrap()];
        assert!(!section.content_is_empty);
    }
    let text = "# Größe 網關 \u{202e}x\n\n|ä|b|\n|-|-|\n|\u{202e}abc|\u{a0}é\u{a0}|\n";
    let readme = read(text);
    assert_eq!(readme.title().unwrap().text, "Größe 網關 \u{202e}x");
    assert_eq!(
        texts(&readme.tables[0].rows[0]),
        ["\u{202e}abc", "\u{a0}é\u{a0}"]
    );
}

#[test]
fn alignment_rows() {
    for delimiter in ["|:-|-:|", ":-|-:", "| :---: | --- |", "|-|-", "-|-|"] {
        let text = format!("|a|b|\n{delimiter}\n|1|2|\n");
        assert_eq!(read(&text).tables[0].rows.len(), 1, "{delimiter}");
    }
}

#[test]
fn finding_the_table() {
    let header = |names: &str| {
        format!(
            "|{names}|\n{}\n|x|\n",
            "|-".repeat(names.split('|').count()) + "|"
        )
    };
    let four = "API channel|Implementation version|Mode|Report";
    let text = format!(
        "# T\n\n## TABLE  of Contents:\n\n{}\n### B\n\n{}",
        header("Legend|Y"),
        header(four)
    );
    let contents = read(&text).find_table_of_contents();
    assert_eq!(
        (
            contents.table,
            contents.others.as_slice(),
            contents.under_heading
        ),
        (Some(1), [0].as_slice(), true)
    );

    let text = format!("# T\n\n{}\n## Table of contents\n\nnone\n", header(four));
    let contents = read(&text).find_table_of_contents();
    assert!(contents.section.is_some() && !contents.under_heading);
    assert_eq!(contents.table, Some(0));

    let text = format!("## Reports\n\n{}", header("A|B"));
    assert_eq!(read(&text).find_table_of_contents(), Contents::default());

    let text = format!(
        "## Table of contents\n\n{}",
        header("Notes| report |MODE|api  Channel|Implementation-Version|Version")
    );
    let columns = read(&text).find_table_of_contents().columns;
    assert_eq!(columns.as_array(), [Some(3), Some(4), Some(2), Some(1)]);
    let text = format!("## Table of contents\n\n{}", header("Channel|Report"));
    let columns = read(&text).find_table_of_contents().columns;
    assert_eq!(columns.missing(), ["Implementation version", "Mode"]);
}

#[test]
fn finding_reproduce() {
    for heading in [
        "Reproduce",
        "REPRODUCE",
        "Reproducer",
        "Steps to Reproduce",
        "To reproduce",
        "Reproduction",
        "2. How to reproduce?",
        "`Reproduce`",
    ] {
        assert_eq!(
            read(&format!("## {heading}\nx\n")).find_reproduce(),
            Some(1),
            "{heading}"
        );
    }
    for heading in ["Reproducible builds", "Steps", "Produce"] {
        assert_eq!(
            read(&format!("## {heading}\nx\n")).find_reproduce(),
            None,
            "{heading}"
        );
    }
    let readme = read("## Reproduce\n\n## Steps to reproduce\n\nx\n");
    assert_eq!(readme.find_reproduce(), Some(2));
    assert_eq!(readme.reproduce_sections(), [1, 2]);
}

#[test]
fn placeholders() {
    for text in [
        "Instructions on how to reproduce the claimed report.",
        "instructions on how to reproduce the claimed report",
        "<steps>",
        "<your steps here>",
        "<…>",
        "TODO",
        "tbd",
        "**TBD**",
        "TODO: write",
        "...",
        "…",
        "<a description>",
    ] {
        assert!(is_placeholder(text), "{text}");
    }
    for text in [
        "",
        "---",
        "todo lists are tested",
        "<br>",
        "<br/>",
        "<details>",
        "</details>",
        "<https://a.b>",
        "<a@b.c>",
        "<!-- x -->",
        "<img src=x>",
        "Run v<x.y.z>",
        "TODO_LIST=1 make",
    ] {
        assert!(!is_placeholder(text), "{text}");
    }
    let text = "## Reproduce\n\n### Steps\n\n- TODO\n\n<steps>\n";
    let readme = read(text);
    for section in &readme.sections[1..] {
        assert_eq!(&text[section.placeholder.unwrap().range()], "TODO");
    }
    assert_eq!(
        read("## Reproduce\n\n```\nTODO\n```\n").sections[1].placeholder,
        None
    );
    let text = "## Reproduce\n\n<steps here>\n";
    assert_eq!(
        &text[read(text).sections[1].placeholder.unwrap().range()],
        "<steps here>"
    );
}

#[test]
fn targets() {
    let relative = |path: &str, up| Target::Relative {
        path: path.to_owned(),
        up,
    };
    for (target, expected) in [
        ("./a.yaml", relative("a.yaml", 0)),
        (" a.yaml ", relative("a.yaml", 0)),
        ("a.yaml?raw=true#L1", relative("a.yaml", 0)),
        ("../b/./c/../a%20b.yaml", relative("b/a b.yaml", 1)),
        ("../../../x", relative("x", 3)),
        ("a/../../x", relative("x", 1)),
        ("%2e%2e%2f%2e%2e/x", relative("x", 2)),
        ("%2Fetc/passwd", relative("etc/passwd", 0)),
        (".\\a.yaml", relative("a.yaml", 0)),
        ("a%zz%f", relative("a%zz%f", 0)),
        ("%ff", relative("%ff", 0)),
        ("%c3%a9", relative("é", 0)),
        ("./", relative("", 0)),
        ("?x", relative("", 0)),
        ("#reproduce", Target::Fragment("reproduce".to_owned())),
        ("/docs/x.md", Target::Rooted("/docs/x.md".to_owned())),
        ("//example.com/x", Target::SchemeRelative),
        (
            "HTTPS://example.com",
            Target::Url {
                scheme: "https".to_owned(),
            },
        ),
        ("mailto:a@b.c", Target::Mail),
        (
            "javascript:x",
            Target::Url {
                scheme: "javascript".to_owned(),
            },
        ),
        ("1:2", relative("1:2", 0)),
        ("", Target::Empty),
        (" ", Target::Empty),
    ] {
        assert_eq!(Target::new(target), expected, "{target:?}");
    }
}
