# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The search for nearest neighbors: arrays of NumPy in and out, other queries, lifetimes, errors."""

import gc
import unittest

import itk
import numpy as np

from phantom import DEVICES


def normal_vectors(count=300, dimension=33, seed=1):
    return np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)


def exact_neighbors(queries, points, number_of_neighbors, exclude_self=False):
    """Indices and squared distances by comparing all pairs; without ties, any order of the sum gives the same indices."""
    distances = ((queries[:, None].astype(np.float64) - points[None]) ** 2).sum(2)
    if exclude_self:
        np.fill_diagonal(distances, np.inf)
    indices = np.argsort(distances, axis=1, kind="stable")[:, :number_of_neighbors]
    return indices, np.take_along_axis(distances, indices, axis=1)


def find(device="cpu", **parameters):
    """The updated search."""
    search = itk.CudaNearestNeighbors.New(compute_device=device, **parameters)
    search.Update()
    return search


class NeighborTest(unittest.TestCase):
    def check(self, search, indices, distances):
        found = np.asarray(search.GetIndices())
        self.assertEqual(found.dtype, np.int32)
        np.testing.assert_array_equal(found, indices)
        np.testing.assert_allclose(np.asarray(search.GetSquaredDistances()), distances, rtol=1e-6)

    def test_exact_neighbors(self):
        points = normal_vectors()
        for device in DEVICES:
            for exclude_self in (False, True):
                search = find(device, points=points, number_of_neighbors=20, exclude_self=exclude_self)
                self.check(search, *exact_neighbors(points, points, 20, exclude_self))

    def test_queries(self):
        points, queries = normal_vectors(), normal_vectors(40, seed=2)
        search = find(points=points, queries=queries, number_of_neighbors=7)
        self.assertEqual(search.GetIndices().shape, (40, 7))
        self.check(search, *exact_neighbors(queries, points, 7))

    def test_fewer_points_than_neighbors(self):
        search = find(points=normal_vectors(2), number_of_neighbors=4)
        np.testing.assert_array_equal(np.asarray(search.GetIndices()), [[0, 1, -1, -1], [1, 0, -1, -1]])
        self.assertTrue(np.isinf(np.asarray(search.GetSquaredDistances())[:, 2:]).all())

    def test_shares_memory(self):
        points = normal_vectors()
        vectors = itk.DeviceVectors[itk.F].FromArray(points)
        self.assertEqual(vectors.shape, points.shape)
        self.assertTrue(np.shares_memory(np.asarray(vectors), points))
        search = find(points=vectors)
        np.testing.assert_array_equal(np.asarray(search.GetIndices())[:, 0], np.arange(len(points)))
        self.assertEqual(search.GetIndices().__dlpack_device__(), (1, 0))

    def test_results_are_not_overwritten(self):
        search = find(points=normal_vectors(), number_of_neighbors=3)
        first = np.asarray(search.GetIndices())
        copy = first.copy()
        search.SetExcludeSelf(True)
        search.Update()
        np.testing.assert_array_equal(first, copy)
        self.assertFalse(np.array_equal(np.asarray(search.GetIndices()), copy))
        del search
        gc.collect()
        np.testing.assert_array_equal(first, copy)

    def test_new_points(self):
        search = find(points=normal_vectors(), number_of_neighbors=5)
        points = normal_vectors(dimension=12, seed=3)
        search.SetPoints(points)
        search.Update()
        self.check(search, *exact_neighbors(points, points, 5))

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "accepted is float32"):
            find(points=normal_vectors().astype(np.float64))
        with self.assertRaisesRegex(ValueError, "The array is not contiguous"):
            find(points=normal_vectors().T)
        with self.assertRaisesRegex(ValueError, "The array has 1 axes; vectors have 2"):
            find(points=normal_vectors().ravel())
        with self.assertRaisesRegex(TypeError, "cannot share the memory of a builtins.list"):
            find(points=[[1.0, 2.0]])
        with self.assertRaisesRegex(RuntimeError, "NumberOfNeighbors is 200; it must be from 1 to 128"):
            find(points=normal_vectors(), number_of_neighbors=200)
        with self.assertRaisesRegex(RuntimeError, "Dimension is 513; it must be from 1 to 512"):
            find(points=normal_vectors(dimension=513))
        wrong = normal_vectors()
        wrong[17, 4] = np.nan
        with self.assertRaisesRegex(RuntimeError, "component 4 of point 17 is nan"):
            find(points=wrong)


if __name__ == "__main__":
    unittest.main()
