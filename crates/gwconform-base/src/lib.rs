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
