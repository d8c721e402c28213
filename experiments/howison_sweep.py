# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameter sweep of M. Howison's study of GPU denoising, figures 2 to 4: 460 configurations on 180 images each.

    python howison_sweep.py brainweb165a10f17.mha brainweb1e5a10f17.mha brainweb1e1a10f20.mha --output-dir sweep

howison.csv gets the change of MSE and MSSIM by each configuration, relative to the noisy image (eq. 17); both compare
with the image without noise. The figures show the configuration of best MSSIM of each image.
"""

import argparse
import csv
import os
import queue
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import howison_figures
import howison_images
import itk
from howison_filters import COARSE_GRID, PAPER_GRID, Sweep


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1 is needed, not {text}")
    return int(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for contrast in howison_images.CONTRASTS:
        parser.add_argument(contrast, help=f"the {contrast}-weighted volume: 1 mm, intensities from 0 to 255")
    parser.add_argument("--output-dir", default=".", help="where the table and the figures go (the current folder)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    parser.add_argument("--threads", type=positive, help="images at once (4 on CUDA devices, 1 on the CPU)")
    parser.add_argument("--images", type=positive, help="how many of the 180 images, chosen by chance (all)")
    parser.add_argument("--coarse", action="store_true", help="a small grid on the middle of the volumes")
    return parser.parse_args()


def measure(cases, make_images, sweeps):
    """Yields, image by image, (name, [(filter, parameters, MSE, MSSIM), ...]).

    Each thread makes an image on the host while the others keep the device busy: filters let other threads run."""
    idle = queue.SimpleQueue()
    for sweep in sweeps:
        idle.put(sweep)

    def measure_one(case):
        sweep = idle.get()
        try:
            return howison_images.image_name(case), list(sweep.run(*make_images(case)))
        finally:
            idle.put(sweep)

    with ThreadPoolExecutor(len(sweeps)) as pool:
        yield from pool.map(measure_one, cases)


def write_table(path, measurements, count):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("image", "filter", "parameters", "d_mse", "d_mssim"))
        for done, (image, ((_, _, noisy_mse, noisy_mssim), *results)) in enumerate(measurements, 1):
            for name, parameters, mse, mssim in results:
                changes = (mse / noisy_mse - 1, mssim / noisy_mssim - 1)
                writer.writerow((image, name, parameters, *(f"{change:.6g}" for change in changes)))
            print(f"\r{done} of {count} images", end="\n" if done == count else "", file=sys.stderr, flush=True)


def main():
    arguments = parse_arguments()
    os.makedirs(arguments.output_dir, exist_ok=True)
    itk.Object.SetGlobalWarningDisplay(False)  # the paper's grid has time steps that are not stable
    grid, crop = (COARSE_GRID, (36, 64, 64)) if arguments.coarse else (PAPER_GRID, None)
    begin = time.perf_counter()
    sweeps = [Sweep(grid, arguments.device)]
    device = sweeps[0].uploads[0].GetComputeDevice()
    threads = arguments.threads or (4 if device.IsCuda() else 1)
    sweeps += [Sweep(grid, arguments.device) for _ in range(threads - 1)]
    files = {contrast: getattr(arguments, contrast) for contrast in howison_images.CONTRASTS}
    volumes = {c: howison_images.read_noiseless(path, device.GetName(), crop) for c, path in files.items()}
    maker = howison_images.ImageMaker(volumes)
    cases = howison_images.list_cases(arguments.images)
    print(f"{time.perf_counter() - begin:.1f} s to read and prepare the volumes")

    begin = time.perf_counter()
    table = os.path.join(arguments.output_dir, "howison.csv")
    write_table(table, measure(cases, maker.make, sweeps), len(cases))
    print(f"{time.perf_counter() - begin:.1f} s for {len(cases)} images on {device} in {threads} threads\n")
    print(table, *howison_figures.draw_figures(table, arguments.output_dir), sep="\n")


if __name__ == "__main__":
    try:
        main()
    except (OSError, RuntimeError, ValueError) as error:  # a file or device that is not there, or no such volume
        sys.exit(str(error))
