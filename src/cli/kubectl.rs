//! Reads a cluster with `kubectl`, so that kubeconfig, authentication and proxies are its own
//! concern.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

use anyhow::anyhow;

use super::program;
use super::{Content, Failure, Streams};
use crate::cluster::Kind;
use crate::cluster::needs::is_own;
use crate::text::shell;
use crate::text::source::{MAX_DUMP_BYTES, MAX_FILE_BYTES, Source};
use crate::tree::files::read_up_to;

/// Plural names of the resources that are read, and their kinds.
const RESOURCES: &[(&str, Kind)] = &[
    ("customresourcedefinitions.apiextensions.k8s.io", Kind::Crd),
    (
        "gatewayclasses.gateway.networking.k8s.io",
        Kind::GatewayClass,
    ),
    ("gateways.gateway.networking.k8s.io", Kind::Gateway),
    ("listenersets.gateway.networking.k8s.io", Kind::ListenerSet),
    (
        "xlistenersets.gateway.networking.x-k8s.io",
        Kind::ListenerSet,
    ),
    ("httproutes.gateway.networking.k8s.io", Kind::HttpRoute),
    ("grpcroutes.gateway.networking.k8s.io", Kind::GrpcRoute),
    ("tlsroutes.gateway.networking.k8s.io", Kind::TlsRoute),
    ("tcproutes.gateway.networking.k8s.io", Kind::TcpRoute),
    ("udproutes.gateway.networking.k8s.io", Kind::UdpRoute),
    (
        "referencegrants.gateway.networking.k8s.io",
        Kind::ReferenceGrant,
    ),
    ("backendtlspolicies.gateway.networking.k8s.io", Kind::Policy),
    (
        "xbackendtrafficpolicies.gateway.networking.x-k8s.io",
        Kind::Policy,
    ),
    (
        "inferencepools.inference.networking.k8s.io",
        Kind::InferencePool,
    ),
    (
        "inferencepools.inference.networking.x-k8s.io",
        Kind::InferencePool,
    ),
    ("meshes.gateway.networking.k8s.io", Kind::Mesh),
    ("xmeshes.gateway.networking.x-k8s.io", Kind::Mesh),
    ("namespaces", Kind::Namespace),
    ("services", Kind::Service),
];

/// Resources that only `needs` reads, in addition to policies of other groups.
const OF_NEEDS: [&str; 2] = [
    "ingresses.networking.k8s.io",
    "ingressclasses.networking.k8s.io",
];

const SECRETS: &str = "secrets";
const COLUMNS: &str = "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,TYPE:.type";

#[derive(Debug, Clone, clap::Args)]
pub struct ClusterArguments {
    /// Read the cluster with kubectl instead of files
    #[arg(long, conflicts_with = "files", help_heading = "Cluster")]
    pub cluster: bool,
    /// Context of the kubeconfig [default: the current context]
    #[arg(
        long,
        value_name = "CONTEXT",
        requires = "cluster",
        help_heading = "Cluster"
    )]
    context: Option<String>,
    /// Print the kubectl commands instead of running them
    #[arg(long, requires = "cluster", help_heading = "Cluster")]
    pub dry_run: bool,
}

/// Objects of a cluster, and the kinds that were listed in all namespaces.
#[derive(Debug, Default)]
pub struct Dump {
    pub sources: Vec<Source>,
    pub listed: Vec<Kind>,
}

/// Finds a kind by its name or plural name, in any case.
pub fn kind_named(name: &str) -> Option<Kind> {
    let is_named = |plural: &str, kind: Kind| {
        let short = plural.split('.').next().unwrap_or_default();
        [plural, short, kind.as_str()]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    let all = RESOURCES.iter().chain([&(SECRETS, Kind::Secret)]);
    all.copied()
        .find(|(plural, kind)| is_named(plural, *kind))
        .map(|(_, kind)| kind)
}

/// Command that reads the cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Needs,
    Resources,
}

