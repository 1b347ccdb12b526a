//! Kills runs of the program.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{EPOCH, one_in};

/// Kills runs, each in its own folder, at times distributed over the writing phase, and checks each
/// folder. `GWCONFORM_KILLS` overrides the number `many`; `cargo test` kills a third as many.
/// `is_writing` detects the start of the phase; `look` receives the folder and the delay. With
/// `is_early`, most runs are killed near the start.
pub fn kill_often<F>(
    many: u32,
    is_early: bool,
    arguments: &[&str],
    prepare: impl Fn() -> F,
    path: impl Fn(&F) -> &Path,
    is_writing: impl Fn(&Path) -> bool,
    mut look: impl FnMut(&F, Duration),
) {
    let begin = |folder: &F| {
        let child = start(path(folder), arguments);
        wait_for(child, || is_writing(path(folder)))
    };
    let whole = {
        let folder = prepare();
        let mut child = begin(&folder);
        let start = Instant::now();
        child.wait().expect("the program ends");
        start.elapsed()
    };
    let wanted = std::env::var("GWCONFORM_KILLS").ok();
    let few = many.div_ceil(one_in(3) as u32);
    let kills = wanted.map_or(few, |text| text.parse().expect("a number of runs"));
    for number in 0..kills {
        let folder = prepare();
        let mut child = begin(&folder);
        let part = f64::from(number) / f64::from(kills);
        let delay = whole.mul_f64(if is_early { part.powi(3) } else { part });
        let start = Instant::now();
        while start.elapsed() < delay {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        child.wait().expect("the program ends");
        look(&folder, delay);
    }
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gwconform"));
    command.args(arguments).current_dir(folder).env_clear();
    command.env(EPOCH.0, EPOCH.1);
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
    silent
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

fn wait_for(mut child: Child, is_so: impl Fn() -> bool) -> Child {
    while !is_so() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_micros(50));
    }
    child
}
