//! Compares `check` with a lower bound: reading the same files and parsing them to YAML events.
//!
//! Run `cargo bench --package gwconform-benches --bench check`. Rendering is excluded. Set
//! `GWCONFORM_CORPUS` to also measure a real tree.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::{fs, io};

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use gwconform_base::release::Registry;
use gwconform_report::rules::check::{Settings, check_tree};
use gwconform_report::tree::{Parts, Tree, discover};

#[path = "../examples/make_tree/maker.rs"]
#[allow(dead_code, reason = "the bench makes trees, and no sample")]
mod maker;

fn check(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    let made = tempfile::tempdir().expect("a folder");
    write_tree(made.path(), 10_000).expect("a tree");
    let mut trees = vec![("made-10000", made.path().to_owned())];
    if let Some(corpus) = std::env::var_os("GWCONFORM_CORPUS") {
        trees.push((
            "corpus",
            PathBuf::from(corpus).join("gateway-api/conformance/reports"),
        ));
    }
    for (name, root) in &trees {
        let tree = discover(root, root, &Parts::Whole).expect("the tree can be listed");
        let mut group = criterion.benchmark_group(*name);
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        group.bench_function("read", |bencher| bencher.iter(|| read(&tree)));
        group.bench_function("read+events", |bencher| bencher.iter(|| events(&tree)));
        group.bench_function("check", |bencher| {
            bencher.iter(|| {
                pool.install(|| {
                    check_tree(&tree, &Settings::default(), Registry::embedded(), &|_| ())
                        .findings
                        .len()
                })
            });
        });
        group.finish();
    }
}

fn write_tree(folder: &Path, reports: usize) -> io::Result<()> {
    let options = maker::Options {
        seed: 1,
        size: maker::Size::Reports(reports),
        mistakes: maker::Mistakes::None,
    };
    for (path, text) in maker::make(&options) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

fn read(tree: &Tree) -> usize {
    let read = |path: &PathBuf| fs::read(path).map_or(0, |bytes| black_box(bytes).len());
    let files = tree
        .submissions
        .iter()
        .flat_map(|submission| submission.readme.iter().chain(&submission.reports));
    files.map(read).sum()
}

fn events(tree: &Tree) -> usize {
    let of_report = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        granit_parser::Parser::new_from_str(&text)
            .map(black_box)
            .filter(Result::is_ok)
            .count()
    };
    let readmes = tree
        .submissions
        .iter()
        .filter_map(|submission| submission.readme.as_ref());
    let readmes: usize = readmes
        .map(|path| fs::read(path).map_or(0, |bytes| black_box(bytes).len()))
        .sum();
    let reports = tree
        .submissions
        .iter()
        .flat_map(|submission| &submission.reports);
    readmes + reports.map(of_report).sum::<usize>()
}

criterion_group!(benches, check);
criterion_main!(benches);
