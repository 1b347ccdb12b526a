//! Creates random implementations from a seed.

use std::collections::{BTreeMap, BTreeSet};

use gwconform_base::api::{Channel, Family, Minor};
use gwconform_base::release::{Registry, Release, Test};
use jiff::ToSpan as _;

use super::names::{fresh, titled};
use super::readme::Project;
use super::rng::Rng;
use super::run::Run;
use super::{Implementation, Size};

const MODES: [(&str, &str); 4] = [
    (
        "dedicated",
        "Every Gateway gets a proxy of its own; set `proxy.placement=dedicated`.",
    ),
    (
        "host-network",
        "The proxies use the network of their node; set `proxy.hostNetwork=true`.",
    ),
    (
        "namespaced",
        "One proxy for each namespace; set `proxy.placement=namespace`.",
    ),
    (
        "sidecarless",
        "The mesh works from one proxy on each node; set `mesh.proxy=node`.",
    ),
];

pub fn implementations(rng: &mut Rng, size: Size) -> Vec<Implementation> {
    let by_minor = releases();
    let mut taken = BTreeSet::new();
    let mut made = Vec::new();
    let mut left = match size {
        Size::Submissions(left) | Size::Reports(left) => left,
    };
    while left > 0 {
        let mut implementation = implementation(rng, &by_minor, &mut taken);
        match size {
            Size::Reports(_) => {
                implementation.runs.truncate(left);
                left -= implementation.runs.len();
            }
            Size::Submissions(_) => {
                let mut folders = BTreeSet::new();
                implementation.runs.retain(|run| {
                    let folder = run.release_folder();
                    if folders.len() < left {
                        folders.insert(folder);
                        true
                    } else {
                        folders.contains(&folder)
                    }
                });
                left -= folders.len();
            }
        }
        made.push(implementation);
    }
    made
}

fn releases() -> Vec<Vec<&'static Release>> {
    let mut by_minor: BTreeMap<Minor, Vec<&'static Release>> = BTreeMap::new();
    for release in Registry::embedded().releases() {
        let minor = release.version().minor();
        if minor >= (Minor { major: 1, minor: 0 }) {
            by_minor.entry(minor).or_default().push(release);
        }
    }
    by_minor.into_values().collect()
}

struct Nature {
    is_gateway: bool,
    is_mesh: bool,
    has_grpc: bool,
    has_layer_4: bool,
    /// Features in the order in which versions add them.
    plan: Vec<&'static str>,
    channels: Vec<Channel>,
    modes: Vec<&'static str>,
}

impl Nature {
    fn new(rng: &mut Rng) -> Self {
        let is_mesh = rng.one_in(5);
        let newest = Registry::embedded()
            .newest()
            .expect("the registry has releases");
        let features: BTreeSet<&str> = newest
            .profiles()
            .flat_map(|profile| &profile.extended)
            .map(String::as_str)
            .collect();
        let mut plan: Vec<&str> = features.into_iter().collect();
        rng.shuffle(&mut plan);
        let mut modes = vec!["default"];
        if rng.one_in(4) {
            modes.push(rng.pick(&MODES).0);
        }
        Self {
            is_gateway: !is_mesh || rng.one_in(3),
            is_mesh,
            has_grpc: rng.one_in(2),
            has_layer_4: rng.one_in(4),
            plan,
            channels: match rng.below(3) {
                0 => vec![Channel::Standard],
                1 => vec![Channel::Experimental],
                _ => vec![Channel::Standard, Channel::Experimental],
            },
            modes,
        }
    }

    fn profiles(&self, release: &Release, channel: Channel) -> Vec<String> {
        let minor = release.version().minor();
        let profiles = release.profiles().filter(|profile| {
            let is_wanted = match profile.family {
                Family::Gateway => self.is_gateway,
                Family::Mesh => self.is_mesh,
            };
            is_wanted
                && match profile.name.as_str() {
                    // The suites of v1.1.x write MESH-GRPC to reports under a wrong name, so it is
                    // used only for later minors.
                    "MESH-GRPC" => self.has_grpc && minor > (Minor { major: 1, minor: 1 }),
                    "GATEWAY-GRPC" => self.has_grpc,
                    "HTTP" | "GATEWAY-HTTP" | "MESH" | "MESH-HTTP" => true,
                    // Since v1.5, the standard channel includes TLSRoute.
                    _ => {
                        let routes = profile.core.iter().filter_map(|core| release.feature(core));
                        let mut routes = routes.map(|route| route.channel);
                        self.has_layer_4
                            && (channel == Channel::Experimental
                                || routes.all(|channel| channel == Channel::Standard))
                    }
                }
        });
        profiles.map(|profile| profile.name.clone()).collect()
    }
}

