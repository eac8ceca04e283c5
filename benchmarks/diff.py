#!/usr/bin/env python3
"""The comparison of two PaddlePaddle op descriptions as one would write it in Python: prints how many findings break.

    python3 diff.py OLD.spec NEW.spec
"""
import json
import sys


def part(item, other):
    """What one side does not say of itself, the other says for it: files before 2.2 have no parts."""
    other = other or {}
    extra, quant = (item.get(key, other.get(key)) for key in ("extra", "quant"))
    return "extra" if extra else "quant" if quant else "def"


def breaks_of(kind, old, new):
    """What breaks among the items of one kind of an operator that both sides have."""
    count = 0
    for name, item in old.items():
        now = new.get(name)
        was = part(item, now)
        if was == "extra":
            continue
        if now is None or part(now, item) == "extra":
            count += 1
            continue
        fields = ("duplicable", "dispensable", "intermediate") if kind != "Attrs" else ("type", "generated")
        count += sum(item[field] != now[field] for field in fields)
        count += was != part(now, item)
        if kind == "Attrs" and item["type"] == now["type"]:
            count += repr(item["default_value"]) != repr(now["default_value"])
    for name, item in new.items():
        before = old.get(name)
        added = before is None or part(before, item) == "extra"
        if added and part(item, before) != "extra":
            count += item["default_value"] is None if kind == "Attrs" else not item["dispensable"]
    return count


def main():
    with open(sys.argv[1]) as file:
        old = json.load(file)
    with open(sys.argv[2]) as file:
        new = json.load(file)
    count = 0
    for name, op in old.items():
        if name.startswith("_"):
            continue
        if name not in new:
            count += 1
            continue
        count += sum(breaks_of(kind, op[kind], new[name][kind]) for kind in ("Inputs", "Outputs", "Attrs"))
    print(count)


main()
