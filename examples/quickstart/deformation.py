# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Smooth maps without folds whose inverse is known. They are made with SciPy alone, independent of what they test.

Displacements are arrays [x, y, z, component] in voxels: the map takes voxel p to p + displacement(p).
"""

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

SQUARINGS = 5  # the flow is followed in 2^5 steps


def sample(volume, displacement, order=1):
    """The volume seen through the map: sample(p) = volume(p + displacement(p)), 0 beyond its edge."""
    positions = np.indices(volume.shape, dtype=np.float32) + np.moveaxis(displacement, -1, 0)
    return map_coordinates(volume, positions, order=order, mode="constant", prefilter=False)


def compose(first, second):
    """The displacement of going along the first map, and then along the second."""
    return first + np.stack([sample(second[..., i], first) for i in range(3)], axis=-1)


def random_velocity(shape, length, smoothness, seed):
    """A smooth random velocity that is 0 at the edges. Lengths are in voxels; its largest vector has the given length."""
    random = np.random.default_rng(seed)
    noise = random.standard_normal((*shape, 3)).astype(np.float32)
    velocity = np.stack([gaussian_filter(noise[..., i], smoothness) for i in range(3)], axis=-1)
    for axis, size in enumerate(shape):
        profile = np.clip(5 * (1 - np.abs(np.linspace(-1, 1, size, dtype=np.float32))), 0, 1)
        velocity *= profile.reshape([-1 if i in (axis,) else 1 for i in range(4)])
    return velocity * (length / np.linalg.norm(velocity, axis=-1).max())


def exponential(velocity):
    """The displacement after a unit of time along the velocity. That of -velocity is its inverse."""
    displacement = velocity / 2**SQUARINGS
    for _ in range(SQUARINGS):
        displacement = compose(displacement, displacement)
    return displacement
