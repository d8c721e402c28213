#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Non-local means of drawn heads with a noise map and with the best number: a table of Documentation/noise.md.

  noise_map_denoising.py MAPS PROGRAM WORK [--heads 07 08 ...] [--planes 16]
                                                        MAPS has training_seg_01.nii.gz to _10 of SynthSeg,
                                                        PROGRAM is cudaneuro-denoise, WORK a folder for images

Needs NumPy and SciPy. Of each head the planes in its middle are drawn as in noise_map.py, and denoised with the true map, with the
map that is estimated from these planes, and with numbers around the mean of the noise, of which the best is kept for each image by each
measure: more than a user can know. Measures are over the voxels of the head.
"""

import argparse
import itertools
import json
import pathlib
import subprocess

import drawn_heads as heads
import nifti
import numpy as np
from noise_map import BRIGHTEST, cut_to_head, draw, profile, rician

LEVELS = (3, 9)  # mean over the head, percent of the brightest tissue
FACTORS = (0.6, 0.8, 1.0, 1.25, 1.5, 2.0)  # of the mean of the noise, the numbers that are tried
KINDS = ("constant", "middle", "end")


def denoised(program, work, noise, brightest):
    """MSSIM and root of the mean squared error in percent of the brightest tissue."""
    command = [program, "non-local-means", work / "noisy.nii", work / "denoised.nii", "--rician-correction", "--quiet"]
    subprocess.run([*command, "--noise", str(noise)], check=True)
    # compare prints its result even where it is quiet.
    command = [program, "compare", work / "clean.nii", work / "denoised.nii", "--mask", work / "inside.nii", "--quiet"]
    command += ["--data-range", str(brightest), "--json", work / "measures.json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    measures = json.loads((work / "measures.json").read_text())
    return measures["mssim"], 100 * np.sqrt(measures["mse"]) / brightest


def measures_of(program, work, image, sigma, inside, affine, brightest, generator):
    """The measures with the best number, the true map, and the estimated one."""
    nifti.write(work / "clean.nii", image.astype(np.float32), affine)
    nifti.write(work / "noisy.nii", rician(image, sigma, generator), affine)
    nifti.write(work / "inside.nii", inside.astype(np.float32), affine)
    nifti.write(work / "true.nii", np.ascontiguousarray(sigma, dtype=np.float32), affine)
    numbers = [denoised(program, work, factor * sigma[inside].mean(), brightest) for factor in FACTORS]
    best = max(mssim for mssim, _ in numbers), min(error for _, error in numbers)
    return best, denoised(program, work, work / "true.nii", brightest), denoised(program, work, "map", brightest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--heads", nargs="+", default=["07", "08"])
    parser.add_argument("--planes", type=int, default=16)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| noise | heads | level | best number | true map | estimated map |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for contrast, kind, level in itertools.product(("t1", "t2"), KINDS, LEVELS):
        results = []
        for head in options.heads:
            voxels, affine = nifti.read(options.maps / f"training_seg_{head}.nii.gz")
            labels = cut_to_head(heads.Lattice(voxels.astype(np.int16), affine))
            image = draw(labels, contrast, np.random.default_rng([int(head), contrast == "t2"]))
            first = (image.shape[2] - options.planes) // 2
            kept = (slice(None), slice(None), slice(first, first + options.planes))
            inside = labels.voxels[kept] > 0
            sigma = profile(kind, image.shape)[kept]
            sigma = sigma * (level / 100 * BRIGHTEST[contrast] / sigma[inside].mean())
            generator = np.random.default_rng([int(head), level, KINDS.index(kind), contrast == "t2"])
            brightest = BRIGHTEST[contrast]
            results.append(
                measures_of(options.program, options.work, image[kept], sigma, inside, labels.affine, brightest, generator)
            )
        cells = [f" {mssim:.4f} / {error:.2f} |" for mssim, error in np.mean(results, axis=0)]
        print(f"| {kind} | {contrast.upper()} | {level} % |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
