# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-atlas: what it says of bad input.

    python3 test_atlas_errors.py ATLAS DENOISE CHECK_TRANSFORM_FILE
"""

import os
import shutil
import unittest

import atlas_test
import programs


class BadInput(atlas_test.AtlasTest):
    def test_too_few_images(self):
        self.expect_refused("at least 2 images; there is 1, s0.mha", "s0.mha", "-o", "out")
        self.expect_refused("cannot read *.nix: there is no such file", "*.nix", "-o", "out")
        self.write("one.csv", b"image\ns0.mha\n")
        self.expect_refused("one.csv: an atlas needs at least 2 images", "--list", "one.csv", "-o", "out")
        self.assertEqual(self.run_program("atlas", "build", "-o", "out")[0], 2)

    def test_other_grids(self):
        self.write("odd.mha", programs.meta_header((20, atlas_test.SIZE, atlas_test.SIZE), "MET_UCHAR") + bytes(20 * atlas_test.SIZE**2))
        words = "odd.mha and s0.mha differ in their size: [20, 24, 24] and [24, 24, 24]"
        self.expect_refused(words, "s0.mha", "odd.mha", "s2.mha", "-o", "out")
        self.expect_refused("--reference", "s0.mha", "odd.mha", "s2.mha", "-o", "out")
        self.write("flat.mha", programs.meta_header((atlas_test.SIZE, atlas_test.SIZE), "MET_UCHAR") + bytes(atlas_test.SIZE**2))
        self.expect_refused("flat.mha has 2 axes, and s0.mha 3", "s0.mha", "flat.mha", "-o", "out")

    def test_all_bad_files_are_named_before_any_work(self):
        self.write("garbage.nii", b"hello")
        for arguments in [["s0.mha", "missing.mha", "garbage.nii", "s1.mha"], ["missing.mha", "garbage.nii", "s1.mha"]]:
            before = self.names()
            _, _, error = self.run_program("atlas", "build", *arguments, "-o", "out", *atlas_test.QUICK)
            self.assertIn("2 files cannot be used: ", error)
            self.assertIn("cannot read missing.mha: there is no such file", error)
            self.assertIn("garbage.nii", error)
            self.assertEqual(error.count("\n"), 1)
            self.assertEqual(self.names(), before)

    def test_voxels_that_are_missing(self):
        self.expect(0, "", "denoise", "bilateral", "s1.mha", "whole.nii.gz", "-q", "--radius", "1")
        content = (self.folder / "whole.nii.gz").read_bytes()
        self.write("cut.nii.gz", content[: len(content) // 2])
        self.expect_refused("cut.nii.gz: it is cut short", "s0.mha", "cut.nii.gz", "s2.mha", "-o", "out")

    def test_weights(self):
        for lines, words in [
            (b"s0.mha,1\ns1.mha,-2\n", "the weight in line 3 is -2; it must be at least 0"),
            (b"s0.mha,0\ns1.mha,0\n", "all weights are 0"),
            (b"s0.mha,1\ns1.mha,much\n", "the weight in line 3"),
            (b"s0.mha,1\ns1.mha,nan\n", "the weight in line 3"),
        ]:
            self.write("list.csv", b"image,weight\n" + lines)
            self.expect_refused(words, "--list", "list.csv", "-o", "out")

    def test_lists(self):
        for content, words in [
            (b"", "it is empty"),
            (b"image\n", "at least 2 images; there is none"),
            (b"image,age\ns0.mha,3\n", 'line 1: column 2 is named "age"'),
            (b"image,image\ns0.mha,s1.mha\n", "line 1: column 2"),
            (b"image,weight\ns0.mha\n", "line 2: it has 1 values; the first line names 2 columns"),
            (b'image\n"s0.mha\n', "line 2: the quotation mark has no second one in its line, at character 1"),
            (b'image\n"s0.mha"x\n', "line 2: there is something between a quotation mark and the comma, at character 9"),
            (b'image\ns0".mha\n', "line 2: there is a quotation mark inside a value"),
            (b"image\ns0\0.mha\n", "line 2: there is a byte of value 0"),
            (b"image,weight\ns0.mha,1\n,1\n", "the image in line 3 is missing"),
        ]:
            self.write("list.csv", content)
            self.expect_refused(words, "--list", "list.csv", "-o", "out")

    def test_masks(self):
        self.write("list.csv", b"image,mask\ns0.mha,\ns1.mha,empty.mha\n")
        header = programs.meta_header((atlas_test.SIZE, atlas_test.SIZE, atlas_test.SIZE), "MET_UCHAR")
        header = header.replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType")
        self.write("empty.mha", header + bytes(atlas_test.SIZE**3))
        self.expect_refused("s1.mha", "--list", "list.csv", "-o", "out")
        self.write("empty.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + bytes(12**3))
        self.expect_refused("empty.mha and s1.mha differ in their size", "--list", "list.csv", "-o", "out")

    def test_parameters(self):
        for arguments, words in [
            (["--maximum-step", "1.5"], "cannot build the atlas: --maximum-step is 1.5"),
            (["--mean-method", "trimmed-mean", "--trimmed-fraction", "0.5"], "--trimmed-fraction is 0.5"),
            (["--trimmed-fraction", "0.2"], "--trimmed-fraction has no effect here: only with --mean-method trimmed-mean"),
            (["--update-field-standard-deviations", "3"], "--update-field-standard-deviations has no effect here: only with --velocity-method gaussian"),
            (["--device", "cpu,cuda:99"], 'no device "cuda:99"'),
            (["--shape-update-interval", "0", "--keep-pose"], "--keep-pose has no effect here"),
            (["--no-checkpoint", "--checkpoint-interval", "3"], "--checkpoint-interval has no effect here"),
        ]:
            before = self.names()
            self.expect(1, words, "atlas", "build", *self.images, "-o", "out", "-q", *arguments)
            self.assertEqual(self.names(), before)
        self.assertEqual(self.run_program("atlas", "build", *self.images, "-o", "o", "--resume", "--overwrite")[0], 2)

    def test_places(self):
        self.expect_refused("there is no folder", *self.images, "-o", "nowhere/out")
        self.expect_refused("cannot write s0.mha: it is no folder", *self.images, "-o", "s0.mha")
        (self.folder / "out").mkdir()
        (self.folder / "out/template.nii.gz").mkdir()
        self.expect_refused("cannot write out/template.nii.gz: it is the name of a folder", *self.images, "-o", "out")
        (self.folder / "other/deformed").mkdir(parents=True)
        shutil.copy(self.folder / "s0.mha", self.folder / "image.mha")
        (self.folder / "other/deformed/s1.nii.gz").symlink_to(self.folder / "s1.mha")
        self.expect_refused("would overwrite the input s1.mha", *self.images, "-o", "other")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_may_not_be_written_to(self):
        (self.folder / "out").mkdir(mode=0o555)
        self.expect_refused("Permission denied", *self.images, "-o", "out")


if __name__ == "__main__":
    programs.run_tests()
