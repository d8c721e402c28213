#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Runs a program of Windows under Wine, without Wine's own messages, and without a display.
export WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=${WINEPREFIX:-$HOME/.cache/cudaneuro-wine} DISPLAY=
exec wine "$@"
