#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs suites of an existing build of the OpenCL conformance tests on a driver and compares with what they gave before.

    conformance/run_cts.py --cts CTS_BUILD --icd build/release/lib/liblanewise.so [suite | suite:test ...]

CTS_BUILD is a build directory of the CTS, or its test_conformance/. With --second-tier every launch waits for the code
of hot kernels (LANEWISE_TIER=2), which has expected results of its own. So has --full, without wimpy mode. What takes too
long for one run is run in slices: with --slice MINUTES only those sub-tests run that have no expected result yet, one by
one, and no more begin after that time; each result is stored at once, so that the next slice goes on there.

The exit status is 1 if a sub-test that passed
before does not pass now, if a new one fails, or if one is missing; 2 if the run itself was not possible.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is left in the source tree
sys.path.insert(0, str(Path(__file__).parent))
import harness  # noqa: E402
from harness import FAIL, PASS, SKIP, Result  # noqa: E402
from suites import DEFAULT, SUITES, explained  # noqa: E402

GOLDEN = Path(__file__).parent / "golden"
FULL = GOLDEN / "full"  # not in wimpy mode
SECOND_TIER = GOLDEN / "second_tier.json"  # of each suite that was run, the sub-tests that are different there
DOCUMENT = Path(__file__).parent.parent / "docs" / "conformance.md"
BEGIN, END = "<!-- cts: begin -->", "<!-- cts: end -->"


def load_second_tier():
    return json.loads(SECOND_TIER.read_text()) if SECOND_TIER.exists() else {}


def load_golden(suite, second_tier=False, full=False):
    """The expected results of a suite; None if it was never run."""
    path = (FULL if full else GOLDEN) / f"{suite}.json"
    different = load_second_tier().get(suite) if second_tier else {}
    if not path.exists() or different is None:
        return None
    return {test: Result(*entry) for test, entry in {**json.loads(path.read_text()), **different}.items()}


def entry_of(result):
    """A result as the golden files have it."""
    outcome = result.outcome if result.outcome in (PASS, SKIP) else FAIL
    return [outcome] if outcome == PASS else [outcome, result.reason]


