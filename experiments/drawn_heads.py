# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Draws T1-like, T2-like and PD-like heads from label maps whose numbers are those of FreeSurfer and, outside the brain, of SimNIBS.

Labels lie on a lattice of 1 mm, which is pooled to the voxels of the image. Arrays are indexed [i, j, k], affines give mm, RAS.
"""

import numpy as np
from scipy import ndimage

# The structures whose overlap is measured: those of the brain without the fluid.
STRUCTURES = (2, 3, 4, 7, 8, 10, 11, 12, 13, 16, 17, 18, 26, 28, 41, 42, 43, 46, 47, 49, 50, 51, 52, 53, 54, 58, 60)

# Labels of a tissue, and its intensities in T1, T2 and PD.
TISSUES = (
    ((0, 517), 2, 2, 2),  # air; the same in all heads
    ((2, 41), 170, 85, 150),  # white matter
    ((3, 42), 115, 125, 180),  # cortex
    ((4, 5, 14, 15, 24, 43, 44, 72), 45, 225, 200),  # fluid
    ((7, 46), 160, 90, 155),  # white matter of the cerebellum
    ((8, 47), 112, 120, 180),  # cortex of the cerebellum
    ((10, 49), 140, 102, 165),  # thalamus
    ((11, 50), 118, 110, 178),  # caudate
    ((12, 51), 125, 102, 172),  # putamen
    ((13, 52), 148, 75, 150),  # pallidum
    ((16, 512), 155, 95, 158),  # brain stem, spinal cord
    ((17, 18, 53, 54, 136, 137, 163, 164), 113, 128, 182),  # hippocampus, amygdala, other gray matter
    ((26, 58), 116, 115, 178),  # accumbens
    ((28, 60), 145, 97, 160),  # ventral diencephalon
    ((25, 57), 100, 170, 195),  # lesions
    ((30, 62, 514), 90, 50, 60),  # veins
    ((502,), 150, 25, 30),  # arteries
    ((85, 530), 135, 105, 160),  # chiasm and optic nerves
    ((506,), 45, 215, 195),  # eyes
    ((508,), 95, 60, 145),  # muscles of the eyes
    ((507,), 135, 105, 165),  # other soft tissue
    ((509,), 105, 160, 185),  # mucosa
    ((511,), 150, 90, 160),  # skin
    ((515,), 15, 12, 15),  # cortical bone
    ((516,), 130, 85, 140),  # cancellous bone
)
WEIGHTINGS = ("t1", "t2", "pd")
CONTRASTS = ("t1", "t2", "random")  # those of pairs to register
CROPS = ("whole", "chin", "ears", "side")

BELOW_BRAIN = 35  # mm from the lowest structure to the chin
ABOVE_EARS = 1 / 3  # of the brain's height, from below
HALF = 1 / 2  # of the brain's width

VARIATION = 0.06  # standard deviation of a tissue's intensity from head to head, relative
BLUR = 0.7  # mm
BIAS = 0.2  # largest, relative
NOISE = 6.0  # 3 % of what is brightest
LARGEST_ANGLE = 15.0  # degrees about each axis
LARGEST_SHIFT = 10.0  # mm along each axis


class Lattice:
    """Labels, or intensities, and where they lie."""

    def __init__(self, voxels, affine):
        self.voxels = voxels
        self.affine = affine

    @property
    def center(self):
        return self.affine[:3, :3] @ ((np.array(self.voxels.shape) - 1) / 2) + self.affine[:3, 3]

    def part(self, box):
        """The voxels from the first to the last, exclusive, along each axis."""
        affine = self.affine.copy()
        affine[:3, 3] += affine[:3, :3] @ [first for first, _ in box]
        return Lattice(self.voxels[tuple(slice(*bounds) for bounds in box)], affine)

    def resized(self, size):
        """Cut or padded with zeros to the same number of voxels along each axis, about the center."""
        shape = np.array(self.voxels.shape)
        first = (shape - size) // 2
        affine = self.affine.copy()
        affine[:3, 3] += affine[:3, :3] @ first
        voxels = np.zeros((size,) * 3, self.voxels.dtype)
        source = tuple(slice(max(0, f), max(0, f) + min(n, size)) for f, n in zip(first, shape))
        target = tuple(slice(max(0, -f), max(0, -f) + min(n, size)) for f, n in zip(first, shape))
        voxels[target] = self.voxels[source]
        return Lattice(voxels, affine)


def pooled(lattice, factor):
    """Means of blocks of voxels."""
    if factor == 1:
        return lattice
    a, b, c = (n // factor for n in lattice.voxels.shape)
    blocks = lattice.voxels[: a * factor, : b * factor, : c * factor].reshape(a, factor, b, factor, c, factor)
    affine = lattice.affine.copy()
    affine[:3, 3] += affine[:3, :3] @ np.full(3, (factor - 1) / 2)
    affine[:3, :3] *= factor
    return Lattice(blocks.mean(axis=(1, 3, 5), dtype=np.float32), affine)


def rotation(degrees):
    """Rotations about x, then y, then z."""
    matrix = np.eye(3)
    for axis, angle in enumerate(np.deg2rad(degrees)):
        about = np.eye(3)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        about[i, i] = about[j, j] = np.cos(angle)
        about[i, j], about[j, i] = -np.sin(angle), np.sin(angle)
        matrix = about @ matrix
    return matrix


def rigid(degrees, shift, center):
    """x -> R (x - center) + center + shift."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation(degrees)
    matrix[:3, 3] = center - matrix[:3, :3] @ center + shift
    return matrix


