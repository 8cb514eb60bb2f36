#!/usr/bin/python3
"""Compares what works cost with their budgets.

usage: compare.py BUDGETS COUNTS [--accept]

BUDGETS   the budgets of one compiler: name, allocations and instructions of one work, separated by tabs
COUNTS    a folder with `allocations`, a line a work, and what callgrind wrote for each

Allocations must be as they were, instructions within 2 %. Prints the difference that would accept what is not so, and
exits with 1; with --accept, changes the file instead. A file that is not there judges nothing.
"""
import difflib
import pathlib
import re
import sys

TOLERANCE = 0.02


def counted(folder):
    """Allocations and instructions of one work, by name, in the order in which they were done."""
    instructions = {}
    for file in folder.glob("callgrind.*"):
        text = file.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (\S+)", text, re.M)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
        if name and total:
            instructions[name[1]] = int(total[1])
    rows = {}
    for line in (folder / "allocations").read_text().splitlines():
        name, times, blocks = line.split("\t")
        rows[name] = (f"{int(blocks) / int(times):g}", round(instructions[name] / int(times)))
    return rows


def main():
    budgets, folder, accepts = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), "--accept" in sys.argv[3:]
    old = budgets.read_text().splitlines() if budgets.exists() else []
    known = {line.split("\t")[0]: line.split("\t")[1:] for line in old[1:]}
    lines = ["work\tallocations\tinstructions"]
    for name, (allocations, instructions) in counted(folder).items():
        before = known.get(name)
        if before and abs(instructions - int(before[1])) <= int(before[1]) * TOLERANCE:
            instructions = int(before[1])
        lines.append(f"{name}\t{allocations}\t{instructions}")
    if accepts:
        budgets.write_text("\n".join(lines) + "\n")
        return 0
    if not old:
        print("\n".join(lines), f"\nno budgets in {budgets}: counted, not judged", sep="\n")
        return 0
    difference = list(difflib.unified_diff(old, lines, str(budgets), "counted now", lineterm="", n=0))
    print("\n".join(difference) if difference else f"{len(lines) - 1} works cost what they did")
    if difference:
        print("\nscript/budgets --accept makes this change; say in its commit why", file=sys.stderr)
    return 1 if difference else 0


sys.exit(main())
