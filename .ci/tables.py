#!/usr/bin/env python3
"""Compares pages of `export tables-docsy` with pages of the generator of the Gateway API.

    .ci/tables.py GENERATOR REPOSITORY OURS DATA

GENERATOR   the unmodified generator, whose function for column names is used
REPOSITORY  the folder in which the generator has run
OURS        the folder that `export tables-docsy` has written
DATA        the folder `api/v1` of the site

Prints one line for each row and reason, with all cells. A reason is derived from the reports, never from the two cells
alone. Fails if a difference has no reason.
"""

import collections
import html
import importlib.util
import json
import pathlib
import re
import sys

import yaml

generator, repository, ours_folder, data_folder = map(pathlib.Path, sys.argv[1:])
spec = importlib.util.spec_from_file_location("generator", generator)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

tree = repository / "conformance/reports"
theirs_folder = repository / "site/content/en/docs/implementations/versions"
all_reports = json.loads((data_folder / "reports.json").read_text())
all_matrices = [json.loads(path.read_text()) for path in sorted(data_folder.glob("matrix/*/*.json"))]
# Split files have empty lists, and their parts are not read here.
assert all_matrices and not any("parts" in one for one in [all_reports, *all_matrices])
counts = collections.Counter()
unexplained = []

# The profiles that the generator reads, and the headings of their tables.
PARTS = {
    "GATEWAY-HTTP": ("Gateway Profile", "HTTPRoute"), "HTTP": ("Gateway Profile", "HTTPRoute"),
    "GATEWAY-GRPC": ("Gateway Profile", "GRPCRoute"), "GATEWAY-TLS": ("Gateway Profile", "TLSRoute"),
    "MESH-HTTP": ("Mesh Profile", "HTTPRoute"), "MESH": ("Mesh Profile", "HTTPRoute"),
}


def number(release):
    parts = [int(part) for part in re.findall(r"\d+", release)]
    return tuple((parts + [0, 0])[:3])


class Report:
    """A report as it is written, and as the generator's YAML parser reads it."""

    def __init__(self, path):
        text = (tree / path).read_text(encoding="utf-8-sig")
        self.path = path
        self.folder = path.split("/")[0]
        self.minor = "v{}.{}".format(*number(self.folder))
        self.exact = yaml.load(text, yaml.BaseLoader)
        self.read = yaml.safe_load(text)
        implementation = self.read["implementation"]
        self.owner = (str(implementation["organization"]), str(implementation["project"]))
        self.key = (*self.owner, str(implementation["version"]), str(self.read.get("mode")))

    def profile(self, name):
        return next((one for one in self.exact.get("profiles") or [] if one.get("name") == name), None)


def stated(profile, list_name):
    extended = (profile or {}).get("extended") or {}
    return set((extended.get(list_name) or []) if isinstance(extended, dict) else [])


def text_of(cell):
    cell = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", cell.strip())
    return html.unescape(cell)


def tables(path):
    """Header and rows of each table of a page by section and heading."""
    found, section, heading, header = {}, "", "", None
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("## "):
            section, header = line[3:], None
        elif line.startswith("### "):
            heading, header = line[4:], None
            found[section, heading] = ([], [])
        elif line.startswith("|") and section != "Results without a table":
            cells = [text_of(cell) for cell in line.strip("|").split("|")]
            if header is None:
                header = found[section, heading][0]
                header.extend(cells)
            elif not set(cells[0]) <= set(":-"):
                found[section, heading][1].append(cells)
    return found


def differ(place, reason, cells):
    """Records cells that differ, as (column, theirs, ours), with their reason."""
    for cell in cells:
        counts[reason or "UNEXPLAINED"] += 1
        if not reason:
            unexplained.append((place, cell))
    shown = collections.defaultdict(list)
    for column, theirs, ours in cells:
        shown[theirs, ours].append(column)
    for (theirs, ours), columns in shown.items():
        names = ", ".join(columns)
        print(f"{place}: {names}: {theirs or '(none)'} -> {ours or '(none)'}: {reason or 'UNEXPLAINED'}")


