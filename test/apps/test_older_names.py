# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the older names of options of all programs: they are taken, and not shown.

    python3 test_older_names.py DENOISE REGISTER ATLAS LANDMARKS TRANSFORM [SURFACE] [BENCHMARK]
"""

import json

import programs
from command_lines import FILES, CommandLineTest, options_of

# Older names of options, which are taken besides those of parameters, by commands.
DEFORM = {
    "levels": "number-of-levels", "shrink-factors": "shrink-factors-per-level", "iterations": "number-of-iterations",
    "radius": "correlation-radius", "step": "maximum-step", "convergence": "convergence-threshold", "field-sigma": "standard-deviations",
}  # fmt: skip
PAIR = {"bins": "number-of-histogram-bins", "minimum-jacobian": "jacobian-bound", "outside": "edge-padding-value"}
GAUSSIAN = {
    "sigma": "update-field-standard-deviations", "sigma-per-level": "update-field-standard-deviations-per-level",
    "lambda": "unbiased-weight",
}  # fmt: skip
LINEAR = {name: DEFORM[name] for name in ("levels", "shrink-factors", "iterations", "radius", "convergence")}
LINEAR.update({"bins": "number-of-histogram-bins", "quantiles": "intensity-quantiles", "voxel-weights": "voxel-weighting"})
LINEAR["outside"] = "edge-padding-value"
NOISE = {"noise": "noise-standard-deviation"}
OLD_NAMES = {
    ("denoise", "bilateral"): NOISE,
    ("denoise", "diffusion"): {**NOISE, "iterations": "number-of-iterations"},
    ("denoise", "non-local-means"): {**NOISE, "smoothing": "smoothing-parameter", "rician": "rician-correction"},
    ("denoise", "adaptive-non-local-means"): {**NOISE, "rician": "rician-correction"},
    ("denoise", "noise-map"): {"rician": "rician-correction"},
    ("register", "unbiased"): {**DEFORM, **PAIR, **GAUSSIAN},
    ("register", "greedy"): {**DEFORM, **PAIR, "solver": "velocity-method"},
    ("register", "symmetric"): {**DEFORM, **PAIR, **GAUSSIAN, "solver": "velocity-method"},
    **{("register", command): LINEAR for command in ("translation", "rigid", "similarity", "affine")},
    ("atlas", "build"): {
        **DEFORM, "solver": "velocity-method", "sigma": "update-field-standard-deviations", "mean": "mean-method",
        "trim": "trimmed-fraction", "shape-update": "shape-update-interval",
    },
    ("atlas", "synthesize"): {"images": "number-of-images"},
    ("landmarks", "match"): {
        "align": "point-alignment", "time-steps": "number-of-time-steps", "iterations": "maximum-number-of-iterations",
        "convergence": "convergence-threshold",
    },
    ("landmarks", "synthesize"): {"points": "number-of-points"},
    ("surface", "denoise"): {
        "spacing": "voxel-size", "neighbors": "number-of-neighbors", "iterations": "number-of-iterations", "passes": "number-of-passes",
    },
    ("surface", "synthesize"): {"noise": "deviation"},
}  # fmt: skip
# Runs with older names: what is given, and what the report has for it.
COURSE = {"levels": ("1", 1), "iterations": ("2", [2])}
STEPS = {"step": ("0.4", 0.4), "convergence": ("0.001", 0.001), "field-sigma": ("0.2,0.3,0.2", [0.2, 0.3, 0.2])}
REGISTER = ["fixed.mha", "moving.mha", "--align", "none", "-o", "o.nii"]
# The library of Fourier transforms is not there for a system that is emulated.
SOLVER = ("sor", "successive-over-relaxation") if programs.EMULATOR else ("fourier", "fourier-transform")
OLD_RUNS = [
    (["denoise", "diffusion", "fixed.mha", "o.nii", "--noise", "4"], {"iterations": ("3", 3)}),
    (["denoise", "non-local-means", "fixed.mha", "o.nii", "--noise", "4"], {"smoothing": ("9", 9.0), "rician": (None, True)}),
    (["denoise", "adaptive-non-local-means", "fixed.mha", "o.nii"], {"noise": ("4", 4.0), "rician": (None, True)}),
    (
        ["register", "unbiased", *REGISTER, "--metric", "mutual-information", "--outside", "5"],
        {**COURSE, **STEPS, "bins": ("16", 16), "lambda": ("0.3", 0.3), "sigma": ("3", [3.0]), "minimum-jacobian": ("0.05", 0.05)},
    ),
    (
        ["register", "symmetric", *REGISTER, "--metric", "local-correlation", "--shrink-factors", "2,1"],
        {"iterations": ("2,1", [2, 1]), "radius": ("2", 2), "sigma-per-level": ("4,3", [4.0, 3.0]), "lambda": ("0.2", 0.2)},
    ),
    (["register", "greedy", *REGISTER], {**COURSE, **STEPS, "solver": SOLVER}),
    (
        ["register", "rigid", *REGISTER[:2], "-o", "o.nii"],
        {
            **COURSE, "bins": ("16", 16), "quantiles": ("0.01,0.98", [0.01, 0.98]), "voxel-weights": ("uniform", "uniform"),
            "convergence": ("0.05", 0.05),
        },
    ),
    (
        ["atlas", "build", *REGISTER[:4], "-o", "folder", "--metric", "local-correlation", "--shrink-factors", "1"],
        {
            **STEPS, "iterations": ("2", [2]), "radius": ("2", 2), "mean": ("trimmed", "trimmed-mean"), "trim": ("0.2", 0.2),
            "shape-update": ("5", 5), "solver": ("gaussian", "gaussian"), "sigma": ("3", [3.0]),
        },
    ),
]  # fmt: skip


class CommandLines(CommandLineTest):
    def test_older_names_are_taken_and_not_shown(self):
        for (program, command), names in OLD_NAMES.items():
            if program not in programs.PROGRAMS:
                continue
            shown = {name for option in options_of(self.help_of(program, [command])) for name in option["names"]}
            files = FILES.get(command, FILES.get(program, []))
            for old, new in names.items():
                if old == "rician":
                    continue  # a flag, which has no value to be wrong; the test below gives it
                spellings = {old, old.replace("-", "_"), new}  # the second one is that of 3D Slicer
                said = {self.run_program(program, command, *files, f"--{name}", "") for name in spellings}
                self.assertEqual(len(said), 1, f"{program} {command} --{old}")
                self.assertIn(f"error: --{new}: must ", said.pop()[2])
                self.assertNotIn(f"--{old}", shown)
                self.assertIn(f"--{new}", shown)

    def test_older_names_have_an_effect(self):
        for command, values in OLD_RUNS:
            given = [text for old, (text, _) in values.items() for text in (f"--{old}", text) if text is not None]
            report = json.loads(self.expect(0, "", *command, *given, "--json", "-", "-q"))["parameters"]
            names = OLD_NAMES[tuple(command[:2])]
            for old, (_, value) in values.items():
                for name in (old, names[old]):
                    self.assertEqual(report[name.replace("-", "_")], value, f"{command[:2]} {name}: {report}")
            if "smoothing" in values:
                self.assertEqual(report["h"], report["smoothing_parameter"])
            elif command[0] == "atlas":
                self.assertEqual(report["shrink_factors"], [[1, 1, 1]])
                self.assertEqual(report["shrink_factors_per_level"], [[1, 1, 1]])


if __name__ == "__main__":
    programs.run_tests()
