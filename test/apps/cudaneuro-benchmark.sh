#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail

# Tests the benchmark: rows of all kinds, their tables, and bad input. Times themselves are not tested.
# Usage: bash test/apps/cudaneuro-benchmark.sh PROGRAM

tables=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../benchmark/tables.py")
source "$(dirname "${BASH_SOURCE[0]}")/program-test.sh"

echo "What works"
rows='^(bilateral R=1, kernel|registration (force|smoothing sigma=2), kernel|registration unbiased 3x5, call|warp, kernel'
rows+='|landmarks gradient, Euler, float, (call|plain loops, one thread)|landmarks matched to 2 targets, in turn, call'
rows+='|landmarks field, (forward|inverse), call|neighbors, exact, call|linear metric .*|linear registration .*)$'
expect 0 "" --device cpu --quick --filter "$rows" --json rows.json
python3 - << 'TEXT' || fail "rows.json"
import json

report = json.load(open("rows.json"))
names = [row["name"] for row in report["results"]]
assert len(names) == len(set(names)) == 18, names
assert all(row["milliseconds"] > 0 for row in report["results"]), report["results"]
limited = [row for row in report["results"] if row["name"].startswith("registration")]
assert all(row["limit"] == "copy rate" and row["limit_value"] > 0 for row in limited), limited
assert sum(name.startswith("linear metric") for name in names) == 5, names
matched = report["landmark_matching"]
assert [row["name"].split()[-1] for row in matched] == ["means", "0", "1"], matched
assert all(row["mean_after"] < 0.01 * row["mean_before"] for row in matched), matched
assert "device_memory" not in report  # which only a GPU has
TEXT
expect 0 "" --device cpu --quick --list --filter "$rows"
python3 - << 'TEXT' || fail "the rows of --list are not those of rows.json"
import json

rows = [(row["name"], row["size"]) for row in json.load(open("rows.json"))["results"]]
listed = [tuple(line.rstrip().rsplit(maxsplit=1)) for line in open("out.txt")]
assert [(name.rstrip(), size) for name, size in listed] == rows, listed
TEXT
python3 "$tables" rows.json > rows.md || fail "tables.py"
for row in "registration force, kernel | 48x48x48" "warp, kernel | 48x48x48" "landmarks matched to target 1 | 200x5x1"; do
  grep --quiet --fixed-strings "| $row |" rows.md || fail "\"$row\" is not in rows.md"
done

echo "Rows that fail"
# No machine can address the 4e18 bytes of the first size, so its allocation fails.
expect 1 "2 of 4 rows failed" --device cpu --repeat 1 --sizes 999999x999999x999999,8x8x8 \
  --filter '^(bilateral R=1|MSSIM), kernel$' --json failed.json
[ "$(grep --count "failed: ." out.txt)" -eq 2 ] || fail "two rows that failed are not in the table"
python3 - << 'TEXT' || fail "failed.json"
import json

results = json.load(open("failed.json"))["results"]
names = ("bilateral R=1, kernel", "MSSIM, kernel")
failed = [(row["name"], row["size"]) for row in results if "error" in row]
assert failed == [(name, "999999x999999x999999") for name in names], results
assert all(row["error"] and "milliseconds" not in row for row in results[:2]), results
measured = [(row["name"], row["size"]) for row in results if row.get("milliseconds", 0) > 0]
assert measured == [(name, "8x8x8") for name in names], results
TEXT
python3 "$tables" failed.json > failed.md || fail "tables.py with rows that failed"
[ "$(grep --count "| failed | ." failed.md)" -eq 2 ] || fail "two rows that failed are not in failed.md"

echo "Bad input"
expect 1 '"12x" is no size' --sizes 12x
expect 1 "--list has no effect here" --list --tune
expect 1 '"[" is no regular expression' --filter "["
expect 1 "nowhere/rows.json" --quick --json nowhere/rows.json
finish ./rows.json$'\n'./rows.md$'\n'./failed.json$'\n'./failed.md$'\n'./out.txt$'\n'./err.txt
