# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation, their blocks of code, and the names of the tests that they speak of.

A block says how it is tested by its language and, where that does not suffice, by a comment on the line before it:

    cpp     <!-- test: prelude=NAME -->      compiled and run in the middle of preludes/NAME.cpp
    cmake   <!-- test: prelude=NAME -->      the end of a project's CMakeLists.txt that begins with preludes/NAME.cmake
    python                                   run
            <!-- test: needs=gpu -->         run with PyTorch on a GPU, and elsewhere on the CPU with NumPy in its place
    sh                                       run
            <!-- test: options -->           not run; its programs must have the options that are used
    math, text                               no code
    any     <!-- test: exempt: REASON -->    not tested

Blocks that run find the files of inputs.py, and must leave every file that they name.
"""

import ast
import dataclasses
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = ("cpp", "cmake", "python", "sh", "math", "text")


class PageError(Exception):
    """An error on a page; the message begins with the place."""


@dataclasses.dataclass
class Block:
    """A block of code: its page, the number of its first line of code, its text, and how it is tested."""

    page: pathlib.Path
    line: int
    language: str
    code: str
    mark: dict

    @property
    def place(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def prelude(self):
        return HERE / "preludes" / f"{self.mark['prelude']}.{self.language}"

    def files(self):
        """The names of files that the block mentions."""
        return sorted(set(re.findall(r"[\w-]+\.(?:nii\.gz|tfm|h5|json|mha)\b", self.code)))


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "Documentation").glob("*.md"))]


def parse_mark(text, place):
    """Parses the comment before a block."""
    if not text:
        return {}
    if text == "options":
        return {"options": True}
    match = re.fullmatch(r"exempt: (\S.*)", text)
    if match:
        return {"exempt": match[1]}
    match = re.fullmatch(r"(prelude|needs)=(\w+)", text)
    if not match:
        raise PageError(f'{place}: "test: {text}" is unknown; known are prelude=NAME, needs=gpu, options, exempt: REASON')
    return {match[1]: match[2]}


def check_block(block):
    """Checks that a block has a known language and a mark that this language accepts, so that no block is left out."""
    accepted = {"cpp": {"prelude"}, "cmake": {"prelude"}, "python": {"needs"}, "sh": {"options"}, "math": set(), "text": set()}
    if block.language not in LANGUAGES:
        raise PageError(f'{block.place}: the language is "{block.language}"; accepted are {", ".join(LANGUAGES)}')
    unknown = set(block.mark) - accepted[block.language] - {"exempt"}
    if unknown:
        raise PageError(f'{block.place}: a block of {block.language} cannot be marked as "{unknown.pop()}"')
    if block.language in ("cpp", "cmake") and not block.mark:
        raise PageError(f"{block.place}: the block needs a comment <!-- test: prelude=NAME --> before it")
    if block.mark.get("needs", "gpu") != "gpu":
        raise PageError(f'{block.place}: the block can need "gpu", not "{block.mark["needs"]}"')


def blocks_of(page, text=None):
    """The blocks of a page; raises a PageError for a block that no test would find."""
    lines = (page.read_text(encoding="utf-8") if text is None else text).splitlines()
    found, fence, mark, in_list = [], None, "", False
    for number, line in enumerate(lines, 1):
        if fence is not None:
            if line.strip() == "```":
                fence.code = "".join(fence.code)
                check_block(fence)
                found.append(fence)
                fence = None
            else:
                fence.code.append(line + "\n")
            continue
        place = f"{page.relative_to(ROOT)}:{number}"
        start = re.match(r"\s*(```+|~~~+)\s*(\S*)", line)
        comment = re.fullmatch(r"<!--\s*test:\s*(.*?)\s*-->", line.strip())
        if start:
            fence = Block(page, number + 1, start[2], [], parse_mark(mark, place))
        elif mark:
            raise PageError(f"{place}: a block must follow the comment on how it is tested")
        elif line.startswith("    ") and line.strip() and not in_list:
            raise PageError(f"{place}: an indented block has no language; write it between ``` and ```")
        mark = comment[1] if comment else ""
        if line.strip() and not line.startswith(" "):
            in_list = bool(re.match(r"(-|\*|\d+\.) ", line))
    if fence is not None:
        raise PageError(f"{fence.place}: the block does not end")
    return found


def blocks(language):
    """All blocks of a language that are tested."""
    return [b for page in pages() for b in blocks_of(page) if b.language == language and "exempt" not in b.mark]


def commands(block):
    """The command lines of a block of sh, each as a list of words."""
    lines = re.sub(r"\\\n", " ", block.code).splitlines()
    return [words for words in (shlex.split(line, comments=True) for line in lines) if words]


def script_options(script):
    """The options of a script in Python, which may take them from a module beside it."""
    found = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            found.update(a.value for a in node.args if isinstance(a, ast.Constant) and str(a.value).startswith("-"))
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None)]
            modules = [script.with_name(f"{name}.py") for name in names if name]
            found.update(option for module in modules if module.exists() for option in script_options(module))
    return found


# Links.


def anchors(text):
    """The anchors of a page's headings, as GitHub names them."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    names = []
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        names.append(f"{name}-{names.count(name)}" if name in names else name)
    return set(names)


