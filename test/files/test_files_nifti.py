# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests how NIfTI files are read and written: versions, types, scaling, vectors, labels, and what else a header says.

    python3 test_files_nifti.py DENOISE REGISTER LANDMARKS
"""

import gzip
import json
import math
import shutil
import struct
import subprocess
import unittest

import nifti_files as nf
import programs

SIZE = (5, 4, 3)
VOXELS = math.prod(SIZE)
VALUES = [7 * (i % 13) + i for i in range(VOXELS)]
NAN = float("nan")


class NiftiTest(programs.ProgramTest):
    def denoise(self, words, name, out="out.nii", *options, status=0):
        """Passes an image through a filter that averages equal voxels only."""
        arguments = ["--radius", "1", "--range-sigma", "1e-4", "--threads", "1", "--quiet", *options]
        return self.expect(status, words, "denoise", "bilateral", name, out, *arguments)[1]

    def expect(self, status, words, program, *arguments, **options):
        got, out, error = self.run_program(program, *arguments, **options)
        said = f"{program} {' '.join(arguments)}\n{out}\n{error}"
        self.assertEqual(got, status, said)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, error, said)
        if words == "":
            self.assertEqual(error, "", said)
        if status != 0:
            self.assertEqual(error.count("\n"), 1, said)
        return out, error

    def read(self, name):
        return nf.read((self.folder / name).read_bytes())


class HeaderTest(NiftiTest):
    def test_versions_byte_orders_and_types(self):
        for version in (1, 2):
            for order in "<>":
                for kind in nf.CODES:
                    values = [v - 40 if kind in "bhiqfd" else v for v in VALUES]
                    self.write("a.nii", nf.nifti(SIZE, kind, values, version, order, sform_code=2, sform=[1, 0, 0, 5, 0, 2, 0, 6, 0, 0, 1, 7]))
                    self.denoise([], "a.nii", "out.nii", "--output-type", "double")
                    fields, got = self.read("out.nii")
                    self.assertEqual((got, fields["version"], fields["sform_code"]), (values, version, 2), (version, order, kind))
                    self.assertEqual(fields["sform"], [1, 0, 0, 5, 0, 2, 0, 6, 0, 0, 1, 7])

    def test_doubles_of_the_second_version_are_kept(self):
        third = [1 / 3, 0, 0, 1e-9 / 3, 0, 1 / 7, 0, 123456.789, 0, 0, 1 / 9, 0]
        pixdim = [1, 1 / 3, 1 / 7, 1 / 9, 1, 1, 1, 1]
        self.write("a.nii", nf.nifti(SIZE, "f", VALUES, 2, sform_code=1, sform=third, pixdim=pixdim))
        self.denoise("", "a.nii", "out.nii.gz")
        fields, values = self.read("out.nii.gz")
        self.assertEqual((fields["sform"], fields["pixdim"], values), (third, pixdim, VALUES))

    def test_what_else_a_header_says_is_kept(self):
        said = {
            "dim_info": 57, "intent_code": 3, "intent_p1": 17.25, "intent_name": b"T of a test", "slice_start": 1, "slice_end": 2,
            "slice_code": 4, "cal_max": 100.5, "cal_min": -3, "slice_duration": 0.0625, "toffset": 1.5, "descrip": b"d" * 80,
            "aux_file": b"other.txt",
        }
        for version in (1, 2):
            for order in "<>":
                extension = struct.pack(order + "ii", 32, 6) + b"a comment of 24 bytes" + bytes(3)
                pixdim = [1, 1, 1, 1, 2.5, 1, 1, 1]
                self.write("a.nii", nf.nifti((*SIZE, 1), "f", VALUES, version, order, extension, pixdim=pixdim, **said))
                self.denoise("", "a.nii")
                fields, values = self.read("out.nii")
                self.assertEqual({key: fields[key] for key in said}, said)
                self.assertEqual((fields["pixdim"][4], values), (2.5, VALUES))
                self.assertEqual(fields["extension"], struct.pack("<ii", 32, 6) + extension[8:])

    def test_pairs_and_analyze(self):
        for version in (1, 2):
            head, data = nf.nifti(SIZE, "h", VALUES, version, ">", pair=True, sform_code=1, sform=[1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3])
            self.write("a.hdr", head)
            self.write("a.img", data)
            for name in ("a.hdr", "a.img"):
                self.denoise("", name, "out.hdr")
                self.denoise("", "out.img", "out.nii")
                fields, values = self.read("out.nii")
                self.assertEqual((values, fields["sform"][3::4]), (VALUES, [1, 2, 3]))
        head, data = nf.nifti(SIZE, "h", VALUES, 1, "<", pair=True, pixdim=[0, 2, 3, 4, 0, 0, 0, 0], scl_slope=2)
        self.write("b.hdr", head[:344] + bytes(4))
        self.write("b.img", data)
        self.denoise("a scale of 2", "b.hdr")
        fields, values = self.read("out.nii")
        self.assertEqual((values, fields["pixdim"][1:4]), (VALUES, [2, 3, 4]))

    def test_scaling(self):
        def values_of(slope, intercept):
            self.write("a.nii", nf.nifti(SIZE, "h", VALUES, scl_slope=slope, scl_inter=intercept))
            self.denoise([], "a.nii", "out.nii", "--output-type", "double")
            return self.read("out.nii")[1]

        for none in ((NAN, 0), (NAN, NAN), (0, NAN), (0, 0), (0, 17), (math.inf, 3), (-math.inf, 0), (1, 0)):
            self.assertEqual(values_of(*none), VALUES, none)
        self.assertEqual(values_of(2, -3), [2 * v - 3 for v in VALUES])
        self.assertEqual(values_of(-0.5, 0), [-0.5 * v for v in VALUES])
        for intercept in (NAN, math.inf):
            self.write("a.nii", nf.nifti(SIZE, "h", VALUES, scl_slope=2, scl_inter=intercept))
            self.denoise("scl_inter is", "a.nii", status=1)
        # A mask as fMRIPrep writes it.
        self.write("m.nii", nf.nifti(SIZE, "B", [1] * VOXELS, scl_slope=NAN, scl_inter=NAN))
        self.write("a.nii", nf.nifti(SIZE, "h", VALUES))
        self.denoise("", "a.nii", "out.nii", "--mask", "m.nii")

    def test_what_is_no_image_of_numbers_is_named(self):
        series = nf.nifti((*SIZE, 2), "h", VALUES * 2)
        self.write("a.nii", series)
        register = ["register", "greedy", "a.nii", "a.nii", "-q", "-o", "out.nii"]
        self.expect(1, "a.nii has 4 axes (5 x 4 x 3 x 2): it is a series of 2 volumes, of which --volume takes one", *register)
        self.denoise("", "a.nii")
        self.assertEqual(self.read("out.nii")[1], VALUES * 2)
        self.write("a.nii.gz", gzip.compress(nf.nifti((*SIZE, 3), "h", [*[0] * VOXELS, *VALUES, *[1] * VOXELS])))
        self.denoise("", "a.nii.gz", "out.nii", "--volume", "1")
        self.assertEqual(self.read("out.nii")[1], VALUES)
        self.denoise("--volume is 3, and must be from 0 to 2", "a.nii.gz", "out.nii", "--volume", "3", status=1)
        self.denoise("--volume has no effect", "out.nii", "again.nii", "--volume", "0")
        for code, words in ((32, "complex numbers"), (1792, "complex"), (128, "colors"), (2304, "colors"), (1536, "datatype is 1536")):
            content = bytearray(nf.nifti(SIZE, "d", VALUES))
            struct.pack_into("<h", content, 70, code)
            self.write("a.nii", bytes(content))
            self.denoise(words, "a.nii", status=1)
        for dims in ([4, *SIZE, 0, 0, 0, 0], [5, *SIZE, 1, 0, 0, 0]):
            self.write("a.nii", nf.nifti(SIZE, "h", VALUES, dim=dims))
            self.denoise("", "a.nii")
            self.assertEqual(self.read("out.nii")[1], VALUES)
        self.write("a.nii", nf.nifti((*SIZE, 1, 3), "f", VALUES * 3, intent_code=1006))
        self.denoise("3 values a voxel, and its intent_code is 1006, displacement vectors", "a.nii", status=1)

    def test_files_that_are_damaged(self):
        content = nf.nifti(SIZE, "h", VALUES, 2)
        self.write("a.nii", content[:500])
        self.denoise("a.nii: it is cut short; there are 500 bytes of 540", "a.nii", status=1)
        self.write("a.nii", content[:-1])
        self.denoise("a.nii: it is cut short", "a.nii", status=1)
        self.write("a.nii", b"\0\0" + content[2:])
        self.denoise("sizeof_hdr is", "a.nii", status=1)
        for at, wrong in ((16, 2**62), (24, 2**62), (24, -5), (24, 0)):
            damaged = bytearray(content)
            struct.pack_into("<q", damaged, at, wrong)
            self.write("a.nii", bytes(damaged))
            self.denoise("a.nii: ", "a.nii", status=1)
        self.write("a.nii.gz", gzip.compress(content)[:-30])
        self.denoise("cut short or damaged", "a.nii.gz", status=1)
        self.write("a.nii", gzip.compress(content))
        self.denoise("its name does not end with .gz", "a.nii", status=1)
        (self.folder / "b.nii").mkdir()
        self.denoise("b.nii: it is a folder", "b.nii", status=1)

    @unittest.skipUnless(shutil.which("strace"), "there is no strace")
    def test_a_file_is_opened_once_for_its_header_and_once_for_its_voxels(self):
        def opens(name, program, *arguments):
            trace = ["strace", "-f", "-o", "trace.txt", "-e", "trace=openat", programs.PROGRAMS[program], *arguments]
            subprocess.run(trace, cwd=self.folder, check=True, capture_output=True)
            return (self.folder / "trace.txt").read_text().count(f'"{name}"')

        blob = struct.unpack("1728B", programs.blob(12, 0))
        for name in ("a.nii", "b.nii", "l.nii", "m.nii"):
            self.write(name, nf.nifti((12, 12, 12), "h", blob))
        self.write("a.nii.gz", gzip.compress((self.folder / "a.nii").read_bytes()))
        for name in ("a.nii", "a.nii.gz"):
            self.assertEqual(opens(name, "denoise", "bilateral", name, "out.nii", "--radius", "1", "-q"), 2)
        register = ["register", "greedy", "a.nii", "b.nii", "--align", "none", "--iterations", "1", "-q", "-o", "w.nii"]
        register += ["--moving-labels", "l.nii", "--output-labels", "v.nii", "--fixed-mask", "m.nii"]
        for name in ("a.nii", "b.nii", "l.nii", "m.nii"):
            self.assertEqual(opens(name, *register), 2, name)


class VectorsTest(NiftiTest):
    """Displacements are read by moving a point."""

    def moved(self, words, content, status=0, point=(-2, -1, 1)):
        self.write("field.nii", content)
        self.write("points.csv", ",".join("xyz"[: len(point)]) + "\n" + ",".join(map(str, point)) + "\n")
        arguments = ["warp", "field.nii", "--points", "points.csv", "--output-points", "out.csv", "-q"]
        self.expect(status, words, "landmarks", *arguments)
        if status == 0:
            got = [float(n) for n in (self.folder / "out.csv").read_text().split("\n")[1].split(",")[: len(point)]]
            return [round(b - a, 4) for a, b in zip(point, got)]
        return None

    def write(self, name, content):
        super().write(name, content.encode() if isinstance(content, str) else content)

    def test_the_intent_tells_the_direction(self):
        # RAS to LPS turns x and y around.
        vectors = [0.5] * VOXELS + [-0.25] * VOXELS + [0.125] * VOXELS
        place = {"sform_code": 1, "sform": nf.sform(nf.rotation((0, 0, 1), 0), (1, 1, 1), (0, 0, 0))}
        vector = nf.nifti((*SIZE, 1, 3), "f", vectors, intent_code=1007, **place)
        self.assertEqual(self.moved("", vector), [0.5, -0.25, 0.125])
        displacement = nf.nifti((*SIZE, 1, 3), "f", vectors, intent_code=1006, **place)
        self.assertEqual(self.moved("", displacement), [-0.5, 0.25, 0.125])
        microns = nf.nifti((*SIZE, 1, 3), "f", [1000 * v for v in vectors], intent_code=1006, xyzt_units=3, sform_code=1,
                           sform=nf.sform(nf.rotation((0, 0, 1), 0), (1000, 1000, 1000), (0, 0, 0)), pixdim=[1, 1e3, 1e3, 1e3, 1, 1, 1, 1])
        self.assertEqual(self.moved("microns", microns), [-0.5, 0.25, 0.125])
        for size in ((*SIZE, 1, 3), (*SIZE, 3)):
            plain = nf.nifti(size, "d", vectors, 2, ">", **place)
            self.assertEqual(self.moved(["field.nii", "no intent_code", "LPS"], plain), [0.5, -0.25, 0.125])
        ras = nf.nifti((*SIZE, 3), "f", vectors, intent_code=1006, **place)
        self.assertEqual(self.moved("", ras), [-0.5, 0.25, 0.125])

    def test_planes_have_vectors_of_two(self):
        vectors = [0.5] * 20 + [-0.25] * 20
        for size in ((5, 4, 1, 1, 2), (5, 4, 2)):
            content = nf.nifti(size, "f", vectors, intent_code=1007, qform_code=1)
            self.assertEqual(self.moved("", content, point=(-2, -1)), [0.5, -0.25])

    def test_other_vectors_are_named(self):
        vectors = [0.5] * (3 * VOXELS)
        fsl = nf.nifti((*SIZE, 3), "f", vectors, intent_code=2006)
        self.moved(["field.nii", "intent_code 2006", "FSL"], fsl, status=1)
        spm = nf.nifti((*SIZE, 1, 3), "f", vectors, intent_code=1007, intent_name=b"Mapping")
        self.moved(["field.nii", "Mapping"], spm, status=1)
        two = nf.nifti((*SIZE, 1, 2), "f", vectors[: 2 * VOXELS], intent_code=1007)
        self.moved(["field.nii has 2 values a voxel"], two, status=1)
        # An image is no field without an intent, of which there is nothing to be said.
        self.write("field.nii", nf.nifti(SIZE, "f", vectors[:VOXELS]))
        self.write("points.csv", "x,y,z\n1,2,3\n")
        status, _, error = self.run_program("landmarks", "warp", "field.nii", "--points", "points.csv", "--output-points", "out.csv", "-q")
        words = "cudaneuro-landmarks: error: field.nii has 1 values a voxel and 3 axes; a displacement field of 3 axes has 3 values\n"
        self.assertEqual((status, error), (1, words))


class LabelsTest(NiftiTest):
    """An image is registered to itself, and so labels come back as they were."""

    def warp(self, words, content, out="out.nii", status=0, size=(12, 12, 12)):
        blob = struct.unpack("1728B", programs.blob(12, 0))
        self.write("image.nii", nf.nifti(size, "B", blob))
        self.write("labels.nii", content)
        arguments = ["greedy", "image.nii", "image.nii", "--align", "none", "--iterations", "1", "--levels", "1", "-q"]
        arguments += ["--moving-labels", "labels.nii", "--fixed-labels", "labels.nii", "--output-labels", out, "--json", "r.json"]
        self.expect(status, words, "register", *arguments)
        return self.read(out) if status == 0 else None

    def test_labels_of_all_types_are_exact_and_keep_their_type(self):
        large = {"B": 255, "b": -128, "H": 65535, "h": -32768, "I": 2**32 - 1, "i": -(2**31), "q": 2**62 + 1, "Q": 2**63 - 1,
                 "f": 2.0**24, "d": 2.0**53}
        for kind, most in large.items():
            near = most - 1 if most > 0 else most + 1
            labels = [(0, 1, most, near)[(i // 3) % 4] for i in range(1728)]
            for order, version in (("<", 1), (">", 2)):
                fields, got = self.warp("", nf.nifti((12, 12, 12), kind, labels, version, order))
                self.assertEqual((fields["datatype"], got), (nf.CODES[kind], labels))
                overlap = json.loads((self.folder / "r.json").read_text())["overlap"]["after"]
                self.assertEqual(overlap["labels"], {str(int(n)): 1.0 for n in (1, most, near)})
        fields, got = self.warp("", nf.nifti((12, 12, 12), "I", [16777217 + i % 2 for i in range(1728)]), "out.nii.gz")
        self.assertEqual((set(got), fields["datatype"]), ({16777217, 16777218}, nf.CODES["I"]))

    def test_labels_with_a_slope_are_whole(self):
        for slope, intercept, stored in ((0.1, 0, [0, 10, 20, 30]), (1 / 3, 0, [0, 3, 9, 300]), (0.1, 0.7, [-7, 3, 13, 993])):
            labels = [stored[(i // 3) % 4] for i in range(1728)]
            content = nf.nifti((12, 12, 12), "h", labels, scl_slope=slope, scl_inter=intercept)
            _, got = self.warp("", content)
            self.assertEqual(got, [round(slope * n + intercept) for n in labels])
        half = nf.nifti((12, 12, 12), "h", [1] * 1728, scl_slope=1, scl_inter=0.5)
        self.warp(["labels.nii", "[0, 0, 0]", "is 1.5;"], half, status=1)
        large = nf.nifti((12, 12, 12), "h", [(i // 3) % 4 for i in range(1728)], scl_slope=100000, scl_inter=0)
        fields, got = self.warp("", large)
        self.assertEqual((set(got), fields["datatype"]), ({0, 100000, 200000, 300000}, nf.CODES["i"]))

    def test_what_is_no_label_is_told_with_all_digits(self):
        for kind, wrong, text in (("d", 2.9999999986, "2.9999999986"), ("f", 0.5, "0.5"), ("f", NAN, "nan"), ("d", 1e19, "1e+19"), ("Q", 2**63, "9223372036854775808")):
            labels = [1] * 1728
            labels[3] = wrong
            self.warp(["labels.nii", "[3, 0, 0]", text, "whole numbers"], nf.nifti((12, 12, 12), kind, labels), status=1)


if __name__ == "__main__":
    programs.run_tests()
