# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The MNI152 template that nilearn brings, its tissues, noise, and files."""

import nibabel
import numpy as np
from nilearn.datasets import load_mni152_gm_template, load_mni152_template, load_mni152_wm_template


def load_brain(millimeters):
    """The T1 template in voxels of that size, from 0 to 255, and the matrix from its voxels to mm (RAS)."""
    template = load_mni152_template(resolution=millimeters)
    volume = template.get_fdata(dtype=np.float32)
    return volume * np.float32(255 / volume.max()), template.affine


def load_tissues(millimeters):
    """Labels on the same grid: 1 in gray matter, 2 in white matter."""
    gray = load_mni152_gm_template(resolution=millimeters).get_fdata(dtype=np.float32)
    white = load_mni152_wm_template(resolution=millimeters).get_fdata(dtype=np.float32)
    labels = np.zeros(gray.shape, np.uint8)
    labels[(gray > 0.5) & (gray >= white)] = 1
    labels[(white > 0.5) & (white > gray)] = 2
    return labels


def add_rician_noise(volume, sigma, seed):
    """The magnitude of a complex signal whose parts have Gaussian noise, as in MR images."""
    random = np.random.default_rng(seed)
    real = volume + sigma * random.standard_normal(volume.shape, dtype=np.float32)
    imaginary = sigma * random.standard_normal(volume.shape, dtype=np.float32)
    return np.hypot(real, imaginary)


def save(path, volume, affine):
    nibabel.Nifti1Image(volume, affine).to_filename(path)


def load(path):
    return nibabel.load(path).get_fdata(dtype=np.float32)


def load_field(path):
    """Displacements in mm [x, y, z, component], RAS as nibabel's coordinates; ITK's files have them in LPS."""
    return load(path).squeeze() * np.float32([-1, -1, 1])