impl Reader {
    fn names(self) -> impl Iterator<Item = &'static str> {
        let own = RESOURCES.iter().map(|(name, _)| *name);
        own.chain(OF_NEEDS.into_iter().filter(move |_| self == Self::Needs))
    }

    /// Whether a resource may be a policy of another group for kinds of the API. Many of their CRDs
    /// lack the label of GEP-713, so the name decides. Network policies do not affect routing.
    fn is_policy(self, name: &str) -> bool {
        let (plural, group) = name.split_once('.').unwrap_or_default();
        self == Self::Needs
            && is_own(group)
            && plural.ends_with("policies")
            && !plural.ends_with("networkpolicies")
    }
}

/// Lists the resources of [`Reader::is_policy`].
const POLICIES: &str =
    "grep '^[^.]*policies[.]' | grep -v -e 'networkpolicies[.]' -e '[.-]k8s[.]io$' | paste -sd, -";

impl ClusterArguments {
    /// Prints the commands. The second one names all resources that can be installed, except
    /// policies of other groups.
    pub fn print_commands(&self, of: Reader, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let all: Vec<&str> = of.names().collect();
        let line = |arguments: &[String]| {
            let words = self.arguments(arguments);
            let quoted = words
                .iter()
                .map(|word| shell::word(word).unwrap_or_default());
            format!("kubectl {}", quoted.collect::<Vec<_>>().join(" "))
        };
        for arguments in [kinds(), objects(&all), secrets()] {
            writeln!(streams.out(Content::Text), "{}", line(&arguments))?;
        }
        if of == Reader::Needs {
            let (get, kinds) = (line(&words(&["get", "-A", "-o", "yaml"])), line(&kinds()));
            writeln!(
                streams.out(Content::Text),
                "{get} \"$({kinds} | {POLICIES})\""
            )?;
        }
        Ok(())
    }

    /// Reads the installed kinds and the names of Secrets. A kind that cannot be listed in all
    /// namespaces is named on standard error.
    pub fn read(&self, of: Reader, streams: &mut Streams<'_>) -> Result<Dump, Failure> {
        let found = self.run(&kinds(), MAX_DUMP_BYTES)?;
        if found.stdout.is_empty() {
            return Err(found.failure("no kinds were listed"));
        }
        // An API server that does not answer may serve a kind that is missing here.
        let is_complete = found.is_success;
        let text = String::from_utf8_lossy(&found.stdout);
        let installed: BTreeSet<&str> = text.lines().map(str::trim).collect();
        let mut names: Vec<&str> = of.names().filter(|name| installed.contains(name)).collect();
        if names.is_empty() {
            return Err(found.failure("the cluster has none of the kinds"));
        }
        names.extend(installed.iter().filter(|name| of.is_policy(name)));
        let objects = self.run(&objects(&names), MAX_DUMP_BYTES)?;
        if objects.stdout.is_empty() {
            return Err(objects.failure("no objects were read"));
        }
        let mut refused = objects.refused(&names);
        let room = MAX_DUMP_BYTES.saturating_sub(objects.stdout.len() as u64);
        let secrets = self.run(&secrets(), room)?;
        let mut dump = Dump::default();
        dump.sources
            .push(Source::new("<kubectl get>".to_owned(), objects.stdout));
        if secrets.is_success {
            let text = secret_objects(&String::from_utf8_lossy(&secrets.stdout));
            dump.sources
                .push(Source::new("<kubectl get secrets>".to_owned(), text.into()));
            dump.listed.push(Kind::Secret);
        } else {
            refused.push(SECRETS);
        }
        let is_refused = |kind: Kind| {
            RESOURCES.iter().any(|(name, of)| {
                *of == kind
                    && (refused.contains(name) || (!is_complete && !installed.contains(name)))
            })
        };
        let kinds: BTreeSet<Kind> = RESOURCES.iter().map(|(_, kind)| *kind).collect();
        let listed = kinds.into_iter().filter(|kind| !is_refused(*kind));
        dump.listed.extend(listed);
        if !refused.is_empty() {
            streams.note(format_args!(
                "gwconform: not listed in all namespaces, so missing objects do not count: {}",
                refused.join(", ")
            ))?;
        }
        if !is_complete {
            streams.note(format_args!(
                "gwconform: kubectl could not list all kinds: {}",
                found.reason()
            ))?;
        }
        Ok(dump)
    }