def links(text):
    """The targets of a page's links and pictures, each with the number of its line."""
    text = re.sub(r"^```.*?^```$", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    return [(text.count("\n", 0, m.start()) + 1, m[1]) for m in re.finditer(r"\]\(([^()\s]*)\)", text)]


def broken(page, target):
    """Why a link on a page leads nowhere, or nothing. Of links to elsewhere only the form is looked at."""
    if re.match(r"\w+:", target):
        return "" if re.fullmatch(r"https://[\w.-]+\.\w+(/[\w./#?=&%~+-]*)?", target) else "this is no address of https"
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return f"there is no {name}"
    if not path.is_relative_to(ROOT):
        return "it leads out of the repository"
    if anchor and anchor not in anchors(path.read_text(encoding="utf-8")):
        return f"{path.name} has no heading {anchor}"
    return ""


# The names of tests.


def gtest_names():
    """Suite.Test of every GoogleTest; macros that define the tests of many fixtures are expanded."""
    texts = [p.read_text(encoding="utf-8") for p in (ROOT / "test").rglob("*") if p.suffix in (".cxx", ".h")]
    names, macros = set(), {}
    for text in texts:
        names.update(f"{suite}.{test}" for suite, test in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text, re.M))
        for macro, body in re.findall(r"^#define (\w+)\(fixture\b[^)]*\)((?:.*\\\n)+.*)", text, re.M):
            macros[macro] = re.findall(r"TEST_P\(fixture(?:##(\w+))?, (\w+)\)", body)
    for text in texts:
        for macro, tests in macros.items():
            for fixture in re.findall(rf"^{macro}\((\w+)\b", text, re.M):
                names.update(f"{fixture}{suffix}.{test}" for suffix, test in tests)
    return names


def python_names():
    """Class.test_name of every Python test."""
    names = set()
    for script in [p for folder in ("test", "wrapping/test") for p in (ROOT / folder).rglob("test_*.py")]:
        for node in ast.parse(script.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names.update(f"{node.name}.{f.name}" for f in node.body if isinstance(f, ast.FunctionDef))
    return {name for name in names if ".test_" in name}


def ctest_names():
    """The tests that CMake's files name."""
    files = [p for folder in ("cmake", "test") for p in (ROOT / folder).rglob("*") if p.suffix in (".cmake", ".txt")]
    return {name for p in files for name in re.findall(r"(?:NAME |_test\(\s*)(CudaNeuro\w+\.\w+)", p.read_text(encoding="utf-8"))}


def held_by(page, text=None):
    """The names after "Held by" on a page, up to the end of the paragraph, each with its place."""
    text = page.read_text(encoding="utf-8") if text is None else text
    found = []
    for match in re.finditer(r"\bHeld by\b(?:(?!\n\s*\n).)*", text, re.S):
        place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
        found.extend((place, name) for name in re.findall(r"`([^`]+)`", match[0]))
    return found


def sections(text):
    """The sections of a page, without its blocks, each as its first line's number and its text."""
    text = re.sub(r"^```.*?^```$", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    parts, line = [], 1
    for part in re.split(r"^(?=#)", text, flags=re.M):
        parts.append((line, part))
        line += part.count("\n")
    return parts
