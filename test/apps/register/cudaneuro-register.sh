#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail

# Tests the program: what it writes, and what it does with bad input.
# Usage: bash test/apps/register/cudaneuro-register.sh PROGRAM CHECK_TRANSFORM_FILE

check_transform=$(realpath "$2")
source "$(dirname "${BASH_SOURCE[0]}")/../program-test.sh"

# Writes a MetaImage of text, a smooth blob on a slope, or of its labels:
# FILE SIZE SPACING OFFSET CENTER(mm) WIDTH(mm) [labels].
make_blob() {
  awk -v size="$2" -v spacing="$3" -v offset="$4" -v center="$5" -v width="$6" -v labels="${7:-}" 'BEGIN {
    n = split(size, s); split(spacing, d); split(offset, o); split(center, c); split(width, w)
    if (n == 2) { s[3] = 1; d[3] = 1; o[3] = 0; c[3] = 0; w[3] = 1 }
    printf "ObjectType = Image\nNDims = %d\nDimSize = %s\nElementSpacing = %s\nOffset = %s\n", n, size, spacing, offset
    printf "BinaryData = False\nElementType = MET_%s\nElementDataFile = LOCAL\n", labels ? "UCHAR" : "SHORT"
    for (z = 0; z < s[3]; z++) for (y = 0; y < s[2]; y++) for (x = 0; x < s[1]; x++) {
      px = o[1] + x * d[1]; py = o[2] + y * d[2]; pz = o[3] + z * d[3]
      r = ((px - c[1]) / w[1]) ^ 2 + ((py - c[2]) / w[2]) ^ 2 + ((pz - c[3]) / w[3]) ^ 2
      printf "%d ", labels ? (r < 0.5 ? 7 : r < 1.2 ? 3 : 0) : 500 / (1 + r * r) + 0.3 * px
    }
    print ""
  }' > "$1"
}

# Writes a transform file that translates: FILE DIMENSION X.
make_translation() {
  printf '#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_%d_%d\n' "$2" "$2" > "$1"
  printf 'Parameters: %s%s\nFixedParameters:\n' "$3" "$([ "$2" = 2 ] && echo ' 0' || echo ' 0 0')" >> "$1"
}

# Compares the first number with a key in a report: FILE KEY OPERATOR VALUE.
expect_number() {
  local file=$1 key=$2 operator=$3 value=$4 got
  got=$(grep --max-count=1 "\"$key\":" "$file" | sed 's/.*: *//; s/,.*//')
  awk -v a="$got" -v b="$value" "BEGIN { exit !(a != \"\" && a + 0 $operator b + 0) }" ||
    fail "$file: $key is $got, not $operator $value"
}

# Expects that ITK makes the warped image from the transform, of intensities up to 500, at all but a share of the voxels:
# MOVING TRANSFORM WARPED [SHARE].
expect_reproduced() {
  "${emulator[@]}" "$check_transform" "${@:1:3}" 0.05 "${4:-0.0002}" > out.txt 2> err.txt || fail "ITK does not reproduce $3 from $2: $(cat out.txt err.txt)"
}

make_blob fixed.mha "24 26 22" "2 2 2" "-23 -25 -21" "0 0 0" "14 16 13"
make_blob moving.mha "28 24 20" "1.8 2.1 2.4" "-20 -25 -24" "5 -3 1" "12 15 14"
make_blob fixed_seg.mha "24 26 22" "2 2 2" "-23 -25 -21" "0 0 0" "14 16 13" labels
make_blob moving_seg.mha "28 24 20" "1.8 2.1 2.4" "-20 -25 -24" "5 -3 1" "12 15 14" labels
make_blob fixed2.mha "40 36" "1 1" "0 0" "20 18" "8 9"
make_blob moving2.mha "42 34" "1 1" "0 0" "22 17" "8 8"
make_blob seg2.mha "42 34" "1 1" "0 0" "22 17" "8 8" labels
make_blob far.mha "24 26 22" "2 2 2" "1000 0 0" "1025 25 20" "14 16 13"
make_image four.mha "4 4 4 4" "0 0 0 0" MET_UCHAR 256
make_image zeros.mha "24 26 22" "-23 -25 -21" MET_UCHAR 13728 /dev/zero "2 2 2"
make_image noise.mha "24 26 22" "-23 -25 -21" MET_FLOAT 54912 /dev/urandom "2 2 2"
make_image cut.mha "24 26 22" "0 0 0" MET_UCHAR 100
make_translation shift.tfm 3 4
make_translation shift2.tfm 2 2
sed 's/TranslationTransform/UnknownTransform/' shift.tfm > broken.tfm
cat shift.tfm <(sed 1d shift.tfm) > two.tfm
echo hello > garbage.tfm
echo hello > garbage.nii
export CUDANEURO_DEVICE=cpu
quick=(--iterations 20 --levels 2 --quiet)