    fn arguments(&self, rest: &[String]) -> Vec<String> {
        let context = self.context.iter();
        let context = context.map(|context| format!("--context={context}"));
        context.chain(rest.iter().cloned()).collect()
    }

    fn run(&self, rest: &[String], most: u64) -> Result<Output, Failure> {
        let kubectl = program::find("kubectl").ok_or_else(|| {
            Failure::CouldNotRun(anyhow!("kubectl was not found in the folders of PATH"))
        })?;
        let arguments = self.arguments(rest);
        let mut child = Command::new(kubectl)
            .args(arguments.iter().map(OsString::from))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Failure::CouldNotRun(anyhow!("kubectl did not start: {error}")))?;
        let errors = errors(&mut child);
        let stdout = child.stdout.take();
        let read = stdout.map_or_else(|| Ok(Vec::new()), |stdout| read_up_to(stdout, most));
        let read = read.map_err(|error| {
            // The pipe may be full, so kubectl would not end.
            let _ended = child.kill();
            Failure::CouldNotRun(anyhow!(
                "output of kubectl {}: {error}",
                arguments.join(" ")
            ))
        });
        let status = child.wait()?;
        let stderr = errors.and_then(|errors| errors.join().ok());
        Ok(Output {
            command: format!("kubectl {}", arguments.join(" ")),
            stdout: read?,
            stderr: String::from_utf8_lossy(&stderr.unwrap_or_default()).into_owned(),
            is_success: status.success(),
            code: status.code(),
        })
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn kinds() -> Vec<String> {
    words(&["api-resources", "--verbs=list", "-o", "name"])
}

fn objects(names: &[&str]) -> Vec<String> {
    words(&["get", "-A", "-o", "yaml", &names.join(",")])
}

fn secrets() -> Vec<String> {
    words(&["get", SECRETS, "-A", "--no-headers", "-o", COLUMNS])
}

/// Reads standard error in a thread, because `kubectl` waits while the pipe is full.
fn errors(child: &mut Child) -> Option<JoinHandle<Vec<u8>>> {
    let mut stderr = child.stderr.take()?;
    Some(std::thread::spawn(move || {
        let mut kept = Vec::new();
        let _read = stderr.by_ref().take(MAX_FILE_BYTES).read_to_end(&mut kept);
        let _drained = std::io::copy(&mut stderr, &mut std::io::sink());
        kept
    }))
}

/// Objects without data, one for each line of [`COLUMNS`].
fn secret_objects(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines() {
        let mut columns = line.split_whitespace();
        if let (Some(namespace), Some(name), kind) =
            (columns.next(), columns.next(), columns.next())
        {
            let object = serde_json::json!({
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": {"namespace": namespace, "name": name},
                "type": kind,
            });
            text.push_str(&format!("---\n{object}\n"));
        }
    }
    text
}

struct Output {
    command: String,
    stdout: Vec<u8>,
    stderr: String,
    is_success: bool,
    code: Option<i32>,
}

impl Output {
    fn reason(&self) -> String {
        let mut lines = self.stderr.lines().map(str::trim);
        let last = lines.rfind(|line| !line.is_empty());
        match (last, self.code) {
            (Some(line), Some(code)) => format!("{line} (exit code {code})"),
            (Some(line), None) => line.to_owned(),
            (None, Some(code)) => format!("exit code {code} without a message"),
            (None, None) => "ended by a signal".to_owned(),
        }
    }

    fn failure(&self, what: &str) -> Failure {
        Failure::CouldNotRun(anyhow!("{}: {what}: {}", self.command, self.reason()))
    }

    /// Resources that standard error names or, if it names none, all of them.
    fn refused<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        if self.is_success {
            return Vec::new();
        }
        let is_named = |name: &&&str| {
            let plural = name.split('.').next().unwrap_or_default();
            self.stderr.contains(plural)
        };
        let named: Vec<&str> = names.iter().filter(is_named).copied().collect();
        match named.is_empty() {
            true => names.to_vec(),
            false => named,
        }
    }
}
