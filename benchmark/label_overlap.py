# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""How well a map brings the structures of one head onto those of another, beside the best that a similarity does.

Lattices have numbers of structures, 0 for none. Maps are 4 x 4, from points of the fixed image to points of the moving one, mm, RAS.
"""

import numpy as np
from drawn_heads import STRUCTURES, resampled

SHOWN = 0.9  # least part of a structure that an image must show for it to count
RIGHT = 0.03  # largest loss of overlap against the reference of a map that is right
WRONG = 0.15  # and least loss of a map that is wrong
STEP = 2  # voxels of the labels from point to point of the measurement


def counts(lattice):
    return np.bincount(lattice.voxels.ravel(), minlength=len(STRUCTURES) + 1)


def shown_by(part, whole):
    """The structures of which a part of a lattice has nearly all."""
    before, after = counts(whole), counts(part)
    return {n for n in range(1, len(before)) if before[n] > 0 and after[n] >= SHOWN * before[n]}


def centers(lattice, structures):
    """Centers of structures in mm, a row each."""
    places = np.nonzero(lattice.voxels)
    numbers = lattice.voxels[places]
    sums = np.stack([np.bincount(numbers, axis, len(STRUCTURES) + 1) for axis in places], axis=1)
    means = sums[structures] / counts(lattice)[structures, None]
    return means @ lattice.affine[:3, :3].T + lattice.affine[:3, 3]


def best_similarity(fixed, moving):
    """The similarity with the least sum of squared distances between points (Umeyama 1991)."""
    fixed_mean, moving_mean = fixed.mean(axis=0), moving.mean(axis=0)
    left, values, right = np.linalg.svd((moving - moving_mean).T @ (fixed - fixed_mean))
    signs = np.array([1, 1, np.sign(np.linalg.det(left @ right))])
    scale = (values * signs).sum() / ((fixed - fixed_mean) ** 2).sum()
    matrix = np.eye(4)
    matrix[:3, :3] = scale * (left * signs) @ right
    matrix[:3, 3] = moving_mean - matrix[:3, :3] @ fixed_mean
    return matrix


def mean_overlap(fixed, moving, matrix, structures):
    """The mean of the Dice coefficients of structures, on every second voxel of the fixed labels."""
    sparse = fixed.voxels[::STEP, ::STEP, ::STEP]
    grid = fixed.affine @ np.diag([STEP, STEP, STEP, 1])
    warped = resampled(moving, matrix @ grid, sparse.shape).voxels
    size = len(STRUCTURES) + 1
    both = np.bincount(sparse[sparse == warped], minlength=size)
    either = np.bincount(sparse.ravel(), minlength=size) + np.bincount(warped.ravel(), minlength=size)
    chosen = sorted(structures)
    return float(np.mean(2 * both[chosen] / np.maximum(1, either[chosen])))


class PairTruth:
    """What is known of a pair of heads, each of which may be cut.

    Centers are those of whole structures, also where a plane cuts one tenth of them off: a similarity from the centers of parts would be
    off by more than 1 mm, and maps that are better than the reference would hide those that are not.
    """

    def __init__(self, fixed, moving, fixed_box, moving_box):
        self.fixed, self.moving = fixed.part(fixed_box), moving.part(moving_box)
        self.structures = sorted(shown_by(self.fixed, fixed) & shown_by(self.moving, moving))
        if len(self.structures) < 3:
            raise ValueError(f"both images show {len(self.structures)} structures; they must show 3, or more")
        self.fixed_centers = centers(fixed, self.structures)
        self.moving_centers = centers(moving, self.structures)
        self.reference = best_similarity(self.fixed_centers, self.moving_centers)
        self.reference_overlap = self.overlap(self.reference)

    def overlap(self, matrix):
        return mean_overlap(self.fixed, self.moving, matrix, self.structures)

    def distance(self, matrix):
        """The mean distance in mm of the centers of structures from their places."""
        mapped = self.fixed_centers @ matrix[:3, :3].T + matrix[:3, 3]
        return float(np.linalg.norm(mapped - self.moving_centers, axis=1).mean())


def verdict(loss):
    return "right" if loss <= RIGHT else "wrong" if loss > WRONG else "between"
