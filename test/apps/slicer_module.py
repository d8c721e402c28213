# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What 3D Slicer does with a program's description: it reads it, makes a command line of it, and reads the progress.

Written from the execution model's documents and from the code of Slicer 5, not from this module's code.
"""

import re
import xml.etree.ElementTree as ElementTree

HEAD = ["category", "title", "description", "version", "documentation-url", "license", "contributor"]
# Data that Slicer passes as files which it names, and the ending that it gives them where the description has none.
ENDINGS = {"image": ".nrrd", "geometry": ".vtp", "transform": ".h5", "table": ".tsv", "pointfile": ".fcsv"}
# Parameters that Slicer leaves out when they are empty. It gives all others always, even if they are the default.
LEFT_OUT = {"file", "directory", "string", "integer-vector", "double-vector", "string-vector"}
SCALARS = {"integer", "double", "string-enumeration"}
ATTRIBUTES = {
    "image": {"type", "reference", "fileExtensions", "hidden"},
    "geometry": {"type", "reference", "fileExtensions"},
    "transform": {"type", "reference", "fileExtensions"},
    "table": {"type", "reference", "fileExtensions", "hidden"},
    "pointfile": {"type", "fileExtensions", "coordinateSystem"},
    "file": {"fileExtensions"},
    "directory": set(),
    "boolean": {"hidden"},
    "integer": {"hidden"},
    "double": {"hidden"},
    "string": {"hidden"},
    "string-enumeration": {"hidden"},
    "integer-vector": set(),
    "double-vector": set(),
    "string-vector": set(),
}
TYPES = {
    "image": {"scalar", "label", "vector", "any"},
    "transform": {"linear", "nonlinear", "bspline"},
    "pointfile": {"any", "point", "line", "angle", "curve", "closedcurve"},
}
CHILDREN = {"name", "flag", "longflag", "label", "description", "channel", "index", "default", "element", "constraints"}


class Parameter:
    """One parameter of a module."""

    def __init__(self, element, group):
        self.tag = element.tag
        self.attributes = dict(element.attrib)
        self.group = group
        self.children = [child.tag for child in element]
        text = lambda tag: (element.findtext(tag) or "").strip()
        self.name, self.flag, self.longflag, self.label = text("name"), text("flag"), text("longflag"), text("label")
        self.description, self.channel, self.index = text("description"), text("channel"), text("index")
        self.default = text("default")
        self.elements = [child.text for child in element.findall("element")]
        limits = element.find("constraints")
        self.limits = None if limits is None else [float(limits.findtext(tag)) for tag in ("minimum", "maximum", "step")]

    @property
    def is_data(self):
        return self.tag in ENDINGS

    @property
    def is_result(self):
        """A number that the program gives back in a file."""
        return self.channel == "output" and not self.is_data and self.tag not in ("file", "directory")

    @property
    def ending(self):
        return self.attributes.get("fileExtensions", ENDINGS.get(self.tag, "")).split(",")[0]


class Module:
    """A description."""

    def __init__(self, text):
        if not text.startswith("<?xml "):
            raise ValueError("the first line of a description must be <?xml ...")
        self.root = ElementTree.fromstring(text)
        self.groups = self.root.findall("parameters")
        self.parameters = []
        for group in self.groups:
            for element in group:
                if element.tag not in ("label", "description"):
                    self.parameters.append(Parameter(element, group.findtext("label")))

    def __getitem__(self, name):
        return next(parameter for parameter in self.parameters if parameter.name == name)

    def command_line(self, program, values, result_file):
        """The command line of Slicer: all flags in the order of the description, then what has an index.

        values has the names of files of data, and what the user sets other than the default. Data without a value are not
        connected to a node."""
        line = [program]
        if any(parameter.is_result for parameter in self.parameters):
            line += ["--returnparameterfile", result_file]
        for parameter in self.parameters:
            value = values.get(parameter.name, "" if parameter.is_data else parameter.default)
            flag = f"--{parameter.longflag}" if parameter.longflag else f"-{parameter.flag}"
            if (not parameter.longflag and not parameter.flag) or parameter.is_result:
                continue
            if parameter.tag == "boolean":
                line += [flag] if value == "true" else []
            elif value or parameter.tag in SCALARS:
                line += [flag, value]
        indexed = [parameter for parameter in self.parameters if parameter.index]
        for parameter in sorted(indexed, key=lambda one: int(one.index)):
            value = values.get(parameter.name, parameter.default)
            if not value:
                raise ValueError(f"no data assigned to {parameter.label}")
            line.append(value)
        return line


def problems_of(module):
    """What Slicer's parser, or its widgets, would object to."""
    problems = []

    def require(condition, what):
        if not condition:
            problems.append(what)

    require(module.root.tag == "executable", "the root is not <executable>")
    tags = [child.tag for child in module.root]
    require(tags[: len(HEAD)] == HEAD, f"the head is {tags}")
    require(set(tags[len(HEAD) :]) == {"parameters"}, f"after the head is {tags}")
    for tag in HEAD:
        if tag != "documentation-url":
            require((module.root.findtext(tag) or "").strip(), f"<{tag}> is empty")
    for group in module.groups:
        require(group.attrib in ({}, {"advanced": "true"}), f"attributes {group.attrib} of a group")
        require(group.findtext("label"), "a group has no label")
        require(any(child.tag not in ("label", "description") for child in group), "a group is empty")
    names = [parameter.name for parameter in module.parameters]
    for kind in ("name", "flag", "longflag", "index"):
        given = [getattr(parameter, kind) for parameter in module.parameters if getattr(parameter, kind)]
        require(len(given) == len(set(given)), f"a {kind} is given twice: {sorted(given)}")
    indices = sorted(int(parameter.index) for parameter in module.parameters if parameter.index)
    require(indices == list(range(len(indices))), f"the indices are {indices}")
    for parameter in module.parameters:
        for problem in problems_of_parameter(parameter, names):
            problems.append(f"{parameter.name}: {problem}")
    return problems


