//! Keeps files for the tests of the browser modules, which must find the same as the program.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

static KEPT: AtomicUsize = AtomicUsize::new(0);

/// Copies a folder to `$GWCONFORM_KEEP/group`, if set. Symbolic links are preserved.
#[allow(clippy::disallowed_methods, reason = "a test decides for itself")]
pub fn keep(folder: &Path, group: &str) {
    let Some(all) = std::env::var_os("GWCONFORM_KEEP") else {
        return;
    };
    let number = KEPT.fetch_add(1, Ordering::Relaxed);
    let to = Path::new(&all).join(group).join(number.to_string());
    fs::create_dir_all(&to).expect("a folder to keep files in");
    let copied = std::process::Command::new("cp")
        .arg("-a")
        .arg(folder.join("."))
        .arg(&to)
        .status()
        .expect("cp starts");
    assert!(copied.success(), "{} is kept", folder.display());
}
