# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""How many images make a stable atlas: the experiment of Ha et al., section 5.1, figures 6 and 7.

    python atlas_stability.py --output-dir stability                  # a synthetic population
    python atlas_stability.py brains/*.nii.gz --output-dir stability  # aligned images on one grid

For each number of images from 2 to 14, atlases of that many images are made, drawn at random from the population. The table
has the entropy of each atlas and of the plain mean of the same images, and of the synthetic population also how far both
are from the head that it was made of. Figure 6 shows a slice of the first draws, figure 7 mean and standard deviation of
the entropies.
"""

import argparse
import csv
import os
import sys
import time

import atlas_population
import itk
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLUMNS = ("images", "draw", "atlas_entropy", "mean_entropy", "atlas_error", "mean_error", "seconds")
BINS = 256


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number of at least 1 is needed, not {text}")
    return int(text)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("images", nargs="*", help="images of one grid (default: a synthetic population)")
    parser.add_argument("--cohorts", type=positive, nargs="+", default=range(2, 15), help="numbers of images (2 to 14)")
    parser.add_argument("--draws", type=positive, default=100, help="atlases of each number of images (100)")
    parser.add_argument("--iterations", type=positive, nargs="+", default=[50, 50, 25], help="of each level (50 50 25)")
    parser.add_argument("--population", type=positive, default=36, help="images of the synthetic population (36)")
    parser.add_argument("--size", type=positive, default=108, help="its voxels along the longest axis (108)")
    parser.add_argument("--output-dir", default=".", help="where the table and the figures go (the current folder)")
    parser.add_argument("--device", help="auto, cpu, cuda:0, ... (default: the environment variable CUDANEURO_DEVICE)")
    arguments = parser.parse_args()
    missing = [path for path in arguments.images if not os.path.isfile(path)]
    if missing:
        parser.error(f"there is no file {missing[0]}")
    count = len(arguments.images) or arguments.population
    if min(arguments.cohorts) < 2 or max(arguments.cohorts) > count:
        parser.error(f"--cohorts must be from 2 to the {count} images that there are")
    return arguments


def entropy(pixels, brightest):
    """Shannon entropy in bits, over bins that are the same for all images of the population."""
    counts, _ = np.histogram(np.clip(pixels, 0, brightest), bins=BINS, range=(0, brightest))
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def error(pixels, truth):
    """Root of the mean square of the difference, relative to that of the truth."""
    return float(np.sqrt(np.square(pixels - truth).mean() / np.square(truth).mean()))


def measure(images, truth, cohorts, draws, iterations):
    """Yields, draw by draw, a row of the table, the mean and the atlas."""
    brightest = max(float(itk.array_view_from_image(image).max()) for image in images)
    generator = np.random.default_rng(1)
    for count in cohorts:
        for draw in range(draws):
            chosen = generator.choice(len(images), count, replace=False)
            atlas = itk.CudaDiffeomorphicAtlasFilter.New(
                *(images[i] for i in chosen),
                NumberOfLevels=len(iterations),
                NumberOfIterationsPerLevel=list(iterations),
                ComputeDisplacementFields=False,
                ComputeInitialMean=True,
            )
            seconds = -time.perf_counter()
            atlas.Update()
            seconds += time.perf_counter()
            mean, template = (itk.array_from_image(image) for image in (atlas.GetInitialMean(), atlas.GetOutput()))
            errors = [float("nan") if truth is None else error(pixels, truth) for pixels in (template, mean)]
            yield (count, draw, entropy(template, brightest), entropy(mean, brightest), *errors, seconds), mean, template


def draw_slices(path, slices):
    """Figure 6: the plain means above, the atlases below, by the number of images."""
    figure, panels = plt.subplots(2, len(slices), figsize=(2.2 * len(slices), 5), layout="constrained", squeeze=False)
    for column, (count, pair) in zip(panels.T, slices.items()):
        for panel, pixels in zip(column, pair):
            panel.imshow(pixels, cmap="gray", vmin=0, vmax=max(slice_.max() for slice_ in pair))
            panel.axis("off")
        column[0].set_title(f"{count} images")
    figure.suptitle("Plain mean (above) and atlas (below) of the first draw")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def draw_curves(path, rows, has_truth):
    """Figure 7: mean and standard deviation over the draws, by the number of images."""
    table = np.array(rows)
    counts = np.unique(table[:, 0])
    figure, panels = plt.subplots(1, 1 + has_truth, figsize=(6 * (1 + has_truth), 4.6), layout="constrained", squeeze=False)
    quantities = (("entropy, bits", "entropy"), ("error against the known template", "error"))
    for panel, (label, name) in zip(panels[0], quantities):
        for kind, color in (("mean", "tab:orange"), ("atlas", "tab:blue")):
            values = [table[table[:, 0] == count, COLUMNS.index(f"{kind}_{name}")] for count in counts]
            panel.errorbar(counts, [v.mean() for v in values], [v.std() for v in values], color=color, capsize=3,
                           label="plain mean" if kind == "mean" else kind)  # fmt: skip
        panel.set_xlabel("images")
        panel.set_ylabel(label)
        panel.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def summarize(rows):
    table = np.array(rows)
    print("images  entropy: atlas          mean of images    error: atlas  mean of images")
    for count in np.unique(table[:, 0]):
        of_count = table[table[:, 0] == count, 2:6]
        mean, deviation = of_count.mean(axis=0), of_count.std(axis=0)
        print("%6d%10.3f +- %.3f%12.3f +- %.3f%16.3f%16.3f" % (count, mean[0], deviation[0], mean[1], deviation[1], *mean[2:]))


def main():
    arguments = parse_arguments()
    if arguments.device:
        os.environ["CUDANEURO_DEVICE"] = arguments.device  # for all filters
    os.makedirs(arguments.output_dir, exist_ok=True)
    if arguments.images:
        truth, images = None, [itk.imread(path, itk.F) for path in arguments.images]
    else:
        shape = tuple(round(part * arguments.size / 6) for part in (4, 6, 5))
        truth, images = atlas_population.make_population(arguments.population, shape)
    in_folder = lambda name: os.path.join(arguments.output_dir, name)  # noqa: E731
    rows, slices = [], {}
    with open(in_folder("stability.csv"), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row, *pair in measure(images, truth, arguments.cohorts, arguments.draws, arguments.iterations):
            writer.writerow((*row[:2], *(f"{value:.6g}" for value in row[2:])))
            rows.append(row)
            slices.setdefault(row[0], [pixels[pixels.shape[0] // 2] for pixels in pair])
            print(f"\r{len(rows)} of {len(arguments.cohorts) * arguments.draws} atlases", end="", file=sys.stderr)
    print(file=sys.stderr)
    draw_slices(in_folder("figure6-slices.png"), slices)
    draw_curves(in_folder("figure7-entropy.png"), rows, truth is not None)
    summarize(rows)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error_of_itk:  # no such device, images on different grids, no format that it can read
        raise SystemExit(str(error_of_itk)) from None
