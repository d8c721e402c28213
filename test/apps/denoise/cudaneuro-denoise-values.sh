#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail

# Tests values: options outside the range of float arithmetic, masks of float, and the formula of
# --kappa auto.
# Usage: bash test/apps/denoise/cudaneuro-denoise-values.sh PROGRAM

source "$(dirname "${BASH_SOURCE[0]}")/../program-test.sh"

make_image bytes.mha "8 6 5" "0 0 0" MET_UCHAR 240
make_image stretched.mha "8 6 5" "0 0 0" MET_UCHAR 240 /dev/urandom "1 2 0.5"
make_image other.mha "8 6 5" "0 0 0" MET_UCHAR 240

echo "Parameters reach the engine, which refuses what float cannot compute with"
for value in 1e308 1e38 1e-300; do
  for option in "bilateral --range-sigma" "bilateral --domain-sigma" "diffusion --kappa" \
    "non-local-means --smoothing" "non-local-means --noise" "adaptive-non-local-means --noise" "diffusion --noise" "bilateral --noise"; do
    read -r filter name <<< "$option"
    expect 1 "must be from" "$filter" bytes.mha o.nii "$name" "$value"
  done
done
expect 1 "must be from" diffusion bytes.mha o.nii --time-step 1e-300

echo "A multiple of the noise that is out of range names the noise and the factor"
expect 1 "the range sigma of --noise-standard-deviation 1e+35 and --range-factor 3 is 3e+35; it must be from 1e-30 to 1e+30" \
  bilateral bytes.mha o.nii --noise 1e35 --range-factor 3
expect 1 "the smoothing parameter of --noise-standard-deviation 1e+35 and --smoothing-factor 0.5 is 5e+34; it must be from" \
  non-local-means bytes.mha o.nii --noise 1e35 --smoothing-factor 0.5
expect 1 "the kappa of --noise-standard-deviation 1e-31 and --kappa-factor 1 is 1.22474487139159e-31; it must be from" \
  diffusion bytes.mha o.nii --noise 1e-31 --kappa-factor 1 --voxel-units --stencil weickert-26
for i in $(seq 240); do
  printf "\\x00\\x00\\x$(printf %02x $((i * i * 37 % 251)))\\x7a"
done > large # from 1e35 to 1e36
make_image large.mha "8 6 5" "0 0 0" MET_FLOAT 960 large
expect 1 " (auto) and --range-factor 3 is " bilateral large.mha o.nii --noise auto
expect 1 "where --noise-standard-deviation map is largest, --range-sigma is " bilateral large.mha o.nii --noise map
expect 1 "where --noise-standard-deviation large.mha is largest, --smoothing-parameter is " non-local-means large.mha o.nii --noise large.mha
expect 1 "where --noise-standard-deviation large.mha is largest, Kappa is " diffusion large.mha o.nii --noise large.mha
rm -f large
expect 1 "must be from" compare bytes.mha other.mha --data-range 1e308

echo "A mask of float is inside where it is not 0 and not NaN"
# 0, 0.3, NaN, -1, infinity, the smallest float, -0 and 1; and the same as bytes.
for _ in $(seq 30); do
  printf '\0\0\0\0\x9a\x99\x99\x3e\0\0\xc0\x7f\0\0\x80\xbf\0\0\x80\x7f\x01\0\0\0\0\0\0\x80\0\0\x80\x3f' >> floats
  printf '\0\x01\0\x07\xff\x01\0\x01' >> bytes
done
make_image floats.mha "8 6 5" "0 0 0" MET_FLOAT 960 floats
make_image inside.mha "8 6 5" "0 0 0" MET_UCHAR 240 bytes
for filter in bilateral diffusion non-local-means adaptive-non-local-means; do
  expect 0 "" "$filter" bytes.mha floats.nii --mask floats.mha --noise 20 --quiet
  expect 0 "" "$filter" bytes.mha inside.nii --mask inside.mha --noise 20 --quiet
  cmp floats.nii inside.nii || fail "$filter takes the values of a mask of float differently"