def problems_of_parameter(parameter, names):
    variable = r"[A-Za-z_][A-Za-z0-9_]*"
    if parameter.tag not in ATTRIBUTES:
        return [f"unknown element <{parameter.tag}>"]
    problems = [f"<{tag}> is given twice" for tag in CHILDREN - {"element"} if parameter.children.count(tag) > 1]
    problems += [f"unknown element <{tag}>" for tag in set(parameter.children) - CHILDREN]
    rules = {
        "attributes": set(parameter.attributes) <= ATTRIBUTES[parameter.tag],
        "type": parameter.attributes.get("type") in TYPES.get(parameter.tag, set()) | {None},
        "hidden": parameter.attributes.get("hidden", "true") in ("true", "false"),
        "coordinate system": parameter.attributes.get("coordinateSystem", "lps") in ("lps", "ras", "ijk"),
        "reference": parameter.attributes.get("reference") in names + [None],
        "endings": all(re.fullmatch(r"(\.\w+)+", end) for end in parameter.ending.split(",") if end),
        # A point file without an ending gets one of the old format.
        "ending": parameter.tag != "pointfile" or "fileExtensions" in parameter.attributes,
        "name": re.fullmatch(variable, parameter.name),
        "longflag": not parameter.longflag or re.fullmatch(variable, parameter.longflag),
        "flag": len(parameter.flag) <= 1,
        "flag or index": parameter.is_result or bool(parameter.longflag or parameter.flag) != bool(parameter.index),
        "label": parameter.label,
        "description": parameter.description and "\n" not in parameter.description,
        "channel": parameter.channel in ("", "input", "output"),
        "channel of data": parameter.channel or not (parameter.is_data or parameter.tag in ("file", "directory")),
        "default": default_is_valid(parameter),
        "elements": (len(parameter.elements) > 0) == (parameter.tag == "string-enumeration"),
        "unique elements": len(parameter.elements) == len(set(parameter.elements)),
        "constraints": limits_are_valid(parameter),
    }
    return problems + [f"the {what} is wrong: {vars(parameter)}" for what, holds in rules.items() if not holds]


def default_is_valid(parameter):
    value = parameter.default
    # Of numbers Slicer takes as many decimals for its widget as are behind the point, so that there is no exponent.
    patterns = {
        "integer": r"-?\d+",
        "double": r"-?\d+\.\d+",
        "boolean": r"true|false",
        "integer-vector": r"-?\d+(,-?\d+)*",
        "double-vector": r"-?\d+(\.\d+)?(,-?\d+(\.\d+)?)*",
    }
    if parameter.tag == "string-enumeration":
        return value in parameter.elements
    if parameter.is_data or parameter.is_result:
        return value == ""
    return value == "" or re.fullmatch(patterns.get(parameter.tag, ".*"), value)


def limits_are_valid(parameter):
    if parameter.limits is None:
        return True
    smallest, largest, step = parameter.limits
    is_inside = parameter.default == "" or smallest <= float(parameter.default) <= largest
    return parameter.tag in ("integer", "double") and smallest < largest and 0 < step < largest - smallest and is_inside


def progress_of(output):
    """The stages of a run: their names, fractions of all and of the stage, and seconds; and the text that is left."""
    stages = []
    rest = output
    pattern = re.compile(r"<filter-(start|progress|stage-progress|end)>(.*?)</filter-\1>\n", re.DOTALL)
    for match in pattern.finditer(output):
        kind, content = match.groups()
        if kind == "start":
            name = re.fullmatch(r"\n<filter-name>([^<]+)</filter-name>\n<filter-comment>([^<]*)</filter-comment>\n", content)
            stages.append({"name": name[1], "comment": name[2], "progress": [], "stage-progress": []})
        elif kind == "end":
            ends = re.fullmatch(r"\n<filter-name>([^<]+)</filter-name>\n<filter-time>([^<]+)</filter-time>\n", content)
            next(stage for stage in stages if stage["name"] == ends[1] and "seconds" not in stage)["seconds"] = float(ends[2])
        else:
            stages[-1][kind].append(float(content))
        rest = rest.replace(match.group(0), "", 1)
    return stages, rest
