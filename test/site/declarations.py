# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Reads a C++ header as far as its comments need it: which declarations there are, and which comment is whose.

A comment holds for the declarations that follow it without an empty line; that of a group, which begins with \\name, for
those in the group that have no other.
"""

import dataclasses
import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DIRECTIVE = re.compile(r"#(?:[^\n]*\\\n)*[^\n]*")
LABEL = re.compile(r"(public|protected|private):")
SCOPE = re.compile(r"(?:^|>)\s*(namespace|class|struct)\b[^()=]*$")


@dataclasses.dataclass
class Declaration:
    """A declaration: where it is in the text, up to its semicolon or the brace that opens a scope, who can see it, the
    comment that holds for it, and whether that stands directly above it."""

    start: int
    end: int
    access: str
    comment: str
    own: bool


def skip_blank(text, at):
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def after_braces(text, at):
    """The place behind the brace that closes the one at a place."""
    depth = 0
    while True:
        comment = COMMENT.match(text, at)
        if comment:
            at = comment.end()
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def declaration_end(text, start):
    """The place behind the declaration at a place, and whether that is behind the brace that opens a scope."""
    at = start
    while True:
        comment = COMMENT.match(text, at)
        if comment:
            at = comment.end()
        elif text[at] == ";":
            return at + 1, False
        elif text[at] == "{":
            if SCOPE.search(text[start:at]):
                return at + 1, True
            at = after_braces(text, at)
            following = skip_blank(text, at)
            if text[following : following + 1] not in tuple(";,{)("):
                return at, False
        else:
            at += 1


class Reader:
    """The declarations of a header, in .declarations."""

    def __init__(self, text):
        self.text = text
        self.declarations = []
        self.read_scope(0, "public")

    def read_scope(self, at, access):
        """Reads what is in a scope, and returns the place behind its end."""
        comment, own, group, groups = "", False, "", []
        while True:
            begin, at = at, skip_blank(self.text, at)
            if self.text.count("\n", begin, at) > 1:
                comment = ""
            if at == len(self.text) or self.text[at] == "}":
                return at + 1
            label, note = LABEL.match(self.text, at), COMMENT.match(self.text, at)
            if label:
                at, access = label.end(), label[1]
            elif note:
                at, text = note.end(), note[0]
                if "@{" in text:
                    groups.append(group)
                elif "@}" in text:
                    groups.pop()
                elif r"\name" in text:
                    group = re.sub(r"\\name (.*?)(\s*\*/|\n)", r"\1.\2", text)
                elif text.startswith("/**") and r"\file" not in text:
                    comment, own = text, True
            elif self.text[at] == "#":
                at = DIRECTIVE.match(self.text, at).end()
            else:
                holds = comment or (groups[-1] if groups else "")
                at = self.read_declaration(at, access, holds, own and bool(comment))
                own = False

    def read_declaration(self, start, access, comment, own):
        end, opens = declaration_end(self.text, start)
        self.declarations.append(Declaration(start, end, access, comment, own))
        if not opens:
            return end
        kind = SCOPE.search(self.text[start : end - 1])[1]
        inside = "private" if kind == "class" else "public"
        end = self.read_scope(end, inside if access == "public" else access)
        return end if kind == "namespace" else self.text.index(";", end - 1) + 1