done
for mask in floats inside; do
  expect 0 "" compare bytes.mha other.mha --mask $mask.mha --json -
  grep --extended-regexp '"(mssim|mse)"' out.txt > $mask.txt
done
cmp floats.txt inside.txt || fail "compare takes the values of a mask of float differently"

echo "kappa auto is factor x noise x c"
# Expects a kappa to six digits: KAPPA ARGUMENT...
expect_kappa() {
  local kappa=$1
  shift
  expect 0 "" diffusion stretched.mha kappa.nii --noise 20 --json - "$@"
  awk -F '[:,]' -v kappa="$kappa" '/"kappa"/ { ok = ($2 - kappa) ^ 2 < (1e-6 * kappa) ^ 2 } END { exit !ok }' out.txt ||
    fail "kappa is not $kappa: $(grep '"kappa"' out.txt)"
}
# GeometricMean26, the default: c = sqrt(sum over the axes of 7 / (8 h^2)), and h is 1, 2 and 0.5 mm.
expect_kappa 12.8598211
expect_kappa 9.7211110 --voxel-units
# Weickert26: c = sqrt(sum over the axes of 1 / (2 h^2)).
expect_kappa 8.1009259 --stencil weickert-26
expect_kappa 6.1237244 --stencil weickert-26 --voxel-units
# The others: c = sqrt(2).
expect_kappa 11.3137085 --stencil gerig-26
expect_kappa 28.2842712 --stencil perona-malik-6 --kappa-factor 1

echo "The Rician correction refuses an image with many negative voxels"
for _ in $(seq 120); do printf '\x18\xfc\x28\0'; done > voxels # -1000 and 40
make_image ct.mha "8 6 5" "0 0 0" MET_SHORT 480 voxels
expect 1 "120 negative voxels of 240" non-local-means ct.mha ct.nii --noise 12 --rician
expect 0 "" non-local-means ct.mha ct.nii --noise 12
expect 1 "120 negative voxels of 240" noise-map ct.mha ct.nii --rician-correction

expect 1 "120 negative voxels of 240" adaptive-non-local-means ct.mha ct.nii --noise 12 --rician
expect 0 "" adaptive-non-local-means ct.mha ct.nii --noise 12

echo "A noise map of nothing"
make_image zeros.mha "8 6 5" "0 0 0" MET_UCHAR 240 /dev/zero
expect 1 "no voxel of zeros.mha tells of the noise" noise-map zeros.mha o.nii
expect 1 "smoothing-sigma" noise-map bytes.mha o.nii --smoothing-sigma 1e4
expect 1 "must be at least 4 and finite; it is 3" noise-map bytes.mha o.nii --smoothing-sigma 3
rm -f voxels

echo "Noise is a number, or a map of the noise at each voxel"
for _ in $(seq 240); do printf '\0\0\xa0\x41'; done > twenties
make_image twenties.mha "8 6 5" "0 0 0" MET_FLOAT 960 twenties
make_image wider.mha "9 6 5" "0 0 0" MET_FLOAT 1080 /dev/zero
make_image nothing.mha "8 6 5" "0 0 0" MET_FLOAT 960 /dev/zero
make_image larger.mha "19 18 17" "0 0 0" MET_UCHAR 5814
for filter in "non-local-means --weighting patch-distance" "non-local-means --weighting patch-sum --rician-correction" \
  bilateral "bilateral --range-factor 2" diffusion "diffusion --stencil gerig-26 --kappa-factor 1"; do
  read -r name options <<< "$filter"
  # shellcheck disable=SC2086
  expect 0 "" $name bytes.mha number.mha --noise 20 $options --quiet
  # shellcheck disable=SC2086
  expect 0 "" $name bytes.mha mapped.mha --noise twenties.mha $options --quiet
  cmp number.mha mapped.mha || fail "a map of one value differs from that number: $filter"
