use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts at most one thread per processor (or `RAYON_NUM_THREADS`). If the system refuses threads,
/// the pool is smaller. The default pool of rayon would panic.
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
    let _ = pool.build_global();
}

fn wanted() -> usize {
    let named = std::env::var("RAYON_NUM_THREADS")
        .ok()
        .and_then(|text| text.parse().ok());
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    named.filter(|count| *count > 0).unwrap_or_else(processors)
}

fn start_one() -> Option<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let thread = Builder::new().spawn(move || {
        if let Ok(work) = receiver.recv() {
            work.run();
        }
    });
    thread.ok().map(|_| sender)
}
