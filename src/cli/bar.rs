use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Streams;
use crate::workspace::Progress;

/// Progress bar that appears only if the work takes longer than one second.
pub struct Bar(ProgressBar);

impl Bar {
    pub fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    pub fn new(streams: &Streams<'_>) -> Self {
        let bar = Self::hidden();
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} submissions") {
            bar.0.set_style(style);
        }
        if streams.is_terminal {
            let waiting = bar.0.clone();
            // If the thread cannot start, the bar stays hidden and the work continues.
            let _ = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(Duration::from_secs(1));
                if !waiting.is_finished() {
                    waiting.set_draw_target(ProgressDrawTarget::stderr());
                }
            });
        }
        bar
    }

    pub fn draw(&self, progress: Progress) {
        self.0.set_length(progress.submissions as u64);
        self.0.set_position(progress.checked as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