done
for filter in "non-local-means smoothing smoothing_parameter" "bilateral range range_sigma" "diffusion kappa kappa"; do
  read -r name factor parameter <<< "$filter"
  expect 0 "" "$name" larger.mha mapped.mha --noise map --json - "--$factor-factor" 0.5
  for words in '"noise_map": "estimated"' '"voxels_without_noise": 0' '"noise_is_estimated": true' "\"${factor}_factor\": 0.5" \
    "\"$parameter\": \"noise map times $factor factor\""; do
    grep --quiet "$words" out.txt || fail "the report of $name does not say $words"
  done
done

echo "Adaptive non-local means take a map that is estimated, unless they are told otherwise"
adaptive=adaptive-non-local-means
expect 0 "" $adaptive larger.mha usual.mha --rician-correction --json -
grep --quiet '"noise_map": "estimated"' out.txt || fail "the report does not tell of the map"
grep --quiet '"noise_standard_deviation": "noise map"' out.txt || fail "the report has a number for a map"
expect 0 "" $adaptive larger.mha mapped.mha --rician-correction --noise map --quiet
cmp usual.mha mapped.mha || fail "the default is not a map"
expect 0 "" noise-map larger.mha noise.mha --rician-correction --quiet
expect 0 "" $adaptive larger.mha mapped.mha --rician-correction --noise noise.mha --quiet
cmp usual.mha mapped.mha || fail "the default is not the map that noise-map writes"
expect 0 "" $adaptive larger.mha number.mha --noise auto --json -
grep --quiet '"noise_map"' out.txt && fail "a number is called a map"
grep --quiet '"noise_is_estimated": true' out.txt || fail "the number is not estimated"
expect 0 "" $adaptive bytes.mha number.mha --noise 20 --quiet
expect 0 "" $adaptive bytes.mha mapped.mha --noise twenties.mha --quiet
cmp number.mha mapped.mha || fail "a map of one value differs from that number"
expect 1 "no voxel of zeros.mha tells of the noise" $adaptive zeros.mha o.nii
expect 1 "is 0 at all voxels" $adaptive bytes.mha o.nii --noise nothing.mha
printf '\0\0\xc0\x7f' | dd of=twenties bs=1 seek=244 conv=notrunc status=none # voxel 61
make_image nan.mha "8 6 5" "0 0 0" MET_FLOAT 960 twenties
for filter in "non-local-means --smoothing-parameter" "bilateral --range-sigma" "diffusion --kappa"; do
  read -r name parameter <<< "$filter"
  expect 1 "at voxel (5, 1, 1) is nan; it must be finite" "$name" bytes.mha o.nii --noise nan.mha
  expect 1 "wider.mha" "$name" bytes.mha o.nii --noise wider.mha
  expect 1 "is 0 at all voxels; it must be above 0 at some" "$name" bytes.mha o.nii --noise nothing.mha
  expect 1 "no voxel of zeros.mha tells of the noise" "$name" zeros.mha o.nii --noise map
  expect 1 "missing.mha" "$name" bytes.mha o.nii --noise missing.mha
  expect 1 "must be positive" "$name" bytes.mha o.nii --noise -3
  expect 1 "must be a number, auto, map or a file; it is 5%, and there is no such file" "$name" bytes.mha o.nii --noise 5%
  expect 1 "has no effect here" "$name" bytes.mha o.nii --noise map "$parameter" 9
done
expect 1 "has no effect here" non-local-means bytes.mha o.nii --noise map --smoothing-parameter 9 --rician-correction
rm -f twenties

