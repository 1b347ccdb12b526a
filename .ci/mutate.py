#!/usr/bin/env python3
"""Runs all commands of gwconform, in all formats, on mutated files, and checks everything that they print and write.

    .ci/mutate.py --binary FILE [--seed N] [--minutes N] [--only COMMAND]

Commands, formats and schemas come from the man pages of gwconform. The input of each kind of failure is kept in a folder
below target/mutate, without most of the lines that the failure does not need. The same seed repeats the same runs.
"""

import argparse
import collections
import contextlib
import csv
import functools
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import xml.etree.ElementTree

import feedparser
import html5lib
import jsonschema
import yaml

root = pathlib.Path(__file__).resolve().parent.parent
# Arguments of each command. {choice} is each value of its first argument, {name} an implementation, {word} mutated text.
LINES = {
    "add": "in.yaml --in reports --dry-run; in.yaml --in reports --force; --from-log run.log --in reports",
    "badge": "{name} --in reports; {name} --in reports --family mesh --statements statements",
    "certify": "reports; reports --all --statements statements; {name} --in reports; reports --all --registry facts",
    "check": "reports; in.yaml; reports --strict --registry facts; reports --statistics; reports --unsafe-fixes;"
    "reports --unsafe-fixes --diff; reports --since HEAD --all; - --stdin-filename {word} <in.yaml;"
    "reports --baseline baseline.json; reports --write-baseline out/baseline.json",
    "completions": "{choice}",
    "diff": "old.yaml in.yaml; {name} in.yaml --in reports",
    "explain": "; --messages; {word}",
    "export": "{choice} reports --out out/x; list reports --details list --header in.yaml; wizard --registry facts",
    "features": "; {word} --in reports; --dropped --in reports; HTTPRouteCORS --in reports; --registry facts",
    "help": "; {word}; --all",
    "man": "; {word}",
    "needs": "objects.yaml; objects.yaml --in reports --all --all-releases; objects.yaml --in reports --to {name};"
    "- --report in.yaml --from {name} --in reports <objects.yaml; objects.yaml --class classes.yaml",
    "outlook": "--in reports --all; {name} --in reports; in.yaml; --in reports --unreleased --registry facts",
    "plan": "--profile GATEWAY-HTTP --class classes.yaml; --profile MESH-HTTP --mesh classes.yaml;"
    "--profile GATEWAY-HTTP --all-features --registry facts; --profile GATEWAY-HTTP --all-features --skip-tests {word}",
    "profiles": "; --registry facts --release v1.98; --profile {word}",
    "registry": "--help",
    "registry check": "facts.json --release v1.5.1; facts.json --registry facts; --registry facts",
    "registry import": "facts.json --release v1.99.0; facts.json --release v1.98.0 --references out/references.json",
    "registry served": "sources/v1.98.0 --out out/x",
    "releases": "; --registry facts",
    "releases diff": "v1.4 v1.5; v1.5 v1.98 --registry facts; {word} v1.5",
    "resources": "objects.yaml; classes.yaml --complete; objects.yaml --complete --report in.yaml --all;"
    "objects.yaml --crds v1.6/standard",
    "schema": "{choice}; {word}",
    "site": "reports --out out/x --statements statements; reports --out out/x --unreleased --registry facts",
    "tests": "; {word} --in reports; --most-skipped --in reports; --flaky --in reports; HTTPRouteWeight --in reports",
    "verify": "in.yaml --log run.log; --log run.log; in.yaml --log run.log --out out/statement.json",
}
STDIN = {"<in.yaml", "<objects.yaml"}
# Commands that exit with 1 without --fail-on.
FINDS = {"add", "check", "needs", "registry", "resources", "verify"}
HOSTILE = r"""::error::x ##[error]x <evil '"><evil> ]]><evil/> --> ` | ](x) @a =x() %0A::error::x \ {{ .. - ' " é""".split()
HOSTILE += [*"\x1b\u202e\u200b\0\r\u2028\x85\U0001f600", "\n::error::x", "a" * 3000]
VALUES = "~ [] {} -1 07 0x1F 1e999 .nan 1_000 18446744073709551616 true 2026-02-30 v1.99.0 main '0' << {a:[b]}".split()
VALUES += ["!!int x", "!!binary eA==", "!x y", "*a", "? a", "|\n  x", ">-\n  x", "[" * 300, "[" * 50 + "]" * 50, "- " * 200]
ENDS = [("\n", "\r\n", -1), ("\n", "\r", -1), ("", "\ufeff", 1), ("  ", "\t", -1), ("'", '"', -1)]
UNSEEN = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff]")
# Workflow commands
LIVE = re.compile(r"^\s*::|##\[", re.MULTILINE)


