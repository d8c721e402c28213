# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Landmark matching: points of ITK and of NumPy, results as arrays, the transform, its fields."""

import gc
import unittest
import weakref

import itk
import numpy as np


def lattice(dimension, seed=1):
    """Points some 6 mm apart, and where a smooth map takes them."""
    axes = np.meshgrid(*[np.arange(3) * 6.0 + 20.0] * dimension, indexing="ij")
    points = np.stack(axes, axis=-1).reshape(-1, dimension)
    points += np.random.default_rng(seed).uniform(-1, 1, points.shape)
    moved = points + 1.5 * np.sin(np.roll(points, 1, axis=1) / 5)
    return points, moved


def point_set(point_set_type, points):
    result = point_set_type.New()
    for i, point in enumerate(points):
        result.SetPoint(i, [float(x) for x in point])
    return result


def register(template, target, **parameters):
    """The updated registration, on the CPU."""
    registration = itk.CudaGeodesicShootingRegistration[type(template)].New(
        template_point_set=template,
        target_point_set=target,
        sigma=4.0,
        number_of_time_steps=10,
        compute_device="cpu",
        **parameters,
    )
    registration.Update()
    return registration


class RegistrationTest(unittest.TestCase):
    def test_point_sets(self):
        for name in ("F2", "F3", "D3"):
            points, moved = lattice(int(name[1]))
            point_set_type = itk.PointSet[getattr(itk, name[0]), int(name[1])]
            registration = register(point_set(point_set_type, points), point_set(point_set_type, moved))
            output = np.array([list(registration.GetOutput().GetPoint(i)) for i in range(len(points))])
            np.testing.assert_allclose(output, moved, atol=0.01)
            self.assertLess(registration.GetMaximumDistance(), 0.01)
            distances = np.linalg.norm(moved - points, axis=1)
            self.assertAlmostEqual(registration.GetInitialMeanDistance(), distances.mean(), delta=1e-5)

    def test_function_of_point_sets(self):
        points, moved = lattice(3)
        for name in (itk.F, itk.D):
            template, target = (point_set(itk.PointSet[name, 3], one) for one in (points, moved))
            matched, transform = itk.cuda_match_landmarks(template, target, sigma=4.0, number_of_time_steps=10, compute_device="cpu")
            self.assertIsInstance(matched, itk.PointSet[name, 3])
            np.testing.assert_allclose([list(matched.GetPoint(i)) for i in range(len(points))], moved, atol=0.01)
            np.testing.assert_allclose(transform.TransformPoint(points[5].tolist()), moved[5], atol=0.01)
        with self.assertRaisesRegex(TypeError, "is no array"):
            itk.cuda_match_landmarks(template, moved, sigma=4.0)

    def test_a_rotation_is_taken_off_first(self):
        points, moved = lattice(3)
        turn = np.array([[0.77, -0.64, 0.0], [0.64, 0.77, 0.0], [0.0, 0.0, 1.0]]) / np.hypot(0.77, 0.64)
        turn[2, 2] = 1.0
        target = moved @ turn.T + [3.0, -5.0, 7.0]
        registration = register(
            *(itk.DevicePointSet[itk.D, 3].FromArray(array) for array in (points, target)), point_alignment="Rigid"
        )
        self.assertEqual(registration.GetPointAlignmentName(), "Rigid")
        self.assertFalse(registration.GetRemainsFar())
        self.assertLess(registration.GetRootMeanSquareDistance(), 0.01)
        before = np.sqrt(((target - points) ** 2).sum(axis=1).mean())
        self.assertAlmostEqual(registration.GetInitialRootMeanSquareDistance(), before, places=5)
        transform = registration.GetCompositeTransform()
        mapped = np.array([list(transform.TransformPoint(point)) for point in points.tolist()])
        np.testing.assert_allclose(mapped, target, atol=0.02)
        with self.assertRaisesRegex(RuntimeError, "GetCompositeTransform gives both"):
            registration.GetTransform()

    def test_arrays_share_memory(self):
        for dtype, coordinate in ((np.float32, itk.F), (np.float64, itk.D)):
            points, moved = (array.astype(dtype) for array in lattice(3))
            device_points = itk.DevicePointSet[coordinate, 3].FromArray(points)
            self.assertEqual(device_points.shape, points.shape)
            self.assertTrue(np.shares_memory(np.asarray(device_points), points))
            registration = register(device_points, itk.DevicePointSet[coordinate, 3].FromArray(moved))
            output = registration.GetOutput()
            array = np.asarray(output)
            self.assertEqual((array.dtype, array.shape), (dtype, points.shape))
            np.testing.assert_allclose(array, moved, atol=0.01)
            self.assertEqual(output.__dlpack_device__(), (1, 0))

    def test_memory_is_kept(self):
        class Owner(np.ndarray):
            pass

        points = lattice(3)[0].view(Owner)
        reference = weakref.ref(points)
        expected = np.array(points)
        device_points = itk.DevicePointSet[itk.D, 3].FromArray(points)
        del points
        gc.collect()
        self.assertIsNotNone(reference())
        array = np.asarray(device_points)
        del device_points
        gc.collect()
        np.testing.assert_array_equal(array, expected)
        del array
        gc.collect()
        self.assertIsNone(reference())

    def test_bad_arrays(self):
        points = lattice(3)[0]
        from_array = itk.DevicePointSet[itk.D, 3].FromArray
        for array, message in (
            (points.astype(np.float32), "float32"),
            (points[:, :2].copy(), "points of 2 coordinates and the point set of 3"),
            (points.ravel(), "has 1 axes"),
            (points[::2], "contiguous"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                from_array(array)
        with self.assertRaisesRegex(TypeError, "A DevicePointSet cannot share the memory of a builtins.list"):
            from_array([[1.0, 2.0, 3.0]])

    def test_results_are_arrays(self):
        points, moved = lattice(3)
        template, target = (itk.DevicePointSet[itk.D, 3].FromArray(array) for array in (points, moved))
        registration = register(template, target, precision="Double", integrator="Heun")
        trajectory, momenta = registration.GetTrajectory(), registration.GetMomentaOverTime()
        self.assertEqual(trajectory.shape, (11, 27, 3))
        self.assertEqual(momenta.shape, (11, 27, 3))
        np.testing.assert_allclose(trajectory[0], points, atol=1e-12)
        np.testing.assert_array_equal(trajectory[-1], np.asarray(registration.GetOutput()))
        np.testing.assert_allclose(momenta[0], registration.GetMomenta(), atol=1e-12)
        losses = np.array(registration.GetLosses())
        self.assertEqual(len(losses), registration.GetNumberOfIterations() + 1)
        self.assertTrue((np.diff(losses) <= 0).all())
        np.testing.assert_allclose(
            losses, np.add(registration.GetKineticEnergies(), registration.GetMismatches()), rtol=1e-15
        )
        # The energy is what the momenta say.
        square = ((points[:, None] - points[None]) ** 2).sum(axis=-1)
        energy = 0.5 * (np.exp(-square / 32) * (registration.GetMomenta() @ registration.GetMomenta().T)).sum()
        self.assertAlmostEqual(registration.GetKineticEnergies()[-1], energy, delta=1e-9 * energy)
        again = register(template, target, precision="Double", integrator="Heun", maximum_number_of_iterations=0)
        with self.assertRaisesRegex(ValueError, r"The momenta have shape \(3, 27\); accepted is \(points, 3\)"):
            again.SetInitialMomenta(0, registration.GetMomenta().T)
        again.SetInitialMomenta(0, registration.GetMomenta())
        again.Update()
        self.assertAlmostEqual(again.GetLosses()[0], losses[-1], delta=1e-9 * losses[-1])

    def test_several_targets_and_weights(self):
        points, moved = lattice(3)
        as_points = itk.DevicePointSet[itk.D, 3].FromArray
        far = moved.copy()
        far[13] += 40
        registration = itk.CudaGeodesicShootingRegistration[itk.DevicePointSet[itk.D, 3]].New(
            sigma=4.0, number_of_time_steps=10, compute_device="cpu"
        )
        registration.SetTemplatePointSet(as_points(points))
        registration.SetTargetPointSet(as_points(moved))
        registration.SetTargetPointSet(1, as_points(far))
        registration.SetWeights(1, [float(i != 13) for i in range(27)])
        registration.Update()
        self.assertEqual(registration.GetNumberOfTargets(), 2)
        for target in (0, 1):
            self.assertLess(registration.GetMaximumDistance(target), 0.01)
        alone = register(as_points(points), as_points(moved))
        np.testing.assert_array_equal(registration.GetMomenta(0), alone.GetMomenta())

    def test_observers_and_abort(self):
        points, moved = (itk.DevicePointSet[itk.D, 3].FromArray(array) for array in lattice(3))
        registration = itk.CudaGeodesicShootingRegistration[type(points)].New(sigma=4.0, compute_device="cpu")
        registration.SetTemplatePointSet(points)
        registration.SetTargetPointSet(moved)
        seen = []

        def observe():
            seen.append((registration.GetCurrentIteration(), registration.GetCurrentLoss()))
            if len(seen) == 3:
                registration.StopIterations()

        registration.AddObserver(itk.IterationEvent(), observe)
        registration.Update()
        self.assertEqual([iteration for iteration, _ in seen], [1, 2, 3])
        self.assertEqual([loss for _, loss in seen], list(registration.GetLosses())[1:])
        self.assertEqual(registration.GetStopReasonName(), "Stopped")

    def test_errors(self):
        points, moved = (itk.DevicePointSet[itk.D, 3].FromArray(array) for array in lattice(3))
        with self.assertRaisesRegex(RuntimeError, "Target 0 has 4 points and the template 27"):
            register(points, itk.DevicePointSet[itk.D, 3].FromArray(lattice(3)[1][:4].copy()))
        with self.assertRaisesRegex(RuntimeError, "Lambda is -1; it must be"):
            register(points, moved, **{"lambda": -1.0})
        with self.assertRaisesRegex(RuntimeError, "use one of Euler, Heun, RungeKutta4"):
            register(points, moved, integrator="Verlet")

    def test_function(self):
        points, moved = (itk.DevicePointSet[itk.D, 3].FromArray(array) for array in lattice(3))
        output = itk.cuda_geodesic_shooting_registration(
            ttype=[type(points)], template_point_set=points, target_point_set=moved, sigma=4.0, compute_device="cpu"
        )
        np.testing.assert_allclose(np.asarray(output), lattice(3)[1], atol=0.01)


class TransformTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.points, cls.moved = lattice(3)
        arrays = (itk.DevicePointSet[itk.D, 3].FromArray(array) for array in (cls.points, cls.moved))
        cls.transform = register(*arrays).GetTransform()

    def test_moves_points(self):
        inverse = self.transform.GetInverseTransform()
        for point, moved in zip(self.points, self.moved):
            there = self.transform.TransformPoint(list(point))
            np.testing.assert_allclose(list(there), moved, atol=0.01)
            np.testing.assert_allclose(list(inverse.TransformPoint(there)), point, atol=1e-9)

    def test_is_made_of_its_parameters(self):
        copy = itk.GeodesicShootingTransform[itk.D, 3].New()
        copy.SetFixedParameters(self.transform.GetFixedParameters())
        copy.SetParameters(self.transform.GetParameters())
        point = [25.0, 26.0, 27.0]
        self.assertEqual(list(copy.TransformPoint(point)), list(self.transform.TransformPoint(point)))
        np.testing.assert_array_equal(np.reshape(copy.GetTemplatePositions(), (-1, 3)), self.points)
        copy.SetDirection("Backward")
        moved = self.transform.TransformPoint(point)
        np.testing.assert_allclose(list(copy.TransformPoint(moved)), point, atol=1e-9)
        with self.assertRaisesRegex(RuntimeError, "Sigma is -1; it must be"):
            copy.SetSigma(-1.0)

    def test_displacement_field(self):
        grid = itk.image_from_array(np.zeros((5, 6, 7), np.float32))
        grid.SetOrigin([20.0, 21.0, 22.0])
        grid.SetSpacing([2.0, 2.5, 3.0])
        for field_type in (itk.Image[itk.Vector[itk.F, 3], 3], itk.DeviceImage[itk.Vector[itk.F, 3], 3]):
            field_filter = itk.CudaGeodesicShootingToDisplacementFieldFilter[field_type, itk.D].New(
                transform=self.transform, reference_image=grid, use_reference_image=True, compute_device="cpu"
            )
            field_filter.Update()
            field = np.asarray(field_filter.GetOutput())
            self.assertEqual(field.shape, (5, 6, 7, 3))
            point = np.array([20 + 2 * 3.0, 21 + 2.5 * 2, 22 + 3.0 * 1])
            expected = np.array(list(self.transform.TransformPoint(list(point)))) - point
            np.testing.assert_allclose(field[1, 2, 3], expected, atol=1e-5)

    def test_displacement_field_function(self):
        for arguments, keywords in (((self.transform,), {}), ((), {"transform": self.transform})):
            field = itk.cuda_geodesic_shooting_to_displacement_field_filter(
                *arguments, size=[5, 6, 7], output_origin=[20.0, 21.0, 22.0], compute_device="cpu", **keywords
            )
            expected = np.array(list(self.transform.TransformPoint([23.0, 23.0, 23.0]))) - 23.0
            np.testing.assert_allclose(itk.array_from_image(field)[1, 2, 3], expected, atol=1e-5)
        with self.assertRaisesRegex(TypeError, "The transform is a TranslationTransform; accepted is an itk.GeodesicShootingT"):
            itk.cuda_geodesic_shooting_to_displacement_field_filter(itk.TranslationTransform[itk.D, 3].New(), size=[5, 6, 7])


if __name__ == "__main__":
    unittest.main()
