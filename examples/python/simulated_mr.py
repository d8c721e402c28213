# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""A phantom of a head, a deformation, and the noise of magnitude MR images. Arrays are indexed [z, y, x]."""

import numpy as np


def head_phantom(shape=(72, 108, 90)):
    """Scalp, skull, fluid, folded gray matter, white matter and ventricles, T1-weighted; intensities from 0 to 180."""
    finer = 2  # voxels at borders hold a mixture
    axes = (np.linspace(-1.05, 1.05, finer * n, dtype=np.float32) for n in shape)
    z, y, x = np.meshgrid(*axes, indexing="ij", sparse=True)
    radius = np.sqrt(x**2 + y**2 + z**2)
    folds = np.cos(17 * x) * np.cos(13 * y) * np.cos(11 * z) + np.sin(15 * y) * np.sin(14 * z + 4 * x)
    ventricles = ((np.abs(x) - 0.13 - 0.2 * y**2) / 0.08) ** 2 + (y / 0.4) ** 2 + (z / 0.25) ** 2
    image = np.zeros(radius.shape, dtype=np.float32)
    image[radius < 1] = 180  # scalp
    image[radius < 0.91] = 25  # skull
    image[radius < 0.86] = 45  # fluid
    image[radius + 0.03 * folds < 0.8] = 110  # gray matter
    image[radius + 0.06 * folds < 0.66] = 150  # white matter
    image[ventricles < 1] = 45
    return image.reshape(shape[0], finer, shape[1], finer, shape[2], finer).mean(axis=(1, 3, 5))


def texture(shape):
    """Factors around 1 that vary along all axes, so that deformations show everywhere."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij", sparse=True)
    return 1 + 0.15 * (np.sin(23 * x + 3 * y) + np.sin(21 * y + 3 * z) + np.sin(19 * z + 3 * x))


def smooth_field(shape):
    """Displacements of some voxels, indexed [z, y, x, component], which do not fold."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij", sparse=True)
    components = 3 * np.sin(2 * y) * np.cos(2 * z), 2 * np.cos(3 * x + z), 2 * np.sin(2 * x - y)
    return np.stack([np.broadcast_to(component, shape) for component in components], axis=-1)


def add_rician_noise(image, sigma, generator):
    """The magnitude of a complex signal with Gaussian noise of standard deviation sigma in both of its parts."""
    noisy = np.zeros(image.shape, dtype=np.float32)
    for signal in (image, np.float32(0)):
        part = generator.standard_normal(image.shape, dtype=np.float32)
        part *= np.float32(sigma)
        part += signal
        noisy += np.square(part, out=part)
    return np.sqrt(noisy, out=noisy)
