//! What all inputs of gwconform share: text with positions, messages and findings, files, terms of
//! the Gateway API, release data, and rules.
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`text`] | Sources, positions, messages, findings, changes, and escaping |
//! | [`api`] | Terms of the API: versions, channels, levels, families, results |
//! | [`files`] | Reads files that a pull request may have added, without following links |
//! | [`release`] | Release data: features, profiles, tests, CRDs. [`release::import`] imports it from the output of `tools/facts` |
//! | [`mod@rules`] | [`rules::Rule`], which is generic over its input, and the findings of a rule |

pub mod text;
pub mod api;
pub mod files;
pub mod release;
pub mod rules;

/// Repository of this program, such as `https://github.com/acme/gwconform`. `None` while
/// `repository` in Cargo.toml has no owner.
pub fn repository() -> Option<&'static str> {
    owned(env!("CARGO_PKG_REPOSITORY"))
}

fn owned(repository: &str) -> Option<&str> {
    let has_owner = !repository.split('/').any(|part| part == "OWNER");
    has_owner.then_some(repository)
}

#[cfg(test)]
mod tests {
    #[test]
    fn ignores_a_repository_without_owner() {
        assert_eq!(super::owned("https://github.com/OWNER/gwconform"), None);
        let repository = "https://github.com/OWNERS/gwconform";
        assert_eq!(super::owned(repository), Some(repository));
    }
}
