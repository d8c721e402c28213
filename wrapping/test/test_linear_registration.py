# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Linear registration: a known shift, what comes out, pipelines, parameters as keywords, events, errors."""

import unittest

import itk
import numpy as np

from phantom import DEVICES

SHIFT = (1.5, -2.25, 3.0)


def blobs(shape, shift=(0.0, 0.0, 0.0), pixel=np.float32, invert=False):
    """Some smooth balls of different sizes, moved by a shift along x, y, z; indexed [z, y, x]."""
    axes = np.meshgrid(*[np.arange(n) - 0.5 * (n - 1) for n in shape], indexing="ij")[::-1]
    values = np.zeros(shape)
    for i, radius in enumerate((0.3, 0.16, 0.12)):
        center = [0.22 * min(shape) * np.sin(2.0 * i + k) if i else 0.0 for k in range(len(shape))]
        distance = np.sqrt(sum((a - c - s) ** 2 for a, c, s in zip(axes, center, shift)))
        values += (80.0 - 20.0 * i) / (1.0 + np.exp(distance - radius * min(shape)))
    return itk.image_from_array((200.0 - values if invert else values).astype(pixel))


def mapped(transform, dimension):
    """Where a transform takes the origin of space."""
    return np.array(list(transform.TransformPoint([0.0] * dimension)))


