//! The border of the module: the one place that takes addresses for what they are said to be.
//!
//! Lengths and addresses have 32 bits here. Whoever calls writes into what `allocate` gave, hands it
//! over to `call` once, reads what that returns, and gives it back by `release` once.

use std::panic;

use gwconform::VERSION;

/// What the module is, for who gets its file: a custom section of this name.
#[used]
#[unsafe(link_section = "gwconform")]
static LABEL: [u8; KIND.len() + VERSION.len()] = label();

const KIND: &str = if cfg!(feature = "check") {
    "check "
} else {
    "needs "
};

const fn label() -> [u8; KIND.len() + VERSION.len()] {
    let mut label = [0; KIND.len() + VERSION.len()];
    let (kind, version) = label.split_at_mut(KIND.len());
    kind.copy_from_slice(KIND.as_bytes());
    version.copy_from_slice(VERSION.as_bytes());
    label
}

#[link(wasm_import_module = "gwconform")]
unsafe extern "C" {
    fn panicked(address: *const u8, length: usize);
}

/// The seeds of hash tables are the same each time: two runs are equal, and who makes tables collide
/// slows down a page of their own.
#[cfg(getrandom_backend = "custom")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    address: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom asks for as many bytes as it has room for at the address.
    unsafe { address.write_bytes(0x5a, length) };
    Ok(())
}

/// Says what a panic is before it ends the module.
fn say_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the caller reads the text before it returns.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

/// Room for a request.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    say_panics();
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers a request, whose room it takes back. Returns the address of the answer in the upper 32
/// bits, its length in the lower ones.
///
/// # Safety
/// Address and length are those of [`allocate`], and each room is handed over once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(address: *mut u8, length: usize) -> u64 {
    // SAFETY: see above.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) };
    let answer = crate::answer(&request).into_bytes().into_boxed_slice();
    drop(request);
    let length = answer.len() as u64;
    (Box::leak(answer).as_ptr() as u64) << 32 | length
}

/// Takes back the room of an answer.
///
/// # Safety
/// Address and length are those that [`call`] returned, and each room is given back once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(address: *mut u8, length: usize) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) });
}