paths = sorted(str(path.relative_to(tree)) for path in tree.glob("v*/**/*.yaml"))
paths = [path for path in paths if not (tree / path.split("/")[0]).is_symlink()]
reports = {path: report for path in paths if (report := Report(path)).exact.get("profiles")}
report_of_id = {one["id"]: one for one in all_reports["reports"]}
latest = collections.defaultdict(dict)
for report in reports.values():
    known = latest[report.minor]
    known[report.owner] = max(known.get(report.owner, (0, 0, 0)), number(report.folder))


def why_no_page(minor):
    if number(minor) < (1, 0, 0):
        return "page: the generator skips releases before v1.0"
    profile = "HTTP" if number(minor)[:2] == (1, 0) else "GATEWAY-HTTP"
    own = [one for one in reports.values() if one.minor == minor and one.profile(profile)]
    return "page: the generator skips minors with fewer than 3 projects" if len({one.owner[1] for one in own}) < 3 else None


def why_no_row(report, profile, shown):
    """`shown` are the reports that the generator shows in the table."""
    if number(report.folder) < latest[report.minor][report.owner]:
        return "row: older patch releases of an implementation are hidden"
    rivals = [one for one in shown if one.key == report.key and one is not report]
    if any(one.exact.get("gatewayAPIChannel") != report.exact.get("gatewayAPIChannel") for one in rivals):
        return "row: channels are merged, and one report is lost"
    if rivals:
        return "row: reports with equal version and mode are merged, and one is lost"
    return None


def why_state(theirs, ours, state, feature, profile, report):
    supported, unsupported = stated(profile, "supportedFeatures"), stated(profile, "unsupportedFeatures")
    skipped = any((profile.get(level) or {}).get(name) for level in ["core", "extended"] for name in ["skippedTests", "failedTests"])
    is_silent = feature not in supported | unsupported
    if (theirs, ours) == ("❌", "–") and is_silent:
        return "cell: a feature that the report does not state is shown as unsupported"
    if theirs == "❌" and feature in supported and "mode" not in report.exact:
        return "cell: without a mode (v1.0), all supported features are shown as unsupported"
    if theirs == "❌" and is_silent:
        elsewhere = [one for one in report.exact["profiles"] if feature in stated(one, "supportedFeatures")]
        return "cell: supported in another profile of the report" if elsewhere else None
    if theirs == "✅" and feature in supported:
        if ours == "⚠" and state in ("skipped", "failed") and skipped:
            return "cell: supported, but tests were skipped or failed"
        if ours == "✅*" and state in ("not-seen", "partly-seen") and report.exact["gatewayAPIVersion"] in ("v1.6.0", "v1.6.1"):
            return "cell: supported, but tests had not finished when the report was written"
        if ours == "✅*" and state == "no-test":
            return "cell: supported, but no test of the profile proves it"
        if ours == "✅*" and state == "claimed":
            return "cell: supported, but the report does not fit its suite, so results are unknown"
    return None


def why_core(theirs, ours, profile, one, report):
    core = profile.get("core") or {}
    counted = core.get("statistics") or {}
    skipped, failed = int(counted.get("Skipped") or 0), int(counted.get("Failed") or 0)
    if (theirs, ours) == ("❌", "⚠") and core.get("result") == "partial" and skipped and not failed:
        return "core: skipped tests are shown like failed ones"
    if (theirs, ours) == ("✅", "✅*") and report.exact["gatewayAPIVersion"] in ("v1.6.0", "v1.6.1"):
        return "core: tests had not finished when the report was written"
    if theirs == "✅" and ours in ("⚠", "❌", "–") and one["status"] in ("contradictory", "unverified", "unreadable"):
        return "core: the report contradicts itself or its release, so it supports no verdict"
    if theirs == "❌" and ours == "✅" and core.get("result") is None:
        return "core: the result is not where the generator reads it"
    return None


def lines(cell):
    return [line for line in re.sub("</?b>", "", cell).split("<br>") if line]


