# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The site that Sphinx makes of these pages: test/site/build.sh calls it.

The pages are plain Markdown, as GitHub shows it. What a site has beside that is made here: the table of contents, of the
links of index.md; equations, which become MathML; and links from names of classes to their description by Doxygen.
"""

import os
import pathlib
import re
import sys
import xml.etree.ElementTree

from docutils import nodes

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "site"))
from mathml import mathml  # noqa: E402

project = "ITKCudaNeuro"
copyright = "The ITKCudaNeuro Contributors"
version = release = re.search(r"^  VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
# GitHub shows such blocks as equations; here they are the directive of that name.
myst_fence_as_directive = ["math"]
exclude_patterns = ["requirements.txt"]
# The default of a block without colors, and of commands.
highlight_language = "text"

html_theme = "furo"
html_title = f"ITKCudaNeuro {release}"
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["site/static"]
html_css_files = ["site.css"]


def adapt_links(app, document, text):
    """Links whose text is a file's name get the title of that page, and those to the folder of headers lead to the
    descriptions of what is in them."""
    text[0] = re.sub(r"\[[\w-]+\.md\]\(([^)]+)\)", r"[](\1)", text[0])
    text[0] = re.sub(r"\[([^\]]+)\]\(\.\./include\)", r'<a href="cpp/index.html">\1</a>', text[0])


def add_contents(app, document, text):
    """Gives the first page a table of contents for the side: the pages that its lists link to, by its headings."""
    if document != "index":
        return
    for part in re.split(r"^## ", text[0], flags=re.M)[1:]:
        links = re.findall(r"^- \[([^\]]+)\]\((\S+?)\.md\)", part, flags=re.M)
        if links:
            caption = part.partition("\n")[0]
            entries = "\n".join(f"{title} <{page}>" for title, page in links)
            text[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n"


def reference_pages():
    """The pages of the C++ reference by the names of classes and structs, with and without their namespace."""
    tags = os.environ.get("CUDANEURO_DOXYGEN_TAGS")
    pages = {}
    for compound in xml.etree.ElementTree.parse(tags).getroot() if tags else ():
        if compound.get("kind") in ("class", "struct"):
            name = compound.findtext("name")
            pages[name] = pages[name.rpartition("::")[2]] = compound.findtext("filename")
    return pages


def link_classes(app, document_tree, document):
    """Turns names of classes in code letters into links to their pages of the C++ reference."""
    up = "../" * document.count("/")
    for literal in list(document_tree.findall(nodes.literal)):
        page = app.config.cudaneuro_reference.get(literal.astext())
        if page and not isinstance(literal.parent, nodes.reference):
            link = nodes.reference("", "", refuri=f"{up}cpp/{page}", internal=False)
            literal.replace_self(link)
            link += literal


def mark_tests(app, document_tree, document):
    """Paragraphs that name tests get a class, for small letters."""
    for paragraph in document_tree.findall(nodes.paragraph):
        if paragraph.astext().startswith("Held by"):
            paragraph["classes"].append("held-by")


def visit_math(translator, node):
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def visit_math_block(translator, node):
    equation = mathml(node.astext(), "block")
    translator.body.append(f'<div class="equation">{equation}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_config_value("cudaneuro_reference", reference_pages(), "env")
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("source-read", adapt_links)
    app.connect("source-read", add_contents)
    app.connect("doctree-resolved", link_classes)
    app.connect("doctree-resolved", mark_tests)
