# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Counts the public classes and functions that Doxygen has found, and those with a comment; fails where one has none, or
where a header of the module has not been read:

    python3 count_comments.py INCLUDE_FOLDER DOXYGEN_XML
"""

import pathlib
import sys
import xml.etree.ElementTree


def has_comment(element):
    return any("".join(element.find(part).itertext()).strip() for part in ("briefdescription", "detaileddescription"))


def main(include, folder):
    documented, missing, files = {"classes": 0, "functions": 0}, [], set()
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        for compound in xml_compounds(path):
            name = compound.findtext("compoundname")
            if compound.get("kind") == "file":
                files.add(name)
            found = [
                ("functions", m)
                for m in compound.iter("memberdef")
                if m.get("kind") == "function" and m.get("prot") == "public"
            ]
            if compound.get("kind") in ("class", "struct"):
                found.append(("classes", compound))
            for kind, element in found:
                documented[kind] += has_comment(element)
                if not has_comment(element):
                    missing.append(f"{name} {element.findtext('name') or ''}")
    unread = sorted({path.name for path in pathlib.Path(include).rglob("*.h")} - files)
    print(", ".join(f"{count} public {kind}" for kind, count in documented.items()), "with a comment")
    for text in (*(f"{name} has none" for name in missing), *(f"{name} was not read" for name in unread)):
        print(text, file=sys.stderr)
    return 1 if missing or unread or documented["classes"] < 50 or documented["functions"] < 500 else 0


def xml_compounds(path):
    return xml.etree.ElementTree.parse(path).getroot().iter("compounddef")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
