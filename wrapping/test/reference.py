# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The filters in double precision, as their formulas stand; neighbors outside the image have no weight."""

import itertools

import numpy as np


def shifted(array, offset):
    """The array moved by an offset, NaN where there is nothing."""
    result = np.full(array.shape, np.nan)
    source = tuple(slice(max(d, 0), n + min(d, 0)) for d, n in zip(offset, array.shape))
    target = tuple(slice(max(-d, 0), n + min(-d, 0)) for d, n in zip(offset, array.shape))
    result[target] = array[source]
    return result


def offsets(dimension, radius):
    return itertools.product(range(-radius, radius + 1), repeat=dimension)


def bilateral(array, radius, domain_sigma, range_sigma):
    """Howison's equation 1, distances in voxels."""
    array = array.astype(np.float64)
    weights = np.zeros(array.shape)
    values = np.zeros(array.shape)
    for offset in offsets(array.ndim, radius):
        neighbor = shifted(array, offset)
        weight = np.exp(
            -0.5 * sum(d * d for d in offset) / domain_sigma**2 - 0.5 * ((neighbor - array) / range_sigma) ** 2
        )
        inside = ~np.isnan(neighbor)
        weights[inside] += weight[inside]
        values[inside] += (weight * neighbor)[inside]
    return values / weights


def perona_malik_step(array, time_step, kappa):
    """One explicit step between the nearest neighbors with conductance 1 / (1 + (difference / kappa)^2)."""
    array = array.astype(np.float64)
    change = np.zeros(array.shape)
    for axis in range(array.ndim):
        for sign in (-1, 1):
            difference = shifted(array, [sign if a == axis else 0 for a in range(array.ndim)]) - array
            change += np.nan_to_num(difference / (1.0 + (difference / kappa) ** 2))
    return array + time_step * change


def non_local_means(array, window, patch, h):
    """Weights exp(-mean squared patch difference / h^2), that of the center 1."""
    array = array.astype(np.float64)
    weights = np.zeros(array.shape)
    values = np.zeros(array.shape)
    for offset in offsets(array.ndim, window):
        neighbor = shifted(array, offset)
        squared = (neighbor - array) ** 2
        patches = np.stack([shifted(squared, d) for d in offsets(array.ndim, patch)])
        inside = ~np.isnan(neighbor)
        weight = np.zeros(array.shape)
        weight[inside] = np.exp(-np.nanmean(patches[:, inside], axis=0) / h**2)
        weights += weight
        values += weight * np.where(inside, neighbor, 0.0)
    return values / weights
