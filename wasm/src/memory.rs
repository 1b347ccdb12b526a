//! The boundary of the module. Only this file uses addresses from the caller.
//!
//! Lengths and addresses have 32 bits. The caller writes the request to memory from `allocate`,
//! passes it to `call`, and frees the answer with `release`.

use std::panic;

use gwconform::VERSION;

/// Identifies the module for programs that read the file.
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

/// A constant seed for hash tables makes runs reproducible. Crafted collisions slow down only the
/// page of the attacker.
#[cfg(getrandom_backend = "custom")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    address: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom provides `length` writable bytes at the address.
    unsafe { address.write_bytes(0x5a, length) };
    Ok(())
}

fn say_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the caller reads the text before `panicked` returns.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    say_panics();
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Frees the request. Returns the address of the answer in the upper 32 bits, and its length in the
/// lower 32 bits.
///
/// # Safety
/// Address and length must come from [`allocate`], and each allocation may be passed only once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(address: *mut u8, length: usize) -> u64 {
    // SAFETY: the caller fulfills the conditions in the section Safety.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) };
    let answer = crate::answer(&request).into_bytes().into_boxed_slice();
    drop(request);
    let length = answer.len() as u64;
    (Box::leak(answer).as_ptr() as u64) << 32 | length
}

/// Frees the memory of an answer.
///
/// # Safety
/// Address and length must come from [`call`], and each answer may be freed only once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(address: *mut u8, length: usize) {
    // SAFETY: the caller fulfills the conditions in the section Safety.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) });
}
