# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises a T1 volume with added noise: it must come closer to the clean volume."""

import numpy as np
from brain import add_rician_noise, load, load_brain, save
from denoise_figure import save_figure
from skimage.metrics import structural_similarity

LIMIT = 180
PERCENTAGES = (3, 9)
# Options beside the program's defaults: magnitude images have Rician noise.
FILTERS = {
    "bilateral": ["bilateral"],
    "diffusion": ["diffusion"],
    "non-local means": ["non-local-means", "--rician-correction"],
    "adaptive non-local means": ["adaptive-non-local-means", "--rician-correction"],
}


def make_volumes(topic):
    """Writes reference, head and noisy-PERCENT; returns the standard deviation of the noise for each percentage."""
    volume, affine = load_brain(1)
    if topic.small:
        volume = volume[:, :, 72:92].copy()
    brightest = float(np.percentile(volume, 99.9))
    save(topic.path("reference.nii.gz"), volume, affine)
    save(topic.path("head.nii.gz"), (volume > 0).astype(np.uint8), affine)
    sigmas = {percent: brightest * percent / 100 for percent in PERCENTAGES}
    for percent, sigma in sigmas.items():
        save(topic.path(f"noisy-{percent}.nii.gz"), add_rician_noise(volume, sigma, seed=2), affine)
    return sigmas


def compare(topic, name):
    """MSSIM and MSE of a volume against the clean one: over the whole volume, and inside the head."""
    files = [topic.path("reference.nii.gz"), topic.path(name)]
    whole = topic.run("cudaneuro-denoise", "compare", *files)
    head = topic.run("cudaneuro-denoise", "compare", *files, "--mask", topic.path("head.nii.gz"))
    return {"mssim": whole["mssim"], "mse": whole["mse"], "mssim_head": head["mssim"], "mse_head": head["mse"]}


def denoise(topic, percent, sigma, before, name):
    """Denoises one noisy volume with one filter; one entry of the report."""
    volume = f"{name.replace(' ', '-')}-{percent}.nii.gz"
    method, *options = FILTERS[name]
    noisy = topic.path(f"noisy-{percent}.nii.gz")
    done = topic.run("cudaneuro-denoise", method, noisy, topic.path(volume), *options)
    entry = {"filter": name, "noise_percent": percent, "noise_added": sigma, "volume": volume}
    entry["noise_estimate"] = done["noise"]
    entry["seconds"] = done["seconds"]["denoising"]
    entry["parameters"] = done["parameters"]
    for key, value in compare(topic, volume).items():
        entry[f"{key}_before"], entry[f"{key}_after"] = before[key], value
    return entry


def differences_from_scikit_image(topic, entry):
    """How far one entry's MSSIM, and relatively its MSE, are from those in double precision by others."""
    reference, denoised = (load(topic.path(name)).astype(np.float64) for name in ("reference.nii.gz", entry["volume"]))
    options = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
    mssim = structural_similarity(reference, denoised, data_range=np.ptp(reference), **options)
    mse = np.mean((reference - denoised) ** 2)
    return abs(mssim - entry["mssim_after"]), abs(mse / entry["mse_after"] - 1)


def run(topic):
    topic.title = "Denoise"
    sigmas = make_volumes(topic)
    shape = " x ".join(map(str, load(topic.path("reference.nii.gz")).shape))
    topic.text = (
        f"The MNI152 T1 template ({shape} voxels, intensities 0 to 255) with Rician noise of "
        f"{' and '.join(f'{p} % ({s:.1f})' for p, s in sigmas.items())} of the brightest tissue, and {len(FILTERS)} filters. MSSIM, the "
        "mean structural similarity to the clean volume, is 1 at best; MSE, the mean squared error, is 0."
    )
    entries = []
    for percent, sigma in sigmas.items():
        before = compare(topic, f"noisy-{percent}.nii.gz")
        entries += [denoise(topic, percent, sigma, before, name) for name in FILTERS]
    head = ("noise", "filter", "MSSIM in the head, before", "after", "MSE in the head, before", "after", "seconds")
    topic.table = [head]
    for entry in entries:
        numbers = [f"{entry[f'mssim_head_{when}']:.4f}" for when in ("before", "after")]
        numbers += [f"{entry[f'mse_head_{when}']:.1f}" for when in ("before", "after")]
        topic.table.append((f"{entry['noise_percent']} %", entry["filter"], *numbers, f"{entry['seconds']:.2f}"))
    for part, suffix in (("the whole volume", ""), ("the head", "_head")):
        worst = max(entry[f"mse{suffix}_after"] / entry[f"mse{suffix}_before"] for entry in entries)
        topic.check(f"largest MSE after over MSE before, {part}", worst, below=1)
        gain = min(entry[f"mssim{suffix}_after"] - entry[f"mssim{suffix}_before"] for entry in entries)
        topic.check(f"least gain of MSSIM, {part}", gain, above=0)
    mssim, mse = differences_from_scikit_image(topic, entries[-1])
    topic.check("MSSIM, difference from scikit-image's", mssim, below=1e-5)
    topic.check("MSE, relative difference from numpy's", mse, below=1e-5)
    topic.details["entries"] = entries
    topic.caption = "The middle of a slice, and what is left of the noise: the differences from the clean volume."
    save_figure(topic, entries)