echo "What works"
expect 0 "" --help
expect 0 "" unbiased --help
expect 0 "" greedy --help
expect 0 "" symmetric --help
expect 0 "" devices
expect 0 "" unbiased fixed.mha moving.mha --align none "${quick[@]}" -o warped.nii.gz --output-type float --output-field field.nii.gz \
  --output-inverse-field inverse.nii.gz --output-jacobian jacobian.nii.gz --output-transform map.h5 \
  --output-labels labels.nii.gz --fixed-labels fixed_seg.mha --moving-labels moving_seg.mha --json report.json
expect_reproduced moving.mha map.h5 warped.nii.gz
expect_reproduced moving.mha field.nii.gz warped.nii.gz
expect_number report.json folded_voxels == 0
expect_number report.json mean_voxels "<" 0.1
expect_number report.json mean_mm ">" 0
expect_number report.json maximum_mm "<" 1
expect_number report.json final "<" "$(grep '"first"' report.json | sed 's/.*: *//; s/,.*//')"
sed -n '/"before"/,/}/p' report.json > before.json
sed -n '/"after"/,/}/p' report.json > after.json
expect_number after.json union ">" "$(grep '"union"' before.json | sed 's/.*: *//; s/,.*//')"
grep --quiet '"7":' after.json || fail "the report has no Dice coefficient of label 7"
expect 0 "" unbiased fixed.mha labels.nii.gz --align none "${quick[@]}" -o same.mha --match-intensities
expect 0 "--max-memory has no effect" unbiased fixed2.mha moving2.mha --align none "${quick[@]}" -o limited.mha --max-memory 1GB

expect 0 "" greedy fixed.mha moving.mha "${quick[@]}" --output-transform map.tfm -o warped.nrrd --output-type float
expect_reproduced moving.mha map.tfm warped.nrrd
# The library of Fourier transforms is not there for Windows.
solver=(fourier fourier-transform)
is_for_windows && solver=(sor successive-over-relaxation)
expect 0 "" greedy fixed.mha moving.mha "${quick[@]}" --solver "${solver[0]}" --json - --metric local-correlation --radius 2
grep --quiet "\"solver\": \"${solver[1]}\"" out.txt || fail "the report on standard output does not name the solver"
expect 0 "" greedy fixed.mha moving.mha "${quick[@]}" --json - --metric mutual-information --bins 24
grep --quiet '"bins": 24' out.txt || fail "the report on standard output does not name the number of bins"

# Swapped images give the inverse, to the bit where nothing is aligned before and both have one grid.
expect 0 "" symmetric fixed.mha warped.nii.gz --align none "${quick[@]}" --output-field there.mha --output-inverse-field back.mha \
  --output-type float -o there-warped.mha --json symmetric.json
expect_reproduced warped.nii.gz there.mha there-warped.mha
expect_number symmetric.json mean_voxels "<" 0.02
expect_number symmetric.json folded_voxels == 0
expect_number symmetric.json rounds ">=" 0
grep --quiet '"damped": false' symmetric.json || fail "the report does not say that nothing was damped"
expect 0 "" symmetric warped.nii.gz fixed.mha --align none "${quick[@]}" --output-inverse-field swapped.mha
cmp there.mha swapped.mha || fail "the inverse of the swapped images is another map"
expect 0 "" symmetric fixed.mha moving.mha "${quick[@]}" --solver sor --alpha 2 --lambda 0.1 --metric local-correlation -i shift.tfm \
  --json sobolev.json --fixed-mask fixed_seg.mha --moving-mask moving_seg.mha
expect_number sobolev.json mean_voxels "<" 0.1
expect 0 "" symmetric fixed2.mha moving2.mha "${quick[@]}" -i shift2.tfm -o flat.mha --output-type float --output-transform flat.h5
expect_reproduced moving2.mha flat.h5 flat.mha
sed 's/TranslationTransform_double_3_3/AffineTransform_double_3_3/; s/^Parameters: 4 0 0/Parameters: -1 0 0 0 1 0 0 0 1 0 0 0/
  s/^FixedParameters:/FixedParameters: 0 0 0/' shift.tfm > mirror.tfm
expect 1 "the initial transform has no half" symmetric fixed.mha moving.mha "${quick[@]}" -i mirror.tfm -o mirrored.mha
grep --quiet '"solver": "successive-over-relaxation"' sobolev.json || fail "the report does not name the solver"

