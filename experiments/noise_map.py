#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The error of noise maps of drawn heads whose noise is known: the table of Documentation/noise.md.

  noise_map.py MAPS PROGRAM WORK [--heads 07 08 ...] [--planes] [--number]
                                                        MAPS has training_seg_01.nii.gz to _10 of SynthSeg,
                                                        PROGRAM is cudaneuro-denoise, WORK a folder for images;
                                                        with --planes, of each head the plane in its middle;
                                                        with --number, also the errors of --noise auto and of the
                                                        map's mean where the noise is constant, as Documentation/denoising.md has them

Needs NumPy and SciPy. Each head is drawn as T1 and T2 with texture and bias, and given Rician noise, constant or up to four times as
strong in the middle or at one end as elsewhere. Errors are relative, over all voxels of the head.
"""

import argparse
import itertools
import json
import pathlib
import subprocess

import drawn_heads as heads
import nifti
import numpy as np
from scipy import ndimage

DESIGN = {"01", "02"}  # heads by which constants of the filter were chosen; the others are held out
LEVELS = (1, 3, 5, 9, 15)  # mean over the head, percent of the brightest tissue
BRIGHTEST = {"t1": 170, "t2": 225, "pd": 200}
STRENGTH = 4
TEXTURE, TEXTURE_WIDTH = 0.04, 1.5  # standard deviation, relative; of the Gaussian that smooths it, voxels
MARGIN = 16  # voxels of air around the head


def cut_to_head(lattice):
    """The head with some air around it."""
    inside = [np.nonzero(lattice.voxels.any(axis=tuple({0, 1, 2} - {axis})))[0] for axis in range(3)]
    box = [(max(0, i[0] - MARGIN), min(n, i[-1] + 1 + MARGIN)) for i, n in zip(inside, lattice.voxels.shape)]
    return lattice.part(box)


def draw(labels, contrast, generator):
    """A head without noise."""
    image = heads.clean_image(labels, contrast, generator).voxels
    texture = ndimage.gaussian_filter(generator.standard_normal(image.shape, dtype=np.float32), TEXTURE_WIDTH)
    return image * (1 + TEXTURE * texture / texture.std()) * heads.smooth_bias(image.shape, generator)


def profile(kind, shape):
    """The strength of the noise, up to a factor."""
    axes = [np.linspace(-1, 1, n, dtype=np.float32) for n in shape]
    x, y, z = np.meshgrid(*axes, indexing="ij", sparse=True)
    if kind == "middle":
        return 1 + (STRENGTH - 1) * np.exp(-(x * x + y * y + z * z) / (2 * 0.45**2))
    return np.broadcast_to(STRENGTH ** (0 * x + y / 2 + 0 * z) if kind == "end" else np.float32(1), shape)


def rician(image, sigma, generator):
    real = image + sigma * generator.standard_normal(image.shape, dtype=np.float32)
    return np.hypot(real, sigma * generator.standard_normal(image.shape, dtype=np.float32)).astype(np.float32)


def errors_of(program, work, head, contrast, image, inside, affine, also_number):
    """Mean and 95th percentile of the error in percent, by kind and level."""
    errors = {}
    for number, (kind, level) in enumerate(itertools.product(("constant", "middle", "end"), LEVELS)):
        sigma = profile(kind, image.shape)
        sigma = sigma * (level / 100 * BRIGHTEST[contrast] / sigma[inside].mean())
        noisy = rician(image, sigma, np.random.default_rng([int(head), number, contrast == "t2"]))
        nifti.write(work / "noisy.nii", noisy, affine)
        command = [program, "noise-map", work / "noisy.nii", work / "map.nii", "--rician-correction", "--quiet"]
        subprocess.run(command, check=True)
        error = 100 * np.abs(nifti.read(work / "map.nii")[0][inside] / sigma[inside] - 1)
        errors[kind, level] = error.mean(), np.percentile(error, 95)
        if also_number and kind == "constant":
            print_errors_of_number(program, work, level, inside, sigma[inside].mean())
    return errors


def print_errors_of_number(program, work, level, inside, sigma):
    """Of the image and the map that errors_of has left, whose noise is constant; signed, in percent."""
    command = [program, "bilateral", work / "noisy.nii", work / "o.nii", "--noise", "auto", "--quiet", "--json", work / "report.json"]
    subprocess.run(command, check=True)
    found = json.loads((work / "report.json").read_text())["noise"]
    mean = nifti.read(work / "map.nii")[0][inside].mean()
    errors = [100 * (value / sigma - 1) for value in (found, mean)]
    print(f"  {level} %: one number {errors[0]:+.1f} %, mean of the map {errors[1]:+.1f} %", flush=True)


def print_table(groups):
    """Of each group of heads and contrast the mean over its heads."""
    print("| noise | heads |" + "".join(f" {level} % |" for level in LEVELS))
    print("| --- | --- |" + " ---: |" * len(LEVELS))
    for kind in ("constant", "middle", "end"):
        for name, results in groups.items():
            cells = [np.mean([errors[kind, level] for errors in results], axis=0) for level in LEVELS]
            print(f"| {kind} | {name} |" + "".join(f" {mean:.1f} / {most:.1f} |" for mean, most in cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--heads", nargs="+", default=["01", "02", "07", "08", "09", "10"])
    parser.add_argument("--planes", action="store_true")
    parser.add_argument("--number", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    groups = {}
    for head, contrast in itertools.product(options.heads, ("t1", "t2")):
        voxels, affine = nifti.read(options.maps / f"training_seg_{head}.nii.gz")
        labels = cut_to_head(heads.Lattice(voxels.astype(np.int16), affine))
        image = draw(labels, contrast, np.random.default_rng([int(head), contrast == "t2"]))
        middle = image.shape[2] // 2
        kept = slice(middle, middle + 1) if options.planes else slice(None)
        inside = labels.voxels[:, :, kept] > 0
        errors = errors_of(options.program, options.work, head, contrast, image[:, :, kept], inside, labels.affine, options.number)
        kind = "chosen by" if head in DESIGN else "held out"
        groups.setdefault(f"{contrast.upper()}, {kind}", []).append(errors)
        print(f"head {head}, {contrast}", flush=True)
    print_table(groups)


if __name__ == "__main__":
    main()
