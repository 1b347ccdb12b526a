#!/usr/bin/env python3
"""Writes schema/registry/references.json, which contains references for features, kinds and tests.

    references.py SOURCES > schema/registry/references.json

SOURCES contains a folder for each tag of the Gateway API, with `conformance/tests`, `pkg/features` and `config/crd`.
Only references in these sources are used. A proposal (GEP) belongs to a feature if its number appears in one of these
places:

- the comment of the feature
- the description of a field that requires the feature (schema/registry/needs.json)
- the source of a test of the feature
- a test of any tag that announces the proposal for the subject in the name of the feature

Missing references are omitted.
"""

import json
import re
import sys
from pathlib import Path

REGISTRY = Path(__file__).resolve().parent.parent / "schema/registry"
GROUP = "gateway.networking.k8s.io"
# GEP-1709 describes the suite and its profiles. Comments mention it only in that context.
NOT_OF_FEATURES = {1709}


def numbers(text):
    """Returns the numbers of the proposals in a text."""
    found = re.findall(r"\bGEP[- #]?(\d+)|/geps/gep-(\d+)", text, re.IGNORECASE)
    return {int(one or other) for one, other in found} - NOT_OF_FEATURES


def version(tag):
    return [int(part) for part in tag.lstrip("v").split(".")]


def tests(tag):
    """Yields the name, path (relative to conformance/tests) and source of each test of a tag."""
    folder = tag / "conformance/tests"
    for path in sorted(folder.rglob("*.go")):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'ShortName:\s*"([^"]+)"', text):
            yield name, path.relative_to(folder).as_posix(), text


def fields(crd):
    """Returns the description of each field in the newest version of a CRD, by path: field names joined with /."""
    found, path, described = {}, [], None
    for line in crd.splitlines():
        indent = len(line) - len(line.lstrip())
        if described is not None and (not line.strip() or indent > described):
            found[place] += " " + line.strip()
            continue
        described = None
        key = re.match(r"\s*(?:- )?([A-Za-z]\w*):(.*)", line)
        if not key:
            continue
        path = [(depth, name) for depth, name in path if depth < indent]
        if key[1] == "description":
            names = [name for _, name in path]
            place = "/".join(name for name in names if name not in ("properties", "items"))
            found[place], described = key[2], indent
        path.append((indent, key[1]))
    return found


def shown_by(entry):
    """Yields the kind and path of each field that requires a feature, without conditions on values."""
    for kinds, patterns in entry.get("where", {}).items():
        for pattern in patterns:
            plain = re.sub(r"\[[^]]*\]|[=!].*|\?$", "", pattern)
            for kind in kinds.split():
                yield kind, plain


def proposals(tag):
    """Returns the proposals of each feature of a tag."""
    found = {}
    for path in (tag / "pkg/features").glob("*.go"):
        text = path.read_text(encoding="utf-8")
        for comment, name in re.findall(r'((?:^\s*//.*\n)+)\s*Support\w+\s+FeatureName = "(\w+)"', text, re.M):
            found.setdefault(name, set()).update(numbers(comment))
    names = set(found)
    for test, _, text in tests(tag):
        # A test belongs to the feature that its name starts with.
        own = [name for name in names if test.startswith(name)]
        if own:
            found[max(own, key=len)].update(numbers(text))
    descriptions = {}
    for path in sorted((tag / "config/crd/experimental").glob("*.yaml")):
        crd = path.read_text(encoding="utf-8")
        kind = re.search(r"^    kind: (\w+)$", crd, re.M)
        for place, text in fields(crd).items() if kind else ():
            place = place.partition("openAPIV3Schema/")[2]
            descriptions.setdefault((kind[1], place), set()).update(numbers(text))
    entries = json.loads((REGISTRY / "needs.json").read_text(encoding="utf-8"))["features"]
    for name in names & set(entries):
        for shown in shown_by(entries[name]):
            found[name].update(descriptions.get(shown, ()))
    return {name: sorted(all_of) for name, all_of in sorted(found.items()) if all_of}


def announced(tags):
    """Yields the subject (one word) and number of each future proposal that a test announces."""
    for tag in tags:
        for _, _, text in tests(tag):
            for word, number in re.findall(r"\badd (\w+) support to Gateway API \(future GEP-(\d+)\)", text):
                yield word.capitalize(), int(number)


def with_announced(proposals, names, tags):
    """Adds announced proposals to each feature whose name contains the subject as a word."""
    found = {name: set(numbers) for name, numbers in proposals.items()}
    for subject, number in set(announced(tags)):
        for name in names:
            if subject in re.findall(r"[A-Z][a-z]+", name):
                found.setdefault(name, set()).add(number)
    return {name: sorted(found[name]) for name in sorted(found)}


def feature_names(tag):
    """Returns the names of the features of a tag."""
    sources = (path.read_text(encoding="utf-8") for path in (tag / "pkg/features").glob("*.go"))
    return {name for text in sources for name in re.findall(r'^\s*Support\w+\s+FeatureName = "(\w+)"', text, re.M)}


def kinds(tag):
    """Returns the reference of each kind, with the newest version in the CRD of the standard channel."""
    found = {}
    for path in sorted((tag / "config/crd/standard").glob("*.yaml")):
        crd = path.read_text(encoding="utf-8")
        kind = re.search(r"^    kind: (\w+)$", crd, re.M)
        versions = re.findall(r"^    name: (v\d\w*)$", crd, re.M)
        if kind and f"  group: {GROUP}\n" in crd and versions:
            newest = next((one for one in versions if re.fullmatch(r"v\d+", one)), versions[-1])
            found[kind[1]] = f"{GROUP}/{newest}.{kind[1]}"
    return found


def main():
    tags = sorted((path for path in Path(sys.argv[1]).iterdir() if path.is_dir()), key=lambda path: version(path.name))
    newest_of_test = {}
    for tag in tags:
        for name, path, _ in tests(tag):
            newest_of_test[name] = (tag.name, path)
    by_tag = {}
    for name, (tag, path) in sorted(newest_of_test.items()):
        by_tag.setdefault(tag, {})[name] = path
    references = {
        "proposals": with_announced(proposals(tags[-1]), feature_names(tags[-1]), tags),
        "reference": kinds(tags[-1]),
        "tests": {tag: by_tag[tag] for tag in sorted(by_tag, key=version)},
    }
    print(json.dumps(references, indent=2))


main()