fn implementation(
    rng: &mut Rng,
    by_minor: &[Vec<&'static Release>],
    taken: &mut BTreeSet<String>,
) -> Implementation {
    let (organization, project) = fresh(rng, taken);
    let site = format!("https://{organization}.example/{project}");
    let nature = Nature::new(rng);
    let first = rng.below(by_minor.len());
    let last = if rng.one_in(3) {
        first + rng.below(by_minor.len() - first)
    } else {
        by_minor.len() - 1
    };
    let major = rng.below(4);
    let mut known = rng.below(nature.plan.len() / 2);
    let mut runs = Vec::new();
    for (nth, releases) in by_minor[first..=last].iter().enumerate() {
        let release = *rng.pick(releases);
        let minor = nth * 2 + rng.below(2);
        let version = format!("v{major}.{minor}.{}", rng.below(4));
        let implementation = gwconform_types::Implementation {
            contact: vec![format!("@{organization}/{project}-maintainers")],
            organization: organization.clone(),
            project: project.clone(),
            url: site.clone(),
            version,
        };
        let claims = &nature.plan[..known];
        runs.extend(release_runs(rng, &nature, release, &implementation, claims));
        known = (known + rng.below(8)).min(nature.plan.len());
        if rng.one_in(6) {
            known = known.saturating_sub(3);
        }
    }
    Implementation {
        project: Project {
            title: format!("{} {project}", titled(&organization)),
            about: format!(
                "{} is an implementation of the Gateway API by {}. Its pages are at <{site}>.",
                titled(&project),
                titled(&organization)
            ),
            site,
            install: String::new(),
            class: project.clone(),
            modes: MODES
                .map(|(mode, how)| (mode.to_owned(), how.to_owned()))
                .to_vec(),
            notes: Vec::new(),
            formatting: rng.below(12),
            organization,
            project,
        },
        runs,
    }
}

fn release_runs(
    rng: &mut Rng,
    nature: &Nature,
    release: &'static Release,
    implementation: &gwconform_types::Implementation,
    claims: &[&str],
) -> Vec<Run> {
    let mut runs = Vec::new();
    let after = rng.below(90) as i32;
    let mut minutes = rng.below(24 * 60) as i32;
    for &channel in &nature.channels {
        for &mode in &nature.modes {
            let is_known = |name: &&&str| {
                let feature = release.feature(name);
                feature.is_some_and(|feature| {
                    channel == Channel::Experimental || feature.channel == Channel::Standard
                })
            };
            minutes += 11;
            let date = release.date().unwrap_or_default() + after.days();
            let date = date.at(0, 0, rng.below(60) as i8, 0) + minutes.minutes();
            let mut run = Run {
                release,
                channel,
                mode: mode.to_owned(),
                date: format!(
                    "{}{}",
                    date.strftime("%Y-%m-%dT%H:%M:%S"),
                    rng.pick(&["Z", "+02:00", "-07:00"])
                ),
                implementation: implementation.clone(),
                profiles: nature.profiles(release, channel),
                claims: claims
                    .iter()
                    .filter(is_known)
                    .map(|name| (*name).to_owned())
                    .collect(),
                skipped: BTreeSet::new(),
                without_provisional: rng.one_in(4),
                file_name: None,
            };
            if run.is_legacy() {
                // Legacy reports contain neither channel nor mode, so only one report is created.
                run.mode = "default".to_owned();
                return vec![run];
            }
            if rng.one_in(12) {
                run.skipped.extend(skippable(rng, &run));
            }
            runs.push(run);
        }
    }
    runs
}

/// Chooses an extended test to skip, such that each feature still has a test.
fn skippable(rng: &mut Rng, run: &Run) -> Option<String> {
    let ran = |test: &&Test| !test.provisional && run.has_features_of(test);
    let tests = run.release.tests().filter(ran).filter(|test| {
        let mut claimed = test
            .features
            .iter()
            .filter(|name| run.claims.contains(*name));
        let has_others = |name: &String| run.release.tests_of(name).filter(ran).count() > 1;
        !test.parallel && claimed.clone().next().is_some() && claimed.all(has_others)
    });
    let tests: Vec<_> = tests.collect();
    (!tests.is_empty()).then(|| rng.pick(&tests).name.clone())
}