def random_pose(center, generator):
    angles = generator.uniform(-LARGEST_ANGLE, LARGEST_ANGLE, 3)
    return rigid(angles, generator.uniform(-LARGEST_SHIFT, LARGEST_SHIFT, 3), center)


def oblique_affine(center, size, generator):
    """The affine of a grid of 1 mm whose axes are turned against space."""
    affine = np.eye(4)
    affine[:3, :3] = rotation(generator.uniform(-LARGEST_ANGLE, LARGEST_ANGLE, 3))
    affine[:3, 3] = center - affine[:3, :3] @ np.full(3, (size - 1) / 2)
    return affine


def resampled(lattice, affine, shape, pose=None, order=0):
    """Samples a lattice that a pose has moved, on another grid; zero outside."""
    pose = np.eye(4) if pose is None else pose
    index_map = np.linalg.inv(pose @ lattice.affine) @ affine
    voxels = ndimage.affine_transform(
        lattice.voxels, index_map[:3, :3], index_map[:3, 3], output_shape=tuple(shape), order=order, prefilter=False
    )
    return Lattice(voxels, affine)


def tissue_numbers(labels):
    """The number of the tissue of each label."""
    table = np.full(max(1024, int(labels.max()) + 1), -1, np.int16)
    for number, (of_tissue, *_) in enumerate(TISSUES):
        table[list(of_tissue)] = number
    tissues = table[labels]
    if (tissues < 0).any():
        unknown = np.unique(labels[tissues < 0])
        raise ValueError(f"labels {unknown.tolist()} belong to no tissue")
    return tissues


def intensities(contrast, generator):
    """One for each tissue."""
    if contrast == "random":
        values = generator.uniform(20, 230, len(TISSUES))
    else:
        values = np.array([tissue[1 + WEIGHTINGS.index(contrast)] for tissue in TISSUES], float)
        values *= 1 + VARIATION * generator.standard_normal(len(TISSUES)).clip(-2, 2)
    values[0] = TISSUES[0][1]
    return values.astype(np.float32)


def smooth_bias(shape, generator):
    """Factors that vary slowly, from 1 - BIAS to 1 + BIAS."""
    coarse = generator.standard_normal((5, 5, 5)).astype(np.float32)
    scale = np.diag([4 / max(1, n - 1) for n in shape])
    field = ndimage.affine_transform(coarse, scale, output_shape=tuple(shape), order=3, mode="nearest")
    lowest, highest = field.min(), field.max()
    return 1 + BIAS * (2 * (field - lowest) / (highest - lowest) - 1)


def painted(labels, values):
    """Intensities, one for each tissue, on the lattice of the labels, blurred, without bias and noise."""
    voxels = values[tissue_numbers(labels.voxels)]
    return Lattice(ndimage.gaussian_filter(voxels, BLUR, truncate=3), labels.affine)


def clean_image(labels, contrast, generator):
    return painted(labels, intensities(contrast, generator))


def scanned(voxels, noise, generator):
    """The magnitude of a complex signal with Gaussian noise in both of its parts, in bytes."""
    real = voxels + noise * generator.standard_normal(voxels.shape, dtype=np.float32)
    imaginary = noise * generator.standard_normal(voxels.shape, dtype=np.float32)
    return np.rint(np.hypot(real, imaginary)).clip(0, 255).astype(np.uint8)


def shaded_scan(image, generator):
    """A clean image with bias and noise."""
    shaded = image.voxels * smooth_bias(image.voxels.shape, generator)
    return Lattice(scanned(shaded, NOISE, generator), image.affine)


def draw(labels, contrast, factor, generator):
    """An image of voxels of `factor` mm."""
    return shaded_scan(pooled(clean_image(labels, contrast, generator), factor), generator)


def structures_of(labels):
    """Numbers of the structures from 1 on, 0 elsewhere."""
    table = np.zeros(max(1024, int(labels.max()) + 1), np.uint8)
    table[list(STRUCTURES)] = np.arange(1, len(STRUCTURES) + 1)
    return table[labels]


def crop_box(structures, crop, keeps_right=True):
    """What of a lattice of 1 mm a crop keeps; the planes are those of the grid, on borders of voxels of 1, 2 and 4 mm."""
    shape = structures.voxels.shape
    box = [[0, n] for n in shape]
    if crop == "whole":
        return box
    world = 0 if crop == "side" else 2
    axis = int(np.argmax(np.abs(structures.affine[world, :3])))
    others = tuple(a for a in range(3) if a != axis)
    shown = np.nonzero(structures.voxels.any(axis=others))[0]
    low, high = int(shown[0]), int(shown[-1])
    is_up = structures.affine[world, axis] > 0
    if crop == "side":
        is_up = is_up == keeps_right
    fraction = {"chin": 0, "ears": ABOVE_EARS, "side": HALF}[crop]
    from_end = fraction * (high - low) - (BELOW_BRAIN if crop == "chin" else 0)
    if is_up:
        box[axis][0] = max(0, 4 * round((low + from_end) / 4))
    else:
        box[axis][1] = min(shape[axis], 4 * round((high + 1 - from_end) / 4))
    return box
