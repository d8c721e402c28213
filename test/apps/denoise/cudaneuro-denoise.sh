#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail

# Tests the program: what it writes, and what it does with bad input.
# Usage: bash test/apps/denoise/cudaneuro-denoise.sh PROGRAM

source "$(dirname "${BASH_SOURCE[0]}")/../program-test.sh"

make_image bytes.mha "19 18 17" "0 0 0" MET_UCHAR 5814
make_image shorts.mha "19 18 17" "0 0 0" MET_SHORT 11628
make_image ints.mha "9 8 7" "0 0 0" MET_INT 2016
make_image flat.mha "31 23" "0 0" MET_UCHAR 713
make_image mask.mha "19 18 17" "0 0 0" MET_UCHAR 5814
make_image moved.mha "19 18 17" "0 5 0" MET_UCHAR 5814
make_image small.mha "19 18 16" "0 0 0" MET_UCHAR 5472
make_image four.mha "4 4 4 4" "0 0 0 0" MET_UCHAR 256
make_image short.mha "19 18 17" "0 0 0" MET_UCHAR 100
echo hello > garbage.nii

echo "What works"
expect 0 "" --help
expect 0 "" bilateral --help
expect 0 "" devices
for filter in bilateral diffusion non-local-means adaptive-non-local-means; do
  expect 0 "" "$filter" bytes.mha "$filter.nii.gz" --json "$filter.json"
  expect 0 "" "$filter" flat.mha "$filter-2d.mha" --quiet
done
expect 0 "" noise-map bytes.mha noise.nii.gz --mask mask.mha --json noise.json
grep --quiet '"excluded_voxels": 0' noise.json || fail "noise was found nowhere"
expect 0 "" noise-map flat.mha noise-2d.mha --smoothing-sigma 20 --rician-correction --quiet
grep --quiet 'ElementType = MET_FLOAT' noise-2d.mha || fail "a noise map is not of float"
expect 0 "" noise-map bytes.mha noise-bytes.mha --output-type uchar --quiet
expect 0 "" bilateral shorts.mha typed.nrrd --output-type float --radius 1,2,3 --domain-sigma 1,2,1.5 --mask mask.mha
expect 0 "" bilateral bytes.mha pair.mhd --device cpu --threads 1
expect 0 "" bilateral pair.mhd pair.hdr
expect 0 "" bilateral pair.hdr bytes-again.nii
expect 0 "" bilateral bytes.mha floats.nii --output-type float
expect 0 "are read as double" bilateral ints.mha ints.nii --quiet
expect 0 "limit" diffusion bytes.mha unstable.nii --time-step 0.2 --quiet
expect 0 "--max-memory has no effect" bilateral bytes.mha limited.nii --max-memory 1GB --device cpu --quiet
expect 0 "--max-memory has no effect" compare bytes.mha bytes.mha --max-memory 1GB --device cpu --quiet
expect 0 "" compare bytes.mha bytes.mha --json - --map map.nii
grep --quiet '"mssim": 1.0' out.txt || fail "an image compared with itself has an MSSIM other than 1"
grep --quiet '"mse": 0.0' out.txt || fail "an image compared with itself has an MSE other than 0"
# NaN stays NaN: "(0 0 192 127)" are its bytes.
set_bytes typed-nan.nii 352 '\000\000\300\177' floats.nii
expect 0 "" bilateral typed-nan.nii kept-nan.nii --quiet
cmp --quiet --ignore-initial=352 --bytes=4 typed-nan.nii kept-nan.nii || fail "a voxel of NaN was read as another number"

# Fields that no reader needs, or that stand for nothing: bitpix 16, and scl_slope NaN.
set_bytes bits.nii 72 '\020\000'
set_bytes slope.nii 112 '\000\000\300\177'
expect 0 "" bilateral bits.nii read.nii --quiet
expect 0 "" bilateral slope.nii read.nii --quiet

