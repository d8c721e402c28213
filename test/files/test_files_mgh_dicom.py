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
from image_files import BYTES, SIZE, VALUES, VOXELS, dicom, element, mgh
from test_files_headers import IDENTITY


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


class DicomTest(FilesTest):
    def setUp(self):
        super().setUp()
        (self.folder / "series").mkdir()
        self.write_slices()

    def write_slices(self, place=lambda i: (10, -20, 30 + 3 * i), **more):
        # The names are not in the order of the places.
        for i, name in enumerate("cab"):
            each = {key: value(i) if callable(value) else value for key, value in more.items()}
            dicom(self.folder / "series" / f"{name}.dcm", place(i), VALUES[20 * i : 20 * i + 20], number=i + 1, **each)

    def require_reader(self):
        if "without ITK's module" in self.run_program("denoise", "bilateral", "series", "o.mha", "-q")[2]:
            self.skipTest("built without ITKIOGDCM")


class DicomFolders(DicomTest):

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

    def test_names_without_an_ending_of_dicom(self):
        """As scanners and archives write them; the files are known by their mark."""
        self.require_reader()
        for names in (["IM0002", "IM0000", "IM0001"], ["1.2.840.7", "1.2.840.5", "1.2.840.6"], ["c.dicom", "a.dicom", "b.dicom"]):
            for old, name in zip(sorted((self.folder / "series").glob("*")), names, strict=True):
                old.rename(old.with_name(name))
            dicom(self.folder / "series" / "other", (0, 0, 0), VALUES[:20], uid="1.2.4")
            self.convert("series", 1, "2 series of DICOM")
            self.expect_image("series/" + names[0], VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))
            self.write("same.tfm", IDENTITY)
            arguments = ["series/" + names[0], "out.mha", "--reference", "series/" + names[1], "-x", "same.tfm", "--output-type", "float"]
            self.expect(0, "", "transform", "apply", *arguments, "-q")
            self.assertEqual(self.read_meta("out.mha")["voxels"], VALUES)
            (self.folder / "series" / "other").unlink()
        self.write("mark", bytes(128) + b"DICM" + bytes(90))
        self.convert("mark", 1, "cannot read mark: it belongs to no series of DICOM")

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


class DicomSlices(DicomTest):
    """What a volume of ITK cannot say, or would say wrongly."""

    def setUp(self):
        super().setUp()
        self.require_reader()

    def test_scales_of_their_own(self):
        # The last slice has another type than those with a fraction, or than those whose numbers are above 65535.
        for slopes in ((0.25, 0.5, 1), (1000, 41, 1), (1, 1, 1000)):
            self.write_slices(scale=lambda i, slopes=slopes: (slopes[i], -3))
            expected = [value * slopes[i // 20] - 3 for i, value in enumerate(VALUES)]
            self.expect_image("series", expected, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_a_tilted_gantry(self):
        self.write_slices(lambda i: (10, -20 + i, 30 + 3 * i))
        # arctan(1 / 3), from the first slice on.
        self.convert("series", 1, "c.dcm and a.dcm are shifted along themselves by 1 mm, 18.43 degrees")
        self.write_slices(lambda i: (10, -20 + 0.01 * i, 30 + 3 * i))
        self.convert("series")

    def test_no_positions(self):
        self.write_slices(lambda _: None)
        self.expect_image("series", origin=(0, 0, 0), spacing=(0.5, 2, 1), words="have no positions")

    def test_a_mosaic(self):
        self.write_slices(image_type="ORIGINAL\\PRIMARY\\M\\MOSAIC")
        self.convert("series", 1, "is a mosaic, which has all slices beside each other")

    def test_a_slice_that_is_cut_short(self):
        path = self.folder / "series" / "a.dcm"
        content = path.read_bytes()
        for missing in (2, 20, 39):
            path.write_bytes(content[:-missing])
            self.convert("series", 1, f"a.dcm: it is cut short: it has {len(content) - missing} bytes")

    def test_slices_without_all_of_a_header(self):
        """GDCM ends the program for most of them, where it was built with assertions, and leaves the others out."""
        path = self.folder / "series" / "a.dcm"
        content = path.read_bytes()
        for length in range(132, len(content) - 50, 13):
            path.write_bytes(content[:length])
            self.convert("series", 1, "a.dcm: it is cut short")
        for tag in (b"\x28\0\x10\0US", b"\x28\0\x11\0US"):
            path.write_bytes(content.replace(tag, b"\x28\0\x0f\0US"))
            self.convert("series", 1, "a.dcm: it is cut short or damaged")
        # A report in the folder is no slice.
        path.write_bytes(content)
        report = "1.2.840.10008.5.1.4.1.1.88.11"
        kind = element(2, 2, "UI", report) + element(2, 0x10, "UI", "1.2.840.10008.1.2.1")
        head = bytes(128) + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(kind))) + kind
        self.write("series/report", head + element(8, 0x16, "UI", report) + element(0x20, 0xE, "UI", "1.2.3"))
        self.convert("series")

    def test_a_slope_without_a_number(self):
        self.write_slices(scale=lambda _: (2, 0))
        for path in (self.folder / "series").iterdir():
            path.write_bytes(path.read_bytes().replace(element(0x28, 0x1053, "DS", "2"), element(0x28, 0x1053, "DS", "")))
        status, _, error = self.run_program("denoise", "bilateral", "series", "o.mha", "--range-sigma", "1", "-q")
        if status != 0:
            self.assertEqual((status, error.count("\n")), (1, 1), error)
            self.assertRegex(error, r"series/[abc]\.dcm: .*slope without a number")


class DicomFrames(DicomTest):
    """A file of several slices."""

    def setUp(self):
        super().setUp()
        self.require_reader()
        for file in (self.folder / "series").iterdir():
            file.unlink()

    def write_frames(self, places, slopes=(1, 1, 1)):
        frames = [((10, y, z), slope) for (y, z), slope in zip(places, slopes, strict=True)]
        dicom(self.folder / "series" / "frames.dcm", None, VALUES, frames=frames)

    def test_one_volume(self):
        self.write_frames([(-20, 30), (-20, 33), (-20, 36)])
        self.expect_image("series", VALUES, SIZE, (0.5, 2, 3), (10, -20, 30))

    def test_what_is_no_volume(self):
        for places, slopes, words in (
            ([(-20, 30), (-20, 33), (-20, 39)], (1, 1, 1), "frame 1 and frame 2 are 3 mm apart, and others 4.5 mm"),
            ([(-20, 30), (-20, 36), (-20, 33)], (1, 1, 1), "mm apart, and others"),
            ([(-20, 30), (-20, 30), (-20, 30)], (1, 1, 1), "frame 1 and frame 2 are at one place"),
            ([(-20, 30), (-19, 33), (-18, 36)], (1, 1, 1), "are shifted along themselves"),
            ([(-20, 30), (-20, 33), (-20, 36)], (1, 2, 1), "its frames have different scales"),
        ):
            self.write_frames(places, slopes)
            self.convert("series", 1, words)

    def test_a_volume_a_file(self):
        """As series in time have them."""
        for name in ("a.dcm", "b.dcm"):
            self.write_frames([(-20, 30), (-20, 33), (-20, 36)])
            (self.folder / "series" / "frames.dcm").rename(self.folder / "series" / name)
        words = "has several slices, and its series has 2 files, so that it is no single volume; convert it first"
        for name in ("series", "series/b.dcm"):
            self.convert(name, 1, words)


if __name__ == "__main__":
    programs.run_tests()
