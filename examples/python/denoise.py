# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises a volume with the three filters, and compares the results with the volume without noise.

    python denoise.py --figure denoise.png  # a phantom of a head with 5 % of noise
    python denoise.py head.nii.gz --noise 5   # a volume with noise added
    python denoise.py head.nii.gz             # as it is: how much do the filters change it?

The pixels are uploaded once. They stay on the device from the filter to the comparison; only what is drawn comes back.
"""

import argparse
import os
import time

import itk
import numpy as np
from comparison_figure import draw_comparison
from simulated_mr import add_rician_noise, head_phantom


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", nargs="?", help="a 3D image in a format that ITK reads (default: a phantom)")
    parser.add_argument("--noise", type=float, help="Rician noise to add, %% of the brightest (5; 0 for a file)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--figure", help="where to save a figure (default: none is drawn)")
    arguments = parser.parse_args()
    if arguments.input and not os.path.isfile(arguments.input):
        parser.error(f"there is no file {arguments.input}")
    arguments.noise = arguments.noise if arguments.noise is not None else 0 if arguments.input else 5
    if not 0 <= arguments.noise <= 100:
        parser.error(f"--noise must be from 0 to 100 (percent), it is {arguments.noise:g}")
    return arguments


def make_noisy(clean, percentage):
    pixels = itk.array_view_from_image(clean)
    sigma = percentage / 100 * np.percentile(pixels, 99)
    noisy = itk.image_from_array(add_rician_noise(pixels, sigma, np.random.default_rng(1)))
    noisy.CopyInformation(clean)  # spacing, origin and direction
    return noisy


def make_filters(noisy):
    """The filters, connected to an image on the device, with settings that suit MR images of a head."""
    non_local_means = itk.CudaNonLocalMeansImageFilter.New(noisy, rician_correction=True)  # estimates the noise
    non_local_means.Update()
    noise = max(non_local_means.GetNoiseStandardDeviation(), 0.01)
    diffusion = itk.CudaAnisotropicDiffusionImageFilter.New(noisy)
    diffusion.SetKappaFromNoise(noise)
    diffusion.SetTimeStep(0.6 * diffusion.GetStableTimeStep())
    bilateral = itk.CudaBilateralImageFilter.New(noisy, radius=2, domain_sigma=1, range_sigma=3 * noise)
    return {"bilateral": bilateral, "diffusion": diffusion, "non-local means": non_local_means}


def run_timed(image_filter):
    """The milliseconds of the second update: the first one also allocates the results."""
    image_filter.Update()
    image_filter.Modified()
    begin = time.perf_counter()
    image_filter.Update()
    return (time.perf_counter() - begin) * 1000


def compare(reference, image):
    """Mean squared error and mean structural similarity, computed where the images are."""
    similarity = itk.CudaStructuralSimilarityImageFilter.New(reference, test_image=image, compute_map=False)
    similarity.Update()
    return similarity.GetMeanSquaredError(), similarity.GetMeanStructuralSimilarity()


def main():
    arguments = parse_arguments()
    clean = itk.imread(arguments.input, itk.F) if arguments.input else itk.image_from_array(head_phantom())
    noisy = make_noisy(clean, arguments.noise) if arguments.noise else clean
    device = {"compute_device": arguments.device} if arguments.device else {}
    clean_on_device, noisy_on_device = (itk.device_upload_image_filter(image, **device) for image in (clean, noisy))
    print(f"{tuple(noisy_on_device.shape)} voxels [z, y, x] on {noisy_on_device.GetComputeDevice()}\n")
    print("                        MSE     MSSIM        ms")
    mse, mssim = compare(clean_on_device, noisy_on_device)
    print(f"{'input':16}{mse:11.2f}{mssim:10.4f}")
    results, texts = {}, {"input": f"MSE {mse:.4g}, MSSIM {mssim:.4f}"}
    for name, image_filter in make_filters(noisy_on_device).items():
        milliseconds = run_timed(image_filter)
        mse, mssim = compare(clean_on_device, image_filter.GetOutput())
        print(f"{name:16}{mse:11.2f}{mssim:10.4f}{milliseconds:10.2f}")
        texts[name] = f"MSE {mse:.4g}, MSSIM {mssim:.4f}"
        results[name] = itk.device_download_image_filter(image_filter.GetOutput())
    if arguments.figure:
        draw_comparison(arguments.figure, clean, noisy, results, texts)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # of ITK: no such device, no format that it can read
        raise SystemExit(str(error)) from None
