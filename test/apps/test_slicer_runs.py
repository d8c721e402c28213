# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs all programs as 3D Slicer does: from their descriptions, with files as Slicer writes them.

    python3 test_slicer_runs.py DENOISE REGISTER ATLAS LANDMARKS [SURFACE] [BENCHMARK]
"""

import json
import math
import os
import pathlib
import signal
import subprocess

import programs
from slicer_module import Module, progress_of

QUICK = {"number_of_iterations": "2", "align": "none"}


def nrrd(voxels, size):
    """An image as Slicer writes it for its modules: not compressed, in LPS."""
    header = (
        "NRRD0004\ntype: unsigned char\ndimension: 3\nspace: left-posterior-superior\n"
        f"sizes: {size} {size} {size}\nspace directions: (1,0,0) (0,1,0) (0,0,1.5)\nkinds: domain domain domain\n"
        "encoding: raw\nspace origin: (-5,7,11)\n\n"
    )
    return header.encode() + voxels


def header_of(path):
    return path.read_bytes().split(b"\n\n")[0].decode()


def markups(shift):
    """Points as Slicer's markups have them."""
    points = []
    for index in range(6):
        angle = index * math.pi / 3
        position = [20 * math.cos(angle) + shift, 20 * math.sin(angle), 3.0 * index]
        points.append({"id": str(index), "label": f"F-{index}", "position": position, "positionStatus": "defined"})
    schema = "https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/Markups/Resources/Schema/markups-schema-v1.0.3.json#"
    markup = {"type": "Fiducial", "coordinateSystem": "LPS", "controlPoints": points}
    return json.dumps({"@schema": schema, "markups": [markup]}).encode()


