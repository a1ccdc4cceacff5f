# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of a CTS build and turns their output files into one result per sub-test."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PASS, SKIP, FAIL, CRASH, TIMEOUT = "pass", "skip", "fail", "crash", "timeout"


@dataclass
class Result:
    outcome: str
    reason: str = ""


@dataclass
class Setting:
    cts: Path  # test_conformance/ of a CTS build
    icd: Path  # the driver's shared object
    loader: Path | None  # directory of libOpenCL.so.1, or None for the system's
    logs: Path
    suite_timeout: float
    test_timeout: float
    wimpy: bool = True
    environment: dict[str, str] = field(default_factory=dict)  # variables of the driver, as LANEWISE_VECTORIZE
    compilation: tuple[str, ...] = ()  # arguments for programs that are compiled ahead of time


class Run:
    """A working directory and an environment for one suite."""

    def __init__(self, setting: Setting, suite):
        self.setting = setting
        self.suite = suite
        self.program = setting.cts / suite.program
        if not os.access(self.program, os.X_OK):
            raise FileNotFoundError(f"{self.program} is not built")
        self.directory = Path(tempfile.mkdtemp(prefix=f"lanewise-cts-{suite.name}-"))
        for asset in suite.assets:
            source = self.program.parent / asset
            if source.exists():
                (self.directory / asset).symlink_to(source)
        vendors = self.directory / "vendors"
        vendors.mkdir()
        (vendors / "driver.icd").write_text(f"{setting.icd}\n")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("CL_", "OCL_ICD_", "LANEWISE_"))}
        self.environment.update(OCL_ICD_VENDORS=str(vendors), XDG_CACHE_HOME=str(self.directory / "cache"))
        self.environment.update(suite.environment)
        if setting.wimpy:
            self.environment["CL_WIMPY_MODE"] = "1"
        if setting.loader:
            self.environment["LD_LIBRARY_PATH"] = str(setting.loader)
        self.environment.update(setting.environment)

    def further(self):
        return (*self.suite.arguments, *self.setting.compilation)

    def close(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def execute(self, arguments, timeout):
        """(exit status or None after a timeout, output, results as the harness wrote them)"""
        results = self.directory / "results.json"
        results.unlink(missing_ok=True)
        environment = dict(self.environment, CL_CONFORMANCE_RESULTS_FILENAME=str(results))
        log = self.directory / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [str(self.program), *arguments, *(() if arguments == [self.suite.listing] else self.further())],
                cwd=self.directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
        text = log.read_bytes().decode("utf-8", "replace").replace("\0", "")
        found = {}
        if results.exists():
            try:
                found = json.loads(results.read_text())["results"]
            except (ValueError, KeyError):
                pass  # written half: as good as not written
        return status, text, found

    def tests(self):
        _, text, _ = self.execute([self.suite.listing], 60)
        return re.findall(r"^\t([A-Za-z0-9_]+)$", text, re.MULTILINE)


def block_of(text, test):
    """The lines that a sub-test printed, with its verdict: "name...", output, "name passed"."""
    begin = re.search(rf"^{re.escape(test)}\.\.\.", text, re.MULTILINE)
    if not begin:
        return ""
    verdict = rf"^{re.escape(test)} (?:passed|FAILED|skipped|test not supported).*$"
    end = re.compile(verdict, re.MULTILINE).search(text, begin.end())
    return text[begin.end() : end.end() if end else len(text)]


def presentable(line):
    """The text without directories, which differ from machine to machine."""
    return re.sub(r"(?:/[\w.+-]+)+/([\w.+-]+)", r"\1", line)[:160]


def skip_reason(block):
    """The last line before the verdict that says why; the verdict itself if there is none."""
    lines = [line.strip() for line in block.splitlines() if re.search(r"skip|not support|unsupported", line, re.I)]
    told = [line for line in lines[:-1] if re.search(r"\s", line)] or lines[-1:]
    return presentable(told[-1]) if told else "the test skipped itself"


# Output of sub-tests that return at once and report a pass, because the device lacks the feature that they test.
LEFT_AT_ONCE = re.compile(
    r"^.*(?:Device does not support extended async copies|test not executed|[Ss]kipping (?:long )?test).*$", re.MULTILINE
)


def fail_reason(block):
    lines = [line.strip() for line in block.splitlines() if re.search(r"error|fail|mismatch|expected", line, re.I)]
    return presentable(lines[0]) if lines else "no message"


def verdict_of(text, test):
    """The verdict in the output of a run that ended before the results were written."""
    verdict = re.search(rf"^{re.escape(test)} (passed|FAILED|skipped|test not supported)", text, re.MULTILINE)
    if not verdict:
        return None
    return {"passed": PASS, "FAILED": FAIL}.get(verdict.group(1), SKIP)


def results_of(found, text, tests):
    """Results of the sub-tests that certainly ran to their end."""
    known = {}
    for test in tests:
        outcome = found.get(test) or verdict_of(text, test)
        if outcome == SKIP:
            known[test] = Result(SKIP, skip_reason(block_of(text, test)))
        elif outcome == FAIL:
            known[test] = Result(FAIL, fail_reason(block_of(text, test)))
        elif outcome == PASS:
            left = LEFT_AT_ONCE.search(block_of(text, test))
            known[test] = Result(SKIP, presentable(left[0].strip())) if left else Result(PASS)
    return known


def run_alone(run, test, arguments):
    status, text, found = run.execute(arguments, run.setting.test_timeout)
    known = results_of(found, text, [test])
    if status is None:
        result = Result(TIMEOUT, f"not done after {run.setting.test_timeout:.0f} s")
    elif status < 0:
        result = Result(CRASH, signal.Signals(-status).name)
    else:
        result = known.get(test, Result(FAIL, f"no result, exit status {status}"))
    return result, text


def run_pass(run, tests, single, further, log):
    """Runs all sub-tests in one process first; those without a result then run each in a process of its own."""
    # A program of one sub-test (conversions) takes a name as one of its own cases, and passes if there is no such case.
    status, text, found = run.execute([*([] if single else tests), *further], run.setting.suite_timeout)
    with log.open("a") as out:
        out.write(text)
    results = results_of(found, text, tests)
    for test in [test for test in tests if test not in results]:
        results[test], text = run_alone(run, test, [*([] if single else [test]), *further])
        with log.open("a") as out:
            out.write(f"\n##### {test} alone\n{text}")
    return results


def worse(first, second):
    """Combines two passes: a failure in one is a failure; a skip in one counts only if the other skipped too."""
    rank = {SKIP: 0, PASS: 1}
    return second if rank.get(second.outcome, 2) > rank.get(first.outcome, 2) else first


def run_each(setting, suite, wanted):
    """Runs sub-tests one by one and yields (sub-test, Result) after each; `wanted` is asked before each."""
    run = Run(setting, suite)
    setting.logs.mkdir(parents=True, exist_ok=True)
    log = setting.logs / f"{suite.name}.log"
    log.write_text("")
    try:
        listed = run.tests()
        for test in listed:
            reason = suite.reason_to_exclude(test)
            if (reason and not suite.lists_excluded) or not wanted(test):
                continue
            result = Result(SKIP, reason) if reason else None
            for further in () if reason else suite.passes:
                names = [] if len(listed) == 1 else [test]
                of_pass, text = run_alone(run, test, [*names, *further])
                result = worse(result, of_pass) if result else of_pass
                with log.open("a") as out:
                    out.write(f"\n##### {test} alone\n{text}")
            yield test, result
    finally:
        run.close()


def run_suite(setting, suite, only=None):
    """{sub-test: Result}"""
    run = Run(setting, suite)
    setting.logs.mkdir(parents=True, exist_ok=True)
    log = setting.logs / f"{suite.name}.log"
    log.write_text("")
    results = {}
    try:
        listed = run.tests()
        if not listed:
            raise RuntimeError(f"{suite.name}: the program lists no tests (no platform?)")
        chosen = []
        for test in listed:
            if only and test not in only:
                continue
            reason = suite.reason_to_exclude(test)
            if reason and suite.lists_excluded:
                results[test] = Result(SKIP, reason)
            elif not reason:
                chosen.append(test)
        for further in suite.passes if chosen else ():
            for test, result in run_pass(run, chosen, len(listed) == 1, list(further), log).items():
                results[test] = worse(results[test], result) if test in results else result
        return {test: results[test] for test in listed if test in results}
    finally:
        run.close()
