#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Filters of this project and of others on images whose noise is known, for Documentation/adaptive-non-local-means.md.

  denoising_rivals.py PROGRAM WORK [--t1 FILE] [--maps MAPS --heads 07 08 ...] [--planes 16] [--methods ...]
                                                        PROGRAM is cudaneuro-denoise, WORK a folder for images,
                                                        FILE a T1 volume without noise, 0 outside the brain,
                                                        MAPS has training_seg_01.nii.gz to _10 of SynthSeg

Needs NumPy and SciPy. Drawn heads are those of noise_map.py, as T1, T2 and PD. They get Rician noise, constant or up to four
times as strong in the middle, with a mean over the head in percent of the brightest tissue. Measures are MSSIM and the root
of the mean squared error in percent of the brightest tissue, over the voxels of the head.

The best number of non-local means is found for each image and each measure. ANTs estimates the noise; the other rivals are
given the true mean of the noise. Those of scikit-image and of the package bm4d know no Rician noise: their results get the
correction of adaptive non-local means. Rivals take part whose Python packages are installed. Seconds are those of one run,
without reading and writing; CUDANEURO_DEVICE says where the program computes.
"""

import argparse
import importlib.util
import itertools
import json
import pathlib
import subprocess
import time

import drawn_heads as heads
import nifti
import numpy as np
from noise_map import BRIGHTEST, cut_to_head, draw, profile, rician

FACTORS = (0.6, 0.8, 1.0, 1.25, 1.5, 2.0)  # of the mean of the noise, the numbers that are tried
PROGRAM_OPTIONS = {
    "adaptive": ["adaptive-non-local-means", "--rician-correction"],
    "non-local means, map": ["non-local-means", "--rician-correction", "--noise", "map"],
    "bilateral": ["bilateral"],
    "bilateral, map": ["bilateral", "--noise", "map"],
}


class Case:
    """An image without noise, where the head is, and the standard deviation of the noise that it gets."""

    def __init__(self, image, affine, inside, brightest, strength, level):
        """Noise is in proportion to the strength, and has a mean over the head of so many percent of the brightest tissue."""
        self.image = image.astype(np.float32)
        self.affine = affine
        self.inside = inside
        self.brightest = brightest
        self.mean_noise = level / 100 * brightest
        self.sigma = (strength * (self.mean_noise / strength[inside].mean())).astype(np.float32)


def rician_signal(mean):
    """The signal of which Rician noise of standard deviation 1 makes a magnitude of this mean, 0 below 0.65."""
    u = np.maximum(mean**2 - np.pi / 2, 0)
    signal = np.sqrt(np.maximum(mean**2 - 1 - (np.pi / 2 - 1) / (1 + 0.48096 * u + 0.05479 * u**2), 0.65**2) * (u > 0))
    return signal * (1 - (0.65 / np.maximum(signal, 0.65)) ** 8)


def with_ants(noisy, sigma):
    import ants

    return ants.denoise_image(ants.from_numpy(noisy), noise_model="Rician").numpy()


def with_dipy(noisy, sigma):
    from dipy.denoise.nlmeans import nlmeans

    return nlmeans(noisy, sigma=sigma, patch_radius=1, block_radius=5, rician=True)


def with_scikit_image(noisy, sigma):
    from skimage.restoration import denoise_nl_means

    # The recommendation of its documentation for patches that are compared fast.
    options = dict(patch_size=5, patch_distance=3, h=0.8 * sigma, sigma=sigma, fast_mode=True, preserve_range=True)
    return sigma * rician_signal(denoise_nl_means(noisy, **options) / sigma)


def with_bm4d(noisy, sigma):
    from bm4d import bm4d

    return sigma * rician_signal(bm4d(noisy, sigma) / sigma)


# The Python package of each, and what computes (noisy image, standard deviation of the noise).
RIVALS = {
    "ANTs": ("ants", with_ants),
    "DIPY": ("dipy", with_dipy),
    "scikit-image": ("skimage", with_scikit_image),
    "BM4D": ("bm4d", with_bm4d),
}


class Measurement:
    """Denoises the noisy image of a case by each method."""

    def __init__(self, program, work, case, noisy):
        self.program = program
        self.work = work
        self.case = case
        self.noisy = noisy
        for name, voxels in (("clean", case.image), ("noisy", noisy), ("inside", case.inside.astype(np.float32))):
            nifti.write(work / f"{name}.nii", voxels, case.affine)

    def compare(self, name):
        """MSSIM and root of the mean squared error in percent of the brightest tissue."""
        command = [self.program, "compare", self.work / "clean.nii", self.work / name, "--mask", self.work / "inside.nii"]
        command += ["--data-range", str(self.case.brightest), "--json", self.work / "measures.json", "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        measures = json.loads((self.work / "measures.json").read_text())
        return measures["mssim"], 100 * np.sqrt(measures["mse"]) / self.case.brightest

    def by_program(self, subcommand, *options):
        command = [self.program, subcommand, self.work / "noisy.nii", self.work / "denoised.nii", *options]
        subprocess.run([*command, "--quiet", "--json", self.work / "report.json"], check=True)
        seconds = json.loads((self.work / "report.json").read_text())["seconds"]["denoising"]
        return *self.compare("denoised.nii"), seconds

    def by_best_number(self):
        numbers = [str(factor * self.case.mean_noise) for factor in FACTORS]
        runs = [self.by_program("non-local-means", "--rician-correction", "--noise", number) for number in numbers]
        mssim, error, seconds = zip(*runs)
        return max(mssim), min(error), min(seconds)

    def by_rival(self, denoise):
        start = time.perf_counter()
        denoised = denoise(self.noisy, self.case.mean_noise)
        seconds = time.perf_counter() - start
        nifti.write(self.work / "denoised.nii", np.asarray(denoised, dtype=np.float32), self.case.affine)
        return *self.compare("denoised.nii"), seconds

    def by(self, method):
        """MSSIM, error and seconds."""
        if method == "noisy":
            return *self.compare("noisy.nii"), 0.0
        if method == "non-local means, best number":
            return self.by_best_number()
        if method in PROGRAM_OPTIONS:
            return self.by_program(*PROGRAM_OPTIONS[method])
        return self.by_rival(RIVALS[method][1])


def known_methods():
    rivals = [name for name, (package, _) in RIVALS.items() if importlib.util.find_spec(package) is not None]
    return ["noisy", *PROGRAM_OPTIONS, "non-local means, best number", *rivals]


def middle_planes(voxels, count):
    first = max(0, (voxels.shape[2] - count) // 2) if count else 0
    return np.ascontiguousarray(voxels[:, :, first : first + count] if count else voxels)


def cases_of(options, kind, level):
    """Name of a group and case, of all images with one noise."""
    if options.t1:
        voxels, affine = nifti.read(options.t1)
        image = middle_planes(voxels.astype(np.float32), options.planes)
        inside = image > 0
        brightest = float(np.percentile(image[inside], 95))
        strength = middle_planes(profile(kind, voxels.shape), options.planes)
        yield "template", Case(image, affine, inside, brightest, strength, level)
    for contrast, head in itertools.product(options.contrasts, options.heads if options.maps else ()):
        voxels, affine = nifti.read(options.maps / f"training_seg_{head}.nii.gz")
        labels = cut_to_head(heads.Lattice(voxels.astype(np.int16), affine))
        image = draw(labels, contrast, np.random.default_rng([int(head), heads.WEIGHTINGS.index(contrast)]))
        inside = middle_planes(labels.voxels > 0, options.planes)
        strength = middle_planes(profile(kind, image.shape), options.planes)
        image = middle_planes(image, options.planes)
        yield contrast.upper(), Case(image, labels.affine, inside, BRIGHTEST[contrast], strength, level)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--t1", type=pathlib.Path)
    parser.add_argument("--maps", type=pathlib.Path)
    parser.add_argument("--heads", nargs="+", default=["07", "08"])
    parser.add_argument("--contrasts", nargs="+", choices=heads.WEIGHTINGS, default=heads.WEIGHTINGS)
    parser.add_argument("--kinds", nargs="+", choices=("constant", "middle", "end"), default=("constant", "middle"))
    parser.add_argument("--levels", nargs="+", type=float, default=(1, 3, 5, 9, 15), help="percent of the brightest tissue")
    parser.add_argument("--planes", type=int, default=0, help="in the middle of each image; 0 is all")
    parser.add_argument("--methods", nargs="+", choices=known_methods(), default=known_methods())
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| image | noise | level |" + "".join(f" {method} |" for method in options.methods))
    print("| --- | --- | ---: |" + " ---: |" * len(options.methods), flush=True)
    seconds = []
    for kind, level in itertools.product(options.kinds, options.levels):
        groups = {}
        for number, (group, case) in enumerate(cases_of(options, kind, level)):
            noisy = rician(case.image, case.sigma, np.random.default_rng([number, int(10 * level), kind == "middle"]))
            measurement = Measurement(options.program, options.work, case, noisy)
            results = [measurement.by(method) for method in options.methods]
            groups.setdefault(group, []).append([result[:2] for result in results])
            seconds.append([result[2] for result in results])
        for group, results in groups.items():
            cells = [f" {mssim:.4f} / {error:.2f} |" for mssim, error in np.mean(results, axis=0)]
            print(f"| {group} | {kind} | {level:g} % |" + "".join(cells), flush=True)
    print("| seconds | | |" + "".join(f" {mean:.2f} |" for mean in np.mean(seconds, axis=0)))


if __name__ == "__main__":
    main()