class LinearRegistrationTest(unittest.TestCase):
    def test_known_shift(self):
        for device in DEVICES:
            for shape, pixel in (((30, 31, 32), np.float32), ((40, 41), np.uint8), ((40, 41), np.int16)):
                dimension = len(shape)
                for metric, invert in (("MutualInformation", True), ("MeanSquares", False)):
                    registration = itk.CudaLinearRegistrationFilter.New(
                        blobs(shape, pixel=pixel),  # first, because the types follow from it
                        blobs(shape, SHIFT, pixel, invert),
                        TransformType="Translation",
                        Metric=metric,
                        Start="GridCenters",
                        NumberOfLevels=2,
                        ComputeDevice=device,
                    )
                    registration.Update()
                    with self.subTest(device=device, shape=shape, metric=metric):
                        found = mapped(registration.GetTransform(), dimension)
                        np.testing.assert_allclose(found, SHIFT[:dimension], atol=0.1)
                        back = mapped(registration.GetInverseTransform(), dimension)
                        np.testing.assert_allclose(back, -found, atol=1e-9)
                        self.assertEqual(registration.GetTransform().GetNameOfClass(), "TranslationTransform")
                        self.assertGreater(registration.GetOverlap(), 0.7)
                        self.assertGreater(registration.GetElapsedIterations(), 0)
                        self.assertGreater(registration.GetNumberOfEvaluations(), 0)
                        self.assertEqual(len(registration.GetMetricValues()), registration.GetElapsedIterations())
                        self.assertEqual(np.asarray(registration.GetWarpedImage()).shape, shape)

    def test_channels(self):
        shape = (40, 41)
        for device in DEVICES:
            # The first channel, which has no weight, would give no shift; the images of the second one lie elsewhere.
            registration = itk.CudaLinearRegistrationFilter.New(
                blobs(shape), blobs(shape), TransformType="Translation", Start="GridCenters", NumberOfLevels=2, ComputeDevice=device
            )
            fixed, moving = blobs(shape), blobs(shape, SHIFT, invert=True)
            fixed.SetOrigin([100.0, 0.0])
            elsewhere = itk.TranslationTransform[itk.D, 2].New()
            elsewhere.SetOffset([100.0, 0.0])
            registration.SetFixedImage(1, fixed)
            registration.SetMovingImage(1, moving)
            registration.SetMovingMaskImage(1, itk.image_from_array(np.ones(shape, np.uint8)))
            registration.SetChannelFixedTransform(1, elsewhere)
            registration.SetChannelMetric(1, "MutualInformation")
            registration.SetChannelNumberOfHistogramBins(1, 24)
            registration.SetChannelWeight(0, 0.0)
            registration.SetChannelWeight(1, 0.5)
            registration.Update()
            with self.subTest(device=device):
                np.testing.assert_allclose(mapped(registration.GetTransform(), 2), SHIFT[:2], atol=0.1)
                self.assertEqual(registration.GetNumberOfChannels(), 2)
                self.assertEqual(registration.GetChannelMetricName(1), "MutualInformation")
                self.assertEqual(registration.GetChannelWeight(1), 0.5)
                values = registration.GetChannelMetricValues()
                self.assertEqual(list(values), [0.0, registration.GetMetricValue()])
                self.assertRaisesRegex(RuntimeError, "channel is 8; it must be", registration.SetFixedImage, 8, fixed)

    def test_function(self):
        shape = (40, 41)
        arguments = {"number_of_levels": 2, "number_of_histogram_bins": 24, "intensity_quantiles": [0.0, 0.999]}
        transform = itk.cuda_linear_registration_filter(blobs(shape), blobs(shape, SHIFT), **arguments)
        self.assertEqual(transform.GetNameOfClass(), "AffineTransform")
        np.testing.assert_allclose(mapped(transform, 2), SHIFT[:2], atol=0.3)
        # Of the class, not of its base.
        self.assertIsInstance(transform, type(itk.AffineTransform[itk.D, 2].New()))
        self.assertEqual(len(transform.GetParameters()), 6)

    def test_classes(self):
        for dimension in (2, 3):
            image = blobs((24,) * dimension)
            registration = itk.CudaLinearRegistrationFilter.New(image, image, NumberOfLevels=1, NumberOfIterations=1)
            for name, expected in (
                ("Translation", "TranslationTransform"),
                ("Rigid", "VersorRigid3DTransform" if dimension == 3 else "Euler2DTransform"),
                ("Similarity", f"Similarity{dimension}DTransform"),
                ("Affine", "AffineTransform"),
            ):
                registration.SetTransformType(name)
                registration.Update()
                self.assertEqual(registration.GetTransformTypeName(), name)
                self.assertEqual(registration.GetTransform().GetNameOfClass(), expected)
                self.assertEqual(registration.GetInverseTransform().GetNameOfClass(), expected)
                if hasattr(itk, expected):
                    self.assertIn(expected, type(registration.GetTransform()).__name__)

    def test_pipeline(self):
        """One registration starts another, and a field of the fluid another one still."""
        shape = (30, 31, 32)
        fixed, moving = blobs(shape), blobs(shape, SHIFT)
        rigid = itk.CudaLinearRegistrationFilter.New(fixed, moving, TransformType="Rigid", NumberOfLevels=2)
        affine = itk.CudaLinearRegistrationFilter.New(fixed, moving, Start="InitialTransform", NumberOfLevels=1)
        affine.SetInitialTransformInput(rigid.GetOutput())
        affine.Update()
        self.assertGreater(rigid.GetElapsedIterations(), 0)
        fluid = itk.CudaGreedyFluidRegistrationFilter.New(
            fixed, moving, InitialTransform=affine.GetTransform(), NumberOfLevels=1, NumberOfIterations=5
        )
        fluid.Update()
        difference = np.asarray(fluid.GetWarpedImage()) - np.asarray(fixed)
        self.assertLess(np.abs(difference[4:-4, 4:-4, 4:-4]).mean(), 1.0)
        warped = itk.CudaWarpImageFilter.New(moving, Transform=affine.GetTransform())
        warped.Update()
        np.testing.assert_array_equal(np.asarray(warped.GetOutput()), np.asarray(affine.GetWarpedImage()))

    def test_device_images(self):
        shape = (30, 31, 32)
        fixed, moving = blobs(shape), blobs(shape, SHIFT)
        for device in DEVICES:
            settings = {"TransformType": "Rigid", "NumberOfLevels": 2}
            expected = itk.CudaLinearRegistrationFilter.New(fixed, moving, ComputeDevice=device, **settings)
            expected.Update()
            on_device = (itk.device_upload_image_filter(image, compute_device=device) for image in (fixed, moving))
            registration = itk.CudaLinearRegistrationFilter.New(*on_device, **settings)
            registration.Update()
            self.assertEqual(
                list(registration.GetTransform().GetParameters()), list(expected.GetTransform().GetParameters())
            )
            warped = itk.device_download_image_filter(registration.GetWarpedImage())
            np.testing.assert_array_equal(np.asarray(warped), np.asarray(expected.GetWarpedImage()))

    def test_events(self):
        shape = (40, 41)
        registration = itk.CudaLinearRegistrationFilter.New(blobs(shape), blobs(shape, SHIFT), NumberOfLevels=2)
        seen = []
        registration.AddObserver(
            itk.IterationEvent(),
            lambda: seen.append((registration.GetCurrentLevel(), registration.GetCurrentMetricValue())),
        )
        registration.Update()
        self.assertEqual([value for _, value in seen], list(registration.GetMetricValues()))
        self.assertEqual(sorted(level for level, _ in seen), [level for level, _ in seen])
        self.assertLessEqual(registration.GetMetricValue(), seen[0][1])

    def test_errors(self):
        def update(**keywords):
            image = blobs((40, 41))
            registration = itk.CudaLinearRegistrationFilter.New(image, image, **keywords)
            registration.Update()

        scale = itk.AffineTransform[itk.D, 2].New()
        scale.Scale(1.5)
        for keywords, message in (
            ({"SearchAngle": 200.0}, "SearchAngle is 200; it must be"),
            ({"NumberOfHistogramBins": 4}, "NumberOfHistogramBins is 4; it must be"),
            ({"TransformType": "Scale"}, 'Unknown .*"Scale": use one of Translation, Rigid, Similarity, Affine'),
            ({"TransformType": "Rigid", "InitialTransform": scale}, "it must be a rotation"),
            ({"NumberOfIterationsPerLevel": [1, 2]}, "NumberOfIterationsPerLevel has 2 values"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                update(**keywords)
        with self.assertRaisesRegex(RuntimeError, "There is no transform yet"):
            itk.CudaLinearRegistrationFilter.New(blobs((40, 41)), blobs((40, 41))).GetTransform()


if __name__ == "__main__":
    unittest.main()
