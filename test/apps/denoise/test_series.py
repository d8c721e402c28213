# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests series of volumes: each is denoised, mapped and compared as if it were alone, and the header is kept.

    python3 test_series.py DENOISE
"""

import gzip
import json
import math
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zlib

import nifti_files as nf
import programs

SIZE = (9, 8, 7)
VOXELS = math.prod(SIZE)
COUNT = 4
TURNED = ((1.0, 2.0, -0.5), 25.0)
# A header with all that says more than the grid: codes, times, slices, texts.
HEADER = {
    "pixdim": [1.0, 2.0, 2.0, 3.0, 1.75, 1.0, 1.0, 1.0], "xyzt_units": 10, "qform_code": 1, "sform_code": 4,
    "quatern": nf.quaternion(*TURNED), "qoffset": [10.0, 20.0, 30.0],
    "sform": nf.sform(nf.rotation(*TURNED), (2, 2, 3), (10, 20, 30)), "slice_code": 3, "slice_start": 0,
    "slice_end": 6, "slice_duration": 0.25, "toffset": 3.5, "descrip": b"made by hand", "aux_file": b"b.bvec",
    "intent_name": b"echo 2", "dim_info": 57, "cal_max": 400.0,
}
EXTENSION = struct.pack("<ii", 32, 6) + b"a comment".ljust(24, b"\0")
QUICK = ["non-local-means", "a.nii", "out.nii", "-q", "--window-radius", "1", "--patch-radius", "1"]


def volume(number, noise):
    """A ramp with a step and Gaussian noise."""
    chance = random.Random(number)
    values = []
    for i in range(VOXELS):
        x = i % SIZE[0]
        values.append(round(100 + 10 * number + 3 * x + (80 if x > 4 else 0) + chance.gauss(0, noise)))
    return values


VOLUMES = [volume(number, 3 + 4 * number) for number in range(COUNT)]
VALUES = sum(VOLUMES, [])


class SeriesTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.series("a.nii")

    def series(self, name, values=VALUES, kind="h", version=1, order="<", **fields):
        size = (*SIZE, len(values) // VOXELS)
        content = nf.nifti(size, kind, values, version, order, EXTENSION, **{**HEADER, **fields})
        self.write(name, gzip.compress(content) if name.endswith(".gz") else content)

    def single(self, name, values, kind="f"):
        fields = {name: value for name, value in HEADER.items() if name != "pixdim"}
        self.write(name, nf.nifti(SIZE, kind, values, pixdim=HEADER["pixdim"], **fields))

    def read(self, name):
        return nf.read((self.folder / name).read_bytes())

    def volumes_of(self, name):
        values = self.read(name)[1]
        self.assertEqual(len(values), COUNT * VOXELS)
        return [values[i * VOXELS : (i + 1) * VOXELS] for i in range(COUNT)]

    def run_quietly(self, *arguments):
        return self.expect(0, "", "denoise", *arguments)

    def report(self, *arguments):
        return json.loads(self.run_quietly(*arguments, "--json", "-"))

    def refuse(self, words, *arguments, **options):
        before = self.contents()
        self.expect(1, words, "denoise", *arguments, **options)
        self.assertEqual(self.contents(), before)

    def expect_as_alone(self, command, name, out, *options):
        """Compares all volumes, as bits, with those of runs with --volume."""
        self.run_quietly(command, name, out, "-q", *options)
        fields, values = self.read(out)
        kind = nf.TYPES[fields["datatype"]]
        pack = lambda numbers: struct.pack(f"<{len(numbers)}{kind}", *numbers)
        self.assertEqual(fields["dim"][:5], [4, *SIZE, COUNT])
        changed = 0
        for i in range(COUNT):
            self.run_quietly(command, name, "alone.nii", "-q", "--volume", str(i), *options)
            alone, expected = self.read("alone.nii")
            self.assertEqual((alone["dim"][:4], alone["datatype"]), ([3, *SIZE], fields["datatype"]))
            self.assertEqual(pack(values[i * VOXELS : (i + 1) * VOXELS]), pack(expected), f"{command} {name} {options}: {i}")
            changed += expected != VOLUMES[i]
        self.assertEqual(changed, COUNT)
        return fields


class DenoisingSeries(SeriesTest):
    def test_each_volume_as_if_it_were_alone(self):
        small = ["--window-radius", "1", "--patch-radius", "1"]
        for command, *options in (
            ["bilateral", "--radius", "1"], ["diffusion", "-n", "3"], ["diffusion", "--noise", "4"], ["noise-map"],
            ["non-local-means", *small], ["non-local-means", *small, "--rician-correction"],
            ["non-local-means", *small, "--noise", "12"], ["non-local-means", *small, "--noise", "map"],
            ["adaptive-non-local-means"], ["adaptive-non-local-means", "--noise", "auto", "--rician-correction"],
            ["bilateral", "--radius", "1", "--output-type", "double"],
            ["bilateral", "--radius", "1", "--noise", "map"], ["diffusion", "-n", "3", "--noise", "map"],
        ):
            self.expect_as_alone(command, "a.nii", "out.nii", *options)

    def test_types_versions_and_orders(self):
        for kind, version, order, written in (
            ("B", 1, "<", "B"), ("f", 1, ">", "f"), ("d", 2, "<", "d"), ("H", 2, ">", "H"), ("i", 1, ">", "d"),
        ):
            self.series("b.nii.gz", [min(v, 255) for v in VALUES], kind, version, order)
            fields = self.expect_as_alone("bilateral", "b.nii.gz", "out.nii.gz", "--radius", "1")
            self.assertEqual((nf.TYPES[fields["datatype"]], fields["version"]), (written, version))

    def test_scaled_series_become_float(self):
        self.series("b.nii", scl_slope=0.5, scl_inter=-20.0)
        fields = self.expect_as_alone("bilateral", "b.nii", "out.nii", "--radius", "1")
        self.assertEqual((fields["datatype"], fields["scl_slope"], fields["scl_inter"]), (16, 1.0, 0.0))

    def test_pairs_and_many_gzip_members(self):
        head, data = nf.nifti((*SIZE, COUNT), "h", VALUES, pair=True, **HEADER)
        self.write("b.hdr", head)
        self.write("b.img", data)
        self.expect_as_alone("bilateral", "b.hdr", "out.nii", "--radius", "1")
        content = (self.folder / "a.nii").read_bytes()
        parts = [content[at : at + 500] for at in range(0, len(content), 500)]
        self.write("c.nii.gz", b"".join(map(gzip.compress, parts)) + bytes(100))
        self.run_quietly("bilateral", "c.nii.gz", "again.nii", "--radius", "1", "-q")
        self.assertEqual(self.read("again.nii")[1], self.read("out.nii")[1])
        self.run_quietly("bilateral", "a.nii", "pair.hdr", "--radius", "1", "-q")
        self.assertEqual((self.folder / "pair.img").read_bytes(), struct.pack(f"<{COUNT * VOXELS}h", *self.read("out.nii")[1]))

    def test_the_header_is_kept(self):
        self.series("b.nii", qoffset=[11.0, 20.0, 30.0], quatern=[0.0, 0.0, 0.0])
        given = self.read("b.nii")[0]
        for out in ("out.nii", "out.nii.gz"):
            self.expect(0, "sform counts", "denoise", "bilateral", "b.nii", out, "--radius", "1", "-q")
            fields = self.read(out)[0]
            self.assertEqual(fields.pop("extension")[: len(EXTENSION)], EXTENSION)
            # What is not scaled has a slope of 1.
            expected = {**given, "scl_slope": 1.0, "vox_offset": fields["vox_offset"]}
            expected.pop("extension")
            self.assertEqual(fields, expected)

    def test_the_residual_is_input_less_output(self):
        self.run_quietly(*QUICK, "--output-residual", "residual.nii.gz")
        fields, residual = self.read("residual.nii.gz")
        self.assertEqual((fields["dim"][:5], fields["datatype"]), ([4, *SIZE, COUNT], 16))
        for name in ("pixdim", "xyzt_units", "qform_code", "sform_code", "quatern", "qoffset", "sform"):
            self.assertEqual(fields[name], self.read("a.nii")[0][name], name)
        self.run_quietly(*QUICK, "--output-residual", "alone.nii", "--volume", "1")
        alone, values = self.read("alone.nii")
        self.assertEqual(values, residual[VOXELS : 2 * VOXELS])
        self.assertEqual((alone["sform_code"], alone["sform"]), (fields["sform_code"], fields["sform"]))
        self.run_quietly(*QUICK)
        self.assertEqual(residual, [before - after for before, after in zip(VALUES, self.read("out.nii")[1])])
        self.assertTrue(any(residual))

    def test_one_mask_for_all(self):
        self.single("mask.nii", [i % SIZE[0] > 2 for i in range(VOXELS)], "B")
        self.expect_as_alone("bilateral", "a.nii", "out.nii", "--radius", "1", "--mask", "mask.nii")
        for before, after in zip(VOLUMES, self.volumes_of("out.nii")):
            self.assertEqual([v for i, v in enumerate(before) if i % SIZE[0] <= 2], [v for i, v in enumerate(after) if i % SIZE[0] <= 2])

    def test_a_map_for_all_and_a_map_for_each(self):
        one = [5.0 + i % 3 for i in range(VOXELS)]
        self.single("map.nii", one)
        each = [[v * (1 + k) for v in one] for k in range(COUNT)]
        self.series("maps.nii.gz", sum(each, []), "f")
        self.expect_as_alone(QUICK[0], "a.nii", "out.nii", *QUICK[4:], "--noise", "map.nii")
        self.run_quietly(*QUICK, "--noise", "maps.nii.gz")
        out = self.volumes_of("out.nii")
        for i in range(COUNT):
            self.single("map.nii", each[i])
            self.run_quietly(QUICK[0], "a.nii", "alone.nii", *QUICK[3:], "--noise", "map.nii", "--volume", str(i))
            self.assertEqual(self.read("alone.nii")[1], out[i])
        # A series of maps as noise-map writes it.
        self.run_quietly("noise-map", "a.nii", "written.nii", "-q")
        self.run_quietly(*QUICK, "--noise", "written.nii")
        self.run_quietly(QUICK[0], "a.nii", "map.nii", *QUICK[3:], "--noise", "map")
        self.assertEqual(self.read("map.nii")[1], self.read("out.nii")[1])

    def test_voxels_that_are_not_finite(self):
        values = [float(v) for v in VALUES]
        values[VOXELS + 5] = math.nan
        values[2 * VOXELS + 9] = math.inf
        self.series("b.nii", values, "f")
        self.run_quietly("bilateral", "b.nii", "out.nii", "--radius", "1", "-q")
        out = self.read("out.nii")[1]
        self.assertEqual([i for i, v in enumerate(out) if not math.isfinite(v)], [VOXELS + 5, 2 * VOXELS + 9])

    @unittest.skipUnless(shutil.which("strace"), "there is no strace")
    def test_the_voxels_are_read_once(self):
        self.series("b.nii.gz")
        trace = ["strace", "-f", "-o", "trace.txt", "-e", "trace=openat", programs.PROGRAMS["denoise"], "bilateral", "b.nii.gz", "out.nii", "-q"]
        subprocess.run(trace, cwd=self.folder, check=True, capture_output=True)
        self.assertEqual((self.folder / "trace.txt").read_text().count('"b.nii.gz"'), 2)


class ReportsOfSeries(SeriesTest):
    def test_noise_and_seconds_of_each_volume(self):
        report = self.report(*QUICK)
        self.assertEqual((report["number_of_volumes"], len(report["volumes"]), report["noise_is_estimated"]), (COUNT, COUNT, True))
        noise = [one["noise"] for one in report["volumes"]]
        for i, one in enumerate(report["volumes"]):
            alone = self.report(*QUICK, "--volume", str(i))
            self.assertEqual(one["noise"], alone["noise"])
            parameters = {**report["parameters"], **one["parameters"]}
            # Reports of one image have older names of parameters beside the names.
            self.assertEqual(parameters, {name: alone["parameters"][name] for name in parameters})
            self.assertLessEqual({"center_weight", "patch_radius", "rician_correction", "weighting", "window_radius"}, set(parameters))
            self.assertAlmostEqual(one["parameters"]["smoothing_parameter"], 0.7 * noise[i], delta=1e-6 * noise[i])
            self.assertGreater(one["seconds"]["denoising"], 0)
        self.assertGreater(noise[3], 2 * noise[0])
        self.assertAlmostEqual(report["noise"], sum(noise) / COUNT, delta=1e-9)
        self.assertEqual((report["noise_minimum"], report["noise_maximum"]), (min(noise), max(noise)))
        self.assertEqual(set(report["seconds"]), {"reading", "denoising", "writing"})
        self.assertAlmostEqual(report["seconds"]["denoising"], sum(one["seconds"]["denoising"] for one in report["volumes"]), delta=1e-9)
        self.assertEqual(report["parameters"]["window_radius"], [1])
        self.assertNotIn("smoothing_parameter", report["parameters"])
        self.assertEqual(self.report(*QUICK, "--noise", "9")["parameters"]["smoothing_parameter"], 0.7 * 9)

    def test_maps(self):
        report = self.report("noise-map", "a.nii", "out.nii", "-q")
        for values, one in zip(self.volumes_of("out.nii"), report["volumes"]):
            self.assertAlmostEqual(one["noise_maximum"], max(values), delta=1e-4)
            self.assertAlmostEqual(one["noise"], sum(values) / VOXELS, delta=1e-3)
        self.assertEqual(report["noise_maximum"], max(one["noise_maximum"] for one in report["volumes"]))
        self.assertEqual((report["excluded_voxels"], report["noise_minimum"]), (0, min(one["noise_minimum"] for one in report["volumes"])))
        # What denoises by such maps has their ranges.
        ranges = [(one["noise_minimum"], one["noise_maximum"]) for one in report["volumes"]]
        denoised = self.report("bilateral", "a.nii", "out.nii", "-q", "--noise", "map")
        self.assertEqual([(one["noise_minimum"], one["noise_maximum"]) for one in denoised["volumes"]], ranges)
        self.assertEqual((denoised["noise_minimum"], denoised["noise_maximum"]), (report["noise_minimum"], report["noise_maximum"]))
        alone = self.report("bilateral", "a.nii", "out.nii", "-q", "--noise", "map", "--volume", "2")
        self.assertEqual((alone["noise_minimum"], alone["noise_maximum"]), ranges[2])
        # Averaged over 8 voxels in volumes and 16 in planes; the report has what was taken, which gives the same map.
        self.write("plane.nii", nf.nifti((9, 8), "h", VALUES[:72]))
        for name, sigma in (("a.nii", 8), ("plane.nii", 16)):
            self.assertEqual(self.report("noise-map", name, "map.nii", "-q")["parameters"]["smoothing_sigma"], sigma)
            self.run_quietly("noise-map", name, "same.nii", "-q", "--smoothing-sigma", str(sigma))
            self.assertEqual(self.read("same.nii")[1], self.read("map.nii")[1])
        self.run_quietly("noise-map", "a.nii", "map.nii", "-q")
        report = self.report(*QUICK, "--noise", "map.nii")
        self.assertEqual((report["noise_map"], report["voxels_without_noise"]), ("map.nii", 0))
        self.assertEqual([one["voxels_without_noise"] for one in report["volumes"]], [0] * COUNT)

    def test_what_is_printed(self):
        out = self.run_quietly("bilateral", "a.nii", "out.nii", "--radius", "1")
        self.assertRegex(out, r"input    a.nii: 9 x 8 x 7 x 4 voxels of 2 x 2 x 3 mm, short\n")
        self.assertRegex(out, r"noise    [\d.]+ \(estimated\), the mean of 4 volumes\nrange    [\d.]+ to [\d.]+\n")

    def test_a_warning_is_given_once(self):
        _, _, error = self.run_program("denoise", "diffusion", "a.nii", "out.nii", "-n", "2", "--time-step", "0.3", "-q")
        self.assertEqual(error.count("is unstable"), 1, error)


class ComparingSeries(SeriesTest):
    def test_means_and_each_volume(self):
        self.run_quietly(*QUICK)
        self.single("mask.nii", [i % SIZE[0] > 1 for i in range(VOXELS)], "B")
        for options in ([], ["--mask", "mask.nii"], ["--data-range", "300"]):
            report = self.report("compare", "a.nii", "out.nii", "--map", "map.nii", *options)
            maps = self.volumes_of("map.nii")
            for i, one in enumerate(report["volumes"]):
                alone = self.report("compare", "a.nii", "out.nii", "--map", "alone.nii", "--volume", str(i), *options)
                self.assertEqual(one, {name: alone[name] for name in ("mssim", "mse", "data_range")})
                self.assertEqual(self.read("alone.nii")[1], maps[i])
            for name in ("mssim", "mse"):
                self.assertAlmostEqual(report[name], sum(one[name] for one in report["volumes"]) / COUNT, delta=1e-9)
            self.assertEqual("data_range" in report, options == ["--data-range", "300"])
        squares = [(a - b) ** 2 for a, b in zip(VALUES, self.read("out.nii")[1])]
        self.assertAlmostEqual(self.report("compare", "a.nii", "out.nii")["mse"], sum(squares) / len(squares), delta=1e-4)
        self.assertEqual(self.read("map.nii")[0]["pixdim"][4], HEADER["pixdim"][4])

    def test_refusals(self):
        self.series("three.nii", VALUES[: 3 * VOXELS])
        self.refuse("three.nii has 3 volumes, and a.nii 4", "compare", "a.nii", "three.nii")
        self.single("one.nii", VOLUMES[0])
        for pair in (["one.nii", "a.nii"], ["a.nii", "one.nii"]):
            self.refuse("a.nii is a series of volumes, and one.nii is none; --volume takes one volume of a series", "compare", *pair)
            self.run_quietly("compare", *pair, "--volume", "0")
        self.series("nan.nii", VALUES[:VOXELS] + [math.nan] * VOXELS + VALUES[2 * VOXELS :], "f")
        self.refuse("no voxel of volume 1 is finite in both images", "compare", "a.nii", "nan.nii")
        self.refuse("map.mha", "compare", "a.nii", "a.nii", "--map", "map.mha")


class RefusalsOfSeries(SeriesTest):
    def test_masks_and_maps_that_do_not_fit(self):
        self.write("mask.nii", nf.nifti((9, 8, 6), "B", [1] * (9 * 8 * 6), **HEADER))
        self.refuse("mask.nii", "bilateral", "a.nii", "o.nii", "--mask", "mask.nii")
        self.refuse("a.nii is a series of 4 volumes; one mask holds for all", "bilateral", "a.nii", "o.nii", "--mask", "a.nii")
        self.single("mask.nii", [0] * VOXELS)
        self.refuse("leaves no voxel", "bilateral", "a.nii", "o.nii", "--mask", "mask.nii")
        small = [QUICK[0], "a.nii", "o.nii", *QUICK[3:]]
        self.series("maps.nii", [7.0] * 3 * VOXELS, "f")
        self.refuse("maps.nii has 3 volumes, and a.nii 4", *small, "--noise", "maps.nii")
        self.series("maps.nii", [7.0] * COUNT * VOXELS, "f", sform_code=0, qoffset=[0, 0, 0])
        self.refuse("maps.nii", *small, "--noise", "maps.nii")
        self.write("maps.nii", nf.nifti((9, 8), "f", [7.0] * 72))
        self.refuse("maps.nii has 2 axes, and a.nii 3", *small, "--noise", "maps.nii")
        values = [7.0] * COUNT * VOXELS
        values[2 * VOXELS + 9] = -1.0
        self.series("maps.nii", values, "f")
        self.refuse("cannot denoise volume 2 of a.nii: ", *small, "--noise", "maps.nii")
        self.refuse("--noise-standard-deviation maps.nii at voxel (0, 1, 0) is -1", *small, "--noise", "maps.nii")
        self.single("zeros.nii", [0.0] * VOXELS, "f")
        self.refuse("--noise-standard-deviation zeros.nii is 0 at all voxels", "bilateral", "a.nii", "o.nii", "--noise", "zeros.nii", "--volume", "1")
        self.single("mask.nii", [i == 5 for i in range(VOXELS)], "B")
        for words, *command in [
            ("the noise of volume 0 of a.nii inside mask.nii is estimated to be 0", "bilateral"),
            ("no voxel of volume 0 of a.nii inside mask.nii tells of the noise", "noise-map"),
        ]:
            self.refuse(words, *command, "a.nii", "o.nii", "--mask", "mask.nii")

    def test_a_volume_without_noise_is_named(self):
        for kind, fill in (("h", 40), ("f", math.nan)):
            self.series("b.nii", VALUES[: 2 * VOXELS] + [fill] * VOXELS + VALUES[3 * VOXELS :], kind)
            for command in ("bilateral", "diffusion", "non-local-means"):
                self.refuse("the noise of volume 2 of b.nii is estimated to be 0", command, "b.nii", "o.nii", "--output-residual", "r.nii")
            self.refuse("no voxel of volume 2 of b.nii tells of the noise", "noise-map", "b.nii", "o.nii")
            self.refuse("no voxel of volume 2 of b.nii tells of the noise", QUICK[0], "b.nii", "o.nii", "--noise", "map")
            self.refuse("no voxel of volume 2 of b.nii tells of the noise", "adaptive-non-local-means", "b.nii", "o.nii")
        self.run_quietly("bilateral", "b.nii", "o.nii", "--noise", "5", "-q")

    def test_what_is_no_series(self):
        self.write("b.nii", nf.nifti((*SIZE, 2, 2), "h", VALUES))
        self.refuse("b.nii has 5 axes (9 x 8 x 7 x 2 x 2)", "bilateral", "b.nii", "o.nii")
        self.write("b.mha", programs.meta_header((*SIZE, COUNT), "MET_SHORT") + struct.pack(f"<{len(VALUES)}h", *VALUES))
        self.refuse("b.mha has 4 axes (9 x 8 x 7 x 4): it is a series of 4 volumes; only NIfTI files of series can be read", "bilateral", "b.mha", "o.nii")
        self.refuse("cannot write o.mha: series, as a.nii is, are written as NIfTI only", "bilateral", "a.nii", "o.mha")
        self.refuse("cannot write r.nrrd: series", "bilateral", "a.nii", "o.nii", "--output-residual", "r.nrrd")
        self.refuse("has 4 volumes; --volume is 4", "bilateral", "a.nii", "o.nii", "--volume", "4")
        self.expect(0, "", "denoise", "bilateral", "a.nii", "o.mha", "--volume", "3", "-q")

    def test_damaged_files(self):
        # Longer than what is read of a file for its header.
        self.series("c.nii", VALUES * 24)
        content = (self.folder / "c.nii").read_bytes()
        self.write("b.nii", content[:-1])
        self.refuse("b.nii: it is cut short", "bilateral", "b.nii", "o.nii")
        packed = gzip.compress(content)
        wrong = packed[:-8] + struct.pack("<I", zlib.crc32(content) ^ 1) + packed[-4:]
        for damaged in (packed[:-400], packed[:-3], wrong):
            self.write("b.nii.gz", damaged)
            self.refuse("b.nii.gz: it is cut short or damaged", "bilateral", "b.nii.gz", "o.nii", "--output-residual", "r.nii")
        self.write("b.nii.gz", gzip.compress(content + bytes(1 << 21)))
        self.refuse("it holds more than the", "bilateral", "b.nii.gz", "o.nii")
        self.write("b.nii.gz", gzip.compress(content[:-7]))
        self.refuse("b.nii.gz: it is cut short or damaged", "bilateral", "b.nii.gz", "o.nii")

    def test_a_full_disk(self):
        for limit in (100, 3000, 2 * len(VALUES) + 100):
            limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            self.refuse("the disk may be full", "bilateral", "a.nii", "o.nii", "--radius", "1", "-q", "--output-residual", "r.nii", preexec_fn=limits)

    def test_a_signal_leaves_nothing(self):
        self.series("b.nii", VALUES * 200)
        before = self.contents()
        process = self.start("denoise", "non-local-means", "b.nii", "o.nii", "-q", "-w", "5", "--threads", "1", "--output-residual", "r.nii")
        while not any(".unfinished-" in name for name in self.names()) and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, error), (130, "cudaneuro-denoise: stopped; no output was written\n"))
        self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    programs.run_tests()
