# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Slow versions of interpolation: what images, and labels, are on another grid, one voxel after the other."""

import itertools
import math

from space_maps import mapped


def lanczos(x):
    sinc = lambda y: 1.0 if y == 0.0 else math.sin(math.pi * y) / (math.pi * y)
    return sinc(x) * sinc(x / 3.0) if abs(x) < 3.0 else 0.0


def spline(x):
    x = abs(x)
    return (4.0 - 6.0 * x * x + 3.0 * x**3) / 6.0 if x < 1.0 else (2.0 - x) ** 3 / 6.0 if x < 2.0 else 0.0


def mirrored(i, n):
    while n > 1 and not 0 <= i < n:
        i = -i if i < 0 else 2 * (n - 1) - i
    return i if n > 1 else 0


def solved(matrix, right):
    """Gauss' elimination."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def line_weights(kind, x, n):
    """The weight of each voxel of a line at a place."""
    weights = [0.0] * n
    base = math.floor(x)
    if kind == "linear" or kind == "label":
        for i, weight in ((base, 1.0 - (x - base)), (base + 1, x - base)):
            weights[min(max(i, 0), n - 1)] += weight
    elif kind == "nearest":
        weights[min(max(math.floor(x + 0.5), 0), n - 1)] = 1.0
    elif kind == "windowed-sinc":
        taps = {i: lanczos(x - i) for i in range(base - 3, base + 5)}
        for i, weight in taps.items():
            weights[min(max(i, 0), n - 1)] += weight / sum(taps.values())
    elif n == 1:
        weights = [1.0]
    else:
        # The values of the basis at the place, of the coefficients that make it pass through the voxels.
        basis = [[0.0] * n for _ in range(n)]
        for row in range(n):
            for i in range(row - 2, row + 3):
                basis[row][mirrored(i, n)] += spline(row - i)
        at = [0.0] * n
        for i in range(base - 2, base + 4):
            at[mirrored(i, n)] += spline(x - i)
        transposed = [list(column) for column in zip(*basis)]
        weights = solved(transposed, at)
    return weights


def sampled(kind, grid, values, index):
    """The value at a continuous index, or None outside."""
    if not all(-0.5 <= x < n - 0.5 for x, n in zip(index, grid.size)):
        return None
    weights = [line_weights(kind, x, n) for x, n in zip(index, grid.size)]
    total, votes = 0.0, {}
    for z, y, x in itertools.product(*(range(n) for n in reversed(grid.size))):
        weight = weights[0][x] * weights[1][y] * weights[2][z]
        if weight != 0.0:
            value = values[(z * grid.size[1] + y) * grid.size[0] + x]
            total += weight * value
            votes[value] = votes.get(value, 0.0) + weight
    return min(votes, key=lambda label: (-round(votes[label], 9), label)) if kind == "label" else total


def resampled(kind, moving, values, fixed, matrix, background=0.0):
    """The values of an image at the voxels of a fixed grid, which a matrix takes to the moving one."""
    result = []
    for index in fixed.indices():
        value = sampled(kind, moving, values, moving.index_of(mapped(matrix, fixed.point_of(index))))
        result.append(background if value is None else value)
    return result
