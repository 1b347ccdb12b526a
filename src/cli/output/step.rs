//! Steps: each change on the disk is one, and tests end a run before any of them.

/// Comes before each change on the disk.
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
            // Without the message of a panic: nothing is wrong.
            Some(0) => resume_unwind(Box::new("ended")),
            left => LEFT.set(left.map(|left| left - 1)),
        }
    }

    /// Runs something that is ended after a number of steps; `None` when it was.
    pub(in super::super) fn ended_after<T>(steps: usize, run: impl FnOnce() -> T) -> Option<T> {
        LEFT.set(Some(steps));
        let result = catch_unwind(AssertUnwindSafe(run)).ok();
        LEFT.set(None);
        result
    }
}
