# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The atlas filter: a mean shape that is known, parameters as keywords, results as lists, events, errors."""

import os
import pathlib
import tempfile
import unittest

import itk
import numpy as np

from phantom import DEVICES
from test_registration import ball, field_along_x

SHIFTS = (-1.5, 0.0, 1.5)


def balls(shape, pixel=np.float32):
    """Balls around the middle, whose mean shape is the ball in the middle."""
    return [ball(shape, shift, pixel) for shift in SHIFTS]


def make(shape=(31, 30), pixel=np.float32, **keywords):
    """An atlas of balls, of one level."""
    return itk.CudaDiffeomorphicAtlasFilter.New(
        *balls(shape, pixel), **{"NumberOfLevels": 1, "NumberOfIterations": 5, **keywords}
    )


class AtlasTest(unittest.TestCase):
    def test_known_mean(self):
        for device in DEVICES:
            for shape, pixel in (((24, 25, 26), np.float32), ((31, 30), np.uint8), ((31, 30), np.int16)):
                atlas = make(shape, pixel, NumberOfIterations=60, ComputeDevice=device, ComputeInitialMean=True)
                atlas.Update()
                with self.subTest(device=device, shape=shape):
                    truth = np.asarray(ball(shape))
                    error = np.abs(np.asarray(atlas.GetOutput()) - truth).mean()
                    self.assertLess(error, 0.5 * np.abs(np.asarray(atlas.GetInitialMean()) - truth).mean())
                    fields = [atlas.GetDisplacementField(image) for image in range(3)]
                    # The ball of an image is where the template's goes.
                    for field, shift in zip(fields, SHIFTS):
                        self.assertLess(np.abs(field_along_x(field, shape) - shift).mean(), 0.6)
                    self.assertLess(np.abs(sum(np.asarray(field) for field in fields)).max(), 0.15)

    def test_function(self):
        shape = (31, 30)
        mean = itk.cuda_diffeomorphic_atlas_filter(
            *balls(shape),
            weights=[1.0, 0.0, 0.0],
            number_of_iterations_per_level=[0],
            number_of_levels=1,
            mean_method="Mean",
            compute_devices=["cpu", "cpu"],
        )
        # Of intensities up to 200, to what sums of integers resolve.
        np.testing.assert_allclose(np.asarray(mean), np.asarray(ball(shape, SHIFTS[0])), rtol=0, atol=1e-5)

    def test_results_are_lists(self):
        atlas = make(ShapeUpdateInterval=3, MeasureEntropy=True, Weights=[1, 2, 1])
        seen = []
        atlas.AddObserver(itk.IterationEvent(), lambda: seen.append(atlas.GetEnergy()))
        atlas.Update()
        self.assertEqual(list(atlas.GetEnergies()), seen)
        self.assertEqual(len(seen), 5)
        of_images = np.array([atlas.GetImageEnergies(image) for image in range(3)])
        np.testing.assert_allclose(of_images.T @ [0.25, 0.5, 0.25], seen, rtol=1e-9)
        np.testing.assert_array_equal(atlas.GetCurrentImageEnergies(), of_images[:, -1])
        self.assertAlmostEqual(np.dot(atlas.GetFinalImageEnergies(), [0.25, 0.5, 0.25]), atlas.GetFinalEnergy(), places=12)
        self.assertNotEqual(atlas.GetFinalEnergy(), seen[-1])
        self.assertEqual(len(atlas.GetMinimumJacobians()), 5)
        self.assertTrue(all(0 < entropy <= 8 for entropy in atlas.GetEntropies()))
        self.assertEqual(len(atlas.GetDriftRootMeanSquares()), 2)
        self.assertEqual(len(atlas.GetDriftMaxima()), 2)
        self.assertEqual(list(atlas.GetWeights()), [1.0, 2.0, 1.0])
        self.assertIsInstance(atlas.GetExchange(), str)

    def test_transform(self):
        atlas = make((31, 30), NumberOfIterations=20)
        atlas.Update()
        for image in range(3):
            field = np.asarray(atlas.GetDisplacementField(image))[14, 16]
            mapped = atlas.GetTransform(image).TransformPoint([16.0, 14.0])
            np.testing.assert_allclose(list(mapped), np.array([16.0, 14.0]) + field, atol=1e-6)
        with self.assertRaisesRegex(RuntimeError, "3"):
            atlas.GetTransform(3)

    def test_device_images(self):
        shape = (24, 25, 26)
        for device in DEVICES:
            expected = make(shape, NumberOfIterations=5, ComputeDevice=device)
            expected.Update()
            on_device = (itk.device_upload_image_filter(image, compute_device=device) for image in balls(shape))
            atlas = itk.CudaDiffeomorphicAtlasFilter.New(*on_device, NumberOfLevels=1, NumberOfIterations=5)
            atlas.Update()
            with self.subTest(device=device):
                mean = itk.array_from_image(itk.device_download_image_filter(atlas.GetOutput()))
                np.testing.assert_array_equal(mean, itk.array_from_image(expected.GetOutput()))
                field = itk.device_download_image_filter(atlas.GetDisplacementField(2))
                np.testing.assert_array_equal(
                    itk.array_from_image(field), itk.array_from_image(expected.GetDisplacementField(2))
                )

    def test_points_have_a_mean_and_a_spread(self):
        # Maps that are the identity: without iterations, and images on one grid. Points are found to 1e-5 voxels.
        atlas = make(NumberOfIterationsPerLevel=[0])
        for image, place in enumerate(([10.0, 10.0], [12.0, 10.0], [14.0, 13.0])):
            atlas.SetPoints(image, place)
        atlas.Update()
        np.testing.assert_allclose(list(atlas.GetTemplatePoints()), [12.0, 11.0], rtol=0, atol=2e-5)
        # The root of the mean of 5, 1 and 8.
        np.testing.assert_allclose(list(atlas.GetTemplatePointSpreads()), [(14.0 / 3.0) ** 0.5], rtol=0, atol=2e-5)
        self.assertEqual(list(atlas.GetTemplatePointCounts()), [3])

    def test_checkpoint_folder_is_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            atlas = make(NumberOfIterations=2, CheckpointFolder=pathlib.Path(folder), CheckpointInterval=0)
            self.assertEqual(atlas.GetCheckpointFolder(), folder)
            atlas.Update()
            self.assertNotEqual(os.listdir(folder), [])

    def test_masks(self):
        shape = (31, 30)
        mask = np.ones(shape, np.uint8)
        mask[15, 15] = 0
        image = itk.image_from_array(mask)
        atlas = make(shape, NumberOfIterations=0)
        atlas.SetMaskImage(image)
        self.assertEqual(atlas.GetMaskImage(2), image)
        self.assertEqual(atlas.GetMaskImage(), image)
        atlas.Update()
        self.assertEqual(np.asarray(atlas.GetOutput())[15, 15], 0.0)
        atlas.SetMaskImage(None)
        atlas.SetMaskImage(1, image)
        self.assertEqual(atlas.GetMaskImage(1), image)
        self.assertIsNone(atlas.GetMaskImage(2))
        atlas.Update()
        expected = 0.5 * (np.asarray(ball(shape, SHIFTS[0])) + np.asarray(ball(shape, SHIFTS[2])))
        self.assertAlmostEqual(float(np.asarray(atlas.GetOutput())[15, 15]), float(expected[15, 15]), places=3)

    def test_stop(self):
        atlas = make(NumberOfIterations=50)
        atlas.AddObserver(
            itk.IterationEvent(), lambda: atlas.GetElapsedIterations() == 4 and atlas.StopIterations()
        )
        atlas.Update()
        self.assertEqual(atlas.GetElapsedIterations(), 4)

    def test_errors(self):
        for keywords, message in (
            ({"MaximumStep": 0.0}, "MaximumStep is 0; it must be"),
            ({"Weights": [1.0, -1.0, 1.0]}, "is -1"),
            ({"Weights": [1.0]}, "Weights has 1 values; it must have one for each of the 3 images"),
            ({"MeanMethod": "Mode"}, 'Unknown mean "Mode"'),
            ({"ComputeDevices": ["abacus"]}, 'Unknown device "abacus"'),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                make(**keywords).Update()
        with self.assertRaisesRegex(RuntimeError, "ComputeDeformedImages is Off"):
            make().GetDeformedImage(0)
        with self.assertRaisesRegex(RuntimeError, "The number of images is 1; it must be 2 or greater"):
            itk.CudaDiffeomorphicAtlasFilter.New(ball((31, 30))).Update()


if __name__ == "__main__":
    unittest.main()
