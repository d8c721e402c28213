# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Registers two brains that differ by a known smooth map, symmetrically: the map and its inverse must be found."""

import numpy as np
from brain import add_rician_noise, load, load_brain, load_field, load_tissues, save
from deformation import exponential, random_velocity, sample
from drawing import GRAY, axial, plt, show
from scipy.ndimage import map_coordinates

LIMIT = 240
TISSUES = {"gray matter": 1, "white matter": 2}


def dice(first, second, label):
    first, second = first == label, second == label
    return 2 * np.count_nonzero(first & second) / (np.count_nonzero(first) + np.count_nonzero(second))


def see(volume, field, order=1):
    """A volume through displacements in voxels."""
    positions = np.indices(volume.shape, dtype=np.float32) + np.moveaxis(field, -1, 0)
    return map_coordinates(volume, positions, order=order, mode="nearest")


def jacobian(field):
    """Determinants of the map's Jacobian matrix, of displacements in voxels, by numpy's differences."""
    columns = [np.stack(np.gradient(field[..., i]), axis=-1) for i in range(3)]
    return np.linalg.det(np.eye(3, dtype=np.float32) + np.stack(columns, axis=-2))


def draw_grid(axes, field, every=4):
    """Lines of a grid, as the map bends them in an axial slice."""
    middle = field.shape[2] // 2
    x, y = np.meshgrid(*map(np.arange, field.shape[:2]), indexing="ij")
    bent_x, bent_y = x + field[:, :, middle, 0], y + field[:, :, middle, 1]
    axes.plot(bent_x[::every].T, bent_y[::every].T, color="deepskyblue", linewidth=0.6)
    axes.plot(bent_x[:, ::every], bent_y[:, ::every], color="deepskyblue", linewidth=0.6)
    axes.set(xlim=(-0.5, field.shape[0] - 0.5), ylim=(-0.5, field.shape[1] - 0.5))


def draw(topic, volumes, field, determinants, error, brain):
    figure, axes = plt.subplots(2, 4, figsize=(13.5, 8), layout="constrained")
    fixed, moving, warped = volumes
    for panel, volume, title in zip(axes[0], volumes, ("fixed", "moving", "moving, warped to fixed")):
        show(panel, axial(volume), title, **GRAY)
    show(axes[0, 3], axial(moving), "the map's grid on moving", **GRAY)
    draw_grid(axes[0, 3], field)
    signed = {"cmap": "RdBu_r", "vmin": -120, "vmax": 120}
    show(axes[1, 0], axial(moving - fixed), "moving - fixed, before", **signed)
    shown = show(axes[1, 1], axial(warped - fixed), "after", **signed)
    figure.colorbar(shown, ax=axes[1, :2], label="intensity", shrink=0.6, location="bottom", pad=0.02)
    inside = np.where(axial(brain), 1.0, np.nan)
    shown = show(axes[1, 2], axial(np.log2(determinants)) * inside, "change of volume", cmap="PuOr", vmin=-1, vmax=1)
    figure.colorbar(shown, ax=axes[1, 2], label="log2 of the Jacobian determinant", shrink=0.9, location="bottom", pad=0.02)
    shown = show(axes[1, 3], axial(error) * inside, "error of the map", cmap="magma", vmin=0, vmax=3)
    figure.colorbar(shown, ax=axes[1, 3], label="mm", shrink=0.9, location="bottom", pad=0.02)
    figure.savefig(topic.path("figure.png"), dpi=110)
    plt.close(figure)


def run(topic):
    topic.title = "Register"
    size = 4 if topic.small else 2
    template, affine = load_brain(size)
    tissues = load_tissues(size)
    velocity = random_velocity(template.shape, 14 / size, 16 / size, seed=6)
    there, back = exponential(velocity), exponential(-velocity)  # from fixed to moving points, and back
    brain = template > 20
    for name, volume, labels in (
        ("fixed", template, tissues),
        ("moving", sample(template, back), see(tissues, back, order=0)),
    ):
        save(topic.path(f"{name}.nii.gz"), add_rician_noise(volume, 4, seed=len(name)), affine)
        save(topic.path(f"{name}-tissues.nii.gz"), labels, affine)
    # The map is smooth, so its velocities are smoothed more than those between two people.
    options = ["--align", "none", "--unbiased-weight", 0.02, "--update-field-standard-deviations", 3]
    options += ["--moving-labels", topic.path("moving-tissues.nii.gz")]
    options += ["--fixed-labels", topic.path("fixed-tissues.nii.gz")]
    for output in ("warped", "labels", "field", "inverse-field", "jacobian"):
        options += [f"--output-{output}", topic.path(f"{output}.nii.gz")]
    files = [topic.path("fixed.nii.gz"), topic.path("moving.nii.gz")]
    done = topic.run("cudaneuro-register", "symmetric", *files, *options)

    field, inverse = (load_field(topic.path(f"{name}.nii.gz")) / size for name in ("field", "inverse-field"))
    error = size * np.linalg.norm(field - there, axis=-1)
    before = size * np.linalg.norm(there, axis=-1)
    there_and_back = field + np.stack([see(inverse[..., i], field) for i in range(3)], axis=-1)
    returned = size * np.linalg.norm(there_and_back, axis=-1)
    determinants = jacobian(field)
    labels = {name: load(topic.path(f"{name}.nii.gz")) for name in ("fixed-tissues", "moving-tissues", "labels")}
    topic.text = (
        "The template, and the template under a smooth map that is known, both with noise, are registered so that each moves to "
        "a middle; out come the map and its inverse. Overlaps are of tissues that the registration did not see."
    )
    topic.table = [("", "before", "after")]
    for name, label in TISSUES.items():
        overlaps = [dice(labels["fixed-tissues"], labels[other], label) for other in ("moving-tissues", "labels")]
        topic.table.append((f"overlap (Dice) of {name}", *(f"{overlap:.3f}" for overlap in overlaps)))
        topic.check(f"overlap of {name}", overlaps[1], above=0.8 if topic.small else 0.9)
        topic.details[f"dice_{name.split()[0]}"] = overlaps
    topic.table.append(
        ("mean error of the map in the brain", f"{before[brain].mean():.2f} mm", f"{error[brain].mean():.2f} mm")
    )
    topic.check("mean error of the map after over before", error[brain].mean() / before[brain].mean(), below=0.4)
    topic.check("mean distance after the map and its inverse", returned[brain].mean(), below=0.1 * size, unit="mm")
    topic.check("least Jacobian determinant: no folds", determinants.min(), above=0)
    topic.details |= {"seconds": done["seconds"], "jacobian": done["jacobian"]}
    volumes = [load(topic.path(f"{name}.nii.gz")) for name in ("fixed", "moving", "warped")]
    topic.caption = "The two brains, what the map does to one of them, and how far it is from the true map."
    draw(topic, volumes, field, np.maximum(determinants, 1e-3), error, brain)
