//! Tests hostile inputs. `GWCONFORM_UPDATE=1` writes the table of cases in
//! `tests/hostile/README.md`. Cases that take minutes need `GWCONFORM_LONG`, which `.ci/long` sets.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods
)]

#[path = "../integration/support/mod.rs"]
mod support;

mod bounded;
mod changes;
mod commands;
mod faults;
mod facts;
mod files;
mod logs;
mod manifests;
mod names;
mod promises;
mod readmes;
mod repositories;
mod secrets;
mod settings;
mod table;
mod text;
mod yaml;

use table::{Subject, hold};

#[test]
fn hostile_yaml() {
    hold(&Subject {
        name: "yaml",
        title: "Reports that YAML readers stumble over",
        cases: yaml::cases(),
    });
}

#[test]
fn hostile_logs() {
    hold(&Subject {
        name: "logs",
        title: "Logs of runs that never were, or without end",
        cases: logs::cases(),
    });
}

#[test]
fn hostile_manifests() {
    hold(&Subject {
        name: "manifests",
        title: "Manifests, and what they need",
        cases: manifests::cases(),
    });
}

#[test]
fn hostile_readmes() {
    hold(&Subject {
        name: "readmes",
        title: "READMEs that Markdown readers stumble over",
        cases: readmes::cases(),
    });
}

#[test]
fn hostile_text() {
    hold(&Subject {
        name: "text",
        title: "Text that would be something else where it is shown",
        cases: text::cases(),
    });
}

#[test]
fn hostile_commands() {
    hold(&Subject {
        name: "commands",
        title: "Commands, each with hostile files, arguments and programs",
        cases: commands::cases(),
    });
}

#[test]
fn hostile_names() {
    hold(&Subject {
        name: "names",
        title: "Names of files and folders",
        cases: names::cases(),
    });
}

#[test]
fn hostile_facts() {
    hold(&Subject {
        name: "facts",
        title: "Facts for an import, and CRDs",
        cases: facts::cases(),
    });
}

#[test]
fn hostile_files() {
    hold(&Subject {
        name: "files",
        title: "Links, devices and folders without end",
        cases: files::cases(),
    });
}

#[test]
fn hostile_secrets() {
    hold(&Subject {
        name: "secrets",
        title: "Secrets among resources",
        cases: secrets::cases(),
    });
}

#[test]
fn hostile_settings() {
    hold(&Subject {
        name: "settings",
        title: "Configuration, baseline and registry",
        cases: settings::cases(),
    });
}

#[test]
fn hostile_repositories() {
    hold(&Subject {
        name: "repositories",
        title: "Repositories that name programs",
        cases: repositories::cases(),
    });
}

#[test]
fn hostile_changes() {
    hold(&Subject {
        name: "changes",
        title: "Changes that would hide or take over",
        cases: changes::cases(),
    });
}

#[test]
fn hostile_faults() {
    hold(&Subject {
        name: "faults",
        title: "Faults of the system, and the end at any moment",
        cases: faults::cases(),
    });
}
