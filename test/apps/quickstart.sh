#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Runs the topics of the quickstart on small data, with packages from the package index in a virtual environment:
#   quickstart.sh FOLDER_OF_PROGRAMS VIRTUAL_ENVIRONMENT

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

cudaneuro_make_python "$2" "$root/examples/quickstart/requirements.txt"
exec "$2/bin/python" "$root/test/apps/test_quickstart.py" "$1"
