use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts one thread per processor, or fewer if `RAYON_NUM_THREADS` is lower. If the system refuses
/// threads, the pool is smaller. The default pool of rayon would panic.
pub fn start() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = wanted(std::env::var("RAYON_NUM_THREADS").ok(), processors);
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

fn wanted(named: Option<String>, processors: usize) -> usize {
    let named = named.and_then(|text| text.parse::<usize>().ok());
    let named = named.filter(|count| *count > 0);
    named.unwrap_or(processors).min(processors)
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

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn caps_the_number_of_threads() {
        for (named, expected) in [
            ("1", 1),
            ("4", 4),
            ("1000000", 4),
            ("99999999999999999999", 4),
            ("0", 4),
            ("many", 4),
        ] {
            assert_eq!(wanted(Some(named.to_owned()), 4), expected, "{named}");
        }
        assert_eq!(wanted(None, 4), 4);
    }
}
