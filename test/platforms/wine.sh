#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Runs a program of Windows under Wine.

# shellcheck source=wine-settings.sh
source "${BASH_SOURCE[0]%/*}/wine-settings.sh"
exec wine "$@"
