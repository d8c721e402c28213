# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""One process, in which ITK and this module may each have a copy of ITK inside: what they share, and how it ends."""

import subprocess
import sys
import unittest

import itk

END = """
import itk
import numpy as np
image = itk.cuda_bilateral_image_filter(itk.image_from_array(np.ones((6, 7, 8), np.float32)), compute_device="cpu")
print(itk.size(image)[0])
"""


class ProcessTest(unittest.TestCase):
    def test_one_clock(self):
        """Pipelines compare the times of images of ITK's and filters of ours."""
        kinds = (itk.Image[itk.F, 3], itk.DeviceImage[itk.F, 3], itk.CudaBilateralImageFilter)
        times = [kind.New().GetMTime() for _ in range(3) for kind in kinds]
        self.assertEqual(times, sorted(set(times)))

    def test_transforms_by_name(self):
        """As ITK's readers of files make them."""
        itk.GeodesicShootingTransform
        made = itk.ObjectFactoryBase.CreateInstance("GeodesicShootingTransform_double_3_3")
        self.assertIsNotNone(made)
        self.assertEqual(made.GetNameOfClass(), "GeodesicShootingTransform")

    def test_it_ends(self):
        done = subprocess.run([sys.executable, "-c", END], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, "8\n"), done.stderr)


if __name__ == "__main__":
    unittest.main()
