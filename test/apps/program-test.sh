#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Shared by the tests of the programs, which source it with the program as first argument and then run in an empty
# folder.

# What runs programs that are compiled for another system than this one, as Wine does.
# shellcheck disable=SC2206
emulator=(${CUDANEURO_EMULATOR:-})
program=("${emulator[@]}" "$(realpath "$1")")
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

is_for_windows() {
  [[ ${program[-1]} == *.exe ]]
}

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# Writes a MetaImage of random bytes, or of those of another source, with spacing 1, or another:
# FILE SIZE OFFSET TYPE BYTES [SOURCE [SPACING]].
make_image() {
  {
    printf 'ObjectType = Image\nNDims = %s\nDimSize = %s\nOffset = %s\n' "$(wc -w <<< "$2")" "$2" "$3"
    [ $# -lt 7 ] || printf 'ElementSpacing = %s\n' "$7"
    printf 'BinaryData = True\nElementType = %s\nElementDataFile = LOCAL\n' "$4"
    head --bytes "$5" "${6:-/dev/urandom}"
  } > "$1"
}

# Copies a NIfTI file with other bytes at an offset: FILE OFFSET BYTES [FROM].
set_bytes() {
  cp "${4:-bytes-again.nii}" "$1"
  # shellcheck disable=SC2059
  printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# Expects an exit status and, on standard error, one line with some words: STATUS WORDS ARGUMENT...
expect() {
  local status=$1 words=$2
  shift 2
  "${program[@]}" "$@" > out.txt 2> err.txt < /dev/null
  local got=$?
  if [ $got -ne "$status" ]; then
    fail "exit status $got, not $status: $*"
    cat err.txt
  elif [ -n "$words" ] && ! grep --quiet --fixed-strings -e "$words" err.txt; then
    fail "\"$words\" is not in what was said: $* "
    cat err.txt
  elif [ -n "$words" ] && [ "$(wc -l < err.txt)" -ne 1 ]; then
    fail "not one line: $*"
    cat err.txt
  fi
}

# Expects that Ctrl-C after two seconds ends the program as it should: ARGUMENT...
expect_interruptible() {
  # A shell without job control lets background commands ignore Ctrl-C.
  set -m
  "${program[@]}" "$@" 2> err.txt &
  set +m
  sleep 2
  kill -INT $!
  wait $!
  [ $? -eq 130 ] || fail "Ctrl-C did not give exit status 130"
}

# Expects exactly the files of a list, and ends the test.
finish() {
  [ "$(find . -mindepth 1 | sort)" = "$(sort <<< "$1")" ] || fail "something half-written was left: $(find .)"
  echo "$failures failures"
  [ "$failures" -eq 0 ]
}