class SlicerRun(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.modules = self.folder / "cli-modules"
        self.modules.mkdir()
        self.write("fixed.nrrd", nrrd(programs.blob(12, 0), 12))
        self.write("moving.nrrd", nrrd(programs.blob(12, 1), 12))
        self.write("labels.nrrd", nrrd(bytes(1 if voxel > 60 else 0 for voxel in programs.blob(12, 0)), 12))

    def link(self, program, command):
        """A module as an extension has it: a link named after program and command, in Slicer's spelling."""
        name = "".join(word.capitalize() for word in ["cuda", "neuro", program, *command.split("-")])
        path = (self.modules / name).with_suffix(pathlib.Path(programs.PROGRAMS[program]).suffix)
        if not path.exists():
            path.symlink_to(programs.PROGRAMS[program])
        return str(path)

    def describe(self, path):
        out = subprocess.run([*programs.EMULATOR, path, "--xml"], capture_output=True, text=True, timeout=5, check=True)
        self.assertEqual(out.stderr, "")
        return Module(out.stdout)

    def outputs_of(self, module, leave_out=()):
        """A file for everything that the module can write."""
        outputs = {}
        for parameter in module.parameters:
            if parameter.channel == "output" and not parameter.is_result and parameter.name not in leave_out:
                outputs[parameter.name] = f"out_{parameter.name}{parameter.ending}"
        return outputs

    def run_module(self, path, values, leave_out=()):
        """Runs a module with all outputs, and returns the stages that it reported and its results."""
        module = self.describe(path)
        outputs = self.outputs_of(module, leave_out)
        values = {**{name: value for name, value in outputs.items() if name not in values}, **values}
        line = module.command_line(path, values, "result.params")
        environment = {**os.environ, "ITK_AUTOLOAD_PATH": ""}
        run = subprocess.run([*programs.EMULATOR, *line], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        said = f"{' '.join(line)}\n{run.stdout}\n{run.stderr}"
        # Slicer reports whatever is on standard error as an error.
        self.assertEqual((run.returncode, run.stderr), (0, ""), said)
        for name in outputs:
            self.assertTrue((self.folder / values[name]).exists(), f"{name}: {said}")
        stages, rest = progress_of(run.stdout)
        self.assertNotIn("<filter", rest, said)
        self.check_progress(stages, said)
        return stages, self.results_of(module)

    def check_progress(self, stages, said):
        self.assertGreater(len(stages), 0, said)
        total = []
        for stage in stages:
            self.assertGreaterEqual(stage["seconds"], 0.0, said)
            self.assertEqual((stage["stage-progress"][0], stage["stage-progress"][-1]), (0.0, 1.0), said)
            self.assertEqual(stage["stage-progress"], sorted(stage["stage-progress"]), said)
            total += stage["progress"]
        self.assertEqual(total, sorted(total), said)
        self.assertEqual((total[0], total[-1]), (0.0, 1.0), said)

    def results_of(self, module):
        expected = {parameter.name for parameter in module.parameters if parameter.is_result}
        if not expected:
            return {}
        lines = (self.folder / "result.params").read_text().splitlines()
        results = {name.strip(): float(value) for name, value in (line.split("=") for line in lines)}
        self.assertLessEqual(set(results), expected)
        return results


class Denoise(SlicerRun):
    def test_every_command(self):
        values = {"input": "fixed.nrrd", "output": "o.nrrd", "mask": "labels.nrrd"}
        for command, more in [
            ("bilateral", {"radius": "1", "output_type": "float"}),
            ("diffusion", {"number_of_iterations": "2", "noise_standard_deviation": "3"}),
            ("non-local-means", {"window_radius": "1", "patch_radius": "1", "rician_correction": "true"}),
            ("adaptive-non-local-means", {"rician_correction": "true", "noise_standard_deviation": "map"}),
        ]:
            stages, results = self.run_module(self.link("denoise", command), {**values, **more})
            self.assertEqual([stage["name"] for stage in stages][-1], "Denoising")
            self.assertGreater(results["noise_level"], 0.0)
            self.assertIn("sizes: 12 12 12", header_of(self.folder / "o.nrrd"))
            self.assertIn("space origin: (-5,7,11)", header_of(self.folder / "o.nrrd"))
            (self.folder / "o.nrrd").unlink()

    def test_the_program_with_a_choice_of_commands(self):
        for command in ["bilateral", "diffusion", "non-local-means", "adaptive-non-local-means"]:
            values = {"input": "fixed.nrrd", "output": "o.nrrd", "output_type": "short", "command": command}
            self.run_module(programs.PROGRAMS["denoise"], values)
            self.assertIn("type: short", header_of(self.folder / "o.nrrd"))
            report = json.loads((self.folder / "out_json.json").read_text())
            self.assertEqual(report["filter"].replace(" ", "-"), command)

    def test_numbers_that_are_found(self):
        path = self.link("denoise", "compare")
        _, same = self.run_module(path, {"reference": "fixed.nrrd", "test": "fixed.nrrd"})
        self.assertEqual(same, {"mssim": 1.0, "mse": 0.0})
        _, other = self.run_module(path, {"reference": "fixed.nrrd", "test": "moving.nrrd"})
        # By hand: the mean of the squared differences of the two images.
        pairs = list(zip(programs.blob(12, 0), programs.blob(12, 1)))
        self.assertAlmostEqual(other["mse"], sum((a - b) ** 2 for a, b in pairs) / len(pairs), delta=1e-4 * other["mse"])
        self.assertLess(other["mssim"], 1.0)

    def test_a_warning_is_no_error_for_slicer(self):
        values = {"input": "fixed.nrrd", "output": "o.nrrd", "radius": "1", "max_memory": "1GB", "device": "cpu"}
        self.run_module(self.link("denoise", "bilateral"), values)

    def test_errors_are_errors(self):
        path = self.link("denoise", "bilateral")
        line = self.describe(path).command_line(path, {"input": "none.nrrd", "output": "o.nrrd"}, "result.params")
        run = subprocess.run([*programs.EMULATOR, *line], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"^cudaneuro-denoise: error: cannot read none.nrrd.*\n$")
        self.assertFalse((self.folder / "o.nrrd").exists())


class Register(SlicerRun):
    def test_every_command(self):
        values = {"fixed": "fixed.nrrd", "moving": "moving.nrrd", "number_of_iterations": "2", "number_of_levels": "1"}
        labels = {"moving_labels": "labels.nrrd", "fixed_labels": "labels.nrrd"}
        for command in ["translation", "rigid", "similarity", "affine"]:
            stages, results = self.run_module(self.link("register", command), {**values, **labels})
            self.assertEqual(stages[0]["name"], "Aligning")
            self.assertEqual(set(results), {"quality", "overlap"})
        self.assertIn("sizes: 12 12 12", header_of(self.folder / "out_output_warped.nrrd"))
        values["initial_transform"] = "out_output_transform.h5"
        values["output_transform"] = "map.h5"
        for command in ["unbiased", "greedy", "symmetric"]:
            # The defaults of --number-of-levels and --shrink-factors-per-level exclude each other, those of --correlation-radius and --metric, too.
            stages, results = self.run_module(self.link("register", command), {**values, **labels, "align": "affine"})
            self.assertEqual([stage["name"] for stage in stages][:2], ["Aligning", "Registering"])
            self.assertGreater(results["smallest_jacobian"], 0.0)
            self.assertLess(stages[0]["progress"][-1], 1.0)

    def test_the_program_with_a_choice_of_commands(self):
        for command in ["unbiased", "rigid"]:
            self.run_module(
                programs.PROGRAMS["register"],
                {"fixed": "fixed.nrrd", "moving": "moving.nrrd", "command": command, "number_of_iterations": "1", "moving_labels": "labels.nrrd"},
            )


class Others(SlicerRun):
    def test_atlas(self):
        self.write("list.csv", b"image\nfixed.nrrd\nmoving.nrrd\n")
        values = {"list": "list.csv", "output_folder": "atlas", "number_of_levels": "1", "number_of_iterations": "2", "align_rounds": "1"}
        stages, _ = self.run_module(self.link("atlas", "build"), values)
        self.assertGreater(len(stages), 2)
        self.assertTrue((self.folder / "atlas/template.nii.gz").exists())
        self.run_module(programs.PROGRAMS["atlas"], {**values, "output_folder": "second", "command": "build"})
        values = {"output_folder": "cohort", "number_of_images": "2", "size": "12", "displacement": "1", "smoothness": "2"}
        self.run_module(self.link("atlas", "synthesize"), values)

    def test_landmarks(self):
        self.write("a.mrk.json", markups(0.0))
        self.write("b.mrk.json", markups(2.0))
        values = {"template": "a.mrk.json", "target": "b.mrk.json", "sigma": "20", "maximum_number_of_iterations": "30", "number_of_time_steps": "5"}
        values["reference"] = "fixed.nrrd"
        pictures = ("picture", "animation", "output_mesh")  # those need a display, and a mesh to move
        for path in [self.link("landmarks", "match"), programs.PROGRAMS["landmarks"]]:
            self.run_module(path, values, pictures)
            moved = json.loads((self.folder / "out_output_points.mrk.json").read_text())["markups"][0]
            target = json.loads(markups(2.0))["markups"][0]
            self.assertEqual(moved["coordinateSystem"], "LPS")
            for one, other in zip(moved["controlPoints"], target["controlPoints"]):
                self.assertLess(math.dist(one["position"], other["position"]), 0.1)
        values = {"transform": "out_output_transform.h5", "points": "a.mrk.json", "reference": "fixed.nrrd"}
        self.run_module(self.link("landmarks", "warp"), {**values, "output_points": "w.mrk.json"})
        values = {"output_folder": "points", "number_of_points": "20"}
        self.run_module(self.link("landmarks", "synthesize"), values)

    def test_surface(self):
        if "surface" not in programs.PROGRAMS:
            self.skipTest("built without VTK")
        values = {"output": "noisy.vtp", "output_true": "true.vtp", "shape": "Ellipsoid", "edge_length": "8"}
        module = self.describe(self.link("surface", "synthesize"))
        values["shape"] = module["shape"].elements[0]
        self.run_module(self.link("surface", "synthesize"), values)
        values = {"input": "noisy.vtp", "number_of_neighbors": "16", "number_of_iterations": "2", "voxel_size": "4"}
        for path in [self.link("surface", "denoise"), programs.PROGRAMS["surface"]]:
            # Slicer gives the defaults of both methods.
            self.run_module(path, {"input": "noisy.vtp", "output": "smooth.vtp"}, ("figure",))
            self.run_module(path, {**values, "method": "level-set", "output": "smooth.vtp"}, ("figure",))
        _, results = self.run_module(self.link("surface", "compare"), {"reference": "true.vtp", "test": "smooth.vtp"})
        self.assertGreater(results["largest_distance"], results["mean_distance"])
        self.assertGreater(results["mean_angle"], 0)

    def test_benchmark(self):
        if "benchmark" not in programs.PROGRAMS:
            self.skipTest("built without the benchmark")
        values = {"filter": "bilateral", "quick": "true", "sizes": "16x16x16", "repeat": "1"}
        stages, _ = self.run_module(programs.PROGRAMS["benchmark"], values)
        self.assertEqual([stage["name"] for stage in stages], ["Timing"])

    def test_an_ordinary_run_prints_no_tags(self):
        out = self.denoise(0, "", "o.nii")
        self.assertNotIn("<filter", out)
        # Nor does one that a user starts in a terminal of Slicer.
        out = self.denoise(0, "", "o.nii", env={**os.environ, "SLICER_HOME": "/opt/slicer"})
        self.assertNotIn("<filter", out)
        _, out, _ = self.run_program("denoise", "bilateral", "fixed.mha", "o.nii", "--processinformationaddress", "0")
        self.assertIn("<filter-start>", out)
        self.expect(1, "has no effect here", "denoise", "bilateral", "fixed.mha", "o.nii", "--range_factor", "3", "--range-sigma", "9")

    def test_quiet(self):
        path = self.link("denoise", "bilateral")
        line = self.describe(path).command_line(path, {"input": "fixed.nrrd", "output": "o.nrrd", "quiet": "true"}, "r.params")
        run = subprocess.run([*programs.EMULATOR, *line], cwd=self.folder, capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(run.stdout, "")


class Cancel(SlicerRun):
    """Slicer kills a module that its user cancels. Its own end may come as SIGTERM."""

    def start_endless(self):
        path = self.link("register", "unbiased")
        values = {"fixed": "fixed.nrrd", "moving": "moving.nrrd", "align": "none", "number_of_levels": "1", "number_of_iterations": "100000000"}
        values.update({"output_warped": "o.nrrd", "output_transform": "o.h5", "json": "o.json"})
        line = self.describe(path).command_line(path, values, "result.params")
        process = self.start_words([*programs.EMULATOR, *line])
        # Progress comes while the program runs, as Slicer needs it.
        while "<filter-progress>" not in process.stdout.readline():
            self.assertIsNone(process.poll())
        return process

    def unfinished(self):
        return {name for name in os.listdir(self.folder) if ".unfinished-" in name}

    def names_written(self):
        """The names of all files but the program's, which link() has made."""
        return {name for name in self.names() if not name.startswith("cli-modules/CudaNeuroRegisterUnbiased")}

    def test_sigterm(self):
        before = self.names()
        process = self.start_endless()
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, error), (143, "cudaneuro-register: stopped; no output was written\n"))
        self.assertEqual(self.names_written(), before)

    def test_sigkill(self):
        before = self.names()
        process = self.start_endless()
        process.kill()
        process.wait()
        written = self.names_written() - before
        self.assertTrue(all(".unfinished-" in name for name in written), written)
        self.assertEqual(len(self.unfinished()), 3)
        # The next run with the same outputs removes what is left, and Slicer sees no error.
        values = {"fixed": "fixed.nrrd", "moving": "moving.nrrd", "align": "none", "number_of_levels": "1", "number_of_iterations": "1"}
        outputs = {"output_warped": "o.nrrd", "output_transform": "o.h5", "json": "o.json"}
        path = self.link("register", "unbiased")
        leave_out = [name for name in self.outputs_of(self.describe(path)) if name not in outputs]
        self.run_module(path, {**values, **outputs}, leave_out)
        self.assertEqual(self.unfinished(), set())


if __name__ == "__main__":
    programs.run_tests()
