//! The sample tree. `sample.txt` contains the runs, and this file the README texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use gwconform_base::api::{Channel, Version};
use gwconform_base::release::{Registry, Release};

use super::Implementation;
use super::readme::Project;
use super::run::Run;

mod stories;

struct Story {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    site: &'static str,
    contact: &'static str,
    install: &'static str,
    class: &'static str,
    modes: &'static [(&'static str, &'static str)],
    notes: &'static [(&'static str, &'static str)],
    formatting: usize,
}

pub fn implementations() -> Vec<Implementation> {
    let runs = runs(include_str!("sample.txt"));
    let implementations = stories::ALL.iter().map(|story| Implementation {
        project: project(story),
        runs: runs[story.name].clone(),
    });
    let implementations: Vec<_> = implementations.collect();
    assert_eq!(
        implementations.len(),
        runs.len(),
        "each project has a story"
    );
    implementations
}

pub fn other_files(implementation: &Implementation) -> Vec<(PathBuf, String)> {
    let project = &implementation.project;
    if project.project != "weft" {
        return Vec::new();
    }
    let newest = &implementation.runs[implementation.runs.len() - 1];
    let folder = PathBuf::from(newest.release_folder()).join(project.folder());
    vec![(
        folder.join("run-conformance.sh"),
        stories::SCRIPT.to_owned(),
    )]
}

fn project(story: &Story) -> Project {
    let (organization, project) = story.name.split_once('/').expect("organization/project");
    let owned = |pairs: &[(&str, &str)]| {
        let pairs = pairs.iter();
        pairs
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect()
    };
    Project {
        organization: organization.to_owned(),
        project: project.to_owned(),
        title: story.title.to_owned(),
        about: story.about.to_owned(),
        site: story.site.to_owned(),
        install: story.install.to_owned(),
        class: story.class.to_owned(),
        modes: owned(story.modes),
        notes: owned(story.notes),
        formatting: story.formatting,
    }
}

fn runs(table: &'static str) -> BTreeMap<&'static str, Vec<Run>> {
    let mut sets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut runs: BTreeMap<&str, Vec<Run>> = BTreeMap::new();
    let mut story = None;
    for line in table.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] | ["#", ..] => {}
            ["set", name, "=", features @ ..] => drop(sets.insert(name, features.to_vec())),
            [name] => {
                story = stories::ALL.iter().find(|story| story.name == *name);
                runs.insert(name, Vec::new());
            }
            words => {
                let story = story.unwrap_or_else(|| panic!("no story for {line}"));
                let run = run(story, words, &sets);
                runs.get_mut(story.name)
                    .expect("its line is above")
                    .push(run);
            }
        }
    }
    runs
}

fn run(story: &Story, words: &[&str], sets: &BTreeMap<&str, Vec<&str>>) -> Run {
    let [
        release,
        channel,
        version,
        mode,
        date,
        profiles,
        claims,
        options @ ..,
    ] = words
    else {
        panic!("{words:?} is no run");
    };
    let (organization, project) = story.name.split_once('/').expect("organization/project");
    let version_of_api = Version::parse(release).expect("a release");
    let release = Registry::embedded()
        .release(&version_of_api)
        .release()
        .expect("a known release");
    let channel = match *channel {
        "standard" => Channel::Standard,
        "experimental" => Channel::Experimental,
        other => panic!("{other} is no channel"),
    };
    let mut run = Run {
        release,
        channel,
        mode: (*mode).to_owned(),
        date: (*date).to_owned(),
        implementation: gwconform_types::Implementation {
            contact: vec![story.contact.to_owned()],
            organization: organization.to_owned(),
            project: project.to_owned(),
            url: story.site.to_owned(),
            version: (*version).to_owned(),
        },
        profiles: profiles.split(',').map(str::to_owned).collect(),
        claims: claimed(claims, sets, release, channel),
        skipped: BTreeSet::new(),
        without_provisional: false,
        file_name: None,
    };
    for option in options {
        match option.split_once('=') {
            None if *option == "no-provisional" => run.without_provisional = true,
            Some(("skip", tests)) => run.skipped = tests.split(',').map(str::to_owned).collect(),
            Some(("contact", contact)) => run.implementation.contact = vec![contact.to_owned()],
            Some(("url", url)) => run.implementation.url = url.to_owned(),
            Some(("file", name)) => run.file_name = Some(name.to_owned()),
            _ => panic!("{option} is no option"),
        }
    }
    for test in &run.skipped {
        assert!(
            release.test(test).is_some(),
            "{} has no test {test}",
            release.version()
        );
    }
    run
}

fn claimed(
    list: &str,
    sets: &BTreeMap<&str, Vec<&str>>,
    release: &Release,
    channel: Channel,
) -> BTreeSet<String> {
    let registry = Registry::embedded();
    let mut claims = BTreeSet::new();
    for item in list.split(',').filter(|item| *item != "-") {
        let (name, is_claimed) = match item.strip_prefix('-') {
            Some(name) => (name, false),
            None => (item, true),
        };
        let alone = vec![name];
        for name in sets.get(name).unwrap_or(&alone) {
            assert!(
                registry.feature(name).is_some(),
                "{name} is no feature and no set"
            );
            let is_there = release.feature(name).is_some_and(|feature| {
                channel == Channel::Experimental || feature.channel == Channel::Standard
            });
            if is_claimed && is_there {
                claims.insert((*name).to_owned());
            } else if !is_claimed {
                claims.remove(*name);
            }
        }
    }
    claims
}
