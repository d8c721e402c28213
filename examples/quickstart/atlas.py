# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds the atlas of brains that are deformations of one: it must be nearer to that one than their mean is."""

import numpy as np
from brain import add_rician_noise, load, load_brain, save
from deformation import exponential, random_velocity, sample
from drawing import GRAY, axial, plt, show

LIMIT = 300


def make_population(topic, template, affine, size):
    """Pairs of brains that are deformed in opposite ways, so that the template is the middle of all."""
    names = []
    for pair in range(2 if topic.small else 3):
        velocity = random_velocity(template.shape, 12 / size, 16 / size, seed=20 + pair)
        for sign in (1, -1):
            names.append(f"brain-{len(names) + 1}.nii.gz")
            deformed = sample(template, exponential(sign * velocity))
            save(topic.path(names[-1]), add_rician_noise(deformed, 4, seed=len(names)) * (deformed > 4), affine)
    return names


def draw(topic, template, brains, mean, atlas, largest):
    figure = plt.figure(figsize=(15, 7.2), layout="constrained")
    top, bottom = figure.subfigures(2, 1, height_ratios=(1, 1.15))
    for number, (panel, brain) in enumerate(zip(top.subplots(1, len(brains)), brains), 1):
        show(panel, axial(brain), f"brain {number}", **GRAY)
    axes = bottom.subplots(1, 5)
    show(axes[0], axial(template), "the true middle", **GRAY)
    for first, volume, title in ((1, mean, "their plain mean"), (3, atlas, "the atlas")):
        show(axes[first], axial(volume), title, **GRAY)
        error = axial(volume - template)
        shown = show(axes[first + 1], error, f"{title} - true", cmap="RdBu_r", vmin=-largest, vmax=largest)
    bottom.colorbar(shown, ax=axes, label="difference of intensity", shrink=0.8, pad=0.01)
    figure.savefig(topic.path("figure.png"), dpi=100)
    plt.close(figure)


def run(topic):
    topic.title = "Atlas"
    size = 4 if topic.small else 2
    template, affine = load_brain(size)
    names = make_population(topic, template, affine, size)
    files = [topic.path(name) for name in names]
    folder = topic.path("atlas")
    done = topic.run("cudaneuro-atlas", "build", *files, "--align", "none", "--output-folder", folder)
    mean, atlas = load(folder / "mean.nii.gz"), load(folder / "template.nii.gz")
    brain = template > 20
    errors = {name: np.sqrt(np.mean((volume - template)[brain] ** 2)) for name, volume in (("mean", mean), ("atlas", atlas))}
    topic.text = (
        f"{len(names)} brains, each the template under a random smooth map, with noise. The maps come in opposite pairs, so that "
        "the template itself is their middle. The atlas must come nearer to it than the mean of the images, which is blurred."
    )
    topic.table = [("", "RMS difference from the true middle, in the brain"), ("plain mean", f"{errors['mean']:.2f}")]
    topic.table.append(("atlas", f"{errors['atlas']:.2f}"))
    ratio = errors["atlas"] / errors["mean"]
    topic.check("RMS difference of the atlas over that of the mean", ratio, below=0.9 if topic.small else 0.6)
    entropy = done["entropy"]
    topic.check("entropy of the atlas over that of the mean", entropy["template"] / entropy["mean"], below=1)
    topic.details = {"rms": {k: float(v) for k, v in errors.items()}, "entropy": entropy, "seconds": done["seconds"]}
    topic.caption = "The brains, their true middle, and how near the plain mean and the atlas come to it."
    draw(topic, template, [load(file) for file in files], mean, atlas, 3 * errors["mean"])
