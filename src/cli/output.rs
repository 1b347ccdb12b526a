//! Writes a folder of generated files in place. Each file is replaced atomically, and unchanged
//! files are not touched.
//!
//! The manifest `.gwconform-manifest.json` lists the generated files. No other file is deleted or
//! overwritten, and a nonempty folder without a manifest is rejected. While a run writes, the
//! manifest lists both its files and those of the previous run, so the next run can complete the
//! work of an interrupted run.

pub mod apply;
pub mod temporary_file;
mod manifest;
mod spool;
mod step;

use std::collections::BTreeMap;
use std::fs::{self, File, FileType};
use std::io;
use std::path::{MAIN_SEPARATOR, Path};

use anyhow::{Context, Error};
use walkdir::WalkDir;

use crate::cli::Mistake;
use gwconform_base::files::read_regular;
use manifest::Manifest;
use spool::{Put, Spool};
use step::step;

/// Replaces the generated files in `out`, and deletes those that the site no longer contains.
/// Returns the number of files. Nothing is changed if a file cannot be made, or if another file is
/// in the way.
pub fn write(out: &Path, make: impl FnOnce(&Put<'_>)) -> Result<usize, Error> {
    check_folder(out)?;
    fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    // Concurrent runs wait for this lock. Some file systems do not support locks.
    let lock = File::open(out).ok();
    let _ = lock.as_ref().map(File::lock);
    let former = former(out)?;
    let not_written = || format!("{} cannot be written", out.display());
    let spool = Spool::fill(out, make).with_context(not_written)?;
    let new = Manifest::new(spool.paths());
    let both = Manifest::new(former.files().chain(new.files()));
    let found = entries(out, &both)?;
    check_entries(out, &found, &former, &new)?;
    replace(&out.join(manifest::NAME), &both.to_json())?;
    for path in new.files() {
        let bytes = spool.read(path).with_context(not_written)?;
        replace(&out.join(path), &bytes)?;
    }
    // In reverse order, a folder follows its content.
    for (path, kind) in found.iter().rev() {
        let place = out.join(path);
        let is_ours = former.has(path) || temporary_file::is_temporary(path);
        if kind.is_dir() && both.has_folder(path) && !new.has_folder(path) {
            step();
            // A folder with other files remains.
            let _ = fs::remove_dir(place);
        } else if kind.is_file() && is_ours && !new.has(path) {
            step();
            fs::remove_file(&place)
                .with_context(|| format!("{} cannot be deleted", place.display()))?;
        }
    }
    replace(&out.join(manifest::NAME), &new.to_json())?;
    Ok(new.files().count())
}

fn check_folder(out: &Path) -> Result<(), Error> {
    let shown = out.display();
    let reason = match fs::symlink_metadata(out) {
        Ok(metadata) if metadata.is_symlink() => "is a link; pass the folder that it points to",
        Ok(metadata) if !metadata.is_dir() => {
            "is not a folder; choose another path, or move it away"
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error).with_context(|| shown.to_string());
        }
        _ => return Ok(()),
    };
    Err(Mistake(format!("{shown} {reason}")).into())
}

fn former(out: &Path) -> Result<Manifest, Error> {
    if let Some(manifest) = Manifest::read(out)? {
        return Ok(manifest);
    }
    for entry in fs::read_dir(out).with_context(|| out.display().to_string())? {
        if !temporary_file::is_temporary(&entry?.file_name().to_string_lossy()) {
            let reason = format!(
                "is not empty and was not written by gwconform (no {} in it); choose a new folder, or empty this one",
                manifest::NAME
            );
            return Err(Mistake(format!("{} {reason}", out.display())).into());
        }
    }
    Ok(Manifest::default())
}

/// Entries of all folders with generated files. Links are not followed.
fn entries(out: &Path, both: &Manifest) -> Result<BTreeMap<String, FileType>, Error> {
    let mut found = BTreeMap::new();
    let mut walk = WalkDir::new(out).min_depth(1).into_iter();
    while let Some(entry) = walk.next() {
        let entry = entry?;
        let kind = entry.file_type();
        let below = entry.path().strip_prefix(out).unwrap_or(entry.path());
        // The names of generated files are UTF-8.
        let path = below.to_str().map(|path| path.replace(MAIN_SEPARATOR, "/"));
        if kind.is_dir() && !path.as_ref().is_some_and(|path| both.has_folder(path)) {
            walk.skip_current_dir();
        }
        found.extend(path.map(|path| (path, kind)));
    }
    Ok(found)
}

