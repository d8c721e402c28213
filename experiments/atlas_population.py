# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""A synthetic population: a head seen through random diffeomorphisms, with noise. Arrays are indexed [z, y, x]."""

import pathlib
import sys

import itk
import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "examples" / "python"))

from simulated_mr import add_rician_noise, head_phantom  # noqa: E402

SQUARINGS = 5  # a velocity is followed in 2^5 steps, which are small enough not to fold


def smooth(array, sigma):
    return itk.array_from_image(itk.cuda_discrete_gaussian_image_filter(itk.image_from_array(array), sigma=sigma))


def fade(shape):
    """1 in the middle, 0 at the edges."""
    profiles = (np.clip(4 * (1 - np.abs(np.linspace(-1, 1, n, dtype=np.float32))), 0, 1) for n in shape)
    z, y, x = np.meshgrid(*profiles, indexing="ij", sparse=True)
    return z * y * x


def random_velocities(count, shape, amplitude, sigma, generator):
    """Smooth velocities [z, y, x, component], in voxels a unit of time, of mean 0 over the population: what follows them
    has the head itself as its center. Their vectors are amplitude long on average where they do not fade."""
    noise = generator.standard_normal((count, *shape, 3), dtype=np.float32)
    noise -= noise.mean(axis=0)
    edge = fade(shape)
    for velocity in noise:
        for component in range(3):
            velocity[..., component] = smooth(np.ascontiguousarray(velocity[..., component]), sigma)
        length = np.sqrt((velocity**2).sum(axis=-1).mean())
        velocity *= (amplitude / length) * edge[..., np.newaxis]
    return noise - noise.mean(axis=0)


def exponential(velocity):
    """The displacements of following a velocity for a unit of time, by squaring: a map that has an inverse."""
    field = itk.image_from_array(velocity / 2**SQUARINGS, ttype=itk.Image[itk.Vector[itk.F, 3], 3])
    for _ in range(SQUARINGS):
        field = itk.cuda_compose_displacement_fields_image_filter(field, field)
    return field


def make_population(count, shape, noise=3.0, amplitude=2.5, seed=1):
    """The head, and images of it: head(p + displacement(p)) with Rician noise of that standard deviation where the head is,
    and 0 around it, as in images whose surroundings were removed. The head's intensities are up to 180."""
    generator = np.random.default_rng(seed)
    head = head_phantom(shape)
    head_image = itk.image_from_array(head)
    images = []
    for velocity in random_velocities(count, shape, amplitude, max(shape) / 10, generator):
        deformed = itk.array_from_image(
            itk.cuda_warp_image_filter(head_image, displacement_field=exponential(velocity))
        )
        images.append(itk.image_from_array(add_rician_noise(deformed, noise, generator) * (deformed > noise)))
    return head, images
