# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""itk_cudaneuro.apply_transforms_to_series, against NumPy, and against the file of cudaneuro-transform where that is there: the path in
CUDANEURO_TRANSFORM, or what is installed."""

import gzip
import os
import shutil
import subprocess
import unittest

import itk
import itk_cudaneuro
import numpy as np
from test_files import FilesTest, nifti_files
from test_transforms import FieldType, affine

SIZE, COUNT = (7, 7, 5), 4
PROGRAM = os.environ.get("CUDANEURO_TRANSFORM") or shutil.which("cudaneuro-transform")
#: From right-handed steps of voxels in RAS to LPS.
FLIP = np.diag([-1.0, -1.0, 1.0])


def shift(steps):
    """By whole voxels of 1 mm, along the axes of the grid."""
    transform = itk.TranslationTransform[itk.D, 3].New()
    transform.SetOffset([float(step) for step in FLIP @ steps])
    return transform


def quarter_turn():
    """Around the middle of the volume in its plane, of the x axis to the y axis: on a grid whose first voxel is at 0."""
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    middle = FLIP @ [3.0, 3.0, 2.0]
    return affine(np.column_stack([turn, middle - turn @ middle]))


def sampled(volume, places, background):
    """A volume, indexed [z, y, x], at whole places of shape (..., 3), x first."""
    x, y, z = np.moveaxis(places, -1, 0)
    inside = ((places >= 0) & (places < SIZE)).all(axis=-1)
    clipped = [np.clip(place, 0, size - 1) for place, size in zip((z, y, x), SIZE[::-1])]
    return np.where(inside, volume[tuple(clipped)], background)


class SeriesTest(FilesTest):
    def setUp(self):
        super().setUp()
        self.values = np.random.default_rng(3).integers(-300, 300, (COUNT, *SIZE[::-1]))
        self.series("s.nii.gz", self.values, "h")

    def series(self, name, values, kind):
        """Voxels of 1 mm, the first one at 0."""
        fields = {"pixdim": [1.0] * 4 + [1.75] + [1.0] * 3, "sform_code": 1, "sform": nifti_files.sform(np.eye(3), (1.0,) * 3, (0.0,) * 3)}
        content = nifti_files.nifti((*SIZE, len(values)), kind, values.ravel().tolist(), 2, **fields)
        return self.write(name, gzip.compress(content))

    def move(self, *arguments, **keywords):
        path = self.folder / "o.nii"
        itk_cudaneuro.apply_transforms_to_series(self.folder / "s.nii.gz", path, self.folder / "s.nii.gz", *arguments, **keywords)
        fields, values = nifti_files.read(path.read_bytes())
        self.assertEqual((fields["dim"][:5], fields["pixdim"][4]), ([4, *SIZE, COUNT], 1.75))
        return fields["datatype"], np.reshape(values, (COUNT, *SIZE[::-1]))


class WholeVoxels(SeriesTest):
    PLACES = np.stack(np.meshgrid(*(np.arange(n) for n in SIZE[::-1]), indexing="ij")[::-1], -1)

    def test_shifts_of_volumes(self):
        steps = np.array([[0, 0, 0], [1, 0, 0], [-2, 3, 1], [0, -1, -4]])
        expected = [sampled(volume, self.PLACES + step, -7) for volume, step in zip(self.values, steps)]
        for interpolation in ("linear", "nearest", "cubic-spline", "WindowedSinc", "label"):
            with self.subTest(interpolation=interpolation):
                kind, values = self.move(volume_transforms=map(shift, steps), interpolation=interpolation, background=-7)
                self.assertEqual(kind, nifti_files.CODES["h"])
                np.testing.assert_array_equal(values, expected)
        np.testing.assert_array_equal(self.move()[1], self.values)

    def test_the_transform_comes_before_those_of_the_volumes(self):
        x, y, z = np.moveaxis(self.PLACES, -1, 0)
        turned = np.stack([6 - y, x, z], -1)
        np.testing.assert_array_equal(self.move(quarter_turn())[1], [sampled(volume, turned, 0) for volume in self.values])
        steps = np.array([[1, 0, 0], [0, 2, 0], [0, 0, 0], [-1, 1, 0]])
        kind, values = self.move(quarter_turn(), [shift(step) for step in steps], output_type=itk.F)
        self.assertEqual(kind, nifti_files.CODES["f"])
        np.testing.assert_array_equal(values, [sampled(volume, turned + step, 0) for volume, step in zip(self.values, steps)])

    def test_types(self):
        """Whole numbers become the nearest that a type has."""
        kind, values = self.move(output_type=itk.UC)
        self.assertEqual(kind, nifti_files.CODES["B"])
        np.testing.assert_array_equal(values, np.clip(self.values, 0, 255))


@unittest.skipUnless(PROGRAM, "cudaneuro-transform is not there")
class ByTheProgram(SeriesTest):
    def test_the_same_file(self):
        """By a field on the grid of the reference, as the engine moves, and on another one; and an affine map of each volume."""
        chance = np.random.default_rng(5)
        names = [f"{volume}.tfm" for volume in range(COUNT)]
        for name in names:
            matrix = np.eye(3, 4) + chance.uniform(-0.05, 0.05, (3, 4))
            itk_cudaneuro.write_transform(affine(matrix), self.folder / name)
        self.write("list.txt", "\n".join(names))
        volumes = [itk_cudaneuro.read_transform(self.folder / name) for name in names]
        grid = itk_cudaneuro.read_image(self.folder / "s.nii.gz", volume=0)
        for size in (SIZE, (5, 8, 6)):
            field = itk.image_from_array(chance.uniform(-1.0, 1.0, (*size[::-1], 3)).astype(np.float32), ttype=FieldType)
            field.SetDirection(grid.GetDirection())
            itk_cudaneuro.write_image(field, self.folder / "field.mha")
            field = itk_cudaneuro.read_transform(self.folder / "field.mha")
            for interpolation in ("linear", "cubic-spline", "label"):
                for transforms, options in ((None, []), (volumes, ["--volume-transforms", "list.txt"])):
                    with self.subTest(size=size, interpolation=interpolation, options=options):
                        self.move(field, transforms, interpolation=interpolation, background=3, compute_device="cpu", number_of_threads=2)
                        arguments = ["s.nii.gz", "p.nii", "--reference", "s.nii.gz", "-x", "field.mha", "--interpolation", interpolation]
                        command = [PROGRAM, "apply", *arguments, "--background", "3", "--device", "cpu", "-q", *options]
                        subprocess.run(command, cwd=self.folder, check=True)
                        self.assertEqual((self.folder / "o.nii").read_bytes(), (self.folder / "p.nii").read_bytes())


class Refusals(SeriesTest):
    def test_errors(self):
        self.write("v.nii", nifti_files.nifti(SIZE, "h", self.values[0].ravel().tolist()))
        series, volume = self.folder / "s.nii.gz", self.folder / "v.nii"
        before = self.names()
        flat = affine(np.diag([1.0, 0.0, 1.0, 1.0]))
        for words, files, settings in (
            (
                f"s.nii.gz has {COUNT} volumes, and the number of transforms for them is 1",
                (),
                {"volume_transforms": [shift([0, 0, 0])]},
            ),
            ("cannot use the transform of volume 2: the matrix of its AffineTransform is singular", (), {"volume_transforms": [shift([0, 0, 0])] * 2 + [flat] * 2}),
            ("background is 0.5; a number of the type short is needed, or another output_type", (), {"background": 0.5}),
            ("which unsigned char has not; another output_type is needed", (), {"output_type": itk.UC, "interpolation": "label"}),
            ('Unknown device "gpu"', (), {"compute_device": "gpu"}),
            ("v.nii is no series of volumes", (volume, self.folder / "o.nii", series), {}),
            ("none.nii: there is no such file", (series, self.folder / "o.nii", self.folder / "none.nii"), {}),
            ("reference is missing: the image whose grid", (series, self.folder / "o.nii", ""), {}),
            ("are written as NIfTI only", (series, self.folder / "o.mha", series), {}),
            ("it would overwrite the input", (series, series, volume), {}),
        ):  # fmt: skip
            with self.subTest(words=words):
                self.refuse(words, itk_cudaneuro.apply_transforms_to_series, *(files or (series, self.folder / "o.nii", series)), **settings)
                self.assertEqual(self.names(), before)
        for kind, words, settings in (
            (ValueError, "interpolation is 'sinc'; it must be one of linear, nearest", {"interpolation": "sinc"}),
            (ValueError, "number_of_threads is 0; it must be 1 or more", {"number_of_threads": 0}),
            (ValueError, "There are no transforms", {"volume_transforms": []}),
            (TypeError, "accepted is an itk.Transform of double", {"transform": np.eye(4)}),
            (TypeError, "output_type is 'float'; it must be a type of numbers", {"output_type": "float"}),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(kind, words):
                self.move(**settings)

    def test_two_axes(self):
        if (itk.F, 2) not in set(itk.Image.keys()):
            self.skipTest("this ITK has no images of two axes")
        plane = itk.TranslationTransform[itk.D, 2].New()
        for settings in ({"transform": plane}, {"volume_transforms": [plane] * COUNT}):
            self.refuse("it maps 2 axes to 2, and 3 to 3 are needed", self.move, **settings)
        with self.assertRaisesRegex(ValueError, "There are a transform of 3 axes and one of 2"):
            self.move(volume_transforms=[plane, shift([0, 0, 0])] * 2)

    def test_the_wrong_way_is_a_warning(self):
        with self.assertWarnsRegex(UserWarning, "o.nii is all background: do the transforms lead from"):
            self.move(shift([100, 0, 0]))


if __name__ == "__main__":
    unittest.main()
