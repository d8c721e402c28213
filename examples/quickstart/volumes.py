# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Makes the volumes of the quickstart."""

import nibabel
import numpy as np
from nilearn.datasets import load_mni152_template

NOISE_PERCENTAGES = (3, 9)
SEED = 2


def add_rician_noise(volume, sigma, seed):
    """The magnitude of a complex signal whose parts have Gaussian noise, as in MR images."""
    random = np.random.default_rng(seed)
    real = volume + sigma * random.standard_normal(volume.shape, dtype=np.float32)
    imaginary = sigma * random.standard_normal(volume.shape, dtype=np.float32)
    return np.hypot(real, imaginary)


def make_volumes(folder):
    """Writes reference, head and noisy-PERCENT; returns the standard deviation of the noise for each percentage.

    The reference goes from 0 to 255. Percentages are of the intensity of its brightest tissue, taken as the 99.9th
    percentile of all voxels.
    """
    template = load_mni152_template(resolution=1)
    volume = template.get_fdata(dtype=np.float32)
    volume *= 255 / volume.max()
    brightest = float(np.percentile(volume, 99.9))

    def save(name, values):
        nibabel.Nifti1Image(values, template.affine).to_filename(folder / f"{name}.nii.gz")

    save("reference", volume)
    save("head", (volume > 0).astype(np.uint8))
    sigmas = {}
    for percent in NOISE_PERCENTAGES:
        sigmas[percent] = brightest * percent / 100
        save(f"noisy-{percent}", add_rician_noise(volume, sigmas[percent], SEED))
    return sigmas
