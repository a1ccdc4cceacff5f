# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code blocks of the documents, and the commands in them.

A block is fenced and names its language. Comments right before it say what it is to a test; a reader does not see them:

    <!-- not run: REASON -->   its commands are not run
    <!-- file: PATH -->        it is the content of this file, which later commands read
    <!-- output -->            it is part of what the command before it prints
    <!-- exit: N -->           its commands end with this exit code

A block of language `sh` has commands. One of `console` has commands after "$ ", each with what it prints. In what a command
prints `...` stands for any text, and alone on a line for any lines. In a manual page a block is what .nf and .fi enclose,
and the comments begin with .\\".
"""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHELLS = ("sh", "console")
MARK = re.compile(r'^(?:<!--|\.\\") *(not run|file|output|exit)(?:: *(.*?))? *(?:-->)?$')


@dataclasses.dataclass
class Block:
    document: str
    line: int  # of its first line of content, from 1
    language: str
    text: list
    marks: dict = dataclasses.field(default_factory=dict)

    @property
    def place(self):
        return f"{self.document}:{self.line}"


@dataclasses.dataclass
class Command:
    line: int
    text: str
    printed: list  # None: not shown


def documents():
    """Paths of all documents, relative to the root."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/*.[1-9]"), *ROOT.glob("conformance/*.md"),
             *ROOT.glob("tests/**/*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def problems_of(document, text):
    """Code that no rule above covers, as lines for a person."""
    fenced = False
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        fence = re.match(r"\s*```(.*)", line)
        if fence:
            if not fenced and not fence[1]:
                yield f"{document}:{number}: a code block without a language; `text` for what is none"
            fenced = not fenced
        elif not fenced and re.match(r" {4,}\S", line) and not before.strip():
            yield f"{document}:{number}: an indented code block; fences name the language"
        before = line


def blocks(document):
    """The code blocks of a document, in order."""
    lines = (ROOT / document).read_text().split("\n")
    manual = not document.endswith(".md")
    marks, number = {}, 0
    while number < len(lines):
        line = lines[number]
        mark = MARK.match(line)
        begin = line == ".nf" if manual else re.match(r"```(\w+)", line)
        if mark:
            marks[mark[1]] = mark[2] or ""
        elif begin:
            end = lines.index(".fi" if manual else "```", number + 1)
            content = lines[number + 1:end]
            if manual:
                content = [text.replace("\\-", "-").replace("\\(aq", "'") for text in content]
            language = ("text" if "file" in marks else "sh") if manual else begin[1]
            yield Block(document, number + 2, language, content, marks)
            marks, number = {}, end
        elif line.strip():
            marks = {}
        number += 1


def commands(block):
    """The commands of a block of a shell, which may go on over several lines."""
    found = []
    prompt = block.language == "console"
    going_on = False
    for number, line in enumerate(block.text, block.line):
        if going_on:
            found[-1].text += "\n" + line
        elif prompt and line.startswith("$ "):
            found.append(Command(number, line[2:], []))
        elif prompt:
            found[-1].printed.append(line)
            continue
        elif not line.strip() or line.startswith("#"):
            continue
        else:
            found.append(Command(number, line, None))
        going_on = found[-1].text.split(" #")[0].rstrip().endswith(("\\", "|", "&&"))
    return found


def plain(line):
    """A line without what differs from run to run of a compiler: attributes, metadata, comments, white space."""
    line = re.sub(r"\s+(?:#\s.*|; preds = .*)$", "", line)
    line = re.sub(r",? !\w+(?:\.\w+)* !\d+| #\d+\b", "", line)
    return " ".join(line.split())


def pattern_of(line):
    """A regular expression for a line in which `...` is any text."""
    return ".*".join(re.escape(part) for part in plain(line).split("..."))


def shows(printed, expected):
    """True if the lines `printed` are those of `expected`, in which a line `...` stands for any number of lines."""
    text = "\n".join(plain(line) for line in printed if line.strip()) + "\n"
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else pattern_of(line) + r"\n" for line in expected
                      if line.strip())
    return re.fullmatch(pattern, text) is not None


def has_parts(printed, expected):
    """The first line of the stretches of `expected`, divided by lines `...`, that does not follow in `printed`; else None."""
    lines = [plain(line) for line in printed if line.strip() and not line.lstrip().startswith(("#dbg", "; Function Attrs"))]
    at = 0
    for stretch in "\n".join(expected).split("\n...\n"):
        wanted = [pattern_of(line) for line in stretch.split("\n") if line.strip() and line.strip() != "..."]
        while at + len(wanted) <= len(lines):
            if all(re.match(pattern, line) for pattern, line in zip(wanted, lines[at:])):
                break
            at += 1
        else:
            return stretch
        at += len(wanted)
    return None
