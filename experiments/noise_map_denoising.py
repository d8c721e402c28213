#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoising of heads with a noise map and with the best number: the tables of Documentation/noise.md.

  noise_map_denoising.py MAPS PROGRAM WORK [--heads 07 08 ...] [--planes 16] [--filter "bilateral --range-factor 3"]
  noise_map_denoising.py IMAGE PROGRAM WORK [--planes 16] [--filter ...] [--kinds middle]
                                                        MAPS has training_seg_01.nii.gz to _10 of SynthSeg, IMAGE
                                                        is a head without noise that is 0 around it, such as the ICBM152
                                                        template, PROGRAM is cudaneuro-denoise, WORK a folder for images

Needs NumPy and SciPy. Of each head the planes in its middle are drawn as in noise_map.py, or taken from the image, and denoised with
the true map, with the map that is estimated from these planes, and with numbers around the mean of the noise, of which the best is kept
for each image by each measure: more than a user can know. Measures are over the voxels of the head.
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


def denoised(program, work, words, noise, brightest):
    """MSSIM and root of the mean squared error in percent of the brightest tissue."""
    command = [program, words[0], work / "noisy.nii", work / "denoised.nii", *words[1:], "--quiet"]
    subprocess.run([*command, "--noise", str(noise)], check=True)
    # compare prints its result even where it is quiet.
    command = [program, "compare", work / "clean.nii", work / "denoised.nii", "--mask", work / "inside.nii", "--quiet"]
    command += ["--data-range", str(brightest), "--json", work / "measures.json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    measures = json.loads((work / "measures.json").read_text())
    return measures["mssim"], 100 * np.sqrt(measures["mse"]) / brightest


def measures_of(program, work, words, image, sigma, inside, affine, brightest, generator):
    """The measures with the best number, the true map, and the estimated one."""
    nifti.write(work / "clean.nii", image.astype(np.float32), affine)
    nifti.write(work / "noisy.nii", rician(image, sigma, generator), affine)
    nifti.write(work / "inside.nii", inside.astype(np.float32), affine)
    nifti.write(work / "true.nii", np.ascontiguousarray(sigma, dtype=np.float32), affine)
    numbers = [denoised(program, work, words, factor * sigma[inside].mean(), brightest) for factor in FACTORS]
    best = max(mssim for mssim, _ in numbers), min(error for _, error in numbers)
    return best, denoised(program, work, words, work / "true.nii", brightest), denoised(program, work, words, "map", brightest)


class Drawn:
    """Heads that are drawn from label maps."""

    contrasts = ("t1", "t2")

    def __init__(self, options):
        self.maps = options.maps
        self.names = options.heads

    def head(self, name, contrast):
        """Its voxels, which of them are of the head, the affine, and the brightest tissue."""
        voxels, affine = nifti.read(self.maps / f"training_seg_{name}.nii.gz")
        labels = cut_to_head(heads.Lattice(voxels.astype(np.int16), affine))
        image = draw(labels, contrast, np.random.default_rng([int(name), contrast == "t2"]))
        return image, labels.voxels > 0, labels.affine, BRIGHTEST[contrast]


class Given:
    """One image without noise."""

    contrasts = ("t1",)
    names = ("0",)

    def __init__(self, options):
        self.path = options.maps

    def head(self, _name, _contrast):
        voxels, affine = nifti.read(self.path)
        image = voxels.astype(np.float32)
        return image, image > 0, affine, float(np.quantile(image[image > 0], 0.99))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--heads", nargs="+", default=["07", "08"])
    parser.add_argument("--planes", type=int, default=16)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--filter", default="non-local-means --rician-correction", help="subcommand and options")
    options = parser.parse_args()
    source = (Drawn if options.maps.is_dir() else Given)(options)
    options.work.mkdir(parents=True, exist_ok=True)
    print("| noise | heads | level | best number | true map | estimated map |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for contrast, kind, level in itertools.product(source.contrasts, options.kinds, LEVELS):
        results = []
        for head in source.names:
            image, inside, affine, brightest = source.head(head, contrast)
            first = (image.shape[2] - options.planes) // 2
            kept = (slice(None), slice(None), slice(first, first + options.planes))
            sigma = profile(kind, image.shape)[kept]
            sigma = sigma * (level / 100 * brightest / sigma[inside[kept]].mean())
            generator = np.random.default_rng([int(head), level, KINDS.index(kind), contrast == "t2"])
            arguments = image[kept], sigma, inside[kept], affine, brightest, generator
            results.append(measures_of(options.program, options.work, options.filter.split(), *arguments))
        cells = [f" {mssim:.4f} / {error:.2f} |" for mssim, error in np.mean(results, axis=0)]
        print(f"| {kind} | {contrast.upper()} | {level} % |" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
