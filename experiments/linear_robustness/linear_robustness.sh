#!/bin/bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# Runs the experiments of Documentation/linear-robustness.md and prints its table:
#   linear_robustness.sh PROGRAM IMAGES [OUTPUT] [OPTIONS...]
# PROGRAM is linear_robustness of experiments/. IMAGES is a folder with head-t1.nii.gz, head-t2.nii.gz and head-pd.nii.gz, raw heads of
# one subject that are aligned by their headers, and brain-t1.nii.gz, a brain of another subject near them. OUTPUT gets a JSON file
# an experiment. The environment variables ONLY, a regular expression of names of experiments, and STARTS, the number of starts
# of each, make it shorter. OPTIONS are those of the program, for all experiments: --device cpu --shrink 4 --levels 2,1.
set -euo pipefail
if (($# < 2)); then
  sed -n 's/^# \{0,1\}//; 5,11p' "$0" >&2
  exit 2
fi
program=$1
images=$2
output=${3:-linear-robustness}
options=("${@:4}")
t1=$images/head-t1.nii.gz
t2=$images/head-t2.nii.gz
pd=$images/head-pd.nii.gz
brain=$images/brain-t1.nii.gz
mkdir -p "$output"

# experiment NAME TITLE STARTS FIXED MOVING [OPTIONS...]
experiment() {
  if [[ ! $1 =~ ${ONLY:-.} ]]; then
    return
  fi
  "$program" "$4" "$5" --title "$2" --starts "${STARTS:-$3}" --json "$output/$1.json" "${@:6}" "${options[@]}"
}

"$program" --table-head
# Rotations up to 30 degrees about each axis, shifts up to 30 mm along each. Noise makes the two images of one contrast different.
for start in InitialTransform CentersOfMass; do
  experiment "t1-t1-$start" "T1 to T1, noise 3 %, from $start" 1000 "$t1" "$t1" --noise 3 --start $start
  experiment "t1-t2-$start" "T1 to T2, from $start" 1000 "$t1" "$t2" --start $start
  experiment "t1-pd-$start" "T1 to PD, from $start" 1000 "$t1" "$pd" --start $start
done
experiment t2-t1 "T2 to T1" 1000 "$t2" "$t1" --start CentersOfMass
experiment t1-t1-noise "T1 to T1, noise 9 %" 200 "$t1" "$t1" --noise 9 --start CentersOfMass
experiment t1-t2-noise "T1 to T2, noise 9 %" 200 "$t1" "$t2" --noise 9 --start CentersOfMass
experiment t1-t1-bias "T1 to T1, noise 3 %, bias 40 %" 200 "$t1" "$t1" --noise 3 --bias 40 --start CentersOfMass
experiment t1-t2-bias "T1 to T2, bias 40 %" 200 "$t1" "$t2" --bias 40 --start CentersOfMass
for end in below above; do
  flags=()
  if [[ $end == above ]]; then
    flags=(--cut-above)
  fi
  for start in InitialTransform CentersOfMass; do
    experiment "t1-t1-cut-$end-$start" "T1 to T1, noise 3 %, a third cut off $end, from $start" 200 "$t1" "$t1" \
      --noise 3 --cut 0.333 --start $start "${flags[@]}"
    experiment "t1-t2-cut-$end-$start" "T1 to T2, a third cut off $end, from $start" 200 "$t1" "$t2" \
      --cut 0.333 --start $start "${flags[@]}"
  done
done
experiment t1-t2-all "T1 to T2, noise 9 %, bias 40 %, a third cut off below" 200 "$t1" "$t2" \
  --noise 9 --bias 40 --cut 0.333 --start CentersOfMass

# Two subjects: what is right is not known. The median of all results stands for it.
for contrast in t1 t2 pd; do
  experiment "subjects-$contrast" "another subject's brain to the head, ${contrast^^}, affine" 200 "$brain" \
    "$images/head-$contrast.nii.gz" --transform-type Affine --truth consensus --tolerance 2 --start CentersOfMass
done

# Other types, with known maps of sizes 0.9 to 1.1 and shears.
experiment t1-t1-affine "T1 to T1, noise 3 %, affine" 200 "$t1" "$t1" --noise 3 --transform-type Affine --known-scale 0.1 \
  --start CentersOfMass
experiment t1-t2-affine "T1 to T2, affine" 200 "$t1" "$t2" --transform-type Affine --known-scale 0.1 --start CentersOfMass

# Any rotation.
experiment t1-t1-any "T1 to T1, noise 3 %, any rotation, search" 200 "$t1" "$t1" --noise 3 --angle 180 --search-angle 180 \
  --start CentersOfMass
experiment t1-t2-any "T1 to T2, any rotation, search" 200 "$t1" "$t2" --angle 180 --search-angle 180 --start CentersOfMass
experiment t1-t2-any-cut "T1 to T2, any rotation, a third cut off below, search" 200 "$t1" "$t2" --angle 180 --search-angle 180 \
  --cut 0.333 --search-distance 40 --start CentersOfMass
experiment t1-t1-any-without "T1 to T1, noise 3 %, any rotation, no search" 200 "$t1" "$t1" --noise 3 --angle 180 \
  --start CentersOfMass
experiment t1-t1-any-axes "T1 to T1, noise 3 %, any rotation, principal axes" 200 "$t1" "$t1" --noise 3 --angle 180 \
  --start PrincipalAxes

# Accuracy. Both images are seen on rotated grids of their own, after a smoothing that takes away the noise which they have in
# common; then each gets noise of its own. Five pairs, 20 starts each.
for type in Rigid Affine; do
  for seed in 1 2 3 4 5; do
    known=()
    if [[ $type == Affine ]]; then
      known=(--known-scale 0.1)
    fi
    experiment "accuracy-t1-$type-$seed" "accuracy T1 to T1, noise 3 %, $type, pair $seed" 20 "$t1" "$t1" \
      --smooth 0.7 --resample --noise 3 --seed $seed --tolerance 0.1 --transform-type $type --start CentersOfMass "${known[@]}"
    experiment "accuracy-t2-$type-$seed" "accuracy T1 to T2, noise 3 %, $type, pair $seed" 20 "$t1" "$t2" \
      --smooth 0.7 --resample --noise 3 --seed $seed --tolerance 0.1 --transform-type $type --start CentersOfMass "${known[@]}"
  done
done
