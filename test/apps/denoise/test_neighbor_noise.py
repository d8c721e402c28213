# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what cudaneuro-denoise says and makes of noise that is alike in neighbors, whose differences tell too little.

    python3 test_neighbor_noise.py DENOISE
"""

import json
import math
import random

import nifti_files as nf
import programs

SIZE = (33, 30, 27)
STRIDES = (1, SIZE[0], SIZE[0] * SIZE[1])
WORDS = "seems to be alike in neighbors along"


def noisy(edges=True):
    """A ball in air, with a step in it, and independent noise of a twentieth of its signal."""
    chance = random.Random(5)
    values = []
    for i in range(math.prod(SIZE)):
        x, y, z = (i // stride % size for stride, size in zip(STRIDES, SIZE))
        inside = edges and (x - 16) ** 2 + (y - 15) ** 2 + (z - 13) ** 2 < 11**2
        values.append(100.0 + (100.0 if inside else 0.0) + (40.0 if inside and x + y > 30 else 0.0) + chance.gauss(0, 10))
    return values


def moved(values, axis, share):
    """Interpolates between neighbors along an axis: share of the next and the rest of the voxel itself."""
    last = len(values) - 1
    return [(1 - share) * value + share * values[min(last, i + STRIDES[axis])] for i, value in enumerate(values)]


def repeated(values, axis):
    """Gives each second voxel along an axis the value of the one before."""
    stride = STRIDES[axis]
    return [values[i - stride] if i // stride % SIZE[axis] % 2 else value for i, value in enumerate(values)]


def zero_filled(line):
    """Twice as many values, by a Fourier transform that is filled with zeros."""
    n = len(line)
    kernel = [math.sin(math.pi * t) / (n * math.tan(math.pi * t / n)) for t in (i + 0.5 for i in range(n))]
    between = [sum(value * kernel[(i - j) % n] for j, value in enumerate(line)) for i in range(n)]
    return [value for pair in zip(line, between) for value in pair]


def zero_filled_magnitudes(half, planes, noise, signal):
    """Planes of a ball in air, whose rows and columns were zero-filled to twice their number."""
    chance = random.Random(7)
    values = []
    for z in range(planes):
        parts = []
        for strength in (signal, 0.0):
            near = lambda x, y: (x - half / 2) ** 2 + (y - half / 2) ** 2 + (z - planes / 2) ** 2 / 4 < (0.3 * half) ** 2
            rows = [[near(x, y) * strength + chance.gauss(0, noise) for x in range(half)] for y in range(half)]
            columns = zip(*[zero_filled(row) for row in rows])
            parts.append([value for row in zip(*[zero_filled(column) for column in columns]) for value in row])
        values += [math.hypot(*both) for both in zip(*parts)]
    return values


class NeighborNoise(programs.ProgramTest):
    def said(self, values, *arguments, size=SIZE, command="noise-map"):
        self.write("a.nii", nf.nifti(size, "f", values))
        status, _, error = self.run_program("denoise", command, "a.nii", "o.nii", "-q", *arguments)
        self.assertEqual(status, 0, error)
        return error

    def test_independent_noise_is_not_named(self):
        for values in (noisy(), noisy(edges=False), [round(value) for value in noisy()]):
            for command in ("noise-map", "adaptive-non-local-means", "bilateral"):
                self.assertEqual(self.said(values, command=command), "")

    def test_the_axes_are_named(self):
        for axis, name in enumerate("xyz"):
            for values in (moved(noisy(), axis, 0.5), moved(noisy(False), axis, 0.5), repeated(noisy(), axis)):
                self.assertIn(f"{WORDS} {name},", self.said(values))
        self.assertIn(f"{WORDS} x and z,", self.said(moved(moved(noisy(), 0, 0.5), 2, 0.5)))

    def test_all_estimates_are_named_and_numbers_are_not(self):
        values = moved(noisy(), 1, 0.5)
        for command in ("bilateral", "diffusion", "non-local-means", "adaptive-non-local-means"):
            for arguments in ([], ["--noise", "auto"], ["--noise", "map"]):
                self.assertIn(f"{WORDS} y,", self.said(values, *arguments, command=command))
            self.assertEqual(self.said(values, "--noise", "7", command=command), "")

    def noise_of(self, command, *arguments):
        """The noise that the report of a command has, of the image that said() has written."""
        _, output, error = self.run_program("denoise", command, "a.nii", "o.nii", "-q", "--json", "-", *arguments)
        return json.loads(output)["noise"], error

    def test_every_second_voxel_tells_of_the_noise(self):
        mask = [1 if i % SIZE[0] > 5 else 0 for i in range(math.prod(SIZE))]
        self.write("mask.nii", nf.nifti(SIZE, "B", mask))
        for axes in ((0,), (1, 2)):
            values = noisy(edges=False)
            for axis in axes:
                values = moved(values, axis, 0.5)
            self.said(values)
            expected = 10 / math.sqrt(2) ** len(axes)
            # A mean of two neighbors has half of the variance; its differences from the next have half of what they would
            # have if they were independent. The median of 7,000 cubes has a standard error of 2 %.
            self.assertLess(self.noise_of("noise-map")[0], 0.8 * expected)
            for arguments in (["--noise", "auto"], ["--noise", "auto", "--mask", "mask.nii"], ["--noise", "map"]):
                self.assertAlmostEqual(self.noise_of("bilateral", *arguments)[0] / expected, 1.0, delta=0.08, msg=f"{axes} {arguments}")

    def test_zero_filled_magnitudes(self):
        """In air, magnitudes are less alike in neighbors than real and imaginary parts are."""
        values = zero_filled_magnitudes(18, 28, 5.0, 100.0)
        self.assertIn(f"{WORDS} x and y,", self.said(values, size=(36, 36, 28)))
        self.assertAlmostEqual(self.noise_of("bilateral")[0] / 5.0, 1.0, delta=0.15)

    def test_a_map_is_mended_before_it_denoises(self):
        """The noise is constant: the map does as well as the number. With one that is too small, more would be left."""
        self.said(moved(noisy(edges=False), 1, 0.5))
        left = []
        for noise in ("auto", "map"):
            self.noise_of("bilateral", "--noise", noise)
            _, voxels = nf.read((self.folder / "o.nii").read_bytes())
            left.append(math.sqrt(sum((value - 100.0) ** 2 for value in voxels) / len(voxels)))
        self.assertLess(left[1], 1.1 * left[0])

    def test_what_takes_no_part_tells_nothing(self):
        mask = [1 if i % SIZE[0] < 20 else 0 for i in range(math.prod(SIZE))]
        alike = moved(noisy(), 1, 0.5)
        values = [value if inside else other for value, other, inside in zip(noisy(), alike, mask)]
        self.write("mask.nii", nf.nifti(SIZE, "B", mask))
        self.assertEqual(self.said(values, "--mask", "mask.nii"), "")
        values = [value if inside else other for value, other, inside in zip(alike, noisy(), mask)]
        self.assertIn(f"{WORDS} y,", self.said(values, "--mask", "mask.nii"))

    def test_a_series_is_named_once_and_planes_are_not(self):
        values = moved(noisy(), 0, 0.5)
        error = self.said(values * 2, size=(*SIZE, 2))
        self.assertEqual(error.count(WORDS), 1)
        self.assertIn("volume 0 of a.nii", error)
        self.assertEqual(self.said(values[: STRIDES[2]], size=SIZE[:2]), "")


if __name__ == "__main__":
    programs.run_tests()