def mutate(rng, data, others):
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        kind, at, text = rng.randrange(20), rng.randrange(len(data) + 1), data.decode(errors="replace")
        other, hostile = rng.choice(others), rng.choice(HOSTILE)
        if kind < 5:
            tail = other[rng.randrange(len(other) + 1) :]
            rest = data[at + rng.choice([0, 1, 4, len(data)]) :]
            data = data[:at] + rng.choice([rng.randbytes(3), hostile.encode(), tail]) + rest
        elif kind < 6:
            data = text.replace(*rng.choice(ENDS)).encode()
        elif kind < 7:
            with contextlib.suppress(yaml.YAMLError, ValueError, TypeError, RecursionError):
                style = {"default_flow_style": rng.choice([True, False]), "default_style": rng.choice(["|", '"', None])}
                data = yaml.dump(yaml.load(data, yaml.CSafeLoader), Dumper=yaml.CSafeDumper, **style).encode()
        else:
            lines = text.split("\n")
            at = min(rng.randrange(len(lines)), rng.choice([20, len(lines)]))
            line, (head, _, value) = lines[at], lines[at].partition(": ")
            key = head.strip(" -")
            indent = head[: len(head) - len(key)]
            forms = [rng.choice(VALUES), json.dumps(hostile + value), json.dumps(value + hostile, ensure_ascii=False)]
            forms += [hostile + value, f"'{value}' # {hostile}", rng.choice(lines).partition(": ")[2], f"[{value}, {value}]"]
            forms += [f"{{{key}: {value}}}", f"&a {value}\n{indent}b: *a"]
            changes = [f"{head}: {form}" for form in forms]
            changes += [f"{line}\n" * rng.choice([2, 2, 3000]), f"{line}\n{rng.choice(lines)}", f"{' ' * (at % 4)}{line}"]
            changes += [f"{indent}{hostile}: {value}", f"{indent}? {key}\n{indent}: {value}", f"---\n{line}"]
            changes += [f"{indent}{'k' * 2000}: x\n{line}"]
            lines[at : at + rng.choice([1, 1, 1, 2, 6])] = [rng.choice(changes)]
            data = "\n".join(lines).encode()
    return data


def inputs(rng):
    """Returns the files of a run, and the values of {name} and {word}."""
    files = {path: rng.choice(contents) for path, contents in sources.items()}
    for submission in rng.sample(submissions, rng.randrange(1, 4)):
        files |= submission
    reports = [path for path in files if path.count("/") == 3 and path.endswith(".yaml")] or ["objects.yaml"]
    files |= {name: files[rng.choice(reports)] for name in ["in.yaml", "old.yaml"]}
    mutated, share = {}, rng.choice([0.1, 0.3, 0.8])
    for path, data in files.items():
        if rng.random() < 0.04 and path.startswith("reports/"):
            path = re.sub("[\0/]", "", rng.choice(HOSTILE))[:100].join(path.rsplit("-", 1))
        # Commands reject most mutated settings before they read reports.
        is_mutated = rng.random() < (0.1 if path.endswith((".toml", ".json")) else share)
        mutated[path] = mutate(rng, data, list(files.values())) if is_mutated else data
    name = rng.choice([rng.choice(reports).split("/")[-2:][0]] * 2 + [rng.choice(HOSTILE)])
    word = rng.choice(["HTTPRouteCORS", "HTTPRouteWeight", "GATEWAY-HTTP", "report/date", "features", "v1.4"])
    word = rng.choice([word, mutate(rng, word.encode(), [b"::error::x"]).decode(errors="replace")])
    return mutated, {"{name}": name.replace("\0", ""), "{word}": word.replace("\0", "")[:500]}


