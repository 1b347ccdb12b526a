use std::path::PathBuf;

use super::rng::Rng;

/// Adds one random mistake to a submission. `files` must contain the README, followed by the
/// reports.
pub fn make_one(files: &mut Vec<(PathBuf, String)>, rng: &mut Rng) {
    let report = 1 + rng.below(files.len() - 1);
    let (path, text) = &mut files[report];
    match rng.below(10) {
        0 => drop(files.remove(0)),
        1 => {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let rows = files[0].1.lines().filter(|line| !line.contains(&name));
            files[0].1 = rows.map(|line| format!("{line}\n")).collect();
        }
        2 => *path = path.with_file_name("conformance-report.yaml"),
        3 => *path = path.with_extension("yml"),
        4 => *text = text.replacen("Skipped: 0", "Skipped: 1", 1),
        5 => *text = text.replacen("result: success", "result: partial", 1),
        6 => *text = text.replacen("Passed: ", "Passed: 1", 1),
        7 => *text = text.replace("- HTTPRouteMethodMatching\n", "- HTTPRouteMethodMatchin\n"),
        8 => *text = text.replace('\n', "\r\n"),
        _ => *text = text.replacen("kind: ", "kind: ConformanceReport\nkind: ", 1),
    }
}
