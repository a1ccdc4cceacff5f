# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rules of the Trace Event Format (Google, 2016), as far as LANEWISE_TRACE uses it."""
import bisect
import json

#: What each phase must have beside ph, pid and tid.
MEMBERS = {"X": {"ts", "dur", "name", "cat"}, "M": {"name", "args"}, "i": {"ts", "name", "s"}, "s": {"ts", "id", "name", "cat"},
           "f": {"ts", "id", "name", "cat", "bp"}, "b": {"ts", "id", "name", "cat"}, "e": {"ts", "id", "name", "cat"}}


def load(path):
    with open(path) as file:
        trace = json.load(file)
    events = trace["traceEvents"]
    assert events, "no events"
    for event in events:
        assert event["ph"] in MEMBERS, event
        missing = (MEMBERS[event["ph"]] | {"pid", "tid"}) - event.keys()
        assert not missing, (missing, event)
        assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, event
    check_slices(events)
    check_pairs(events)
    check_flows(events)
    check_names(events)
    return trace


def check_slices(events):
    """Slices of one thread are inside of each other or apart."""
    threads = {}
    for event in (e for e in events if e["ph"] == "X"):
        threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"], event["name"]))
    for slices in threads.values():
        open_ends = []
        for begin, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
            while open_ends and open_ends[-1] <= begin + 0.0005:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1] + 0.0015, ("slices overlap", name, begin, end, open_ends[-1])
            open_ends.append(end)


def check_pairs(events):
    """Asynchronous events begin before they end, and those of one id are nested."""
    stacks = {}
    for event in (e for e in events if e["ph"] in "be"):
        stack = stacks.setdefault((event["pid"], event["cat"], event["id"]), [])
        if event["ph"] == "b":
            assert not stack or stack[-1]["ts"] <= event["ts"] + 0.0005, event
            stack.append(event)
        else:
            begin = stack.pop()
            assert begin["name"] == event["name"] and begin["ts"] <= event["ts"], (begin, event)
    assert not any(stacks.values()), "an event has no end"


def check_flows(events):
    """Each flow has one begin and one end, both inside of slices of their threads, in this order."""
    ends, threads = {}, {}
    for event in (e for e in events if e["ph"] == "X"):
        threads.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
    for slices in threads.values():
        slices.sort()
    for event in (e for e in events if e["ph"] in "sf"):
        pair = ends.setdefault(event["id"], {})
        assert event["ph"] not in pair, event
        pair[event["ph"]] = event
        slices = threads.get((event["pid"], event["tid"]), [])
        last = bisect.bisect_right(slices, (event["ts"] + 0.0005, float("inf")))
        assert any(event["ts"] <= end + 0.0005 for _, end in reversed(slices[max(0, last - 100):last])), ("outside of every slice", event)
    for pair in ends.values():
        assert pair.keys() == {"s", "f"} and pair["s"]["ts"] <= pair["f"]["ts"], pair


def check_names(events):
    """Each process and each thread with slices has a name."""
    named = {(e["name"], e["pid"], e["tid"] if e["name"] == "thread_name" else 0) for e in events if e["ph"] == "M"}
    for event in (e for e in events if e["ph"] in "Xb"):
        assert ("process_name", event["pid"], 0) in named, event
        if event["ph"] == "X":
            assert ("thread_name", event["pid"], event["tid"]) in named, event
