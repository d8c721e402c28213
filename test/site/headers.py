# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Copies the public headers for Doxygen, with what it cannot read made readable:

    python3 headers.py INCLUDE_FOLDER COPY

- A comment that holds for several declarations, by the rule of declarations.py, is written above each of them.
- A macro that declares functions becomes these functions.
- A formula becomes MathML, which browsers show without any script.
- Left out is what no user calls: what is deleted or default, destructors, forward declarations, and what is protected without a comment.
- Where they have no comment, a function that overrides another, a variable and the name of a type get one that says as much.
"""

import pathlib
import re
import sys

import declarations

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Documentation" / "site"))
from mathml import mathml  # noqa: E402

SET = "void Set{0}({1} value);"
GET = "{1} Get{0}() const;"
GET_REFERENCE = "const {1} & Get{0}() const;"
GET_POINTER = "const {1} * Get{0}() const;"
ON_OFF = ("void {0}On();", "void {0}Off();")
# The functions that a macro of ITK declares; {0} and {1} are its arguments.
MACROS = {
    "itkNewMacro": ("static Pointer New();",),
    "itkSetMacro": (SET,),
    "itkSetEnumMacro": (SET,),
    "itkSetStringMacro": ("void Set{0}(const std::string & value);",),
    "itkGetStringMacro": ("const char * Get{0}() const;",),
    "itkGetConstMacro": (GET,),
    "itkGetEnumMacro": (GET,),
    "itkGetConstReferenceMacro": (GET_REFERENCE,),
    "itkBooleanMacro": ON_OFF,
    "itkSetConstObjectMacro": ("void Set{0}(const {1} * object);",),
    "itkGetConstObjectMacro": (GET_POINTER,),
    "itkGetModifiableObjectMacro": ("{1} * GetModifiable{0}();", GET_POINTER),
    "itkSetInputMacro": ("void Set{0}(const {1} * input);",),
    "itkGetInputMacro": (GET_POINTER,),
    "itkSetGetDecoratedObjectInputMacro": ("void Set{0}(const {1} * input);", GET_POINTER),
}


def own_macros():
    """The functions that each macro of this module declares, as wrapping/Docstrings.cmake has them."""
    table = (ROOT / "wrapping" / "Docstrings.cmake").read_text(encoding="utf-8")
    for name, parameters, body in re.findall(r'^PREDEFINED \+= "(\w+)\(([^)]*)\)=(.*)"$', table, re.M):
        body = re.sub(r"/\*\*.*?\*/|\bvirtual\b", "", body).replace("_arg", "value")
        for place, parameter in enumerate(filter(None, parameters.split(","))):
            body = re.sub(rf"##{parameter}##|##{parameter}\b|\b{parameter}##|\b{parameter}\b", f"{{{place}}}", body)
        yield name, [f"{function.strip()};" for function in body.split(";") if function.strip()]


MACROS.update(own_macros())
# Of which users need no description.
LEFT_OUT = re.compile(
    r"ITK_\w+\(|itkOverrideGetNameOfClassMacro|itkCloneMacro|static_assert|using (typename )?\w*(Superclass|::)[\w:<>, ]*::\w+;"
    r"|(virtual )?~|friend (class|struct)|(template\s*<[^{}]*>\s*)?(class|struct|enum class)\s+(\w+\s+)?\w+;"
    r"|using (Self|Superclass|Pointer|ConstPointer)\b"
)


def functions(text):
    """The declarations that a macro stands for, or the declaration itself."""
    call = re.fullmatch(r"(itk\w+Macro)\((.*)\);", text, re.S)
    if not call:
        return [text]
    if call[1] not in MACROS:
        raise ValueError(f"{call[1]} is in neither wrapping/Docstrings.cmake nor the table of test/site/headers.py")
    arguments = [argument.strip() for argument in re.split(r",(?![^<]*(?<!-)>)", call[2])]
    return [made.format(*arguments) for made in MACROS[call[1]]]


def comment_without(text):
    """The comment of a declaration that has none, where what it is says enough."""
    if text.startswith("itkNewMacro"):
        return "/** Makes an object with the defaults. */"
    if re.match(r"(template\s*<[^{}]*>\s*)?using ", text):
        return "/** Short for the type on the right. */"
    if re.search(r"\boverride\b", text):
        return "/** Does what the base class says. */"
    if "(" not in text.partition("=")[0] and not re.search(r"\b(class|struct|enum)\b", text):
        return "/** See the description of the type. */"
    return ""


def written(declaration, text):
    """What the copy has in the place of a declaration; text is that of the declaration."""
    if LEFT_OUT.match(text) or re.search(r"=\s*(delete|default);$", text):
        return ""
    if declaration.access != "public" and not declaration.comment:
        return "" if text.endswith((";", "}")) else text
    made = functions(text)
    comment = declaration.comment or comment_without(text)
    return "\n".join(
        function if declaration.own and i == 0 else f"{comment}\n{function}" for i, function in enumerate(made)
    )


def formula(match):
    display = "block" if match[1] == "[" else "inline"
    text = re.sub(r"\n\s*\*\s?", " ", match[2])
    return rf"\htmlonly{mathml(text, display)}\endhtmlonly"


def readable(text):
    for declaration in reversed(declarations.Reader(text).declarations):
        start, end = declaration.start, declaration.end
        if not text[start:end].startswith("namespace"):
            text = text[:start] + written(declaration, text[start:end]) + text[end:]
    return re.sub(r"\\f([$[])(.*?)\\f[$\]]", formula, text, flags=re.S)


def main(source, copy):
    for path in sorted(pathlib.Path(source).rglob("*.h")):
        target = copy / path.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(readable(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
