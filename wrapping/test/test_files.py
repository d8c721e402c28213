# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Images and transforms in files, by itk_cudaneuro: what files hold is what the tests of the programs wrote into them, byte by byte."""

import gzip
import itertools
import pathlib
import sys
import tempfile
import unittest
import warnings

import itk
import itk_cudaneuro
import numpy as np

TESTS = pathlib.Path(__file__).resolve().parents[2] / "test"
sys.path += [str(TESTS / "files"), str(TESTS / "apps")]

import nifti_files  # noqa: E402

#: Fields of an oblique sform: an origin and sizes of voxels that single precision cannot hold.
SPACING = [0.33203125, 0.33203125, 0.69999999]
ORIGIN = [-84.83398438, -198.83398438, -318.3999939]
TURNED = nifti_files.rotation([1.0, 2.0, 3.0], 25.0)
SIZE = (4, 3, 2)
VALUES = [(37 * i * i + 11) % 1000 - 300 for i in range(24)]


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def refuse(self, words, function, *arguments, **keywords):
        """One line, as the programs say it."""
        with warnings.catch_warnings(), self.assertRaises(RuntimeError) as caught:
            warnings.simplefilter("ignore")
            function(*arguments, **keywords)
        self.assertIn(words, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


class Images(FilesTest):
    def assert_place(self, image, spacing=SPACING, origin=ORIGIN, ras=TURNED):
        """Places are those of the matrix in double precision; a header has them in single."""
        flip = np.diag([-1.0, -1.0, 1.0])
        np.testing.assert_allclose(list(image.GetSpacing()), spacing, rtol=2e-7)
        np.testing.assert_allclose(list(image.GetOrigin()), flip @ origin, rtol=2e-7)
        np.testing.assert_allclose(itk.array_from_matrix(image.GetDirection()), flip @ ras, atol=1e-6)

    def oblique(self, name="a.nii", kind="h", values=None, **fields):
        fields = {"sform_code": 2, "sform": nifti_files.sform(TURNED, SPACING, ORIGIN), "pixdim": [1.0, *SPACING, *[1.0] * 4], **fields}
        content = nifti_files.nifti(SIZE, kind, VALUES if values is None else values, **fields)
        return self.write(name, gzip.compress(content) if name.endswith(".gz") else content)

    def test_places_and_voxels(self):
        for name, order, version in itertools.product(("a.nii", "a.nii.gz"), "<>", (1, 2)):
            image = itk_cudaneuro.read_image(self.oblique(name, order=order, version=version))
            self.assertIs(type(image), itk.Image[itk.SS, 3])
            self.assert_place(image)
            np.testing.assert_array_equal(np.asarray(image), np.reshape(VALUES, SIZE[::-1]))

    def test_pixel_types(self):
        path = self.oblique()
        self.assertIs(type(itk_cudaneuro.read_image(path, itk.F)), itk.Image[itk.F, 3])
        scaled = self.oblique("scaled.nii", scl_slope=0.5, scl_inter=2.0)
        image = itk_cudaneuro.read_image(scaled)
        self.assertIs(type(image), itk.Image[itk.F, 3])
        np.testing.assert_array_equal(np.asarray(image).ravel(), 0.5 * np.array(VALUES) + 2.0)
        self.refuse("images are read as", itk_cudaneuro.read_image, path, itk.SI)
        for wrong in ("float", 3, itk.RGBPixel):
            with self.assertRaisesRegex(TypeError, "must be a type of numbers"):
                itk_cudaneuro.read_image(path, wrong)

    def test_all_of_the_header_stays(self):
        extension = np.int32([32, 6]).tobytes() + b"a comment of a scanner\0\0"
        quaternion = nifti_files.quaternion([0.0, 0.0, 1.0], 90.0)
        path = self.oblique(
            qform_code=1, quatern=quaternion, qoffset=[1.0, 2.0, 3.0], descrip=b"from a scanner", slice_code=3, toffset=2.5,
            intent_code=1001, extension=extension,
        )
        with self.assertWarnsRegex(UserWarning, "a.nii: .*mm"):
            image = itk_cudaneuro.read_image(path)
        itk_cudaneuro.write_image(image, self.folder / "same.nii.gz")
        # A filter makes an image of another type, which does not have the header with it.
        image = itk_cudaneuro.read_image(path, itk.F)
        denoised = itk.cuda_bilateral_image_filter(image, radius=1, range_sigma=1e-4, compute_device="cpu")
        itk_cudaneuro.write_image(denoised, self.folder / "float.nii", like=image)
        before, voxels = nifti_files.read(path.read_bytes())
        for name, kind in (("same.nii.gz", "h"), ("float.nii", "f")):
            after, same = nifti_files.read((self.folder / name).read_bytes())
            self.assertEqual(same, voxels)
            for field in ("qform_code", "sform_code", "quatern", "qoffset", "sform", "descrip", "slice_code", "toffset", "intent_code"):
                self.assertEqual(after[field], before[field], field)
            self.assertEqual(after["extension"][: len(extension)], extension)
            self.assertEqual(after["datatype"], nifti_files.CODES[kind])
        itk_cudaneuro.write_image(denoised, self.folder / "new.nii")
        after, _ = nifti_files.read((self.folder / "new.nii").read_bytes())
        self.assertEqual((after["descrip"], after["sform_code"]), (b"", 1))

    def test_two_matrices(self):
        path = self.oblique("two.nii", qform_code=1, quatern=[0.0, 0.0, 0.0], qoffset=[10.0, 20.0, 30.0])
        with self.assertWarnsRegex(UserWarning, "two.nii.*mm"):
            self.assert_place(itk_cudaneuro.read_image(path))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = itk_cudaneuro.read_image(path, nifti_place="qform")
        self.assert_place(image, origin=[10.0, 20.0, 30.0], ras=np.eye(3))
        with self.assertRaisesRegex(ValueError, 'nifti_place is "?\'?scanner'):
            itk_cudaneuro.read_image(path, nifti_place="scanner")

    def test_microns(self):
        fields = {"xyzt_units": 3, "sform": nifti_files.sform(TURNED, [1e3 * s for s in SPACING], [1e3 * o for o in ORIGIN])}
        with self.assertWarnsRegex(UserWarning, "a.nii"):
            image = itk_cudaneuro.read_image(self.oblique(pixdim=[1.0, *(1e3 * s for s in SPACING), *[1.0] * 4], **fields))
        self.assert_place(image)

    def test_shear_is_refused(self):
        sheared = [[1.0, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        path = self.oblique(sform=nifti_files.sform(sheared, SPACING, ORIGIN))
        self.refuse("shear", itk_cudaneuro.read_image, path)

    def test_series(self):
        values = list(range(48))
        path = self.write("series.nii", nifti_files.nifti((*SIZE, 2), "h", values))
        self.refuse("of which volume takes one", itk_cudaneuro.read_image, path)
        image = itk_cudaneuro.read_image(path, volume=1)
        np.testing.assert_array_equal(np.asarray(image).ravel(), values[24:])
        self.refuse("has 2 volumes; volume is 2", itk_cudaneuro.read_image, path, volume=2)
        with self.assertRaisesRegex(ValueError, "volume is -1; it must be 0 or more"):
            itk_cudaneuro.read_image(path, volume=-1)

    def test_spaces_of_nrrd(self):
        # x is to the right, y to the back in this space: y stays in LPS, x turns.
        header = "NRRD0005\ntype: uint8\ndimension: 3\nsizes: 4 3 2\nencoding: raw\nspace: right-posterior-superior\n"
        values = bytes(range(24))
        path = self.write("a.nrrd", header.replace("right-posterior", "left-anterior").encode() + b"space directions: (2,0,0) (0,3,0) (0,0,4)\n"
                          b"space origin: (5,6,7)\na key:=a value\n\n" + values)
        image = itk_cudaneuro.read_image(path)
        self.assertEqual(list(image.GetOrigin()), [5.0, -6.0, 7.0])
        np.testing.assert_array_equal(itk.array_from_matrix(image.GetDirection()), np.diag([1.0, -1.0, 1.0]))
        itk_cudaneuro.write_image(image, self.folder / "b.nrrd")
        header, _, data = (self.folder / "b.nrrd").read_bytes().partition(b"\n\n")
        self.assertEqual(data, values)
        self.assertIn(b"\na key:=a value", header)

    def test_two_axes(self):
        image = itk.image_from_array(np.arange(12, dtype=np.uint16).reshape(3, 4))
        image.SetSpacing([0.5, 2.0])
        for name in ("flat.nii", "flat.mha", "flat.nrrd"):
            itk_cudaneuro.write_image(image, self.folder / name)
            copy = itk_cudaneuro.read_image(self.folder / name)
            self.assertIs(type(copy), itk.Image[itk.US, 2])
            self.assertEqual(list(copy.GetSpacing()), [0.5, 2.0])
            np.testing.assert_array_equal(np.asarray(copy), np.asarray(image))

    def test_filters_and_device_images_are_written(self):
        array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        image = itk.device_image_from_array(array, origin=[1.0, 2.0, 3.0])
        itk_cudaneuro.write_image(image, self.folder / "device.mha")
        upload = itk.DeviceUploadImageFilter.New(itk.image_from_array(array), compute_device="cpu")
        itk_cudaneuro.write_image(upload, self.folder / "filter.mha")
        for name, origin in (("device.mha", [1.0, 2.0, 3.0]), ("filter.mha", [0.0, 0.0, 0.0])):
            copy = itk_cudaneuro.read_image(self.folder / name)
            np.testing.assert_array_equal(np.asarray(copy), array)
            self.assertEqual(list(copy.GetOrigin()), origin)
        for wrong in (array, "image", None):
            with self.assertRaisesRegex(TypeError, "accepted are itk.Image and itk.DeviceImage"):
                itk_cudaneuro.write_image(wrong, self.folder / "wrong.mha")

    def test_the_first_voxel_has_its_place(self):
        # A part of an image has an index, which files do not have.
        image = itk.image_from_array(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
        image.SetSpacing([2.0, 3.0, 4.0])
        region = image.GetLargestPossibleRegion()
        region.SetIndex([5, 6, 7])
        image.SetRegions(region)
        itk_cudaneuro.write_image(image, self.folder / "part.mha")
        self.assertEqual(list(itk_cudaneuro.read_image(self.folder / "part.mha").GetOrigin()), [10.0, 18.0, 28.0])

    def test_displacement_fields(self):
        values = [0.5 * i for i in range(72)]
        # 1006 is along RAS: x and y turn.
        path = self.write("field.nii", nifti_files.nifti((*SIZE, 1, 3), "f", values, intent_code=1006, sform_code=1,
                                                        sform=nifti_files.sform(np.eye(3), [1, 1, 1], [0, 0, 0])))
        field = itk_cudaneuro.read_displacement_field(path)
        self.assertIs(type(field), itk.Image[itk.Vector[itk.F, 3], 3])
        expected = np.reshape(values, (3, *SIZE[::-1])) * np.array([-1.0, -1.0, 1.0]).reshape(3, 1, 1, 1)
        np.testing.assert_array_equal(np.moveaxis(itk.array_from_image(field), -1, 0), expected)
        for name in ("copy.nii.gz", "copy.nrrd", "copy.mha"):
            itk_cudaneuro.write_image(field, self.folder / name)
            copy = itk_cudaneuro.read_displacement_field(self.folder / name)
            np.testing.assert_array_equal(itk.array_from_image(copy), itk.array_from_image(field))
        flat = itk.image_from_array(np.arange(24, dtype=np.float32).reshape(3, 4, 2), ttype=itk.Image[itk.Vector[itk.F, 2], 2])
        for name in ("flat.nii", "flat.mha"):
            itk_cudaneuro.write_image(flat, self.folder / name)
            copy = itk_cudaneuro.read_displacement_field(self.folder / name)
            np.testing.assert_array_equal(itk.array_from_image(copy), itk.array_from_image(flat))
        path = self.write("image.nii", nifti_files.nifti((2, 3, 4), "h", VALUES))
        self.refuse("a displacement field of 3 axes has 3 values", itk_cudaneuro.read_displacement_field, path)


class Labels(FilesTest):
    def test_own_type(self):
        for kind, name in (("B", "UC"), ("h", "SS"), ("H", "US")):
            path = self.write("labels.nii", nifti_files.nifti(SIZE, kind, list(range(24))))
            self.assertIs(type(itk_cudaneuro.read_labels(path)), itk.Image[getattr(itk, name), 3])

    def test_large_labels(self):
        # Of the atlas of a mouse: above 2^24 single precision rounds them.
        labels = [0, 1, 16777217, 614454277, *range(20)]
        path = self.write("labels.nii", nifti_files.nifti(SIZE, "I", labels))
        image = itk_cudaneuro.read_labels(path)
        self.assertEqual([int(label) for label in np.asarray(image).ravel()], labels)
        itk_cudaneuro.write_image(image, self.folder / "copy.nii")
        _, copy = nifti_files.read((self.folder / "copy.nii").read_bytes())
        self.assertEqual(copy, labels)

    def test_labels_that_a_slope_made(self):
        # 3 stored as 2.9999999986 by a slope in single precision.
        path = self.write("labels.nii", nifti_files.nifti(SIZE, "h", [9000 * (i % 4) for i in range(24)], scl_slope=1 / 9000))
        labels = itk_cudaneuro.read_labels(path)
        self.assertIs(type(labels), itk.Image[itk.UC, 3])
        self.assertEqual([int(label) for label in np.asarray(labels).ravel()], [i % 4 for i in range(24)])

    def test_no_labels(self):
        path = self.write("labels.nii", nifti_files.nifti(SIZE, "f", [1.0] * 5 + [2.5] + [0.0] * 18))
        self.refuse("its voxel [1, 1, 0] is 2.5; labels are whole numbers", itk_cudaneuro.read_labels, path)

    def test_labels_that_no_type_holds(self):
        path = self.write("labels.nii", nifti_files.nifti(SIZE, "q", [2**62 + 1, -1] + [0] * 22))
        if not any((getattr(itk, name), 3) in set(itk.Image.keys()) for name in ("SL", "SLL")):
            self.refuse("has labels from -1 to 4611686018427387905", itk_cudaneuro.read_labels, path)
        else:
            self.assertEqual(int(np.asarray(itk_cudaneuro.read_labels(path)).ravel()[0]), 2**62 + 1)

    def test_segments_stay(self):
        lines = ["NRRD0005", "type: uint8", "dimension: 3", "sizes: 4 3 2", "encoding: raw", "space: left-posterior-superior",
                 "space directions: (1,0,0) (0,1,0) (0,0,1)", "Segment0_ID:=Segment_1", "Segment0_Name:=left hippocampus",
                 "Segment0_LabelValue:=1", "Segment0_Layer:=0", "Segment0_Tags:=" + "x^y~" * 600]
        path = self.write("a.seg.nrrd", "\n".join(lines) + "\n\n" + "\0\1" * 12)
        itk_cudaneuro.write_image(itk_cudaneuro.read_labels(path), self.folder / "b.seg.nrrd")
        header = (self.folder / "b.seg.nrrd").read_bytes().partition(b"\n\n")[0].decode().splitlines()
        for line in lines[7:]:
            self.assertIn(line, header)


class Errors(FilesTest):
    def test_what_cannot_be_read(self):
        whole = nifti_files.nifti(SIZE, "h", VALUES)
        for name, content, words in [
            ("cut.nii", whole[:-3], "cannot read"),
            ("cut.nii.gz", gzip.compress(whole)[:-9], "cut short or damaged"),
            ("a.jpg", b"", "it is no image that is known here"),
            ("complex.nii", nifti_files.nifti(SIZE, "h", VALUES, datatype=32), "complex numbers"),
        ]:
            path = self.write(name, content)
            for function in (itk_cudaneuro.read_image, itk_cudaneuro.read_labels, itk_cudaneuro.read_displacement_field):
                self.refuse(words, function, path)
                self.refuse(str(path), function, str(path))
        self.refuse("there is no such file", itk_cudaneuro.read_image, self.folder / "missing.nii")
        with self.assertRaises(TypeError):
            itk_cudaneuro.read_image(3)

    def test_what_cannot_be_written(self):
        image = itk.image_from_array(np.zeros((2, 3, 4), np.float32))
        self.refuse("its ending is that of no known format", itk_cudaneuro.write_image, image, self.folder / "a.jpg")
        self.refuse("cannot write", itk_cudaneuro.write_image, image, self.folder / "no folder" / "a.nii")
        old = self.write("a.nii", "an old file")
        (self.folder / "kept").mkdir()
        self.refuse("cannot write", itk_cudaneuro.write_image, image, self.folder / "kept")
        self.assertEqual(old.read_text(), "an old file")
        itk_cudaneuro.write_image(image, old)
        self.assertEqual(itk_cudaneuro.read_image(old).GetLargestPossibleRegion().GetNumberOfPixels(), 24)
        self.assertEqual(self.names(), ["a.nii", "kept"])

    def test_a_build_without_the_library_says_so(self):
        from itk_cudaneuro import files

        with self.assertRaisesRegex(RuntimeError, "reads and writes no files: it was made with CudaNeuro_WRAP_FILES=OFF"):
            files._library("CudaNeuroNothing")


if __name__ == "__main__":
    unittest.main()
