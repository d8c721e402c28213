#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Checks the walls between the rooms of a folder of sources, which its rooms.txt lists: bash tools/check-includes.sh [FOLDER]
# The folder is src, unless it is given. In rooms.txt of files/ all names begin with "files/", as in lines of #include.
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../src}"

# shellcheck disable=SC2016 # $1 and so on are awk's
find . -name '*.h' -o -name '*.cxx' -o -name '*.cu' -o -name '*.cuh' | sort | sed 's|^\./||' | xargs awk '
  function folder(name) { sub(/\/.*/, "", name); return name }
  function complain(text) { print FILENAME ":" FNR ": " text; failed = 1 }
  FILENAME == "rooms.txt" { if ($1 !~ /^#/) { floors[$1] = $2; inner[$1] = $3 == "inner" } next }
  FNR == 1 {
    room = FILENAME
    sub(/\/[^\/]*$/, "", room)
    if ("files/" room in floors) room = "files/" room
    if (!(room in floors)) complain("room " room " is not in rooms.txt")
  }
  /^ *# *include *"/ {
    split($0, parts, "\"")
    header = other = parts[2]
    sub(/\/[^\/]*$/, "", other)
    if (header ~ /^cudaneuro\// || room == "itk" && header ~ /^itk/) next
    if (header ~ /^itk/ && !("itk" in floors)) next
    if (header ~ /^itk/) complain("includes " header ": ITK belongs to the room itk")
    else if (header == "CudaNeuroExport.h") next
    else if (!(other in floors)) complain("includes " header ", which is in no room: write \"room/" header "\"")
    else if (other != room && floors[other] >= floors[room])
      complain("includes " header ": " other " is on floor " floors[other] ", " room " on floor " floors[room])
    else if (inner[other] && folder(other) != folder(room))
      complain("includes " header ": " other " is an inner room of " folder(other))
  }
  /^ *# *include *<(cu|nv)[a-z_]*\.h>/ && FILENAME !~ /\.cuh?$/ && room != "cuda" && room != "jobs" {
    complain("a header of CUDA outside of .cu files and of the rooms cuda and jobs")
  }
  /^ *# *include *<itk/ && room != "itk" && "itk" in floors { complain("includes a header of ITK: ITK belongs to the room itk") }
  /(^|[^A-Za-z])RegistrationParameters/ && "registration" in floors && floors[room] < floors["registration"] && folder(room) != "registration" {
    complain("parameters of registration in a lower room")
  }
  END { exit failed }
' rooms.txt
