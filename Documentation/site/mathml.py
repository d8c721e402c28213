# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Equations as MathML, which browsers show without a script and without the network."""

import xml.etree.ElementTree as ElementTree

import latex2mathml.converter

SPACE = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", SPACE)
OVER_INDICES = ("∑", "max")
FUNCTIONS = ("log",)


def mathml(equation, display="inline"):
    """An equation in LaTeX as MathML; display is "inline" or "block"."""
    tree = ElementTree.fromstring(latex2mathml.converter.convert(equation, display=display))
    for element in tree.iter():
        # In a line of its own, what a sum goes over stands under it.
        if display == "block" and element.tag == f"{{{SPACE}}}msub" and element[0].text in OVER_INDICES:
            element.tag = f"{{{SPACE}}}munder"
        if element.tag == f"{{{SPACE}}}mo" and element.text == "|":
            element.set("lspace", "0")
            element.set("rspace", "0")
        for place in reversed(range(len(element))):
            if element[place].text in FUNCTIONS:
                element.insert(place + 1, ElementTree.Element(f"{{{SPACE}}}mspace", width="0.17em"))
    return ElementTree.tostring(tree, encoding="unicode")