def compare_notes(theirs, ours, profile, one, extended):
    """Reasons for the lines in which the cell Extended Features differs."""
    found = []
    theirs, ours = lines(theirs), lines(ours)
    their_lines, our_lines = [x for x in theirs if x not in ours], [x for x in ours if x not in theirs]
    core_skips = int(((profile.get("core") or {}).get("statistics") or {}).get("Skipped") or 0)
    known = {row["feature"] for row in extended}
    claims = stated(profile, "supportedFeatures") | stated(profile, "unsupportedFeatures")
    for line in our_lines:
        if "core tests skipped" in line and core_skips:
            found.append(("", line, "notes: skipped core tests are not shown"))
        elif line == f"No verdict: {one['status']}":
            found.append(("", line, "notes: contradictions are not shown"))
        elif line == "not stated" and not claims:
            found.append(("0/0 features", line, "notes: no statement is shown as 0/0"))
            their_lines = [x for x in their_lines if x != "0/0 features"]
        elif line.endswith(" features") and any(x.endswith(" features") for x in their_lines):
            other = next(x for x in their_lines if x.endswith(" features"))
            their_lines.remove(other)
            reason = "notes: features that the release does not have are counted" if claims - known else None
            rows = [row for row in extended if row["cells"][one["at"]]["state"] not in ("not-claimed", "not-stated", "not-in-release")]
            if not reason and {row["feature"] for row in rows} - claims:
                reason = "notes: features that another profile of the report states are not counted"
            found.append((other, line, reason))
        else:
            found.append(("", line, None))
    found.extend((line, "", None) for line in their_lines)
    return found


def compare_row(place, theirs, ours, table):
    their_header, our_header, profile_name, extended, one, report = table
    profile = report.profile(profile_name)
    features = dict(zip(our_header[7:], extended))
    row = dict(zip(our_header, ours))
    other = dict(zip(their_header, theirs))
    reasons = collections.defaultdict(list)
    row["Version"] = row["Version"].split("<br>")[0]
    for column in ["Organization", "Project", "Version", "Mode"]:
        if column in other and other[column] != row[column]:
            exact, read = report.exact["implementation"]["version"], report.read["implementation"]["version"]
            is_number = column == "Version" and str(read) == other[column] and exact == row[column]
            is_missing = column == "Mode" and "mode" not in report.exact and not row[column]
            reason = "cell: the version `1.20` is read as the number 1.2" if is_number else None
            reasons["cell: a missing mode is shown as ❌" if is_missing else reason].append((column, other[column], row[column]))
    if "Core" in other and other["Core"] != row["Core"]:
        reason = why_core(other["Core"], row["Core"], profile, one, report)
        reasons[reason].append(("Core", other["Core"], row["Core"]))
    if other["Extended Features"] != row["Extended Features"]:
        for left, right, reason in compare_notes(other["Extended Features"], row["Extended Features"], profile, one, extended):
            reasons[reason].append(("Extended Features", left, right))
    for column, feature in features.items():
        their_column = module.process_feature_name(feature["feature"])
        state = feature["cells"][one["at"]]["state"]
        if their_column in other and other[their_column] != row[column]:
            reason = why_state(other[their_column], row[column], state, feature["feature"], profile, report)
            reasons[reason].append((column, other[their_column], row[column]))
    for reason, cells in reasons.items():
        differ(place, reason, cells)


def compare_columns(place, theirs, ours, extended, shown, profile_name, minor):
    names = {module.process_feature_name(row["feature"]): row["feature"] for row in extended}
    our_names = dict(zip([row["feature"] for row in extended], ours[7:]))
    claims = [stated(one.profile(profile_name), name) for one in shown for name in ["supportedFeatures", "unsupportedFeatures"]]
    claims = set().union(*claims)
    for feature, name in our_names.items():
        assert name.replace(" ", "") == feature, (name, feature)
        other = module.process_feature_name(feature)
        if other not in theirs:
            reason = None if feature in claims else "column: no report of the table states the feature"
            differ(place, reason, [("column", "", name)])
        elif other != name:
            reason = "column: the generator loses letters of the name" if other.replace(" ", "") != feature else None
            differ(place, reason, [("column", other, name)])
    for name in theirs:
        if name in names or name in ours:
            continue
        features = [feature for feature in claims if module.process_feature_name(feature) == name]
        is_extended = any(feature in our_names for feature in features)
        reason = "column: the release has no such extended feature in the profile" if features and not is_extended else None
        differ(place, reason, [("column", name, "")])
    for name, is_hidden in [("Channel", True), ("Core", number(minor) < (1, 4, 0)), ("Mode", minor == "v1.0")]:
        if name not in theirs:
            reason = {"Channel": "column: the channel is not shown", "Core": "column: core results are hidden before v1.4", "Mode": "column: the mode is hidden in v1.0"}[name]
            differ(place, reason if is_hidden else None, [("column", "", name)])


