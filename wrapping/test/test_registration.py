# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The registration filters: a known shift, parameters as keywords, events, errors."""

import unittest

import itk
import numpy as np

from phantom import DEVICES

FILTERS = (
    "CudaUnbiasedFluidRegistrationFilter",
    "CudaGreedyFluidRegistrationFilter",
    "CudaSymmetricRegistrationFilter",
)
SHIFT = 1.5


def ball(shape, shift=0.0, pixel=np.float32):
    """A smooth ball, moved by a shift along x; indexed [z, y, x]."""
    axes = list(np.meshgrid(*[np.arange(n) - 0.5 * (n - 1) for n in shape], indexing="ij"))
    axes[-1] = axes[-1] - shift
    radius = np.sqrt(sum(a * a for a in axes))
    return itk.image_from_array((200.0 / (1.0 + np.exp(radius - 0.3 * min(shape)))).astype(pixel))


def field_along_x(field, shape):
    """The x components in the middle of the field."""
    array = itk.array_view_from_image(field)
    middle = tuple(slice(n // 2 - 2, n // 2 + 3) for n in shape)
    return array[middle][..., 0]


class RegistrationTest(unittest.TestCase):
    def test_known_shift(self):
        for device in DEVICES:
            for name in FILTERS:
                for shape, pixel in (((24, 25, 26), np.float32), ((31, 30), np.uint8), ((31, 30), np.int16)):
                    fixed = ball(shape, pixel=pixel)
                    moving = ball(shape, SHIFT, pixel)
                    registration = getattr(itk, name).New(
                        fixed,  # first, because the types follow from it
                        moving,
                        NumberOfLevels=1,
                        NumberOfIterations=60,
                        ComputeDevice=device,
                    )
                    registration.Update()
                    with self.subTest(device=device, name=name, shape=shape):
                        along_x = field_along_x(registration.GetDisplacementField(), shape)
                        self.assertLess(np.abs(along_x - SHIFT).mean(), 0.5)
                        backwards = field_along_x(registration.GetInverseDisplacementField(), shape)
                        self.assertLess(np.abs(backwards + SHIFT).mean(), 0.5)
                        warped = np.asarray(registration.GetWarpedImage(), np.float64)
                        before = np.abs(np.asarray(moving, np.float64) - np.asarray(fixed)).mean()
                        self.assertLess(np.abs(warped - np.asarray(fixed)).mean(), 0.3 * before)
                        jacobian = np.asarray(registration.GetJacobianImage())
                        self.assertGreater(jacobian.min(), 0.0)
                        self.assertAlmostEqual(jacobian.min(), registration.GetMinimumJacobian(), places=5)
                        self.assertEqual(registration.GetNumberOfFoldedVoxels(), 0)
                        self.assertLess(registration.GetMeanInverseConsistency(), 0.1)

    def test_function(self):
        shape = (31, 30)
        field = itk.cuda_unbiased_fluid_registration_filter(
            ball(shape),
            ball(shape, SHIFT),
            metric="LocalCorrelation",
            correlation_radius=2,
            shrink_factors_per_level=[2, 1],
            number_of_iterations_per_level=[10, 5],
            unbiased_weight=0.2,
            update_field_standard_deviations=2.0,
        )
        self.assertEqual(np.asarray(field).shape, shape + (2,))
        self.assertGreater(field_along_x(field, shape).mean(), 0.2)

    def test_gaussians_of_levels(self):
        shape = (31, 30)
        images = ball(shape), ball(shape, SHIFT)
        for name in ("CudaUnbiasedFluidRegistrationFilter", "CudaSymmetricRegistrationFilter"):
            with self.subTest(name=name):
                fields = []
                for keywords in (
                    {"UpdateFieldStandardDeviations": 3.0},
                    {"UpdateFieldStandardDeviationsPerLevel": [3.0, 3.0]},
                    {"UpdateFieldStandardDeviationsPerLevel": [3.0, 1.5]},
                ):
                    registration = getattr(itk, name).New(*images, NumberOfLevels=2, NumberOfIterations=10, **keywords)
                    registration.Update()
                    fields.append(itk.array_from_image(registration.GetDisplacementField()))
                self.assertEqual(list(registration.GetUpdateFieldStandardDeviationsPerLevel()), [3.0, 1.5])
                np.testing.assert_array_equal(fields[1], fields[0])
                self.assertGreater(np.abs(fields[2] - fields[0]).max(), 0.0)
                registration.SetUpdateFieldStandardDeviationsPerLevel([3.0])
                with self.assertRaisesRegex(RuntimeError, "has 1 values; it must have one for each of the 2 levels"):
                    registration.Update()

    def test_jacobian_bound(self):
        noise = [itk.image_from_array(np.random.default_rng(seed).normal(size=(24, 25)).astype(np.float32)) for seed in (1, 2)]
        for name in FILTERS:
            registration = getattr(itk, name).New(*noise, NumberOfLevels=1, NumberOfIterations=30)
            self.assertEqual(registration.GetJacobianBound(), 0.02)
            registration.SetJacobianBound(0.4)
            registration.Update()
            with self.subTest(name=name):
                # Of the symmetric filter's result, which is made of two halves, the bound is that of each.
                bound = 0.4**2 if "Symmetric" in name else 0.4
                self.assertGreater(registration.GetMinimumJacobian(), 0.99 * bound)
                self.assertLess(registration.GetMinimumJacobian(), 1.0)

    def test_symmetric_function(self):
        shape = (31, 30)
        images = (ball(shape), ball(shape, SHIFT))
        keywords = {"velocity_method": "SuccessiveOverRelaxation", "alpha": 2.0, "sweeps": 4, "unbiased_weight": 0.1}
        levels = {"number_of_levels": 1, "number_of_iterations": 15}
        field = itk.cuda_symmetric_registration_filter(*images, **keywords, **levels)
        self.assertGreater(field_along_x(field, shape).mean(), 0.2)

    def test_swapped_images_give_the_inverse(self):
        images = (ball((24, 25, 26)), ball((24, 25, 26), SHIFT))
        for device in DEVICES:
            there, back = (
                itk.CudaSymmetricRegistrationFilter.New(*pair, NumberOfLevels=1, NumberOfIterations=15, ComputeDevice=device)
                for pair in (images, images[::-1])
            )
            there.Update()
            back.Update()
            with self.subTest(device=device):
                field, inverse = there.GetDisplacementField(), back.GetInverseDisplacementField()
                self.assertGreater(np.abs(itk.array_view_from_image(field)).max(), 0.5)
                np.testing.assert_array_equal(itk.array_view_from_image(field), itk.array_view_from_image(inverse))

    @unittest.skipUnless(hasattr(itk, "AffineTransform"), "this ITK does not wrap affine transforms")
    def test_initial_transform(self):
        shape = (24, 25, 26)
        transform = itk.AffineTransform[itk.D, 3].New()
        transform.SetTranslation([SHIFT, 0.0, 0.0])
        for device in DEVICES:
            for name in FILTERS:
                registration = getattr(itk, name).New(
                    ball(shape),
                    ball(shape, SHIFT),
                    InitialTransform=transform,
                    NumberOfLevels=1,
                    NumberOfIterations=10,
                    ComputeDevice=device,
                )
                registration.Update()
                with self.subTest(device=device, name=name):
                    # The transform has found all there is: what is left is the error of linear interpolation.
                    along_x = field_along_x(registration.GetDisplacementField(), shape)
                    self.assertLess(np.abs(along_x).mean(), 0.1)
                    inside = (slice(3, -3),) * 3
                    difference = np.asarray(registration.GetWarpedImage())[inside] - np.asarray(ball(shape))[inside]
                    self.assertLess(np.abs(difference).mean(), 2.0)

    def test_transform(self):
        """Where the composed transform takes a point is what the field at its voxel says, after which comes the initial one."""
        shape, index = (24, 25, 26), [11, 12, 13]
        point = np.array(index, float)
        initial = itk.TranslationTransform[itk.D, 3].New()
        initial.SetOffset([0.5, 0.25, -0.5])
        for name in FILTERS:
            for transform in (None, initial):
                registration = getattr(itk, name).New(
                    ball(shape), ball(shape, SHIFT), NumberOfLevels=1, NumberOfIterations=10, ComputeDevice="cpu"
                )
                with self.assertRaisesRegex(RuntimeError, "There is no transform yet"):
                    registration.GetTransform()
                if transform is not None:
                    registration.SetInitialTransform(transform)
                registration.Update()
                with self.subTest(name=name, transform=transform is not None):
                    found = registration.GetTransform()
                    self.assertIsInstance(found, type(itk.CompositeTransform[itk.D, 3].New()))
                    self.assertEqual(found.GetNumberOfTransforms(), 2 if transform is not None else 1)
                    field = np.asarray(registration.GetDisplacementField())[tuple(index[::-1])]
                    offset = [0.5, 0.25, -0.5] if transform is not None else [0.0, 0.0, 0.0]
                    self.assertGreater(np.abs(field).max(), 0.1)
                    mapped = found.TransformPoint(list(point))
                    np.testing.assert_allclose(list(mapped), point + field + offset, atol=1e-6)
                    # The inverse field is inverse to a hundredth of a voxel; between voxels, interpolation adds some.
                    back = found.GetInverseTransform().TransformPoint(mapped)
                    np.testing.assert_allclose(list(back), point, atol=0.05)
                    # The map is of the transform as it was.
                    initial.SetOffset([50.0, 0.0, 0.0])
                    self.assertEqual(found.TransformPoint(list(point)), mapped)
                    self.assertEqual(registration.GetTransform().TransformPoint(list(point)), mapped)
                    initial.SetOffset([0.5, 0.25, -0.5])
                    registration.SetComputeInverse(False)
                    registration.Update()
                    self.assertIsNone(registration.GetTransform().GetInverseTransform())

    def test_device_images(self):
        for shape in ((24, 25, 26), (31, 30)):
            images = (ball(shape), ball(shape, SHIFT))
            for device in DEVICES:
                for name in FILTERS:
                    settings = {"NumberOfLevels": 2, "NumberOfIterations": 5}
                    expected = getattr(itk, name).New(*images, ComputeDevice=device, **settings)
                    expected.Update()
                    on_device = (itk.device_upload_image_filter(image, compute_device=device) for image in images)
                    registration = getattr(itk, name).New(*on_device, **settings)
                    registration.Update()
                    with self.subTest(shape=shape, device=device, name=name):
                        self.assertEqual(registration.GetWarpedImage().GetComputeDevice().GetName(), device)
                        for get in ("GetDisplacementField", "GetInverseDisplacementField", "GetWarpedImage", "GetJacobianImage"):
                            downloaded = itk.device_download_image_filter(getattr(registration, get)())
                            np.testing.assert_array_equal(
                                itk.array_from_image(downloaded), itk.array_from_image(getattr(expected, get)())
                            )
                        point = [12.0] * len(shape)
                        self.assertEqual(
                            list(registration.GetTransform().TransformPoint(point)),
                            list(expected.GetTransform().TransformPoint(point)),
                        )

    def test_events_and_energies(self):
        registration = itk.CudaUnbiasedFluidRegistrationFilter.New(
            ball((31, 30)), ball((31, 30), SHIFT), NumberOfLevels=2, NumberOfIterations=8
        )
        seen = []
        registration.AddObserver(
            itk.IterationEvent(), lambda: seen.append((registration.GetCurrentLevel(), registration.GetEnergy()))
        )
        registration.Update()
        self.assertEqual([level for level, _ in seen], [0] * 8 + [1] * 8)
        self.assertEqual([energy for _, energy in seen], list(registration.GetEnergies()))
        self.assertEqual(registration.GetElapsedIterations(), 16)

    def test_errors(self):
        def update(**keywords):
            registration = itk.CudaGreedyFluidRegistrationFilter.New(
                ball((31, 30)), ball((31, 30), SHIFT), **keywords
            )
            registration.Update()

        for keywords, message in (
            ({"MaximumStep": 0.0}, "MaximumStep is 0; it must be"),
            ({"JacobianBound": 0.7}, "JacobianBound is 0.7; it must be"),
            ({"Gamma": -1.0}, "Gamma is -1; it must be"),
            ({"VelocityMethod": "Multigrid"}, 'Unknown velocity solver "Multigrid"'),
            ({"NumberOfIterationsPerLevel": [1, 2]}, "NumberOfIterationsPerLevel has 2 values"),
        ):
            with self.assertRaisesRegex(RuntimeError, message):
                update(**keywords)


if __name__ == "__main__":
    unittest.main()
