# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lanewise-report on a trace: report_test.py APPLICATION REPORT [FOLDER]. In a browser too, where there is Chromium; the
screenshots go to FOLDER, to look at."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from tool import Workplace, expect, expect_none, skip

#: What the page's background is, by Chromium's setting of preferredColorScheme.
SCHEMES = {"light": (1, "rgb(255, 255, 255)"), "dark": (0, "rgb(20, 23, 27)")}


def make_page(place, report):
    trace, page = (os.path.join(place.path, name) for name in ("run.json", "report.html"))
    place.run([place.app, "mixed"], LANEWISE_TRACE=trace)
    done = subprocess.run([sys.executable, report, trace, "-o", page, "--bandwidth", "20"], capture_output=True, text=True,
                          timeout=120)
    if "Plotly is missing" in done.stderr:
        skip("Plotly is not installed")
    assert done.returncode == 0, done.stderr
    refusals(place, report, trace)
    return pathlib.Path(page)


def refusals(place, report, trace):
    """One line, and no page of what is no trace of this driver's."""
    other = pathlib.Path(place.path, "other.json")
    for content in ('{"traceEvents": []}', '{"traceEvents": [{"ph": "X"}], "lanewise": {}}',
                    '{"traceEvents": [], "lanewise": 3}', "[]", "text"):
        other.write_text(content)
        refused([report, str(other)], "is no trace of LANEWISE_TRACE")
    refused([report, "/nowhere/run.json"], "cannot read /nowhere/run.json: No such file")
    refused([report, trace, "-o", "/nowhere/x.html", "--bandwidth", "20"], "cannot write /nowhere/x.html: No such file")
    for number in ("-3", "0", "nan", "fast"):
        refused([report, trace, "--bandwidth", number], "argument --bandwidth: invalid", 2)


def refused(command, words, code=1):
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=120)
    assert done.returncode == code and words in done.stderr and "Traceback" not in done.stderr, done


def check_text(text):
    expect(text, "<h2>What to change</h2>", "Neighbouring work-items access memory|Work-items access memory in steps",
           r"<td>(saxpy|strided)</td><td>\d", "<h2>Source</h2>", "kernel void strided", r"\^ .*strided")
    own = text.split("<script>")[0]
    expect_none(own, r"(src|href)=.http")
    assert re.search(r"<html lang=", own) and own.count("<h1>") == 1
    for target in re.findall(r"href=\"#(\w+)\"", own):
        assert f'id="{target}"' in own, target


def look(page, folder):
    """The charts are drawn, in the colours that the reader asks for."""
    for scheme, (setting, background) in SCHEMES.items():
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={page.parent}/profile",
                   f"--blink-settings=preferredColorScheme={setting}", "--virtual-time-budget=15000", "--window-size=1200,2600"]
        dom = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=240).stdout
        expect(dom.rsplit("<main>", 1)[1], 'id="time"[^>]*>.*main-svg', 'id="roofline"[^>]*>.*main-svg')
        assert f'data-drawn="{background}"' in dom, re.findall(r'data-drawn="[^"]*"', dom)
        picture = os.path.join(folder, f"report-{scheme}.png")
        subprocess.run([*command, f"--screenshot={picture}", page.as_uri()], capture_output=True, timeout=240)
        assert os.path.getsize(picture) > 20000, picture


def main():
    place = Workplace(sys.argv[1])
    page = make_page(place, sys.argv[2])
    check_text(page.read_text())
    if shutil.which("chromium") is None:
        print("not looked at: Chromium is not installed")
        return
    look(page, sys.argv[3] if len(sys.argv) > 3 else place.path)


main()