echo "The residual is what was taken away"
for filter in bilateral diffusion non-local-means adaptive-non-local-means; do
  expect 0 "" "$filter" bytes.mha less.mha --noise 20 --output-residual residual.mha --quiet
  grep --quiet --text 'ElementType = MET_FLOAT' residual.mha || fail "a residual is not of float"
  paste <(tail --bytes 240 bytes.mha | od -An -v -tu1 -w1) <(tail --bytes 240 less.mha | od -An -v -tu1 -w1) \
    <(tail --bytes 960 residual.mha | od -An -v -tf4 -w4) |
    awk '$1 - $2 != $3 { bad = 1 } $3 != 0 { some = 1 } END { exit bad || !some || NR != 240 }' ||
    fail "the residual of $filter is not input less output"
done
expect 1 "" bilateral bytes.mha o.nii --noise 20 --output-residual o.nii
expect 1 "bad.txt" bilateral bytes.mha o.nii --noise 20 --output-residual bad.txt

echo "Voxels that the type to write does not hold are counted"
{
  for _ in $(seq 237); do printf '\0\0\xa0\x41'; done       # 20
  printf '\0\0\xc0\x7f\0\0\x80\xc7\0\0\x80\x7f' # NaN, -65536 and infinity
} > wild
make_image wild.mha "8 6 5" "0 0 0" MET_FLOAT 960 wild
for filter in bilateral diffusion non-local-means adaptive-non-local-means; do
  for type in uchar short ushort; do
    expect 0 "3 voxels are NaN or beyond the range of" "$filter" wild.mha o.mha --noise 20 --output-type $type --json report.json
    grep --quiet '"limited_voxels": 3' report.json || fail "the report of $filter does not count what $type does not hold"
  done
  expect 0 "" "$filter" wild.mha o.mha --noise 20 --json -
  grep --quiet '"limited_voxels": 0' out.txt || fail "$filter counts voxels that float holds"
  expect 0 "" "$filter" bytes.mha o.mha --noise 20 --output-type short
  [ ! -s err.txt ] || fail "$filter warns of bytes in short"
done
expect 0 "" noise-map larger.mha o.mha --output-type uchar
{
  for _ in $(seq 240); do printf '\0\0\x80\x3f\xcd\xcc\x8c\x3f'; done | head --bytes 912
  head --bytes 48 /dev/zero
} > wild # 1 and 1.1
make_image wild.mha "8 6 5" "0 0 0" MET_FLOAT 960 wild
expect 0 "" noise-map wild.mha o.mha
expect 1 "holds as 0, or not at all; leave it float" noise-map wild.mha o.mha --output-type uchar
for _ in $(seq 240); do printf '\xcd\xcc\xcc\xbe'; done > wild # -0.4, which is rounded to 0
make_image wild.mha "8 6 5" "0 0 0" MET_FLOAT 960 wild
expect 0 "" bilateral wild.mha o.mha --noise 20 --output-type uchar
[ ! -s err.txt ] || fail "values that are rounded to 0 are counted"
rm -f wild report.json o.mha

echo "One voxel, and two planes"
make_image voxel.mha "1 1 1" "0 0 0" MET_UCHAR 1
make_image planes.mha "19 18 2" "0 0 0" MET_UCHAR 684
for filter in bilateral diffusion non-local-means; do
  expect 0 "" "$filter" voxel.mha o.mha --noise 3 --quiet
  cmp <(tail --bytes 1 voxel.mha) <(tail --bytes 1 o.mha) || fail "$filter changes a voxel that has no neighbors"
  expect 0 "" "$filter" planes.mha o.mha --quiet
done

echo "The domain sigma is one voxel unless it is set"
expect 0 "" bilateral stretched.mha voxel.nii --noise 20
expect 0 "" bilateral stretched.mha units.nii --noise 20 --domain-sigma 1 --voxel-units
expect 0 "" bilateral stretched.mha mm.nii --noise 20 --domain-sigma 1,2,0.5
cmp voxel.nii units.nii || fail "the default domain sigma is not one voxel"
cmp voxel.nii mm.nii || fail "the default domain sigma is not the spacing"

rm -f ./*.nii ./*.mha ./*.txt floats bytes
finish ""
