//! The threads that work is done on.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts the threads that submissions are checked on: as many as the system gives, at most one for
/// each processor (or `RAYON_NUM_THREADS`). This thread is one of them, so there is always one.
///
/// Without this the first parallel work starts all threads or panics.
pub fn start() {
    let wanted = wanted();
    let started: Vec<Sender<ThreadBuilder>> = (1..wanted).map_while(|_| start_one()).collect();
    let count = started.len() + 1;
    let waiting = Mutex::new(started.into_iter());
    let pool = ThreadPoolBuilder::new()
        .num_threads(count)
        .use_current_thread()
        .spawn_handler(|work| {
            let next = waiting.lock().ok().and_then(|mut waiting| waiting.next());
            let sent = next.and_then(|thread| thread.send(work).ok());
            sent.ok_or_else(|| std::io::ErrorKind::WouldBlock.into())
        });
    // Where there is a pool already, that one is used.
    let _ = pool.build_global();
}

fn wanted() -> usize {
    let named = std::env::var("RAYON_NUM_THREADS")
        .ok()
        .and_then(|text| text.parse().ok());
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    named.filter(|count| *count > 0).unwrap_or_else(processors)
}

/// A thread that waits for its work; `None` where the system gives no more.
fn start_one() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let thread = Builder::new().spawn(move || {
        if let Ok(work) = receiver.recv() {
            work.run();
        }
    });
    thread.ok().map(|_| sender)
}
