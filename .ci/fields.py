#!/usr/bin/env python3
"""Writes schema/registry/fields.json, which contains all fields of the Gateway API and their allowed values.

    fields.py CRDS > schema/registry/fields.json

CRDS contains the folders `standard` and `experimental` of the newest release. Fields that earlier releases had are added
from `removed` in schema/registry/served.json.
"""

import json
import sys
from pathlib import Path

import yaml

REGISTRY = Path(__file__).resolve().parent.parent / "schema/registry"


def add(schema, fields):
    """Adds the fields of a schema. The value of a field is its fields, its allowed values, or null."""
    schema = schema.get("items", schema)
    for name, value in schema.get("properties", {}).items():
        inner = value.get("items", value)
        known = fields.get(name)
        if "properties" in inner:
            fields[name] = known if isinstance(known, dict) else {}
            add(inner, fields[name])
        elif "enum" in inner and not isinstance(known, dict):
            fields[name] = sorted({*(known or []), *inner["enum"]})
        else:
            fields.setdefault(name, None)


def main():
    kinds = {}
    for path in sorted(Path(sys.argv[1]).glob("*/*.yaml")):
        for crd in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            if not crd or crd.get("kind") != "CustomResourceDefinition":
                continue
            fields = kinds.setdefault(crd["spec"]["names"]["kind"], {})
            for version in crd["spec"]["versions"]:
                add(version["schema"]["openAPIV3Schema"]["properties"].get("spec", {}), fields)
    for release in json.loads((REGISTRY / "served.json").read_text(encoding="utf-8")).values():
        for kind, served in release.items():
            for path in [*served.get("removed", []), *served.get("added", []), *served.get("experimentalFields", [])]:
                *above, last = path.replace("[]", "").split(".")[1:]
                fields = kinds.setdefault(kind, {})
                for name in above:
                    if not isinstance(fields.get(name), dict):
                        fields[name] = {}
                    fields = fields[name]
                fields.setdefault(last, None)
    # ListenerSet was an experimental kind with another name.
    kinds["XListenerSet"] = kinds["ListenerSet"]
    lines = [f"  {json.dumps(kind)}: {json.dumps(fields, sort_keys=True)}" for kind, fields in sorted(kinds.items())]
    print("{\n" + ",\n".join(lines) + "\n}")


main()
