#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Makes the site of the documentation, in BUILD_FOLDER/site/html, and fails at a warning:
#   bash test/site/build.sh BUILD_FOLDER
# Sphinx makes the pages of Documentation/, and Doxygen the reference of C++ from the comments in include/.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

work=$1/site
mkdir -p "$work"
work=$(cd "$work" && pwd)
export PYTHONDONTWRITEBYTECODE=1
cudaneuro_install_packages "${cudaneuro_site_packages[@]}"

# A virtual environment with these packages, made once.
packages=$root/Documentation/requirements.txt
if ! cmp --silent "$packages" "$work/venv/complete"; then
  python=/usr/bin/python3
  [ -x "$python" ] || python=python3
  rm -rf "$work/venv"
  "$python" -m venv "$work/venv"
  "$work/venv/bin/pip" --quiet --disable-pip-version-check install --requirement "$packages"
  cp "$packages" "$work/venv/complete"
fi

cd "$root/test/site"
"$work/venv/bin/python" -m unittest --quiet
rm -rf "$work"/{include,reference,html}
"$work/venv/bin/python" headers.py "$root/include" "$work/include"
mkdir "$work/reference"
doxygen - << DOXYFILE
$(cat "$root/Documentation/Doxyfile")
INPUT = "$work/include" "$root/Documentation/site/reference.dox"
STRIP_FROM_PATH = "$work/include"
OUTPUT_DIRECTORY = "$work/reference"
GENERATE_TAGFILE = "$work/reference/tags.xml"
DOXYFILE
"$work/venv/bin/python" count_comments.py "$root/include" "$work/reference/xml"

CUDANEURO_DOXYGEN_TAGS=$work/reference/tags.xml "$work/venv/bin/sphinx-build" -q -E -W --keep-going -b html \
  -d "$work/doctrees" "$root/Documentation" "$work/html"
mv "$work/reference/cpp" "$work/html/cpp"
"$work/venv/bin/python" check_site.py "$work/html"
