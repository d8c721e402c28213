# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Writes the results as Markdown and as JSON."""

import json

import nibabel
import numpy as np
from skimage.metrics import structural_similarity


def load(folder, name):
    return nibabel.load(folder / name).get_fdata(dtype=np.float32)


def check(folder, entry):
    """Relative differences of one entry's MSSIM and MSE from scikit-image's and numpy's, in double precision."""
    reference = load(folder, "reference.nii.gz").astype(np.float64)
    denoised = load(folder, entry["volume"]).astype(np.float64)
    mssim = structural_similarity(
        reference,
        denoised,
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=np.ptp(reference),
    )
    mse = np.mean((reference - denoised) ** 2)
    return {"mssim": float(abs(mssim - entry["mssim_after"])), "mse": float(abs(mse / entry["mse_after"] - 1))}


def words(parameters):
    def text(value):
        if isinstance(value, list):
            return " x ".join(map(text, value))
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    return ", ".join(f"{key.replace('_', ' ')} {text(value)}" for key, value in parameters.items())


def table(entries, suffix):
    lines = ["| noise | filter | MSSIM before | after | MSE before | after | seconds |", "|" + " --- |" * 7]
    for entry in entries:
        lines.append(
            f"| {entry['noise_percent']} % | {entry['filter']} "
            f"| {entry[f'mssim{suffix}_before']:.4f} | {entry[f'mssim{suffix}_after']:.4f} "
            f"| {entry[f'mse{suffix}_before']:.1f} | {entry[f'mse{suffix}_after']:.1f} | {entry['seconds']:.2f} |"
        )
    return lines


def save_report(folder, entries, differences):
    """Writes report.json and report.md."""
    (folder / "report.json").write_text(json.dumps(entries, indent=2) + "\n")
    first = entries[0]
    lines = [
        "# A T1 volume with noise, denoised",
        "",
        "The MNI152 T1 template at 1 mm (197 x 233 x 189 voxels, intensities 0 to 255) with Rician noise of a standard",
        "deviation of "
        + " and ".join(
            f"{sigma:.2f} ({percent} %" + (" of the brightest tissue, the 99.9th percentile)" if i == 0 else ")")
            for i, (percent, sigma) in enumerate({e["noise_percent"]: e["noise_added"] for e in entries}.items())
        )
        + ".",
        f"Computed on {first['device']}: {first['device_description']}.",
        "",
        "MSSIM, the mean structural similarity to the clean volume, is 1 at best; MSE, the mean squared error, is 0.",
        "",
        "## Whole volume",
        "",
        "Three quarters of it are air around the head, where the clean volume is 0.",
        "",
        *table(entries, ""),
        "",
        "## Inside the head",
        "",
        *table(entries, "_head"),
        "",
        "## Parameters",
        "",
        "All but the Rician correction are the program's defaults, which follow the estimated noise.",
        "",
    ]
    for entry in entries:
        lines.append(
            f"- {entry['filter']}, {entry['noise_percent']} %: {words(entry['parameters'])}; "
            f"estimated noise {entry['noise_estimate']:.2f}"
        )
    lines += [
        "",
        f"Of {entries[-1]['volume']}, MSSIM differs from scikit-image's by {differences['mssim']:.1e}, and MSE from numpy's "
        f"by {differences['mse']:.1e} of its value.",
        "",
    ]
    (folder / "report.md").write_text("\n".join(lines))
