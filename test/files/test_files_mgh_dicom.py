# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests FreeSurfer's volumes and folders of DICOM as inputs.

    python3 test_files_mgh_dicom.py DENOISE REGISTER TRANSFORM
"""

import gzip
import math
import struct

import programs
from files_test import FilesTest
from image_files import BYTES, SIZE, VALUES, VOXELS, dicom, mgh


class FreeSurferVolumes(FilesTest):
    def test_geometry(self):
        c, s = math.cos(0.3), math.sin(0.3)
        columns, spacing, center = ((-c, -s, 0), (0, 0, -1), (-s, c, 0)), (1.5, 2.0, 0.75), (3.0, -4.0, 5.0)
        # Of place = center + columns spacing (index - size / 2), in right, anterior, superior.
        origin = [center[k] - sum(columns[a][k] * spacing[a] * SIZE[a] / 2 for a in range(3)) for k in range(3)]
        turned = [(-x, -y, z) for x, y, z in columns]
        content = mgh(spacing=spacing, columns=columns, center=center)
        for name, data in (("a.mgh", content), ("a.mgz", gzip.compress(content)), ("b.mgz", gzip.compress(content + b"tags"))):
            self.write(name, data)
            self.expect_image(name, VALUES, SIZE, spacing, (-origin[0], -origin[1], origin[2]), turned)

    def test_without_geometry(self):
        self.write("a.mgh", mgh(is_good=0))
        self.expect_image("a.mgh", origin=(-2.5, 1.5, 2.0), columns=((1, 0, 0), (0, 0, -1), (0, -1, 0)))

    def test_types(self):
        values = [value % 100 for value in VALUES]
        for number, code in ((0, "B"), (1, "i"), (3, "f"), (4, "h"), (10, "H")):
            self.write("a.mgz", gzip.compress(mgh(struct.pack(f">{VOXELS}{code}", *values), number)))
            self.assertEqual(self.convert("a.mgz")["voxels"], values)

    def test_damaged(self):
        content = mgh()
        for name, data, words in (
            ("a.mgh", content[:-1], "cut short"), ("a.mgh", content[:100], "284"), ("a.mgh", b"\0" * 400, "284"),
            ("a.mgz", gzip.compress(content)[:-9], "damaged"), ("a.mgh", mgh(type_=7), "type is 7"),
            ("a.mgh", mgh(size=(5, -4, 3)), "-4"), ("a.mgh", mgh(spacing=(1, math.nan, 1)), "nan"),
            ("a.mgh", mgh(BYTES * 2, frames=2), "4 axes"), ("a.mgh", mgh(size=(2000000000,) * 3), "cut short"),
        ):
            self.expect_refused(name, data, words)


class DicomFolders(FilesTest):
    def setUp(self):
        super().setUp()
        (self.folder / "series").mkdir()
        # The names are not in the order of the places.
        for i, name in enumerate("cab"):
            dicom(self.folder / "series" / f"{name}.dcm", (10, -20, 30 + 3 * i), VALUES[20 * i : 20 * i + 20], number=i + 1)

    def test_folder(self):
        status, _, error = self.run_program("denoise", "bilateral", "series", "o.mha", "-q")
        if status != 0:
            self.assertIn("dcm2niix", error)
            self.skipTest("built without ITKIOGDCM")
        for name in ("series", "series/", "series/b.dcm"):
            self.expect_image(name, VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_several_series(self):
        dicom(self.folder / "series" / "other.dcm", (0, 0, 0), VALUES[:20], uid="1.2.4")
        self.convert("series", 1, "series")
        if "dcm2niix" not in self.run_program("denoise", "bilateral", "series", "o.mha", "-q")[2]:
            self.convert("series", 1, "2 series of DICOM; choose one by naming one of its files")
            self.convert("series", 1, "c.dcm (of 3)")
            self.expect_image("series/c.dcm", VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_slices_that_are_missing(self):
        (self.folder / "series" / "a.dcm").unlink()
        dicom(self.folder / "series" / "d.dcm", (10, -20, 45), VALUES[40:], number=4)
        # These few voxels tell nothing of the noise.
        status, _, error = self.run_program("denoise", "bilateral", "series", "o.mha", "--range-sigma", "1", "-q")
        self.assertIn("evenly spaced" if status == 0 else "dcm2niix", error)

    def test_other_folders(self):
        (self.folder / "empty").mkdir()
        self.convert("empty", 1, "it is a folder")
        self.write("no.dcm", b"no file of DICOM")
        self.convert("no.dcm", 1, "no.dcm")


if __name__ == "__main__":
    programs.run_tests()