expect 0 "" unbiased fixed.mha moving.mha "${quick[@]}" -i shift.tfm -o shifted.mha --output-type float \
  --output-transform shifted.h5 --lambda 0.5 --sigma 2,2,3 --step 0.3 --convergence 0.001 --fixed-mask fixed_seg.mha \
  --moving-mask moving_seg.mha
expect 0 "" unbiased fixed.mha moving.mha "${quick[@]}" -i shift.tfm -i field.nii.gz -o again.mha --output-type float \
  --output-transform again.h5 --output-labels again_seg.mha --moving-labels moving_seg.mha
# The displacements of an initial transform are sampled, and they end with a step at the edge of the field.
expect_reproduced moving.mha again.h5 again.mha 0.15
expect 0 "" unbiased fixed.mha moving.mha "${quick[@]}" -i map.h5 --initial-field inverse.nii.gz -o back.mha
expect 0 "" unbiased fixed2.mha moving2.mha "${quick[@]}" --output-warped flat.nii.gz --output-type float \
  --output-transform flat.h5 -i shift2.tfm --moving-labels seg2.mha --output-labels flat_seg.nii.gz --json flat.json
expect_reproduced moving2.mha flat.h5 flat.nii.gz
"${program[@]}" unbiased fixed.mha moving.mha --iterations 2 -o summary.mha > out.txt 2> err.txt
grep --quiet "energy" out.txt || fail "the summary says nothing of the energy"
# The air of CT where the moving image, which is shifted by half of the grid, has no value.
make_translation half.tfm 3 24
for method in greedy rigid; do
  initial=(-i half.tfm -n 0 --outside -1024 --interpolation nearest)
  [ $method = greedy ] && initial+=(--align none) || initial+=(--start initial-transform --search-angle 0 --search-distance 0)
  expect 0 "" $method fixed.mha moving.mha "${initial[@]}" -o air.nii --json air.json
  air=$(od -An -v -t d2 -w2 -j 352 air.nii | grep -c -- "-1024")
  [ "$air" -gt 4000 ] && [ "$air" -lt 10000 ] || fail "$method: $air of 13728 voxels are outside"
  expect_number air.json outside == -1024
done
head --bytes 3000 warped.nii.gz > cut.nii.gz
gzip --decompress --stdout field.nii.gz | head --bytes 9000 > cut-field.nii
head --bytes 150 shifted.h5 > cut.h5
sed 's/^Parameters: 4 0 0/Parameters: 4/' shift.tfm > few.tfm
printf '%s' "$(cat shift.tfm)" > open.tfm
expect 0 "its last line does not end" unbiased fixed.mha moving.mha "${quick[@]}" -o open.mha -i open.tfm
mkfifo fifo.tfm
before=$(find . -mindepth 1 | sort)

echo "Bad input"
o=(-o o.nii "${quick[@]}")
expect 1 "--edge-padding-value is -1024; it must be a whole number from 0 to 255" greedy fixed.mha moving.mha -o o.mha --output-type uchar --edge-padding-value -1024
expect 1 "--edge-padding-value is 0.5; it must be a whole number from -32768 to 32767" rigid fixed.mha moving.mha -o o.mha --edge-padding-value 0.5
expect 1 "--output-warped" rigid fixed.mha moving.mha --output-transform o.tfm --edge-padding-value 1