# Files that ITK's readers misread, or that crash them.
set_bytes offset.nii 108 '\000\000\000\000'     # vox_offset 0
set_bytes far-offset.nii 108 '\371\002\025\120' # 1e10
set_bytes size.nii 42 '\000\000'                # dim[1] 0
set_bytes sform.nii 280 '\000\000\300\177'      # srow_x[0] NaN
set_bytes huge-sform.nii 284 '\231\311\177\177' # srow_x[1] 3.4e38
head --bytes 3000 bytes-again.nii > cut.nii
gzip --stdout bytes-again.nii | head --bytes 3000 > cut.nii.gz
sed "s/^NDims = 3/NDims = 2147483647/" bytes.mha > axes.mha
sed "s/^Offset = /Comment = $(printf '%0400d' 0)\n&/" bytes.mha > comment.mha
printf 'NRRD0004\ntype: %02000d\n\n' 0 > long.nrrd
mkfifo fifo.nii fifo.mha
before=$(find . -mindepth 1 | sort)

echo "Bad input"
if is_for_windows; then
  echo "left out: FIFOs and devices: Wine does not show those of Unix, and Windows has none in folders."
  expect 1 "/dev/none.nii: there is no such file" bilateral /dev/none.nii o.nii
else
  for fifo in fifo.nii fifo.mha; do
    expect 1 "$fifo: it is a FIFO" bilateral $fifo o.nii
    expect 1 "$fifo: it is a FIFO" bilateral bytes.mha o.nii --mask $fifo
  done
  expect 1 "/dev/zero: it is a device" bilateral /dev/zero o.nii
fi
expect 1 "vox_offset is 0" bilateral offset.nii o.nii
expect 1 "vox_offset is 1e+10" bilateral far-offset.nii o.nii
expect 1 "dim[1] is 0" bilateral size.nii o.nii
expect 1 "srow_x[0] is nan" bilateral sform.nii o.nii
expect 1 "srow_x[1] is 3.4e+38" bilateral huge-sform.nii o.nii
expect 1 "cut.nii: it is cut short" bilateral cut.nii o.nii
expect 1 "cut.nii.gz: it is cut short" bilateral bytes.mha o.nii --mask cut.nii.gz
expect 1 "NDims is" bilateral axes.mha o.nii
expect 1 "comments and texts of 254 characters" bilateral comment.mha o.nii
expect 1 "lines of 800 characters" bilateral long.nrrd o.nii
expect 1 "no such file" bilateral missing.nii o.nii
expect 1 "garbage.nii" bilateral garbage.nii o.nii
expect 1 "short.mha" bilateral short.mha o.nii
expect 1 "4 axes" bilateral four.mha o.nii
expect 1 "o.xyz" bilateral bytes.mha o.xyz
expect 1 "no folder nowhere" bilateral bytes.mha nowhere/o.nii
expect 1 "size" bilateral bytes.mha o.nii --mask small.mha
expect 1 "origin" bilateral bytes.mha o.nii --mask moved.mha
expect 1 "flat.mha has 2 axes, and bytes.mha 3" compare bytes.mha flat.mha
expect 1 "size" compare bytes.mha small.mha
expect 1 'no device "cuda:99"' bilateral bytes.mha o.nii --device cuda:99
expect 1 'Unknown device "gpu"' bilateral bytes.mha o.nii --device gpu
expect 1 "it is -3" bilateral bytes.mha o.nii --range-sigma -3
expect 1 "it is 0" bilateral bytes.mha o.nii --radius 0
expect 1 "2 values" bilateral bytes.mha o.nii --radius 2,2
expect 1 "it is nan" bilateral bytes.mha o.nii --domain-sigma nan
expect 1 "it is 0" diffusion bytes.mha o.nii --iterations 0
expect 1 "it is 0" diffusion bytes.mha o.nii --kappa 0
expect 1 "it is 0" diffusion bytes.mha o.nii --time-step 0
expect 1 "it is 0" non-local-means bytes.mha o.nii --window-radius 0
expect 1 "it is 0" non-local-means bytes.mha o.nii --smoothing 0
expect 1 "it is 0" adaptive-non-local-means bytes.mha o.nii --smoothing-factor 0
expect 1 "it is foo" non-local-means bytes.mha o.nii --weighting foo
expect 2 "abc" bilateral bytes.mha o.nii --range-sigma abc
expect 2 "--bogus" bilateral bytes.mha o.nii --bogus
expect 2 "OUTPUT" bilateral bytes.mha
expect 2 "subcommand"

echo "Ctrl-C"
make_image big.mha "300 300 300" "0 0 0" MET_UCHAR 27000000
before+=$'\n'./big.mha
expect_interruptible non-local-means big.mha o.nii --window-radius 7 --device cpu --threads 1

finish "$before"
