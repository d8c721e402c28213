# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Aligns scans as they are: another contrast and position, and another head. The transforms are known."""

import numpy as np
from brain import add_rician_noise, load, load_brain, save
from drawing import axial, plt, sagittal, show
from scipy.ndimage import affine_transform
from scipy.spatial.transform import Rotation

LIMIT = 90
FLIP = np.diag([-1.0, -1.0, 1.0, 1.0])  # between the coordinates of nibabel, RAS, and of ITK, LPS


def matrix(linear, middle, shift):
    """The map p -> linear (p - middle) + middle + shift."""
    known = np.eye(4)
    known[:3, :3] = linear
    known[:3, 3] = middle + shift - linear @ middle
    return known


def known_transforms(middle):
    """From points of the fixed image to points of the moving one, in mm: another position, and another head."""
    turn = Rotation.from_euler("xyz", [14, -9, 22], degrees=True).as_matrix()
    shear = np.array([[1.0, 0.06, 0.0], [0.0, 1.0, -0.05], [0.04, 0.0, 1.0]])
    other = Rotation.from_euler("xyz", [-6, 5, 9], degrees=True).as_matrix() @ shear @ np.diag([1.1, 0.92, 1.05])
    return {"rigid": matrix(turn, middle, [18.0, -12.0, 9.0]), "affine": matrix(other, middle, [-8.0, 10.0, -14.0])}


def scan(volume, affine, known, spacing, center):
    """What a scanner would see of the moved volume, on a grid of its own around a center."""
    size = np.ceil(240 / np.asarray(spacing)).astype(int)
    grid = np.diag([*spacing, 1.0])
    grid[:3, 3] = center - grid[:3, :3] @ ((size - 1) / 2)
    to_voxels = np.linalg.inv(affine) @ np.linalg.inv(known) @ grid
    return affine_transform(volume, to_voxels, output_shape=tuple(size), order=1), grid


def on_grid(volume, grid, shape, affine, transform):
    """A volume on the fixed grid, through a transform from fixed to moving points."""
    return affine_transform(volume, np.linalg.inv(grid) @ transform @ affine, output_shape=shape, order=1)


def errors(found, known, volume, affine):
    """Distances in mm between where two transforms take the brain's voxels."""
    voxels = np.argwhere(volume > 0)
    points = np.c_[voxels, np.ones(len(voxels))] @ affine.T
    return np.linalg.norm(points @ (found - known).T, axis=1)


def outline(axes, fixed, moving, title):
    """The fixed slice, and the moving one's outlines in color."""
    show(axes, fixed, title, cmap="gray", vmin=0, vmax=255)
    axes.contour(moving, levels=[60.0, 130.0], colors=["orangered", "gold"], linewidths=0.9)


def draw(topic, fixed, rows):
    figure, axes = plt.subplots(len(rows), 6, figsize=(15.5, 3.1 * len(rows) + 0.4), layout="constrained")
    for panels, (name, contrast, before, after, (mean_before, mean_after)) in zip(axes, rows):
        show(panels[0], axial(fixed), "fixed: T1", cmap="gray", vmin=0, vmax=255)
        show(panels[1], axial(before), f"moving: {contrast}", cmap="gray", vmin=0, vmax=255)
        panels[0].set_ylabel(name, fontsize=14, fontweight="bold")
        texts = f"before: mean error {mean_before:.1f} mm", f"after: mean error {mean_after:.2f} mm"
        for first, image, text in zip((2, 4), (before, after), texts):
            outline(panels[first], axial(fixed), axial(image), text)
            outline(panels[first + 1], sagittal(fixed), sagittal(image), "from the side")
    figure.savefig(topic.path("figure.png"), dpi=110)
    plt.close(figure)


def run(topic):
    topic.title = "Align"
    size = 4 if topic.small else 2
    fine, fine_affine = load_brain(2 if topic.small else 1)
    fixed, affine = load_brain(size)
    fixed = add_rician_noise(fixed, 5, seed=3)
    save(topic.path("fixed.nii.gz"), fixed, affine)
    middle = (affine @ [*(np.array(fixed.shape) / 2), 1])[:3]
    dark = np.where(fine > 0, 260 - fine, 0).astype(np.float32)  # dark and bright exchanged, as in T2
    scans = {"rigid": ("T2-like, thick slices", dark, (1.5, 1.5, 4.0)), "affine": ("T1, another head", fine, (2.0, 2.0, 2.0))}
    topic.text = (
        "Two scans against the T1 template, each with noise and a grid of its own: the same head in another contrast, in thick "
        "slices, turned by 27 degrees and shifted by 23 mm (rigid), and a head of another shape (affine). The true transforms "
        "are known; errors are distances between where the true and the found one take voxels of the brain."
    )
    topic.table = [("transform", "mean error before", "mean error after", "largest after", "seconds")]
    rows = []
    for name, known in known_transforms(middle).items():
        contrast, volume, spacing = scans[name]
        moving, grid = scan(volume, fine_affine, known, np.multiply(spacing, size / 2), middle)
        moving = add_rician_noise(moving, 5, seed=4)
        save(topic.path(f"moving-{name}.nii.gz"), moving, grid)
        files = [topic.path("fixed.nii.gz"), topic.path(f"moving-{name}.nii.gz")]
        outputs = ["--output-warped", topic.path(f"aligned-{name}.nii.gz")]
        outputs += ["--output-transform", topic.path(f"{name}.tfm")]
        done = topic.run("cudaneuro-register", name, *files, *outputs)
        found = np.eye(4)
        found[:3, :3], found[:3, 3] = done["alignment"]["matrix"], done["alignment"]["offset_mm"]
        found = FLIP @ found @ FLIP
        brain = fixed * (fixed > 30)
        before, after = (errors(transform, known, brain, affine) for transform in (np.eye(4), found))
        seconds = done["seconds"]["aligning"]
        numbers = [f"{value:.2f} mm" for value in (before.mean(), after.mean(), after.max())]
        topic.table.append((name, *numbers, f"{seconds:.1f}"))
        topic.check(f"{name}: largest error in the brain", after.max(), below=size / 2, unit="mm")
        topic.details[name] = {"known_ras": known.tolist(), "found_ras": found.tolist(), "seconds": seconds}
        unmoved = on_grid(moving, grid, fixed.shape, affine, np.eye(4))
        rows.append((name, contrast, unmoved, load(topic.path(f"aligned-{name}.nii.gz")), (before.mean(), after.mean())))
    topic.caption = "Outlines of the moving scan (red, yellow) on the fixed one, before and after."
    draw(topic, fixed, rows)
