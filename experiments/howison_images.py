# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The noisy images of the parameter sweep, made from three BrainWeb volumes of 1 mm.

Per contrast (T1, T2, PD): slices of 1 and 9 mm, 5 levels of noise, 3 levels of intensity non-uniformity, and 2
realizations of the noise where the paper had 2 anatomies: 180 images. They are made as BrainWeb's simulator makes them:
slices are averaged, the field multiplies, and Rician noise is added last. Intensities are from 0 to 255.
"""

import collections
import itertools
import os
import pathlib
import random
import sys

import itk
import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "examples" / "python"))

from simulated_mr import add_rician_noise  # noqa: E402

CONTRASTS = ("T1", "T2", "PD")
SLICE_THICKNESSES = (1, 9)  # mm
NOISE_PERCENTAGES = (1, 3, 5, 7, 9)  # standard deviation; 100 is the brightest tissue, the 99th percentile
NON_UNIFORMITIES = (0, 20, 40)  # percent: 40 is a field from 0.8 to 1.2
REALIZATIONS = ("a", "b")

Case = collections.namedtuple("Case", "contrast thickness non_uniformity noise realization")


def image_name(case):
    return f"{case.contrast}_{case.thickness}mm_noise{case.noise}_nu{case.non_uniformity}_{case.realization}"


def list_cases(limit=None):
    """The images, or `limit` of them chosen at random; those that take longest come first."""
    levels = (NON_UNIFORMITIES, NOISE_PERCENTAGES, REALIZATIONS)
    cases = [Case(c, t, *rest) for t, *rest, c in itertools.product(SLICE_THICKNESSES, *levels, CONTRASTS)]
    chosen = random.Random(1).sample(range(len(cases)), min(limit or len(cases), len(cases)))
    return [cases[i] for i in sorted(chosen)]


def read_noiseless(path, device, crop=None):
    """A volume without the noise that its file has, as an array [z, y, x].

    Non-local means with Rician correction leave flat tissue and black air, as BrainWeb's volumes without noise have.
    Their weighting is not the one that the sweep examines.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError(f"There is no file {path}")
    volume = itk.array_view_from_image(itk.imread(path, itk.F))
    if volume.ndim != 3 or volume.shape[0] < 9:
        raise ValueError(f"{path} has the shape {volume.shape} [z, y, x]; needed are 3 axes and 9 slices")
    begin = [max(0, n - c) // 2 for n, c in zip(volume.shape, crop or volume.shape)]
    size = [min(n, c) for n, c in zip(volume.shape, crop or volume.shape)]
    size[0] -= size[0] % 9  # whole slices of 9 mm
    volume = np.ascontiguousarray(volume[tuple(slice(b, b + n) for b, n in zip(begin, size))])
    return itk.cuda_non_local_means_image_filter(
        volume, weighting="PatchDistance", rician_correction=True, compute_device=device
    )


def thicken(volume, thickness):
    """Averages as many slices of 1 mm as make one of the given thickness."""
    return volume.reshape(-1, thickness, *volume.shape[1:]).mean(axis=1, dtype=np.float32)


def smooth_field(shape):
    """A field from -0.5 to 0.5 that varies as slowly as the sensitivity of radio-frequency coils."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij", sparse=True)
    field = np.sin(2 * x + 1.5 * y - 0.5) + np.cos(2.5 * y - z + 0.7) + np.sin(1.5 * z - x * y)
    return (field - field.min()) / (field.max() - field.min()) - np.float32(0.5)


class ImageMaker:
    """Makes the noiseless and the noisy image of a case; any number of threads may call this at once."""

    def __init__(self, noiseless_volumes):
        if len({volume.shape for volume in noiseless_volumes.values()}) != 1:
            raise ValueError(f"The volumes differ in shape: {[volume.shape for volume in noiseless_volumes.values()]}")
        self._brightest = {contrast: np.percentile(volume, 99) for contrast, volume in noiseless_volumes.items()}
        self._references = {}
        for thickness in SLICE_THICKNESSES:
            thick = {contrast: thicken(volume, thickness) for contrast, volume in noiseless_volumes.items()}
            field = smooth_field(thick[CONTRASTS[0]].shape)
            for contrast, percentage in itertools.product(CONTRASTS, NON_UNIFORMITIES):
                factor = 1 + field * np.float32(percentage / 100)
                self._references[contrast, thickness, percentage] = thick[contrast] * factor

    def make(self, case):
        """The noiseless image has the same non-uniformity, because the filters are to remove the noise alone."""
        reference = self._references[case[:3]]
        sigma = case.noise / 100 * self._brightest[case.contrast]
        generator = np.random.default_rng(list(image_name(case).encode()))
        return reference, add_rician_noise(reference, sigma, generator)