expect 1 "no such file" unbiased missing.nii moving.mha "${o[@]}"
expect 1 "garbage.nii" unbiased garbage.nii moving.mha "${o[@]}"
expect 1 "it is cut short" unbiased cut.nii.gz moving.mha "${o[@]}"
expect 1 "cut.mha" unbiased fixed.mha cut.mha "${o[@]}"
expect 1 "4 axes" unbiased four.mha moving.mha "${o[@]}"
expect 1 "2 axes, and fixed.mha 3" unbiased fixed.mha moving2.mha "${o[@]}"
expect 1 "3 values a voxel" unbiased fixed.mha field.nii.gz "${o[@]}"
expect 1 "overlap" unbiased fixed.mha far.mha "${o[@]}" --align none
expect 1 "constant" unbiased fixed.mha zeros.mha "${o[@]}"
expect 1 "noise.mha" unbiased fixed.mha moving.mha "${o[@]}" --fixed-labels noise.mha --moving-labels moving_seg.mha
expect 1 "mask" unbiased fixed.mha moving.mha "${o[@]}" --fixed-mask zeros.mha
expect 1 "size" unbiased fixed.mha moving.mha "${o[@]}" --fixed-labels moving_seg.mha --moving-labels moving_seg.mha
expect 1 "size" unbiased fixed.mha moving.mha "${o[@]}" --moving-mask fixed_seg.mha
expect 1 "size" unbiased moving.mha fixed.mha "${o[@]}" --initial-field field.nii.gz
expect 1 "1 values a voxel" unbiased fixed.mha moving.mha "${o[@]}" --initial-field moving.mha
expect 1 "no such file" unbiased fixed.mha moving.mha "${o[@]}" -i missing.tfm
expect 1 "cut-field.nii: it is cut short" unbiased fixed.mha moving.mha "${o[@]}" --initial-field cut-field.nii
expect 1 "cut-field.nii: it is cut short" unbiased fixed.mha moving.mha "${o[@]}" -i cut-field.nii
# Windows has no FIFOs in folders.
is_for_windows || expect 1 "fifo.tfm: it is a FIFO" unbiased fixed.mha moving.mha "${o[@]}" -i fifo.tfm
expect 1 "cut.h5" unbiased fixed.mha moving.mha "${o[@]}" -i cut.h5
expect 1 "is 1; it must be 3" unbiased fixed.mha moving.mha "${o[@]}" -i few.tfm
expect 1 "garbage.tfm" unbiased fixed.mha moving.mha "${o[@]}" -i garbage.tfm
expect 1 "broken.tfm" unbiased fixed.mha moving.mha "${o[@]}" -i broken.tfm
expect 1 "2 transforms" unbiased fixed.mha moving.mha "${o[@]}" -i two.tfm
expect 1 "2 axes, and the images have 3" unbiased fixed.mha moving.mha "${o[@]}" -i shift2.tfm
expect 1 "fixed.mha has 1 values" unbiased fixed.mha moving.mha "${o[@]}" -i fixed.mha
expect 1 "o.xyz" unbiased fixed.mha moving.mha "${quick[@]}" -o o.xyz
expect 1 "o.mat" unbiased fixed.mha moving.mha "${o[@]}" --output-transform o.mat
expect 1 "no folder nowhere" unbiased fixed.mha moving.mha "${o[@]}" --output-field nowhere/o.nii
expect 1 "no folder nowhere" unbiased fixed.mha moving.mha "${o[@]}" --json nowhere/o.json
expect 1 "the output o.nii" unbiased fixed.mha moving.mha "${o[@]}" --output-jacobian ./o.nii
expect 1 'no device "cuda:99"' unbiased fixed.mha moving.mha "${o[@]}" --device cuda:99
expect 1 "2 levels need 1 or 2" unbiased fixed.mha moving.mha -o o.nii -q -l 2 --number-of-iterations 1,2,3
expect 1 "--maximum-step is 1.5; it must be" unbiased fixed.mha moving.mha "${o[@]}" --align none --maximum-step 1.5
expect 1 "it is 0" unbiased fixed.mha moving.mha "${o[@]}" --update-field-standard-deviations 0
expect 1 "has 3 values; 2 levels need 2" unbiased fixed.mha moving.mha -o o.nii -q -l 2 --update-field-standard-deviations-per-level 3,2,1
expect 1 "it is 0" unbiased fixed.mha moving.mha "${o[@]}" --update-field-standard-deviations-per-level 2,0
expect 2 "--update-field-standard-deviations" unbiased fixed.mha moving.mha "${o[@]}" --update-field-standard-deviations 2 --update-field-standard-deviations-per-level 3,2,2,2
expect 1 "it is foo" unbiased fixed.mha moving.mha "${o[@]}" --metric foo
expect 1 "2 values" unbiased fixed.mha moving.mha "${o[@]}" --update-field-standard-deviations 2,2
expect 1 "--beta has no effect here" greedy fixed.mha moving.mha "${o[@]}" --beta 1
expect 2 "--moving-labels" unbiased fixed.mha moving.mha "${o[@]}" --fixed-labels fixed_seg.mha
expect 2 "--output-warped" unbiased fixed.mha moving.mha
expect 2 "--number-of-levels" unbiased fixed.mha moving.mha "${o[@]}" --shrink-factors-per-level 2,1
expect 2 "MOVING" unbiased fixed.mha
expect 2 "--update-field-standard-deviations" greedy fixed.mha moving.mha "${o[@]}" --update-field-standard-deviations 2
expect 2 "subcommand"

echo "Ctrl-C"
make_image big1.mha "200 200 200" "0 0 0" MET_UCHAR 8000000
make_image big2.mha "200 200 200" "0 0 0" MET_UCHAR 8000000
before+=$'\n'./big1.mha$'\n'./big2.mha
expect_interruptible unbiased big1.mha big2.mha -o o.nii --align none --iterations 1000 --threads 1
expect_interruptible affine big1.mha big2.mha -o o.nii --threads 1

finish "$before"
