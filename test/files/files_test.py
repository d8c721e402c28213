# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of files of images have in common: the image of image_files.py passes through a program that changes no voxel."""

import array
import itertools

import programs
from image_files import IDENTITY, SIZE, VALUES


class FilesTest(programs.ProgramTest):
    def convert(self, name, status=0, words="", output="out.mha"):
        """Denoises with a range sigma with which no voxel changes, and reads what is written."""
        arguments = ["--radius", "1", "--range-sigma", "1e-4", "--output-type", "float", "-q", "--threads", "1"]
        self.expect(status, words, "denoise", "bilateral", name, output, *arguments)
        return self.read_meta(output) if status == 0 and output.endswith(".mha") else None

    def read_meta(self, name):
        content = (self.folder / name).read_bytes()
        header, _, data = content.partition(b"ElementDataFile = LOCAL\n")
        fields = dict(line.split(" = ", 1) for line in header.decode("utf-8").splitlines())
        self.assertEqual(fields["ElementType"], "MET_FLOAT")
        voxels = array.array("f", data)
        fields["size"] = tuple(map(int, fields["DimSize"].split()))
        for key, field in (("spacing", "ElementSpacing"), ("origin", "Offset"), ("matrix", "TransformMatrix")):
            fields[key] = tuple(map(float, fields[field].split()))
        return {**fields, "voxels": list(voxels)}

    def expect_image(self, name, values=VALUES, size=SIZE, spacing=(1, 1, 1), origin=(0, 0, 0), columns=IDENTITY, words=""):
        """Columns are the directions of the axes, in left, posterior, superior."""
        got = self.convert(name, words=words)
        self.assertEqual(got["size"], size, name)
        self.assertEqual(got["voxels"], [float(value) for value in values], name)
        for key, expected in (("spacing", spacing), ("origin", origin), ("matrix", itertools.chain(*columns))):
            for a, b in zip(got[key], expected, strict=True):
                self.assertAlmostEqual(a, b, delta=1e-6 * max(1, abs(b)), msg=f"{name}: {key} {got[key]}")
        return got

    def expect_refused(self, name, content, words):
        self.write(name, content)
        self.convert(name, 1, words)
