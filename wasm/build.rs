//! Sets the stack size of the module, which limits the recursion depth of the parser and the rules.

#[allow(
    clippy::disallowed_methods,
    reason = "cargo passes its settings to build scripts in variables"
)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_TARGET_ARCH").is_some_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={}", 4 << 20);
    }
}
