# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-atlas: what it writes of an atlas, and the populations that it synthesizes.

    python3 test_atlas.py ATLAS DENOISE CHECK_TRANSFORM_FILE
"""

import array
import gzip
import json
import pathlib
import resource
import shutil
import struct
import subprocess

import atlas_test
import programs


class Outputs(atlas_test.AtlasTest):
    def test_files_and_geometry(self):
        self.build(0, "", *self.images, "-o", "out")
        figure = {"figure.png"} if self.report()["outputs"]["figure"] else set()
        images = {f"{place}" for i in range(atlas_test.COUNT) for place in (f"maps/s{i}_map.nii.gz", f"maps/s{i}_inverse.nii.gz", f"deformed/s{i}.nii.gz")}
        self.assertEqual(self.files(), {"template.nii.gz", "mean.nii.gz", "report.json"} | figure | images)
        for name in atlas_test.bits(self.folder / "out"):
            path = self.folder / "out" / name
            size, components, _ = atlas_test.nifti(path)
            self.assertEqual((size, components), ((atlas_test.SIZE, atlas_test.SIZE, atlas_test.SIZE), 3 if "maps/" in name else 1), name)
            origin, spacing = atlas_test.origin_and_spacing(path)
            # LPS to RAS changes two signs.
            self.assertEqual((origin, spacing), ([-5, 3, 2], [1.5, 1, 2]), name)
        if figure:
            self.assertEqual((self.folder / "out/figure.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_template_lies_between_the_images(self):
        self.build(0, "", *self.images, "-o", "out")
        _, _, template = atlas_test.nifti(self.folder / "out/template.nii.gz")
        _, _, mean = atlas_test.nifti(self.folder / "out/mean.nii.gz")
        sums = [0.0] * atlas_test.SIZE**3
        for i in range(atlas_test.COUNT):
            for at, value in enumerate(programs.blob(atlas_test.SIZE, i - 1.5)):
                sums[at] += value
        # The engine sums integers to which each value is rounded, finer than float is here.
        self.assertLess(max(abs(a - b / atlas_test.COUNT) for a, b in zip(mean, sums)), 1e-3)
        # Blobs that lie on each other have a sharper peak than their mean.
        self.assertGreater(max(template), max(mean))

    def test_itk_repeats_the_deformed_images(self):
        self.build(0, "", *self.images, "-o", "out", "--output-type", "float")
        for i in range(atlas_test.COUNT):
            check = [*programs.command("CheckTransformFile"), f"s{i}.mha", f"out/maps/s{i}_map.nii.gz", f"out/deformed/s{i}.nii.gz"]
            # Intensities are up to 200; voxels at the edge, of which one may be inside for one and not for the other.
            done = subprocess.run([*check, "0.05", "0.002"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_report(self):
        self.build(0, "", *self.images, "-o", "out", "--json", "also.json")
        report = self.report()
        self.assertEqual(json.loads((self.folder / "also.json").read_text()), report)
        self.assertEqual(report["number_of_images"], atlas_test.COUNT)
        self.assertEqual(report["devices"], ["cpu"])
        self.assertEqual(report["processes"], 1)
        self.assertEqual(report["parameters"]["iterations"], [10, 6])
        columns = report["iterations"]
        for name in ["level", "iteration", "energy", "minimum_jacobian", "shortened_steps", "entropy"]:
            self.assertEqual(len(columns[name]), 16, name)
        self.assertEqual(columns["level"], [0] * 10 + [1] * 6)
        self.assertLess(columns["energy"][-1], columns["energy"][0])
        for name in ["root_mean_square_mm", "maximum_mm", "rotation_degrees", "translation_mm"]:
            self.assertEqual(len(report["drift"][name]), len(report["drift"]["level"]), name)
        self.assertGreater(len(report["drift"]["level"]), 1)
        self.assertEqual([image["name"] for image in report["images"]], ["s0", "s1", "s2", "s3"])
        for image in report["images"]:
            self.assertEqual(image["weight"], 1)
            self.assertGreater(image["jacobian"]["minimum"], 0)
            self.assertGreaterEqual(image["jacobian"]["maximum"], image["jacobian"]["minimum"])
            self.assertIn("mean_logarithm", image["jacobian"])
            self.assertIn("maximum_residual_voxels", image["inversion"])
            self.assertGreaterEqual(image["energy"], 0)
            for path in image["outputs"].values():
                self.assertTrue((self.folder / path).is_file())
        self.assertAlmostEqual(report["energy"]["last"], sum(image["energy"] for image in report["images"]) / 4, places=9)
        self.assertNotEqual(report["energy"]["last"], columns["energy"][-1])
        self.assertEqual(set(report["entropy"]), {"template", "mean"})
        for stage in ["reading", "iterations", "writing", "total"]:
            self.assertGreaterEqual(report["seconds"][stage], 0)

    def test_outputs_that_are_left_out(self):
        self.build(0, "", *self.images, "-o", "out", "--no-maps", "--no-deformed")
        self.assertEqual({name for name in self.files() if "/" in name}, {f"maps/s{i}_inverse.nii.gz" for i in range(atlas_test.COUNT)})
        self.build(0, "", *self.images, "-o", "none", "--no-maps", "--no-deformed", "--no-inverse", "--no-checkpoint")
        self.assertFalse([name for name in self.names() if name.startswith("none/") and name.count("/") > 1])
        self.assertNotIn("inversion", self.report("none")["images"][0])

    def test_pixel_types(self):
        self.build(0, "", *self.images, "-o", "own")
        self.build(0, "", *self.images, "-o", "short", "--output-type", "short")
        for name, datatype in [("own/template", 16), ("own/deformed/s0", 2), ("short/template", 4), ("short/deformed/s0", 4)]:
            content = gzip.decompress((self.folder / f"{name}.nii.gz").read_bytes())
            self.assertEqual(struct.unpack("<h", content[70:72])[0], datatype, name)

    def test_values_that_the_type_does_not_hold_are_counted(self):
        for i, name in enumerate(self.images):
            values = [2.0 * value - 30.0 for value in programs.blob(atlas_test.SIZE, i - 1.5)]
            header = programs.meta_header((atlas_test.SIZE,) * 3, "MET_FLOAT")
            self.write(name, header + struct.pack(f"<{len(values)}f", *values))
        self.build(0, "", *self.images, "-o", "own")
        self.assertEqual(self.report("own")["limited_voxels"], 0)
        names = ["template", "mean", *(f"deformed/s{i}" for i in range(atlas_test.COUNT))]
        floats = [value for name in names for value in atlas_test.nifti(self.folder / "own" / f"{name}.nii.gz")[2]]
        count = sum(map(programs.is_limited, floats))
        self.assertGreater(count, 1000)
        words = f"bytes: {count} voxels are NaN or beyond the range of unsigned char, and have 0 or its limits; --output-type float keeps"
        self.build(0, words, *self.images, "-o", "bytes", "--output-type", "uchar")
        self.assertEqual(self.report("bytes")["limited_voxels"], count)

    def test_colliding_names(self):
        for place in ["a", "b"]:
            (self.folder / place).mkdir()
            shutil.copy(self.folder / "s0.mha", self.folder / place / "t1.mha")
        shutil.copy(self.folder / "s1.mha", self.folder / "t1_1.mha")
        self.build(0, "", "a/t1.mha", "t1_1.mha", "b/t1.mha", "-o", "out")
        self.assertEqual([image["name"] for image in self.report()["images"]], ["t1_2", "t1_1", "t1_3"])
        self.assertLess({f"deformed/t1_{i}.nii.gz" for i in (1, 2, 3)}, self.files())

    def test_2d(self):
        for i in range(3):
            self.write(f"flat{i}.mha", programs.meta_header((atlas_test.SIZE, atlas_test.SIZE), "MET_UCHAR") + programs.blob(atlas_test.SIZE, i)[atlas_test.SIZE**2 * 12 : atlas_test.SIZE**2 * 13])
        self.build(0, "", "flat0.mha", "flat1.mha", "flat2.mha", "-o", "out")
        self.assertEqual(atlas_test.nifti(self.folder / "out/maps/flat1_map.nii.gz")[0][:2], (atlas_test.SIZE, atlas_test.SIZE))

    def test_reference(self):
        self.write("grid.mha", programs.meta_header((20, 18, 16), "MET_UCHAR") + bytes(20 * 18 * 16))
        self.build(0, "", *self.images, "-o", "out", "--reference", "grid.mha")
        self.assertEqual(atlas_test.nifti(self.folder / "out/template.nii.gz")[0], (20, 18, 16))

    def test_list(self):
        (self.folder / "lists").mkdir()
        self.write("mask.mha", (self.folder / "s1.mha").read_bytes())
        self.write("shift.tfm", b"#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\nParameters: 1 0 0\nFixedParameters:\n")
        self.write(
            "lists/all.csv",
            b"\xef\xbb\xbfimage, weight,mask,transform\r\n../s0.mha,2,,\r\n\r\n\"../s1.mha\" ,0.5, ../mask.mha,\r\n"
            b"../s2.mha,,,../shift.tfm\r\n",
        )
        self.build(0, "", "--list", "lists/all.csv", "-o", "out")
        images = self.report()["images"]
        self.assertEqual([image["weight"] for image in images], [2, 0.5, 1])
        self.assertEqual(images[1]["mask"], "lists/../mask.mha")
        self.assertEqual(images[2]["transform"], "lists/../shift.tfm")

    def labels(self, name, label, threshold=60):
        """Labels of 64 bits on the grid of the images: one where the image of that name is bright."""
        image = (self.folder / name).read_bytes()[-(atlas_test.SIZE**3) :]
        header = programs.meta_header((atlas_test.SIZE,) * 3, "MET_LONG_LONG")
        header = header.replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType")
        values = array.array("q", [label if value > threshold else 0 for value in image])
        self.write("labels_" + name, header + values.tobytes())
        return "labels_" + name

    def label_file(self, name, kind):
        content = gzip.decompress((self.folder / "out" / name).read_bytes())
        return struct.unpack("<h", content[70:72])[0], array.array(kind, content[atlas_test.NIFTI_HEADER :])

    def test_labels(self):
        label = 5_000_000_000
        labels = [self.labels(name, label) for name in self.images]
        self.build(0, "", *self.images, "--labels", *labels, "-o", "out")
        kind, values = self.label_file("labels.nii.gz", "q")
        self.assertEqual(kind, 1024)  # int64, which such labels need
        self.assertEqual(set(values), {0, label})
        of_image = sum(value > 60 for value in (self.folder / "s1.mha").read_bytes()[-(atlas_test.SIZE**3) :])
        # The blobs are moved, not resized, and maps of so few iterations are within some percent of that.
        self.assertAlmostEqual(values.count(label) / of_image, 1, delta=0.1)
        shares = self.label_file("label_probability.nii.gz", "f")[1]
        self.assertTrue(all(0.5 <= share <= 1 for share in shares if share > 0))  # of two labels, the one with more
        report = self.report()
        self.assertEqual(report["labels"]["number"], 1)
        self.assertGreater(report["labels"]["mean_probability"], 0.8)
        self.assertEqual(report["images"][2]["labels"], labels[2])

    def test_labels_of_a_list(self):
        self.labels("s0.mha", -3)
        self.labels("s1.mha", 7)
        self.write("list.csv", b"image,labels\ns0.mha,labels_s0.mha\ns1.mha,labels_s1.mha\ns2.mha,\n")
        self.build(0, "", "--list", "list.csv", "-o", "out", "--no-maps")
        values = self.label_file("labels.nii.gz", "q")[1]
        # 0 is the first of equals, and -3 comes before 7.
        self.assertEqual(set(values), {0, -3})

    def test_bad_labels(self):
        labels = [self.labels(name, 1) for name in self.images]
        self.expect_refused("--labels names 3 files, and there are 4 images", *self.images, "--labels", *labels[:3], "-o", "out")
        self.write("grid.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + bytes(12**3))
        self.expect_refused("grid.mha", *self.images, "--labels", *labels[:3], "grid.mha", "-o", "out")
        header = programs.meta_header((atlas_test.SIZE,) * 3, "MET_FLOAT")
        header = header.replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType")
        self.write("half.mha", header + array.array("f", [0.5] * atlas_test.SIZE**3).tobytes())
        self.build(1, "half.mha", *self.images, "--labels", *labels[:3], "half.mha", "-o", "out")
        self.assertFalse((self.folder / "out/template.nii.gz").exists())

    def test_channels(self):
        self.build(0, "", *self.images, "-o", "out", "--no-deformed")
        alone = self.label_file("template.nii.gz", "f")[1]
        channel = ["--channel", *self.images]
        self.build(0, "", *self.images, *channel, "-o", "out", "--channel-weights", "0.5,0.5", "--no-deformed")
        self.assertEqual(self.label_file("template.nii.gz", "f")[1], self.label_file("template_2.nii.gz", "f")[1])
        twice = self.label_file("template.nii.gz", "f")[1]
        self.assertLess(max(abs(a - b) for a, b in zip(alone, twice)), 1)
        report = self.report()
        self.assertEqual(len(report["energy"]["channels"]), 2)
        self.assertEqual(report["outputs"]["template_2"], str(pathlib.Path("out/template_2.nii.gz")))
        self.assertEqual(report["parameters"]["channel_weights"], [0.5, 0.5])
        self.build(0, "", *self.images, *channel, "-o", "out", "--channel-weights", "1,0", "--channel-metric", "local-correlation")
        self.assertEqual(self.label_file("template.nii.gz", "f")[1], alone)
        # The same images in both channels have the same mean, and are deformed alike.
        outputs = self.report()["outputs"]
        self.assertEqual(outputs["mean_2"], str(pathlib.Path("out/mean_2.nii.gz")))
        written = [["mean", "mean_2"], *([f"deformed/s{i}", f"deformed/s{i}_2"] for i in range(atlas_test.COUNT))]
        for first, second in written:
            self.assertEqual(*((self.folder / f"out/{name}.nii.gz").read_bytes() for name in (first, second)))
        self.assertEqual(self.report()["images"][3]["outputs"]["deformed_2"], str(pathlib.Path("out/deformed/s3_2.nii.gz")))

    def test_channels_of_a_list(self):
        self.write("shift.tfm", b"#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\nParameters: 0 0 0\nFixedParameters:\n")
        self.write("list.csv", b"image,image_2,mask_2,transform_2\ns0.mha,s0.mha,,\ns1.mha,s1.mha,s1.mha,shift.tfm\n")
        self.build(0, "", "--list", "list.csv", "-o", "out", "--channel-metric", "local-correlation")
        self.assertEqual(self.report()["images"][1]["mask_2"], "s1.mha")
        self.assertTrue((self.folder / "out/template_2.nii.gz").exists())

    def test_bad_channels(self):
        for words, arguments in [
            ("--channel names 2 files, and there are 4 images", [*self.images, "--channel", "s0.mha", "s1.mha"]),
            ("--channel-weights has 3 values", [*self.images, "--channel", *self.images, "--channel-weights", "1,1,1"]),
            ("--channel-weights are all 0", [*self.images, "--channel", *self.images, "--channel-weights", "0,0"]),
            ("--channel-metric is mutual", [*self.images, "--channel", *self.images, "--channel-metric", "mutual"]),
            ("there-is-none.mha", [*self.images, "--channel", *self.images[:3], "there-is-none.mha"]),
        ]:
            self.build(1, words, *arguments, "-o", "out")
        self.write("list.csv", b"image,image_2\ns0.mha,s0.mha\ns1.mha,\n")
        self.expect_refused("the image_2 in line 3 is missing", "--list", "list.csv", "-o", "out")
        self.write("list.csv", b"image,image_3\ns0.mha,s0.mha\ns1.mha,s1.mha\n")
        self.expect_refused("it has no column image_2", "--list", "list.csv", "-o", "out")

    def test_a_folder_that_exists_is_used_again(self):
        for _ in range(2):
            self.build(0, "", *self.images, "-o", "out/")
        self.assertFalse([name for name in self.names() if "unfinished" in name or "checkpoint" in name])


class Synthesis(programs.ProgramTest):
    def synthesize(self, status, words, *arguments, **options):
        return self.expect(status, words, "atlas", "synthesize", *arguments, "--threads", "2", "-q", **options)

    def test_a_population(self):
        arguments = ["--images", "3", "--size", "24,20,16", "--spacing", "2,2,3", "--displacement", "2", "--smoothness", "8"]
        self.synthesize(0, "", "-o", "out", *arguments, "--noise", "0.01", "--seed", "7", "--maps", "--json", "report.json")
        images = [f"image_000{i}" for i in (1, 2, 3)]
        expected = {f"{name}.nii.gz" for name in ["template", *images]} | {f"maps/{name}_map.nii.gz" for name in images}
        written = {name[4:] for name in self.names() if name.startswith("out/")} - {"maps"}
        self.assertEqual(written, expected | {"population.csv"})
        for name in expected:
            path = self.folder / "out" / name
            self.assertEqual(atlas_test.nifti(path)[:2], ((24, 20, 16), 3 if "maps/" in name else 1))
            self.assertEqual(atlas_test.origin_and_spacing(path)[1], [2, 2, 3])
        lines = (self.folder / "out/population.csv").read_text().split()
        self.assertEqual(lines, ["image", *(f"{name}.nii.gz" for name in images)])
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual((report["seed"], report["size"], report["number_of_images"]), (7, [24, 20, 16], 3))
        # The same again, to the bit; and another population with another seed.
        self.synthesize(0, "", "-o", "again", *arguments, "--noise", "0.01", "--seed", "7", "--maps")
        self.assertEqual(atlas_test.bits(self.folder / "again"), atlas_test.bits(self.folder / "out"))
        self.synthesize(0, "", "-o", "other", *arguments, "--noise", "0.01", "--seed", "8")
        self.assertNotEqual((self.folder / "other/image_0001.nii.gz").read_bytes(), (self.folder / "out/image_0001.nii.gz").read_bytes())
        self.assertEqual((self.folder / "other/template.nii.gz").read_bytes(), (self.folder / "out/template.nii.gz").read_bytes())

    def test_an_atlas_of_it(self):
        self.synthesize(0, "", "-o", "out", "--images", "3", "--size", "24", "--displacement", "2", "--smoothness", "6")
        self.expect(0, "", "atlas", "build", "--list", "out/population.csv", "-o", "atlas", *atlas_test.QUICK)
        self.assertTrue((self.folder / "atlas/template.nii.gz").is_file())

    def test_2d(self):
        self.synthesize(0, "", "-o", "out", "--number-of-images", "2", "--size", "32,28", "--displacement", "1", "--smoothness", "6")
        self.assertEqual(atlas_test.nifti(self.folder / "out/image_0002.nii.gz")[0][:2], (32, 28))

    def test_bad_input(self):
        before = self.names()
        self.synthesize(1, "--number-of-images", "-o", "out", "--number-of-images", "1")
        self.synthesize(1, "cannot synthesize a population: --displacement is 20", "-o", "out", "--displacement", "20")
        self.synthesize(1, "--smoothness is 0.5", "-o", "out", "--smoothness", "0.5", "--displacement", "0.1")
        self.synthesize(1, "--size has 4 values", "-o", "out", "--size", "8,8,8,8")
        self.synthesize(1, "there is no folder", "-o", "nowhere/out")
        self.assertEqual(self.names(), before)

    def test_a_full_disk(self):
        before = self.names()
        limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
        self.synthesize(1, "cannot write out/template.nii.gz: the disk may be full", "-o", "out", "--size", "24", preexec_fn=limits)
        self.assertEqual(self.names(), before)


if __name__ == "__main__":
    programs.run_tests()
