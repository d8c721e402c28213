# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Images and labels of a head of a few blobs, on two grids, moved by affine maps that are known: pairs of a matrix and an offset in mm."""

import functools
import math
import struct

# The grids: size, spacing and first voxel in mm. The head's center is at (0, 0, 0) of the fixed image.
FIXED = ((32, 30, 28), (3.0, 3.0, 3.2), (-46.0, -43.0, -44.0))
MOVING = ((30, 34, 29), (3.2, 2.9, 3.1), (-41.0, -55.0, -38.0))
FIXED2 = ((48, 44), (2.0, 2.0), (-47.0, -43.0))
MOVING2 = ((46, 48), (2.1, 1.9), (-44.0, -50.0))
# Centers in mm, widths in mm, and brightness of the parts of a head that looks different from each side.
PARTS = [
    ((0, 0, 0), (27, 32, 24), 90),
    ((13, 12, 5), (7, 5, 8), 70),
    ((-11, 15, -9), (5, 8, 6), -50),
    ((8, -19, 8), (9, 6, 5), 60),
    ((-12, -10, 10), (6, 7, 9), -40),
]


def rotation(degrees, axis=(1, 2, 3)):
    """A rotation around an axis, by rows (Rodrigues)."""
    length = math.sqrt(sum(a * a for a in axis))
    x, y, z = (a / length for a in axis)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
    ]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


IDENTITY = rotation(0)
SHEAR = [[1.06, 0.04, 0.0], [0.0, 0.95, 0.03], [0.02, 0.0, 1.03]]
# Maps from fixed to moving points, in mm: those of the subcommands in three dimensions.
MAPS = {
    "translation": (IDENTITY, (4.0, -7.0, 6.0)),
    "rigid": (rotation(12), (4.0, -7.0, 6.0)),
    "similarity": ([[1.07 * value for value in row] for row in rotation(10)], (4.0, -7.0, 6.0)),
    "affine": (product(rotation(9), SHEAR), (4.0, -7.0, 6.0)),
}
FLAT = ([row[:2] for row in rotation(11, (0, 0, 1))[:2]], (3.0, -4.0))


def mapped(affine, point):
    matrix, offset = affine
    return [sum(m * p for m, p in zip(row, point)) + o for row, o in zip(matrix, offset)]


def inverse(affine):
    """The inverse map, by elimination."""
    matrix, offset = affine
    n = len(matrix)
    rows = [list(matrix[i]) + [1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(n):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i])]
    inverted = [row[n:] for row in rows]
    return inverted, [-sum(m * o for m, o in zip(row, offset)) for row in inverted]


def brightness(point):
    total = 0.0
    for center, width, weight in PARTS:
        square = sum(((p - c) / w) ** 2 for p, c, w in zip(point, center, width))
        if square < 6:  # else it is less than 1e-10 of the weight
            total += weight / (1 + math.exp(4 * (square - 1)))
    x, y, z = (*point, 0.0)[:3]
    return total * (1 + 0.25 * math.sin(0.21 * x + 0.13 * y) * math.sin(0.17 * y - 0.19 * z + 1) * math.cos(0.23 * z))


def header(grid, element):
    size, spacing, origin = grid
    words = lambda values: " ".join(map(str, values))
    return (
        f"ObjectType = Image\nNDims = {len(size)}\nDimSize = {words(size)}\nElementSpacing = {words(spacing)}\n"
        f"Offset = {words(origin)}\nBinaryData = True\nElementType = {element}\nElementDataFile = LOCAL\n"
    ).encode()


def points_of(grid):
    """The points of a grid, the first axis fastest."""
    size, spacing, origin = grid
    indices = [[]]
    for length in reversed(size):
        indices = [[i, *index] for index in indices for i in range(length)]
    return [[o + s * i for o, s, i in zip(origin, spacing, index)] for index in indices]


@functools.lru_cache(maxsize=None)
def image(of_moving, name="none", contrast="same"):
    """An image of the head, in the fixed image's space or moved by a map, as a MetaImage of short."""
    is_flat = name == "flat"
    grid = (MOVING2 if of_moving else FIXED2) if is_flat else (MOVING if of_moving else FIXED)
    back = None if name == "none" else inverse(FLAT if is_flat else MAPS[name])
    values = [brightness(point if back is None or not of_moving else mapped(back, point)) for point in points_of(grid)]
    if contrast == "other":
        # Bright becomes dark within the head, as in T2-weighted images; air stays dark.
        values = [value * (190 - value) / 60 for value in values]
    return header(grid, "MET_SHORT") + struct.pack(f"<{len(values)}h", *(round(10 * value) for value in values))


@functools.lru_cache(maxsize=None)
def labels(of_moving, name):
    """Labels of the parts of the head."""
    back = inverse(MAPS[name]) if of_moving else (IDENTITY, (0, 0, 0))
    result = bytearray()
    for point in points_of(MOVING if of_moving else FIXED):
        there = mapped(back, point)
        label = 0
        for number, (center, width, _) in enumerate(PARTS, 1):
            if sum(((p - c) / w) ** 2 for p, c, w in zip(there, center, width)) < 1:
                label = number
        result.append(label)
    return header(MOVING if of_moving else FIXED, "MET_UCHAR") + bytes(result)


def largest_error(affine, truth):
    """The largest distance between two maps at the corners of the head, in mm."""
    corners = [[]]
    for extent in (27, 32, 24)[: len(truth[1])]:
        corners = [[*corner, side] for corner in corners for side in (-extent, extent)]
    return max(math.dist(mapped(affine, corner), mapped(truth, corner)) for corner in corners)


@functools.lru_cache(maxsize=None)
def head_in_a_mask(of_moving):
    """The values of a head, in the fixed image's space or turned, and a mask of it and of the air around it."""
    content = image(of_moving, "rigid")
    grid = MOVING if of_moving else FIXED
    count = math.prod(grid[0])
    values = struct.unpack(f"<{count}h", content[-2 * count :])
    back = inverse(MAPS["rigid"])
    points = (mapped(back, point) if of_moving else point for point in points_of(grid))
    return values, bytes(sum((p / r) ** 2 for p, r in zip(point, (33, 38, 30))) < 1 for point in points)


def with_outside(of_moving, outside):
    """A MetaImage of float of head_in_a_mask() that has this value outside the mask."""
    values, mask = head_in_a_mask(of_moving)
    changed = (value if inside else outside for value, inside in zip(values, mask))
    return header(MOVING if of_moving else FIXED, "MET_FLOAT") + struct.pack(f"<{len(mask)}f", *changed)