def save_golden(suite, results, folder=GOLDEN):
    """Writes one line per sub-test, so that a difference between two versions is easy to read."""
    folder.mkdir(exist_ok=True)
    lines = [f"  {json.dumps(test)}: {json.dumps(entry_of(results[test]))}" for test in sorted(results)]
    (folder / f"{suite}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def save_full(suite, results):
    save_golden(suite, results, FULL)


def save_second_tier(suite, results):
    first = load_golden(suite) or {}
    entries = {test: entry_of(result) for test, result in sorted(results.items())}
    different = {t: e for t, e in entries.items() if t not in first or entry_of(first[t])[0] != e[0]}
    suites = {**load_second_tier(), suite: different}
    lines = [f"  {json.dumps(name)}: {json.dumps(suites[name])}" for name in sorted(suites)]
    SECOND_TIER.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def compare(results, golden, partial):
    """Two lists of lines: what has become worse, and what else is different."""
    worse, other = [], []
    for test, result in results.items():
        before = golden.get(test)
        now = result.outcome + (f" ({result.reason})" if result.reason else "")
        if before is None:
            (other if result.outcome in (PASS, SKIP) else worse).append(f"{test}: new, {now}")
        elif before.outcome == PASS and result.outcome != PASS:
            worse.append(f"{test}: passed, now {now}")
        elif before.outcome == SKIP and result.outcome not in (PASS, SKIP):
            worse.append(f"{test}: was skipped, now {now}")
        elif before.outcome != result.outcome and result.outcome in (PASS, SKIP):
            other.append(f"{test}: {before.outcome}, now {now}")
    if not partial:
        worse += [f"{test}: was there, now missing" for test in golden if test not in results]
    return worse, other


def count(results, outcome):
    return sum(1 for result in results.values() if result.outcome == outcome)


def table(all_results, second_tier=None, full=None):
    """A line for each suite; `second_tier` and `full` give the columns of those."""
    lines = ["| suite | sub-tests | pass | skip | fail |", "|---|---:|---:|---:|---:|"]
    if second_tier is not None:
        lines = [lines[0] + " pass, second tier | pass, full |", lines[1] + "---:|---:|"]
    for suite, results in all_results.items():
        passed, skipped = count(results, PASS), count(results, SKIP)
        failed = len(results) - passed - skipped
        line = f"| `{suite}` | {len(results)} | {passed} | {skipped} | {failed} |"
        if second_tier is not None:
            for column in (second_tier, full):
                line += f" {count(column[suite], PASS)} |" if suite in column else " |"
        lines.append(line)
    return lines


def reasons(all_results, wanted):
    """Sub-tests by reason: one line for each."""
    lines = []
    for suite, results in all_results.items():
        by_reason = {}
        for test, result in results.items():
            if wanted(result.outcome):
                by_reason.setdefault(explained(test, result.reason), []).append(test)
        for reason, tests in sorted(by_reason.items()):
            names = ", ".join(f"`{test}`" for test in sorted(tests))
            lines.append(f"- `{suite}`: {reason}: {names}")
    return lines


def write_document(path):
    """Writes the page from the golden files alone, so that it is the same on every machine."""
    found, full = {}, {}
    for name in SUITES:
        golden = load_golden(name)
        if golden is not None:
            found[name] = golden
        in_full = load_golden(name, full=True)
        if in_full is not None:
            full[name] = in_full
            found.setdefault(name, {})  # run in this mode only
    second = {name: load_golden(name, second_tier=True) for name in found if name in load_second_tier()}
    lines = [BEGIN, ""] + table(found, second, full)
    different = load_second_tier()
    only_second = {name: {test: second[name][test] for test in different[name]} for name in second}
    for title, results in (
        ("Known failures:", found),
        ("Known failures of the second tier only:", only_second),
        ("Known failures of full runs:", full),
    ):
        failed = reasons(results, lambda outcome: outcome not in (PASS, SKIP))
        if failed:
            lines += ["", title, ""] + failed
    lines += ["", "Skipped:", ""] + reasons(found, lambda outcome: outcome == SKIP)
    skipped = {
        name: {t: r for t, r in results.items() if found[name].get(t, Result(PASS)).outcome != SKIP}
        for name, results in full.items()
    }
    lines += [f"{line} (full runs)" for line in reasons(skipped, lambda outcome: outcome == SKIP)]
    lines += [f"- `{name}`, in every sub-test: {SUITES[name].left_out}" for name in found if SUITES[name].left_out]
    lines += ["", END]
    text = path.read_text() if path.exists() else f"# Conformance\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(before + "\n".join(lines) + after)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cts", type=Path, help="build directory of the CTS")
    parser.add_argument("--icd", type=Path, help="the driver, or an .icd file that names it")
    parser.add_argument("--loader", type=Path, help="directory of the libOpenCL.so.1 to use (default: the system's)")
    parser.add_argument("--logs", type=Path, default=Path("cts-logs"), help="where the programs' output goes")
    parser.add_argument("--suite-timeout", type=float, default=900, help="seconds for a suite in one process")
    parser.add_argument("--test-timeout", type=float, default=300, help="seconds for a sub-test alone")
    parser.add_argument("--second-tier", action="store_true", help="all launches run the code of hot kernels")
    parser.add_argument("--full", action="store_true", help="not in wimpy mode")
    parser.add_argument("--slice", type=float, metavar="MINUTES", help="goes on with what has no expected result")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="a variable for the driver")
    parser.add_argument("--compilation-mode", choices=("spir-v", "binary"), help="programs are compiled ahead of time")
    parser.add_argument("--compiler", type=Path, help="the lanewise-cc that does it")
    parser.add_argument("--update", action="store_true", help="take the results as the new golden ones")
    parser.add_argument("--document", action="store_true", help="write docs/conformance.md from the golden results")
    parser.add_argument("suites", nargs="*", metavar="suite[:test]", help="default: " + " ".join(DEFAULT))
    options = parser.parse_args()
    if not options.document and not (options.cts and options.icd):
        parser.error("--cts and --icd are needed")
    if any("=" not in variable for variable in options.env):
        parser.error("--env wants NAME=VALUE")
    if bool(options.compilation_mode) != bool(options.compiler):
        parser.error("--compilation-mode and --compiler belong together")
    if options.full and options.second_tier:
        parser.error("--full and --second-tier have expected results of their own, and none together")
    if (options.env or options.compiler) and (options.update or options.slice):
        parser.error("the golden results are those of the driver as it is, without --env and --compilation-mode")
    return options


