# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""How well a map brings the structures of one head onto those of another, beside the best that a similarity does.

Lattices have numbers of structures, 0 for none. Maps are 4 x 4, from points of the fixed image to points of the moving one, mm, RAS.
"""

import functools

import numpy as np
from drawn_heads import STRUCTURES, resampled

SHOWN = 0.81  # least part of a structure that an image must show for it to count
SHOWN_STRICTLY = 0.9  # and for the strict reference
RIGHT = 0.03  # largest loss of overlap against the reference of a map that is right
WRONG = 0.15  # and least loss of a map that is wrong
STEP = 2  # voxels of the labels from point to point of the measurement


def counts(lattice):
    """Voxels of each structure."""
    return np.bincount(lattice.voxels.ravel(), minlength=len(STRUCTURES) + 1)


class HeadLabels:
    """The structures of a whole head, what is asked of them in each pair found once."""

    def __init__(self, lattice):
        self.lattice = lattice

    @functools.cached_property
    def counts(self):
        return counts(self.lattice)

    @functools.cached_property
    def centers(self):
        """In mm, a row for each number; that of a structure that is not there has no meaning."""
        places = np.nonzero(self.lattice.voxels)
        numbers = self.lattice.voxels[places]
        sums = np.stack([np.bincount(numbers, axis, len(STRUCTURES) + 1) for axis in places], axis=1)
        affine = self.lattice.affine
        return sums / np.maximum(1, self.counts)[:, None] @ affine[:3, :3].T + affine[:3, 3]

    def shown_by(self, part, least):
        """The structures of which a part of the head has at least so much."""
        return set(np.flatnonzero((self.counts > 0) & (counts(part) >= least * self.counts))) - {0}


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
    return float(np.mean(2 * both[structures] / np.maximum(1, either[structures])))


class PairTruth:
    """What is known of a pair of heads, each of which may be cut.

    The reference is the best similarity of the centers of the structures that both images show, as far as they show them. The strict
    one has fewer structures, and the centers of the whole of them, as if the heads were not cut: it is the better map.
    """

    def __init__(self, fixed, moving, fixed_box, moving_box, is_strict=False):
        self.fixed, self.moving = fixed.lattice.part(fixed_box), moving.lattice.part(moving_box)
        least = SHOWN_STRICTLY if is_strict else SHOWN
        self.structures = sorted(fixed.shown_by(self.fixed, least) & moving.shown_by(self.moving, least))
        if len(self.structures) < 3:
            raise ValueError(f"both images show {len(self.structures)} structures; they must show 3, or more")
        shown = (fixed, moving) if is_strict else (HeadLabels(self.fixed), HeadLabels(self.moving))
        self.fixed_centers, self.moving_centers = (labels.centers[self.structures] for labels in shown)
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
