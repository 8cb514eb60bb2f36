#!/usr/bin/python3
"""Writes docs/benchmarks.md and its plots from the rows that script/bench SUITE --json wrote.

    report.py RESULTS DOCS        RESULTS holds a file SUITE.json for each suite; DOCS is the folder of the page
"""
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

OURS = "#2a6f97"
WORSE = "#c8553d"


def rows_of(file):
    return [json.loads(line) for line in file.read_text().splitlines() if line]


def number(value):
    """Four significant digits, without an exponent."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def machine():
    """What the figures depend on, one fact a line."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    memory = next(int(line.split()[1]) for line in Path("/proc/meminfo").read_text().splitlines()
                  if line.startswith("MemTotal"))
    system = next((line.split("=", 1)[1].strip('"') for line in Path("/etc/os-release").read_text().splitlines()
                   if line.startswith("PRETTY_NAME=")), "unknown system")
    return [
        f"{model}, {os.cpu_count()} cores, {memory / (1 << 20):.0f} GiB",
        f"{system}, Linux {platform.release()}",
        first_line("swift", "--version"),
    ]


def plot(suite, rows, file):
    """One bar a row: how many times better we are, on a logarithmic scale around 1."""
    labels = [f"{row['case']} · {row['metric']} · {row['rival']}" for row in rows]
    ratios = [max(row["ratio"], 1e-3) for row in rows]
    figure, axes = plt.subplots(figsize=(8, 0.32 * len(rows) + 1.1), layout="constrained")
    places = range(len(rows))
    axes.barh(places, [ratio - 1 for ratio in ratios], left=1, height=0.62,
              color=[OURS if ratio >= 1 else WORSE for ratio in ratios])
    axes.set_xscale("log")
    axes.set_xlim(min(0.5, *(r * 0.8 for r in ratios)), max(2.0, *(r * 1.35 for r in ratios)))
    axes.axvline(1, color="#222222", linewidth=1)
    axes.set_yticks(list(places), labels, fontsize=8)
    axes.invert_yaxis()
    ticks = [tick for tick in (0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64) if axes.get_xlim()[0] <= tick <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    for place, ratio in zip(places, ratios):
        axes.annotate(f"{ratio:.2f}", (max(ratio, 1), place), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8)
    axes.set_xlabel("times better than the rival", fontsize=9)
    axes.set_title(suite, fontsize=10, loc="left")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def section(suite, rows):
    lines = [f"## {suite}", "", f"![{suite}: how many times better than each rival](benchmarks/{suite}.svg)", ""]
    has_goals = any("goal" in row for row in rows)
    goal_head, goal_rule = (" goal |", " ---: |") if has_goals else ("", "")
    lines += [f"| case | metric | Kuva | rival | theirs | times better |{goal_head} spread |",
              f"| --- | --- | ---: | --- | ---: | ---: |{goal_rule} ---: |"]
    for row in rows:
        unit = row["unit"]
        goal = f" {row['goal']:.2f} |" if "goal" in row else " |" if has_goals else ""
        lines.append(f"| {row['case']} | {row['metric']} | {number(row['ours'])} {unit} | {row['rival']} "
                     f"| {number(row['theirs'])} {unit} | {row['ratio']:.2f} |{goal} {row['spread']:.2f} |")
    return lines + [""]


def main(results, docs, is_quick):
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "kuva", "font.family": "sans-serif"})
    files = sorted(results.glob("*.json"))
    if not files:
        sys.exit(f"report.py: there is no result in {results}")
    plots = docs / "benchmarks"
    plots.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Benchmarks",
        "",
        "Written by `script/bench report`, which measures everything anew and then writes this page; nothing here is",
        "typed in. Each figure is the median of several runs, ours and the rival's in turns. *Times better* is above 1",
        "where we are ahead, whichever way the metric runs. *Spread* is the slowest of our runs over the fastest: where",
        "it is large, something else had the machine. The rival `goal` is a fixed figure that we set ourselves; the column",
        "*goal* says how many times better than another rival we want to be.",
        "",
        *(["This is a run with `--quick`: fewer pictures, entries and seconds.", ""] if is_quick else []),
    ]
    lines += [f"- {fact}" for fact in machine()] + [""]
    for file in files:
        rows = rows_of(file)
        if not rows:
            continue
        plot(file.stem, rows, plots / f"{file.stem}.svg")
        lines += section(file.stem, rows)
    (docs / "benchmarks.md").write_text("\n".join(lines).rstrip("\n") + "\n")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["--quick"]):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), bool(sys.argv[3:]))
