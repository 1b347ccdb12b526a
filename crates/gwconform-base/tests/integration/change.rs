//! Tests change sets: compatible fixes, editable files, and diffs.

use gwconform_base::text::change::{ChangeSet, Edit, Fix, fitting, replaced};
use gwconform_base::text::source::{Digest, Source, Span};

const PATH: &str = "reports/v1.5/acme-operator/README.md";

fn readme() -> Source {
    Source::new(PATH, b"one two three\n".to_vec())
}

fn replace(start: usize, end: usize, text: &str) -> Fix {
    let fix = Fix::safe("change it");
    fix.replace(&readme(), Span::new(start, end), text).unwrap()
}

fn rename(from: &str, to: &str) -> Fix {
    Fix::unsafe_("rename it").rename(&format!("a/{from}"), to, Digest::new(b""))
}

#[test]
fn applies_the_first_of_overlapping_edits() {
    let fixes = [
        replace(4, 7, "2"),
        replace(6, 9, "x"),
        replace(0, 3, "1"),
        replace(4, 4, "y"),
        replace(7, 7, "!"),
        replace(7, 7, "?"),
    ];
    let fitting = fitting(&fixes);
    assert_eq!(fitting, [&fixes[0], &fixes[2], &fixes[4], &fixes[5]]);
    assert_eq!(
        replaced(readme().text(), PATH, &fitting).as_deref(),
        Some("1 2!? three\n")
    );
    // A fix is applied completely or not at all.
    let both = Fix {
        edits: [replace(8, 9, "T").edits, replace(4, 7, "x").edits].concat(),
        ..replace(0, 0, "")
    };
    assert_eq!(
        gwconform_base::text::change::fitting([&fixes[0], &both]),
        [&fixes[0]]
    );
}

#[test]
fn an_edit_of_another_text_is_refused() {
    let fix = replace(4, 7, "2");
    assert_eq!(replaced("one two three", PATH, &[&fix]), None);
    assert_eq!(
        replaced("other\n", "b/README.md", &[&fix]).as_deref(),
        Some("other\n")
    );
}

#[test]
fn no_two_files_get_one_name_and_none_gets_that_of_another() {
    let fixes = [
        rename("x.yaml", "y.yaml"),
        rename("z.yaml", "Y.yaml"),
        rename("y.yaml", "w.yaml"),
        rename("x.yaml", "v.yaml"),
        rename("u.yaml", "t.yaml"),
    ];
    assert_eq!(fitting(&fixes), [&fixes[0], &fixes[4]]);
}

#[test]
fn the_text_of_a_report_cannot_be_changed() {
    let report = Source::new("a/standard-v1-default-report.yaml", b"kind: x\n".to_vec());
    assert_eq!(
        Fix::safe("").replace(&report, Span::new(0, 4), "Kind"),
        None
    );
    let error = ChangeSet::default().edit("a/report.yaml", "a", "b");
    assert_eq!(
        error.unwrap_err().to_string(),
        "a/report.yaml is not a README; its text is never changed"
    );
    // Files with invalid UTF-8 are not edited, because they would lose bytes.
    let broken = Source::new(PATH, b"one \xff\n".to_vec());
    assert_eq!(Fix::safe("").replace(&broken, Span::new(0, 3), "1"), None);
}

#[test]
fn edits_state_position_and_digest() {
    let source = Source::new(PATH, "é\nab".as_bytes().to_vec());
    let fix = Fix::safe("")
        .replace(&source, Span::new(3, 5), "x")
        .unwrap();
    let [Edit::Replace { start, end, of, .. }] = fix.edits.as_slice() else {
        panic!("{fix:?}");
    };
    assert_eq!((start.line, start.column, end.column), (2, 1, 3));
    // The digest was computed with `printf 'é\nab' | sha256sum`.
    assert_eq!(*of, Digest::new("é\nab".as_bytes()));
    assert_eq!(of.to_string().len(), 64);
}

fn diff(changes: &ChangeSet) -> String {
    let mut out = Vec::new();
    changes.write_diff(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn git_applies_the_diff() {
    let mut changes = ChangeSet::default();
    changes.rename("a/x.yaml", "a/y.yaml", Digest::new(b""));
    changes
        .edit("a/README.md", "1\r\n2\r\n3", "1\r\n2\n3\n")
        .unwrap();
    changes.create("/a/new.yaml", "kind: x\n");
    changes.edit("b/README.md", "same", "same").unwrap();
    assert_eq!(
        diff(&changes),
        "\
diff --git a/a/new.yaml b/a/new.yaml
new file mode 100644
--- /dev/null
+++ b/a/new.yaml
@@ -0,0 +1 @@
+kind: x
diff --git a/a/README.md b/a/README.md
--- a/a/README.md
+++ b/a/README.md
@@ -1,3 +1,3 @@
 1\r
-2\r
-3
\\ No newline at end of file
+2
+3
diff --git a/a/x.yaml b/a/y.yaml
similarity index 100%
rename from a/x.yaml
rename to a/y.yaml
"
    );
}

#[test]
fn a_diff_of_very_many_lines_replaces_them_at_once() {
    let before = "a\r\n".repeat(200_000);
    let mut changes = ChangeSet::default();
    changes
        .edit(
            "README.md",
            &format!("x\n{before}y"),
            &format!("x\n{}y", before.replace('\r', "")),
        )
        .unwrap();
    let diff = diff(&changes);
    assert!(
        diff.contains("\n@@ -2,200000 +2,200000 @@\n-a\r\n"),
        "{}",
        &diff[..200]
    );
    assert_eq!(diff.matches("\n+a").count(), 200_000);
}
