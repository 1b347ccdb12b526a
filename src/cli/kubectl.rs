//! Reads a cluster with `kubectl`, so that kubeconfig, authentication and proxies are its own
//! concern.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::anyhow;

use super::program::{self, PATIENCE, Program};
use super::{Content, Failure, Streams};
use gwconform_base::text::shell;
use gwconform_base::text::source::{MAX_DUMP_BYTES, MAX_FILE_BYTES, Source};
use gwconform_cluster::Kind;
use gwconform_cluster::needs::is_own;

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
    (
        "validatingadmissionpolicies.admissionregistration.k8s.io",
        Kind::AdmissionPolicy,
    ),
    (
        "validatingadmissionpolicybindings.admissionregistration.k8s.io",
        Kind::AdmissionBinding,
    ),
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
        help_heading = "Cluster",
        hide_short_help = true
    )]
    context: Option<String>,
    /// Only print what would happen: the kubectl commands
    #[arg(
        long,
        requires = "cluster",
        conflicts_with_all = ["format", "also"],
        help_heading = "Cluster", hide_short_help = true)]
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
            let quoted: Option<Vec<_>> = words.iter().map(|word| shell::word(word)).collect();
            let quoted = quoted.map(|words| format!("kubectl {}", words.join(" ")));
            let message = "--context: contains invisible characters; expected a visible name";
            quoted.ok_or_else(|| Failure::Usage(anyhow!(message)))
        };
        for arguments in [kinds(), objects(&all), secrets()] {
            writeln!(streams.out(Content::Text), "{}", line(&arguments)?)?;
        }
        if of == Reader::Needs {
            let get = line(&words(&["get", "-A", "-o", "yaml"]))?;
            let kinds = line(&kinds())?;
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
        let found = self.run(&kinds(), MAX_DUMP_BYTES, &[])?;
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
        let objects = self.run(&objects(&names), MAX_DUMP_BYTES, &names)?;
        if objects.stdout.is_empty() {
            return Err(objects.failure("no objects were read"));
        }
        let mut refused = objects.refused(&names);
        let room = MAX_DUMP_BYTES.saturating_sub(objects.stdout.len() as u64);
        let secrets = self.run(&secrets(), room, &[])?;
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
            streams.error(format_args!(
                "gwconform: not listed in all namespaces, so missing objects do not count: {}",
                refused.join(", ")
            ))?;
        }
        if !is_complete {
            streams.error(format_args!(
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

    fn run<'n>(
        &self,
        rest: &[String],
        most: u64,
        names: &[&'n str],
    ) -> Result<Output<'n>, Failure> {
        let kubectl = program::find("kubectl").ok_or_else(|| {
            Failure::CouldNotRun(anyhow!("kubectl was not found in the folders of PATH"))
        })?;
        run(
            &mut Command::new(kubectl),
            &self.arguments(rest),
            most,
            names,
            PATIENCE,
        )
    }
}

/// Runs kubectl. `names` are the resources that its messages may name.
fn run<'n>(
    kubectl: &mut Command,
    arguments: &[String],
    most: u64,
    names: &[&'n str],
    patience: Duration,
) -> Result<Output<'n>, Failure> {
    let command = format!("kubectl {}", arguments.join(" "));
    kubectl
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    let program = Program::start(command.clone(), kubectl, patience)
        .map_err(|error| Failure::CouldNotRun(anyhow!("kubectl did not start: {error}")))?;
    let mut messages = Messages {
        plurals: names.iter().map(|name| plural(name)).collect(),
        ..Messages::default()
    };
    let output = program
        .output(most, |piece| messages.add(piece))
        .map_err(|error| Failure::CouldNotRun(error.context(format!("output of {command}"))))?;
    messages.end_line();
    Ok(Output {
        command,
        stdout: output.stdout,
        messages,
        is_success: output.status.success(),
        code: output.status.code(),
    })
}

/// Kept parts of standard error, which can have any size.
#[derive(Default)]
struct Messages<'n> {
    plurals: BTreeSet<&'n str>,
    /// Plurals that errors name.
    named: BTreeSet<&'n str>,
    last: String,
    line: Vec<u8>,
}

impl Messages<'_> {
    fn add(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() as u64 > MAX_FILE_BYTES {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let text = String::from_utf8_lossy(&self.line);
        let text = text.trim();
        // A deprecation warning names a resource that was listed.
        if !text.starts_with("Warning: ") {
            let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
            let words = text.split(|c| !is_in_name(c));
            self.named
                .extend(words.filter_map(|word| self.plurals.get(plural(word))));
        }
        if !text.is_empty() {
            self.last = text.to_owned();
        }
        self.line.clear();
    }
}

fn plural(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
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

struct Output<'n> {
    command: String,
    stdout: Vec<u8>,
    messages: Messages<'n>,
    is_success: bool,
    code: Option<i32>,
}

impl Output<'_> {
    fn reason(&self) -> String {
        match (self.messages.last.as_str(), self.code) {
            ("", Some(code)) => format!("exit code {code} without a message"),
            ("", None) => "ended by a signal".to_owned(),
            (line, Some(code)) => format!("{line} (exit code {code})"),
            (line, None) => line.to_owned(),
        }
    }

    fn failure(&self, what: &str) -> Failure {
        Failure::CouldNotRun(anyhow!("{}: {what}: {}", self.command, self.reason()))
    }

    /// Those of `names` that errors name or, if they name none, all of them.
    fn refused<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        let named = &self.messages.named;
        let is_refused =
            |name: &&&str| !self.is_success && (named.is_empty() || named.contains(plural(name)));
        names.iter().filter(is_refused).copied().collect()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn ends_a_kubectl_that_does_not_answer() {
        let mut kubectl = Command::new("sh");
        kubectl.args(["-c", "exec sleep 1000", "kubectl"]);
        let patience = Duration::from_millis(20);
        let failure = run(&mut kubectl, &words(&["get", "-A"]), 9, &[], patience).err();
        let Some(Failure::CouldNotRun(error)) = failure else {
            panic!("{failure:?}");
        };
        assert_eq!(
            format!("{error:#}"),
            "output of kubectl get -A: `kubectl get -A` printed nothing for 20ms and was ended; \
             run it by hand to see why"
        );
    }
}
