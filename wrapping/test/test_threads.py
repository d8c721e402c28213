# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Filters in several Python threads at once."""

import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import itk
import numpy as np

from phantom import DEVICES, noisy_ball


class ThreadTest(unittest.TestCase):
    def test_eight_at_once(self):
        arrays = [noisy_ball((16, 18, 20), seed) for seed in range(8)]

        def denoise(array, device):
            smooth = itk.cuda_bilateral_image_filter(array, range_sigma=20.0, compute_device=device)
            return itk.cuda_non_local_means_image_filter(smooth, smoothing_parameter=8.0, compute_device=device)

        for device in DEVICES:
            one_by_one = [denoise(array, device) for array in arrays]
            together = threading.Barrier(8)

            def denoise_together(array, device=device):
                together.wait()
                return [denoise(array, device) for _ in range(3)]

            with ThreadPoolExecutor(8) as pool:
                for expected, results in zip(one_by_one, pool.map(denoise_together, arrays)):
                    for result in results:
                        np.testing.assert_array_equal(result, expected)

    def test_other_threads_run_while_a_filter_computes(self):
        # The computation would take minutes. Only a thread that runs beside it can stop it: were the interpreter held
        # all the while, the filter would end without an exception.
        filter = itk.CudaNonLocalMeansImageFilter.New(
            itk.image_from_array(noisy_ball((160, 160, 160))),
            window_radius=7,
            patch_radius=3,
            smoothing_parameter=8.0,
            compute_device="cpu",
        )
        outcome = []

        def update():
            try:
                filter.Update()
                outcome.append("finished")
            except RuntimeError as error:
                outcome.append(str(error))

        worker = threading.Thread(target=update)
        worker.start()
        while worker.is_alive():
            filter.AbortGenerateDataOn()
            worker.join(0.01)
        self.assertIn("abort", outcome[0].lower())


if __name__ == "__main__":
    unittest.main()
