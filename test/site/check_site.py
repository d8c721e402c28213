# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks the pages of a site that was built: every link and picture inside it leads to a file and an anchor that are there,
and nothing is loaded from elsewhere:

    python3 check_site.py FOLDER
"""

import html.parser
import pathlib
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "link": "href"}
# Doxygen links to the list of nested classes of a class all of whose nested classes are private, and has none there.
LEFT_OUT = ("#nested-classes",)


class Page(html.parser.HTMLParser):
    """The anchors of a page, and the addresses that it links to and loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[name] for name in ("id", "name") if attributes.get(name))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if attributes.get(LOADED.get(tag)) and attributes.get("rel") not in (
            "canonical",
            "next",
            "prev",
            "index",
            "search",
        ):
            self.loads.append(attributes[LOADED[tag]])


def broken(path, page, pages):
    """The addresses of a page that lead nowhere."""
    for address in page.links + page.loads:
        url = urllib.parse.urlsplit(address)
        if address in LEFT_OUT:
            continue
        if url.scheme or url.netloc:
            if address in page.loads and url.scheme != "data":
                yield f"{address}, which is loaded from elsewhere"
            continue
        target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
        if not target.exists():
            yield address
        elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].anchors:
            yield f"{address}, which has no such anchor"


def main(folder):
    paths = sorted(pathlib.Path(folder).resolve().rglob("*.html"))
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in paths}
    errors = [f"{path.name}: {what}" for path, page in pages.items() for what in broken(path, page, pages)]
    links = sum(len(page.links) + len(page.loads) for page in pages.values())
    print(f"{len(pages)} pages with {links} links, of which {len(errors)} lead nowhere")
    print("\n".join(errors[:50]), file=sys.stderr)
    return 1 if errors or len(pages) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