def write(folder, files):
    for path, data in {**repository, "out/.keep": b"", **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


@functools.lru_cache(2000)
def read(form, data, schema=None):
    """Raises an exception if the data is invalid."""
    if form in ("json", "shields", "suggestions", "sarif"):
        value = json.loads(data)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        for error in validators[schema].iter_errors(value) if schema in validators else []:
            raise ValueError(f"schema: {'/'.join(map(str, error.schema_path))[:200]} at {error.json_path[:80]}")
    elif form == "html":
        parser = html5lib.HTMLParser(strict=True)
        parser.parse(data) if data.lstrip().startswith(b"<!") else parser.parseFragment(data)
    elif form in ("svg", "atom", "junit"):
        element = xml.etree.ElementTree.fromstring(data)
        failures = int(element.get("failures", 0)), len(element.findall(".//failure"))
        assert failures[0] == failures[1], f"number of failures: {failures}"
        feed = feedparser.parse(data) if form == "atom" else None
        dates = [entry.get("updated_parsed") for entry in feed.entries] if feed else []
        assert not feed or feed.version == "atom10" and not feed.bozo and all(dates), "feed"
    elif form == "csv":
        assert len({len(row) for row in csv.reader(data.decode().splitlines(True), strict=True)}) == 1, "columns"
    elif form in ("md", "txt"):
        assert not (found := UNSEEN.search(data.decode())), f"U+{ord(found[0]):04X}"
    assert form not in ("html", "svg", "atom") or b"<evil" not in data, "markup of the input"


def judge(words, ran, folder):
    form = "json" if words[:2] == ["export", "wizard"] else ""
    form = words[words.index("--format") + 1] if "--format" in words else form
    assert b"panicked at" not in ran.stderr, ran.stderr.decode(errors="replace").partition("panicked")[2][:300]
    assert ran.returncode in (0, 1, 2, 3) and (ran.returncode != 1 or words[0] in FINDS), f"exit {ran.returncode}"
    assert ran.returncode < 2 or ran.stderr, "no message"
    # Patches and exports contain lines of the input.
    is_exact = {"--diff", "--dry-run", "export"} & set(words)
    is_text = form in ("human", "markdown", "rst", "asciidoc", "github", "") and not is_exact
    for name, data in [("stderr", ran.stderr), ("stdout", ran.stdout if is_text else b"")]:
        read("txt", data)
        is_live = LIVE.search(data.decode()) and (name, form) != ("stdout", "github")
        assert not is_live, f"{name} contains a workflow command"
    if form and (ran.stdout or ran.returncode < 2) and "--out" not in words:
        # The schema of the longest command that the words contain.
        fitting = [(len(parts), name) for name, parts in printed_by.items() if parts and parts <= set(words)]
        to_target = words[0] == "needs" and {"--to", "--report", "--class"} & set(words)
        schema = "findings" if to_target else max(fitting, default=(0, "findings"))[1]
        read(form, ran.stdout, schema if form == "json" else form)
    for path in filter(pathlib.Path.is_file, sorted((folder / "out").rglob("*.*"))):
        try:
            schema = "api-matrix" if "matrix" in path.parts else f"api-{path.stem}" if "v1" in path.parts else path.stem
            read(path.suffix[1:], path.read_bytes(), schema)
        except Exception as error:
            raise ValueError(f"{path.suffix}: {error}") from error


def fault(words, files):
    """Runs a command on files, and returns its fault and its exit code."""
    with tempfile.TemporaryDirectory() as name:
        write(pathlib.Path(name), files)
        # 10 seconds of CPU time, 4 GiB.
        command = ["prlimit", "--cpu=10", f"--as={4 << 30}", options.binary, *(word for word in words if word not in STDIN)]
        stdin = next((files[word[1:]] for word in words if word in STDIN), b"")
        environment = {"PATH": os.environ["PATH"], "HOME": name}
        try:
            ran = subprocess.run(command, cwd=name, env=environment, input=stdin, capture_output=True, timeout=120)
            judge(words, ran, pathlib.Path(name))
        except Exception as error:
            return f"{type(error).__name__}: {error}".replace(name, "")[:400], 2
        return "", ran.returncode


def smaller(words, files, found):
    """Removes lines that the fault does not need, in at most 150 runs."""
    left = iter(range(150))
    for path, size in itertools.product(files, [10000, 100, 10, 1]):
        lines = files[path].splitlines(keepends=True)
        for at in reversed(range(0, len(lines), size)):
            fewer = {**files, path: b"".join(lines[:at] + lines[at + size :])}
            if next(left, None) is not None and fault(words, fewer)[0][:30] == found[:30]:
                del lines[at : at + size]
                files = fewer
    return files


def run(number):
    files, made = inputs(random.Random(f"{options.seed}/{number}"))
    line, *words = commands[number % len(commands)]
    words = [made.get(word, word) for word in words]
    found, code = fault(words, files)
    key = words[0], re.sub(r"\d+", "0", found)[:60]
    files = smaller(words, files, found) if found and key not in seen else files
    seen.add(key)
    return number, line if code < 2 else "", key, words, found, files


def gwconform(*words):
    return subprocess.run([options.binary, *words], cwd=root, check=True, capture_output=True, text=True).stdout


def below(folder, *patterns):
    """Returns the content of files by their paths."""
    found = sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def values(page, argument):
    """Returns the values of an argument and their descriptions from a man page."""
    part = next((part for part in page.split("\n.TP\n") if re.match(argument, part)), "")
    return dict(re.findall(r"\n\.IP \\\(bu 2\n([\w-]+)(?:: )?(.*)", part))


def all_commands(pages):
    if pages.keys() != LINES.keys():
        raise SystemExit(f"add or remove arguments in LINES: {', '.join(sorted(pages.keys() ^ LINES.keys()))}")
    for name, page in pages.items():
        for line in map(str.strip, LINES[name].split(";")):
            choices = values(page, r"(?:<|\[)\\fI") if "{choice}" in line else [""]
            forms = values(page, r"\\fB--format") if "--diff" not in line else []
            for choice, form in itertools.product(choices, forms or [""]):
                words = [*name.split(), *line.replace("{choice}", choice).split()]
                yield [f"{name} {line}".strip(), *words, *(["--format", form] if form else [])]


def all_sources(made):
    """Returns the contents to choose from for each path, and the files of a repository with a commit of the sample."""
    shutil.copytree(root / "reports", made / "reports", symlinks=True)
    environment = {**os.environ, "GIT_COMMITTER_DATE": "2026-03-20T00:00:00Z", "GIT_AUTHOR_DATE": "2026-03-20T00:00:00Z"}
    for words in ["init -q --template=", "add reports", "commit -qm x", "repack -adq"]:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example", *words.split()]
        subprocess.run(command, cwd=made, check=True, env=environment)
    log = ["--log", "examples/verify/conformance.log", "--out", f"{made}/statement.json"]
    gwconform("verify", "examples/verify/report.yaml", *log)
    gwconform("check", "tests/trees/failing/reports", "--write-baseline", f"{made}/baseline.json")
    objects = below(root, "examples/c*/*.yaml", "examples/needs/*.yaml", "tests/integration/support/dump.yaml")
    settings = ["reports/gwconform.toml", "examples/*/gwconform.toml", "tests/trees/*/reports/gwconform.toml"]
    facts = re.search(r'FIRST: &str = r#"(.*?)"#', (root / "tests/integration/support/facts.rs").read_text(), re.DOTALL)
    # The smallest file that `export list` reads, and the smallest CRD that `registry served` reads.
    details = b"kind: ImplementationListDetails\norganization: acme\nproject: operator\nfullName: Acme\n"
    crd = b"kind: CustomResourceDefinition\nmetadata: {annotations: {gateway.networking.k8s.io/bundle-version: v1.98.0}}\n"
    crd += b"spec:\n  group: gateway.networking.k8s.io\n  names: {kind: Gateway, plural: gateways}\n  versions:\n"
    crd += b"  - {name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {properties: {x: {}}}}}}}\n"
    found = {f"sources/v1.98.0/config/crd/{channel}/x.yaml": {"": crd} for channel in ["standard", "experimental"]}
    found |= {"objects.yaml": objects, "classes.yaml": below(root, "tests/integration/support/dump.yaml")}
    found |= {"run.log": below(root, "examples/verify/*.log"), "reports/gwconform.toml": below(root, *settings)}
    (made / "facts.json").write_text(facts[1])
    gwconform("registry", "import", f"{made}/facts.json", "--release", "v1.98.0", "--out", f"{made}/v1.98.0.json")
    found |= {"facts.json": below(made, "facts.json"), "facts/v1.98.0.json": below(made, "v1.98.0.json")}
    found |= {"statements/a.json": below(made, "s*.json"), "baseline.json": below(made, "b*.json")}
    found["list/a/details.yaml"] = {"": details}
    return {path: list(files.values()) for path, files in found.items()}, below(made, ".git/**/*")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--binary", required=True, type=os.path.abspath)
parser.add_argument("--minutes", type=float, default=10)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
parser.add_argument("--only", default="")
options = parser.parse_args()
corpus = pathlib.Path(os.environ.get("GWCONFORM_CORPUS") or root / "../shared/corpus", "gateway-api/conformance/reports")
with tempfile.TemporaryDirectory() as name:
    made = pathlib.Path(name)
    sources, repository = all_sources(made)
    gwconform("man", "--out", str(made / "man"))
    pages = {path.stem.replace("-", " "): path.read_text().replace(r"\-", "-") for path in made.glob("man/gwconform-*.1")}
trees = [root / "reports", *sorted(root.glob("tests/trees/*/reports")), corpus]
folders = [(tree, folder) for tree in trees for folder in sorted(tree.glob("v*/*"))]
submissions = [below(tree, f"{folder.relative_to(tree)}/*.*") for tree, folder in folders]
submissions = [{f"reports/{path}": data for path, data in files.items()} for files in submissions]
pages = {name.removeprefix("gwconform "): page for name, page in sorted(pages.items())}
commands = [words for words in all_commands(pages) if words[0].startswith(options.only)]
described = values(pages["schema"], r"\[\\fIOF")
printed_by = {name: "".join(re.findall("^Output of `(.*?)`", text)) for name, text in described.items()}
printed_by = {name: set(text.split()) - {"--format", "json"} for name, text in printed_by.items()}
validators = {name: jsonschema.Draft202012Validator(json.loads(gwconform("schema", name))) for name in described}
# The schema of SARIF is a file of a crate.
command = ["cargo", "metadata", "--locked", "--format-version=1", "--manifest-path=tests/sarif/Cargo.toml"]
packages = json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)["packages"]
[crate] = [pathlib.Path(package["manifest_path"]).parent for package in packages if package["name"] == "serde-sarif"]
validators["sarif"] = jsonschema.Draft7Validator(json.loads((crate / "src/schema.json").read_bytes()))
seen, succeeded, counts, runs, kept = set(), set(), collections.Counter(), 0, root / "target/mutate"
shutil.rmtree(kept, ignore_errors=True)
print(f"seed {options.seed}: {len(commands)} commands and formats, {len(submissions)} submissions", flush=True)
end = time.monotonic() + options.minutes * 60
with multiprocessing.get_context("fork").Pool(2) as pool:
    while time.monotonic() < end:
        for number, line, key, words, found, files in pool.imap_unordered(run, range(runs, runs + 100)):
            succeeded.add(line)
            counts[key] += found != ""
            if counts[key] == 1:
                write(kept / str(number), files)
                command = " ".join(word if word in STDIN else shlex.quote(word) for word in [options.binary, *words])
                print(f"\n{found}\n  cd {kept / str(number)} && {command}", flush=True)
        runs += 100
print(f"\nseed {options.seed}: {runs} runs, {counts.total()} failures")
for (command, reason), count in (+counts).most_common():
    print(f"{count:6}  {command}: {reason}")
# A line whose runs all fail tests nothing.
useless = {words[0] for words in commands} - succeeded if runs > 50 * len(commands) else set()
for line in sorted(useless):
    print(f"no run of `{line}` ended with exit code 0 or 1")
if not corpus.is_dir():
    print("corpus: not run (set GWCONFORM_CORPUS)")
raise SystemExit(bool(counts.total() or useless))