/// Rejects entries that the site would overwrite without having written them, and folders, links
/// and files in the place of another kind.
fn check_entries(
    out: &Path,
    found: &BTreeMap<String, FileType>,
    former: &Manifest,
    new: &Manifest,
) -> Result<(), Error> {
    let is_in_the_way = |path: &str, kind: &FileType| {
        let is_ours = kind.is_file() && former.has(path);
        (new.has(path) && !is_ours) || (new.has_folder(path) && !kind.is_dir())
    };
    let blocking = found
        .iter()
        .find(|(path, kind)| is_in_the_way(path, kind))
        .map(|(path, _)| path);
    // On a file system that ignores case, a file with another spelling is in the way.
    let respelled = || {
        new.files()
            .find(|path| !found.contains_key(*path) && fs::symlink_metadata(out.join(path)).is_ok())
    };
    match blocking.map(String::as_str).or_else(respelled) {
        Some(path) => {
            let path = out.join(path);
            Err(Mistake(format!(
                "{} is in the way of a file of the site; move it away",
                path.display()
            ))
            .into())
        }
        None => Ok(()),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if read_regular(path, bytes.len() as u64).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    step();
    temporary_file::replace_unsynced(path, bytes)
        .with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::time::SystemTime;

    use super::manifest::{self, Manifest};
    use super::step::tests::ended_after;
    use super::write;
    use crate::site::File;

    const FOREIGN: [(&str, &str); 5] = [
        (".git/HEAD", "ref"),
        (".git/objects/a/b", "object"),
        ("CNAME", "acme.example"),
        ("api/mine.txt", "mine"),
        ("gone/theirs.txt", "theirs"),
    ];

    fn put(out: &Path, text: &str, paths: &[&str]) -> Result<usize, anyhow::Error> {
        let files = paths.iter().map(|path| File::new(*path, text));
        write(out, |put| put(files.collect()))
    }

    fn text_of(path: &Path) -> String {
        match fs::read_link(path) {
            Ok(target) => format!("-> {}", target.display()),
            Err(_) => fs::read_to_string(path).unwrap(),
        }
    }

    /// Files, links and empty folders.
    fn all(folder: &Path) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for entry in walkdir::WalkDir::new(folder).min_depth(1) {
            let entry = entry.unwrap();
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if !entry.file_type().is_dir() {
                found.insert(name, text_of(path));
            } else if fs::read_dir(path).unwrap().next().is_none() {
                found.insert(name, "empty".to_owned());
            }
        }
        found
    }

    fn add(out: &Path, path: &str, text: &str) {
        let path = out.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn former() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        let paths = ["index.html", "api/a.json", "gone/page.html", "old/b/c.html"];
        put(&out, "one", &paths).unwrap();
        for (path, text) in FOREIGN {
            add(&out, path, text);
        }
        symlink("nowhere", out.join("link")).unwrap();
        folder
    }

    fn assert_foreign(found: &BTreeMap<String, String>, when: &str) {
        for (path, text) in FOREIGN.into_iter().chain([("link", "-> nowhere")]) {
            assert_eq!(
                found.get(path).map(String::as_str),
                Some(text),
                "{path} {when}"
            );
        }
    }

    fn assert_listed(out: &Path, found: &BTreeMap<String, String>, when: &str) {
        let manifest = Manifest::read(out).unwrap().unwrap();
        for path in found.keys().filter(|path| !out.join(path).is_dir()) {
            let is_foreign = *path == "link" || FOREIGN.iter().any(|(other, _)| other == path);
            assert_eq!(manifest.has(path), !is_foreign, "{path} {when}");
        }
    }

    #[test]
    fn completes_a_run_that_ended_at_any_write() {
        let second = |out: &Path| put(out, "two", &["index.html", "api/a.json", "new/d/e.html"]);
        let third = |out: &Path| put(out, "three", &["index.html", "api/b.json", "new/f.html"]);
        let expected = {
            let folder = former();
            third(&folder.path().join("site")).unwrap();
            all(folder.path())
        };
        let expected_paths: Vec<_> = expected.keys().map(String::as_str).collect();
        assert_eq!(
            expected_paths,
            [
                "site/.git/HEAD",
                "site/.git/objects/a/b",
                "site/.gwconform-manifest.json",
                "site/CNAME",
                "site/api/b.json",
                "site/api/mine.txt",
                "site/gone/theirs.txt",
                "site/index.html",
                "site/link",
                "site/new/f.html",
            ]
        );
        let mut steps = 0;
        loop {
            let folder = former();
            let out = folder.path().join("site");
            let is_done = ended_after(steps, || second(&out)).is_some();
            for again in [steps * 7 % 11, steps * 3 % 13] {
                let when = format!("after {steps} steps, then {again}");
                let found = all(&out);
                assert_foreign(&found, &when);
                assert_listed(&out, &found, &when);
                let ended = ended_after(again, || third(&out));
                assert!(ended.is_none_or(|ended| ended.is_ok()), "{when}");
            }
            third(&out).unwrap();
            assert_eq!(all(folder.path()), expected, "after {steps} steps");
            if is_done {
                break;
            }
            steps += 1;
        }
        // Two manifests, three new files, two deleted files and three folders.
        assert_eq!(steps, 10);
    }

    #[test]
    fn rejects_entries_in_the_way_before_it_writes() {
        type Block = fn(&Path);
        let cases: [(&str, Block); 7] = [
            ("new.html", |out| add(out, "new.html", "two")),
            ("new.html", |out| add(out, "new.html/mine", "mine")),
            ("new.html", |out| {
                symlink("index.html", out.join("new.html")).unwrap()
            }),
            ("index.html", |out| {
                fs::remove_file(out.join("index.html")).unwrap();
                symlink("CNAME", out.join("index.html")).unwrap();
            }),
            ("new", |out| add(out, "new", "mine")),
            ("new", |out| symlink(".git", out.join("new")).unwrap()),
            ("api", |out| {
                fs::rename(out.join("api"), out.join("elsewhere")).unwrap();
                symlink("elsewhere", out.join("api")).unwrap();
            }),
        ];
        for (path, block) in cases {
            let folder = former();
            let out = folder.path().join("site");
            block(&out);
            let before = all(folder.path());
            let paths = ["index.html", "api/a.json", "new.html", "new/page.html"];
            let error = put(&out, "two", &paths).unwrap_err().to_string();
            let expected = format!("site/{path} is in the way of a file of the site; move it away");
            assert!(error.ends_with(&expected), "{error}");
            assert_eq!(all(folder.path()), before, "{path}");
        }
    }

    #[test]
    fn deletes_nothing_behind_a_link() {
        let folder = former();
        let out = folder.path().join("site");
        add(folder.path(), "outside/secret.html", "secret");
        symlink("../outside", out.join("out")).unwrap();
        symlink("../outside/secret.html", out.join("page.html")).unwrap();
        let planted = ["out/secret.html", "page.html", "CNAME/x", "none/y"];
        let planted = Manifest::new(planted.into_iter());
        fs::write(out.join(manifest::NAME), planted.to_json()).unwrap();
        put(&out, "two", &["new.html"]).unwrap();
        let found = all(folder.path());
        assert_eq!(found["outside/secret.html"], "secret");
        assert_eq!(found["site/out"], "-> ../outside");
        assert_eq!(found["site/page.html"], "-> ../outside/secret.html");
        assert_foreign(&all(&out), "with a planted manifest");
        assert_eq!(found["site/index.html"], "one");
        let planted = Manifest::new([".git/HEAD"].into_iter());
        fs::write(out.join(manifest::NAME), planted.to_json()).unwrap();
        assert!(put(&out, "three", &["new.html"]).is_err());
        assert_foreign(&all(&out), "with a hidden file in the manifest");
    }

    #[test]
    fn keeps_the_time_of_unchanged_files() {
        let folder = former();
        let out = folder.path().join("site");
        let paths = ["index.html", "api/a.json"];
        put(&out, "one", &paths).unwrap();
        let paths = [paths[0], paths[1], manifest::NAME];
        let old = SystemTime::UNIX_EPOCH;
        for path in paths {
            let file = fs::File::options()
                .write(true)
                .open(out.join(path))
                .unwrap();
            file.set_modified(old).unwrap();
        }
        let is_old = |path: &str| out.join(path).metadata().unwrap().modified().unwrap() == old;
        write(&out, |put| {
            put(vec![
                File::new("index.html", "one"),
                File::new("api/a.json", "new"),
            ]);
        })
        .unwrap();
        assert_eq!(paths.map(is_old), [true, false, true]);
    }

    #[test]
    fn deletes_temporary_files_of_killed_runs() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        add(&out, ".gwconform-Ab12Cd", "{");
        put(&out, "one", &["api/a.json"]).unwrap();
        add(&out, "api/.gwconform-000000", "tw");
        add(&out, "api/.gwconform-notes", "mine");
        put(&out, "one", &["api/a.json"]).unwrap();
        let found = all(&out);
        let paths: Vec<_> = found.keys().map(String::as_str).collect();
        assert_eq!(
            paths,
            [manifest::NAME, "api/.gwconform-notes", "api/a.json"]
        );
    }
}