def agreement(profile, cells):
    """The generator keeps one of several equal keys: the one whose statements and result it shows."""
    claims = {module.process_feature_name(one) for one in stated(profile, "supportedFeatures")}
    extended = profile.get("extended")
    is_partial = isinstance(extended, dict) and extended.get("result") == "partial"
    same = sum((cell == "✅") == (name in claims) for name, cell in cells.items())
    return same, is_partial == ("tests skipped" in cells["Extended Features"])


def compare_table(minor, part, theirs, matrix, ours):
    profile_name = matrix["profile"]
    place = f"{minor} {part[0].split()[0]} {part[1]}"
    extended = [row for row in matrix["features"] if row["level"] == "extended"]
    columns = []
    for at, one in enumerate(matrix["reports"]):
        columns.append({**one, "at": at, "raw": reports[report_of_id[one["report"]]["path"]]})
    rows = list(zip(columns, ours[1]))
    assert len(columns) == len(ours[1]), place
    header = theirs[0]
    by_key = collections.defaultdict(list)
    for pair in rows:
        by_key[pair[0]["raw"].key].append(pair)
    shown, pairs = [], []
    for row in theirs[1]:
        cells = dict(zip(header, row))
        mode = cells.get("Mode", "None").replace("❌", "None")
        candidates = by_key[cells["Organization"], cells["Project"], cells["Version"], mode]
        candidates = [pair for pair in candidates if pair[0]["raw"] not in shown]
        if not candidates:
            differ(f"{place} {' '.join(row[:4])}", None, [("row", "shown", "")])
            continue
        newest = max(number(pair[0]["raw"].folder) for pair in candidates)
        candidates = [pair for pair in candidates if number(pair[0]["raw"].folder) == newest]

        best = max(candidates, key=lambda pair: agreement(pair[0]["raw"].profile(profile_name), cells))
        shown.append(best[0]["raw"])
        pairs.append((row, best))
    compare_columns(place, header, ours[0], extended, shown, profile_name, minor)
    for row, (one, own) in pairs:
        compare_row(f"{place} {' '.join(own[:5])}", row, own, (header, ours[0], profile_name, extended, one, one["raw"]))
    for one, own in rows:
        if one["raw"] not in shown:
            differ(f"{place} {' '.join(own[:5])}", why_no_row(one["raw"], profile_name, shown), [("row", "", "shown")])


cells = 0
for path in sorted(ours_folder.glob("v*.md"), key=lambda path: number(path.stem), reverse=True):
    minor = path.stem
    ours, theirs = tables(path), tables(theirs_folder / path.name)
    matrices = [one for one in all_matrices if one["minor"] == minor]
    for matrix in matrices:
        part = PARTS.get(matrix["profile"])
        if not theirs or part not in theirs:
            reason = why_no_page(minor) if not theirs else "row: the generator does not read the profile"
            if theirs and part and number(minor)[:2] != (1, 0) and part in theirs:
                reason = None
            for one in matrix["reports"]:
                differ(f"{minor} {matrix['profile']} {one['report']}", reason, [("row", "", "shown")])
            continue
        cells += sum(len(row) for row in theirs[part][1])
        compare_table(minor, part, theirs[part], matrix, ours[part])

print()
for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
    print(f"{count:6}  {reason}")
print(f"{sum(counts.values()):6}  differences; the generator shows {cells} cells")
print(f"{len(unexplained):6}  unexplained")
sys.exit(bool(unexplained))