def chosen_suites(names):
    chosen = {}
    for name in names or DEFAULT:
        suite, _, test = name.partition(":")
        if suite not in SUITES:
            sys.exit(f"no suite {suite}; known: {' '.join(SUITES)}")
        chosen.setdefault(suite, []).extend([test] if test else [])
    return chosen


def setting_of(options):
    cts = options.cts.resolve()
    if (cts / "test_conformance").is_dir():
        cts = cts / "test_conformance"
    icd = options.icd.resolve()
    if icd.suffix == ".icd":
        icd = Path(icd.read_text().strip())
    loader = options.loader.resolve() if options.loader else None
    environment = {"LANEWISE_TIER": "2"} if options.second_tier else {}
    environment.update(variable.split("=", 1) for variable in options.env)
    compilation = ()
    if options.compiler:
        program = options.compiler.resolve()
        # The driver validates each module itself.
        compilation = ("--compilation-mode", options.compilation_mode, "--compilation-program", str(program))
        compilation += ("--disable-spirv-validation",)
    return harness.Setting(
        cts,
        icd,
        loader,
        options.logs.resolve(),
        options.suite_timeout,
        options.test_timeout,
        not options.full,
        environment,
        compilation,
    )


def saver_of(options):
    return save_second_tier if options.second_tier else save_full if options.full else save_golden


def run_slice(options, setting, name, only, end):
    """Stores what sub-tests without an expected result give. Returns what ran, and whether something did not pass."""
    save = saver_of(options)
    known = load_golden(name, options.second_tier, options.full) or {}
    ran = {}

    def is_next(test):
        return test not in known and (not only or test in only) and time.monotonic() < end

    for test, result in harness.run_each(setting, SUITES[name], is_next):
        print(f"{name}: {test}: {result.outcome} {result.reason}", flush=True)
        ran[test] = result
        if result.outcome != harness.TIMEOUT:  # with more time it may have a result
            known[test] = result
            save(name, known)
    return ran, any(result.outcome not in (PASS, SKIP) for result in ran.values())


def main():
    options = parse()
    status = 0
    if options.cts:
        setting = setting_of(options)
        done = {}
        slice_end = time.monotonic() + 60 * (options.slice or 0)
        for name, only in chosen_suites(options.suites).items():
            began = time.monotonic()
            if options.slice:
                done[name], bad = run_slice(options, setting, name, only, slice_end)
                status = max(status, int(bad))
                continue
            try:
                results = harness.run_suite(setting, SUITES[name], only)
            except (FileNotFoundError, RuntimeError) as problem:
                print(f"{name}: {problem}")
                status = 2
                continue
            done[name] = results
            failed = {t: r for t, r in results.items() if r.outcome not in (PASS, SKIP)}
            print(
                f"{name}: {count(results, PASS)} pass, {count(results, SKIP)} skip, {len(failed)} fail,"
                f" {time.monotonic() - began:.0f} s",
                flush=True,
            )
            for test, result in failed.items():
                print(f"  {test}: {result.outcome}: {result.reason}")
            golden = load_golden(name, options.second_tier, options.full)
            worse, other = compare(results, golden or {}, bool(only))
            for line in worse:
                print(f"  WORSE {line}")
            for line in other if golden else []:
                print(f"  other {line}")
            if worse and not options.update:
                status = max(status, 1)
            if options.update:
                saver_of(options)(name, {**(golden or {}), **results} if only else results)
        if options.env:
            print("\nwith " + " ".join(options.env), end="")
        if options.compilation_mode:
            print(f"\nby way of {options.compilation_mode}", end="")
        print("\n" + "\n".join(table(done)))
    if options.document or options.update or options.slice:
        write_document(DOCUMENT)
    return status


if __name__ == "__main__":
    sys.exit(main())
