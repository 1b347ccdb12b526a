//! Injects faults in tests. Each change on disk calls `step` first, so tests can interrupt a run at
//! any change.

#[cfg(not(test))]
pub(super) fn step() {}

#[cfg(test)]
pub(super) use tests::step;

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    thread_local! {
        static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    pub(in super::super) fn step() {
        match LEFT.get() {
            // Unlike `panic!`, `resume_unwind` prints no message.
            Some(0) => resume_unwind(Box::new("ended")),
            left => LEFT.set(left.map(|left| left - 1)),
        }
    }

    /// Interrupts `run` after a number of steps. `None` if `run` did not finish.
    pub(in super::super) fn ended_after<T>(steps: usize, run: impl FnOnce() -> T) -> Option<T> {
        LEFT.set(Some(steps));
        let result = catch_unwind(AssertUnwindSafe(run)).ok();
        LEFT.set(None);
        result
    }
}
