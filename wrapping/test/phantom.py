# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Small images for the tests, and where they are computed."""

import itk
import numpy as np

#: Devices that every test runs on.
DEVICES = ["cpu"] + (["cuda:0"] if itk.ComputeDevice.IsCudaAvailable() else [])


def noisy_ball(shape=(12, 14, 13), seed=1):
    """A bright ball, or disc, in noise: values of about 20 and 150, float32, indexed [z, y, x]."""
    axes = np.meshgrid(*[np.linspace(-1, 1, n) for n in shape], indexing="ij")
    ball = np.where(sum(a * a for a in axes) < 0.5, 150.0, 20.0)
    noise = np.random.default_rng(seed).normal(0.0, 8.0, shape)
    return (ball + noise).astype(np.float32)


def image_with_geometry(array):
    """The array as an itk.Image with spacing, origin and direction that are not the defaults."""
    image = itk.image_from_array(array)
    dimension = array.ndim
    image.SetSpacing([0.9, 1.2, 1.5][:dimension])
    image.SetOrigin([-10.0, 5.0, 2.5][:dimension])
    direction = np.eye(dimension)
    direction[:2, :2] = [[0.6, -0.8], [0.8, 0.6]]
    image.SetDirection(direction)
    return image
