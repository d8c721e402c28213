# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# How Wine is run: without its own messages, without a display, with names of files in UTF-8. To be sourced.
export LC_ALL=C.UTF-8 WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=${WINEPREFIX:-$HOME/.cache/cudaneuro-wine} DISPLAY=
