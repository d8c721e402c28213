# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The metric in ITK's registration framework: two phantoms of different contrast."""

import unittest

import itk
import numpy as np

from phantom import DEVICES

CENTER = 16.0


def intensity(points):
    """A textured ball with a soft edge around CENTER; points are indexed [..., axis], in mm, x first."""
    radius = np.sqrt(((points - CENTER) ** 2).sum(axis=-1))
    texture = 1.0 + sum(0.2 * np.sin((0.5 + 0.1 * axis) * points[..., axis] + axis) for axis in range(3))
    return 100.0 * texture / (1.0 + np.exp(radius - 11.0))


def image_of(function, margin=0):
    """The image of a function of points on a grid of 1 mm: of 0 to 31 mm along each axis, and a margin on either side."""
    z, y, x = np.meshgrid(*[np.arange(-margin, 32 + margin, dtype=float)] * 3, indexing="ij")
    image = itk.image_from_array(function(np.stack([x, y, z], axis=-1)).astype(np.float32))
    image.SetOrigin([-float(margin)] * 3)
    return image


def rigid(angles, translation):
    transform = itk.Euler3DTransform[itk.D].New()
    transform.SetCenter([CENTER] * 3)
    transform.SetRotation(*angles)
    transform.SetTranslation(translation)
    return transform


def matrix_and_offset(transform):
    return np.asarray(itk.array_from_matrix(transform.GetMatrix())), np.array(list(transform.GetOffset()))


@unittest.skipUnless(
    hasattr(itk, "CudaImageToImageMetricv4") and hasattr(itk, "Euler3DTransform"),
    "this ITK does not wrap its registration framework",
)
class MetricTest(unittest.TestCase):
    def setUp(self):
        self.image_type = itk.Image[itk.F, 3]
        self.truth = rigid((0.05, -0.04, 0.08), [1.0, -0.7, 0.5])
        matrix, offset = matrix_and_offset(self.truth)
        inverse = np.linalg.inv(matrix)
        self.fixed = image_of(intensity)
        # At T(q) there is what was at q, in another contrast. The margin has all of the fixed image overlap it near the truth: mutual
        # information rises where less of the air overlaps, and its optimum would be elsewhere.
        self.moving = image_of(lambda points: (intensity((points - offset) @ inverse.T) - 150.0) ** 2 / 100.0, margin=4)

    def make_metric(self, device, **settings):
        metric = itk.CudaImageToImageMetricv4[self.image_type, self.image_type].New(**settings)
        metric.SetComputeDevice(device)
        return metric

    def register(self, metric, transform):
        scales = itk.RegistrationParameterScalesFromPhysicalShift[type(metric)].New()
        scales.SetMetric(metric)
        optimizer = itk.RegularStepGradientDescentOptimizerv4[itk.D].New()
        optimizer.SetScalesEstimator(scales)
        optimizer.SetLearningRate(0.5)
        # Steps that halve at each turn would end before the rotation is found.
        optimizer.SetRelaxationFactor(0.8)
        optimizer.SetMinimumStepLength(1e-3)
        optimizer.SetNumberOfIterations(100)
        registration = itk.ImageRegistrationMethodv4[self.image_type, self.image_type].New()
        registration.SetFixedImage(self.fixed)
        registration.SetMovingImage(self.moving)
        registration.SetMetric(metric)
        registration.SetOptimizer(optimizer)
        registration.SetInitialTransform(transform)
        registration.InPlaceOn()
        registration.SetNumberOfLevels(2)
        registration.SetShrinkFactorsPerLevel([2, 1])
        registration.SetSmoothingSigmasPerLevel([1.0, 0.0])
        registration.Update()
        return optimizer

    def test_registers_two_phantoms(self):
        for device in DEVICES:
            with self.subTest(device=device):
                metric = self.make_metric(device)
                transform = rigid((0.0, 0.0, 0.0), [0.0, 0.0, 0.0])
                optimizer = self.register(metric, transform)
                self.assertLess(optimizer.GetValue(), -0.3)
                for corner in np.ndindex(2, 2, 2):
                    point = [CENTER + 12.0 * side - 6.0 for side in corner]
                    difference = np.subtract(transform.TransformPoint(point), self.truth.TransformPoint(point))
                    self.assertLess(np.linalg.norm(difference), 0.1)

    def test_values(self):
        for device in DEVICES:
            with self.subTest(device=device):
                metric = self.make_metric(device, NumberOfHistogramBins=24)
                self.assertEqual(metric.GetMetricName(), "MutualInformation")
                self.assertEqual(metric.GetNumberOfHistogramBins(), 24)
                metric.SetFixedImage(self.fixed)
                metric.SetMovingImage(self.moving)
                values = []
                for name in ("MutualInformation", "MeanSquares"):
                    metric.SetMetric(name)
                    metric.SetMovingTransform(self.truth)
                    metric.Initialize()
                    values.append(metric.GetValue())
                    metric.SetMovingTransform(rigid((0.0, 0.0, 0.0), [4.0, 0.0, 0.0]))
                    metric.Initialize()
                    values.append(metric.GetValue())
                self.assertLess(values[0], values[1] - 0.1)
                self.assertGreater(values[2], 0.0)
                self.assertGreater(metric.GetNumberOfValidPoints(), 16000)

    def test_errors(self):
        metric = self.make_metric("cpu")
        with self.assertRaisesRegex(RuntimeError, "FixedImage is not present"):
            metric.Initialize()
        with self.assertRaisesRegex(RuntimeError, "Initialize\\(\\) must be called"):
            metric.GetValue()
        with self.assertRaisesRegex(RuntimeError, '"Entropy"'):
            metric.SetMetric("Entropy")
        metric.UseSampledPointSetOn()
        with self.assertRaisesRegex(RuntimeError, "no set of sampled points"):
            self.register(metric, rigid((0.0, 0.0, 0.0), [0.0, 0.0, 0.0]))


if __name__ == "__main__":
    unittest.main()
