# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Denoises a real T1 volume with added noise, and reports how much closer it comes to the clean volume."""

import json
import subprocess
import sys
import time
from pathlib import Path

from figure import save_figure
from report import check, save_report
from volumes import NOISE_PERCENTAGES, make_volumes

# Options beside the program's defaults: magnitude images have Rician noise.
FILTERS = {
    "bilateral": ["bilateral"],
    "diffusion": ["diffusion"],
    "non-local means": ["non-local-means", "--rician"],
}
START = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - START:4.0f} s] {text}", flush=True)


def run(program, *arguments):
    """Runs the program and returns the JSON that it prints."""
    done = subprocess.run([program, *map(str, arguments), "--json", "-"], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{Path(program).name} ended with exit status {done.returncode}")
    return json.loads(done.stdout)


def compare(program, folder, name):
    """MSSIM and MSE of a volume against the clean one: over the whole volume, and inside the head."""
    whole = run(program, "compare", folder / "reference.nii.gz", folder / name)
    head = run(program, "compare", folder / "reference.nii.gz", folder / name, "--mask", folder / "head.nii.gz")
    return {"mssim": whole["mssim"], "mse": whole["mse"], "mssim_head": head["mssim"], "mse_head": head["mse"]}


def denoise(program, folder, percent, before, filter_name):
    """Denoises one noisy volume with one filter; one entry of the report."""
    name = f"{filter_name.replace(' ', '-')}-{percent}.nii.gz"
    arguments = FILTERS[filter_name]
    done = run(program, arguments[0], folder / f"noisy-{percent}.nii.gz", folder / name, *arguments[1:])
    after = compare(program, folder, name)
    entry = {"filter": filter_name, "noise_percent": percent}
    for key in ("mse", "mssim", "mse_head", "mssim_head"):
        entry[f"{key}_before"] = before[key]
        entry[f"{key}_after"] = after[key]
    entry["seconds"] = done["seconds"]["denoising"]
    entry["device"] = done["device"]
    entry["device_description"] = done["device_description"]
    entry["noise_estimate"] = done["noise"]
    entry["parameters"] = done["parameters"]
    entry["volume"] = name
    return entry


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    say("Loading the MNI152 T1 template at 1 mm, and adding Rician noise")
    added = make_volumes(folder)
    entries = []
    for percent in NOISE_PERCENTAGES:
        before = compare(program, folder, f"noisy-{percent}.nii.gz")
        say(f"{percent} % of noise: MSSIM {before['mssim']:.4f}, MSE {before['mse']:.1f}")
        for filter_name in FILTERS:
            entry = denoise(program, folder, percent, before, filter_name)
            entry["noise_added"] = added[percent]
            entries.append(entry)
            say(
                f"  {filter_name}: MSSIM {entry['mssim_after']:.4f}, MSE {entry['mse_after']:.1f}, "
                f"{entry['seconds']:.1f} s on {entry['device']}"
            )
    say("Comparing the figures with scikit-image's")
    differences = check(folder, entries[-1])
    save_report(folder, entries, differences)
    say("Drawing")
    save_figure(folder, entries)
    say(f"Done: see {folder}/figure.png and {folder}/report.md")

    failures = [
        f"{entry['filter']} at {entry['noise_percent']} %"
        for entry in entries
        if not (entry["mssim_after"] > entry["mssim_before"] and entry["mse_after"] < entry["mse_before"])
    ]
    if failures:
        sys.exit("These did not bring the volume closer to the clean one: " + ", ".join(failures))
    if max(differences.values()) > 1e-5:
        sys.exit(f"The figures differ from scikit-image's by more than 1e-5: {differences}")


if __name__ == "__main__":
    main()
