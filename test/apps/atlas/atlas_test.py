# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of cudaneuro-atlas: a population of small images, and what its atlas has in its files."""

import array
import gzip
import json
import struct

import programs

SIZE = 24
COUNT = 4
QUICK = ["--align", "none", "--levels", "2", "--iterations", "10,6", "--shape-update", "4", "--threads", "1", "-q"]
NIFTI_HEADER = 352


def nifti(path):
    """The size, the number of components and the floats of a compressed NIfTI file."""
    content = gzip.decompress(path.read_bytes())
    dimensions = struct.unpack("<8h", content[40:56])
    floats = array.array("f", content[NIFTI_HEADER:])
    return dimensions[1:4], dimensions[5], floats


def origin_and_spacing(path):
    """Those of a NIfTI file without rotation, in its own axes (RAS)."""
    content = gzip.decompress(path.read_bytes())
    rows = struct.unpack("<12f", content[280:328])
    return [rows[3], rows[7], rows[11]], [abs(rows[0]), abs(rows[5]), abs(rows[10])]


def bits(folder):
    """The contents of all images in the folder of an atlas."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.nii.gz"))}


class AtlasTest(programs.ProgramTest):
    """Each test has a folder with a population of blobs that are shifted against each other."""

    def setUp(self):
        super().setUp()
        self.images = [f"s{i}.mha" for i in range(COUNT)]
        for i, name in enumerate(self.images):
            header = programs.meta_header((SIZE, SIZE, SIZE), "MET_UCHAR")
            header = header.replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType")
            self.write(name, header + programs.blob(SIZE, i - 1.5))
        self.before = self.names()

    def build(self, status, words, *arguments, **options):
        return self.expect(status, words, "atlas", "build", *arguments, *QUICK, **options)

    def report(self, folder="out"):
        return json.loads((self.folder / folder / "report.json").read_text())

    def files(self, folder="out"):
        return {str(path.relative_to(self.folder / folder)) for path in (self.folder / folder).rglob("*") if path.is_file()}

    def expect_refused(self, words, *arguments, **options):
        """Expects an error in one line, and that nothing is written."""
        before = self.names()
        self.build(1, words, *arguments, **options)
        self.assertEqual(self.names(), before)
