# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what cudaneuro-surface says of bad input.

    python3 test_surface_errors.py SURFACE
"""

import math
import random
import resource

import damaged_files
import programs
import surface_files
import surface_test


class BadInput(surface_test.SurfaceTest):
    def refuse_file(self, name, content, words):
        self.write(name, content)
        self.expect_refused(words, "-o", "o.vtp", surface=name)

    def test_surfaces_without_an_inside(self):
        points, triangles = self.points, self.triangles
        needed = "A level set needs a closed surface; --method normals takes others, too"
        self.refuse_file("open.ply", surface_files.ply(points, triangles[1:]), f"open.ply is open: it has 3 edges with one triangle. {needed}")
        self.refuse_file("flipped.ply", surface_files.ply(points, [triangles[0][::-1], *triangles[1:]]), f"they meet the wrong way at 3 edges. {needed}")
        flat = surface_files.ply([[x, y, 0.0] for x, y, _ in points], triangles)
        self.refuse_file("flat.ply", flat, f"flat.ply is flat: it lies in a plane, and has no volume. {needed}")
        self.write("flat.ply", flat)
        self.expect_refused("flat.ply is flat: it lies in a plane", "-o", "o.vtp", "--voxel-size", "1", surface="flat.ply")
        for height in (1e-4, 1e-8, 1e-12):
            thin = surface_files.ply([[10 * x, 10 * y, height * z] for x, y, z in points], triangles)
            self.refuse_file("thin.ply", thin, "thin.ply is too thin for a level set: its shortest side is ")
            self.expect_refused("and of voxels that see it, there would be more than 2^31. --method normals takes it", "-o", "o.vtp", surface="thin.ply")
        for scale, unit in ((1e7, "1e-06 to 1000000 mm"), (1e-9, "1e-06 to 1000000 mm")):
            content = surface_files.ply([[scale * x for x in p] for p in points], triangles)
            self.refuse_file("size.ply", content, "size.ply is out of range: its voxels of")
            self.expect_refused(f"which can be from {unit}. Lengths in files of surfaces and images are taken as mm", "-o", "o.vtp", surface="size.ply")
        self.refuse_file("none.ply", surface_files.ply(points, []), "it has no triangles or other polygons, of 0 cells")
        lines = surface_files.vtk(points, []) + b"LINES 1 3\n2 0 1\n"
        self.refuse_file("lines.vtk", lines, "it has no triangles or other polygons, of 1 cells")

    def test_surfaces_that_intersect_themselves(self):
        parts = surface_files.joined(surface_files.sphere(10, 4.0), surface_files.sphere(10, 4.0, center=(4, 0, 0)))
        self.write("two.ply", surface_files.ply(*parts))
        status, _, error = self.run_program("surface", "denoise", "two.ply", "-o", "o.ply", "--spacing", "0.7", *surface_test.QUICK_WORDS, "-q")
        self.assertEqual(status, 0, error)
        self.assertRegex(error, r"two.ply surrounds \d+ voxels more than once: it intersects itself")
        self.assertEqual(surface_files.euler_number(*self.surface("o.ply")[:2]), 2)

    def test_numbers(self):
        for number, words in (("nan", "a coordinate is \"nan\"; it must be a finite number"), ("1e13", "it must be a number from -1e12 to 1e12")):
            content = surface_files.vtk(self.points, self.triangles).replace(repr(self.points[5][0]).encode(), number.encode())
            self.refuse_file("bad.vtk", content, words)
        points = [[math.nan, 0.0, 0.0], *self.points[1:]]
        for name, content in surface_files.makers(points, self.triangles).items():
            self.write(name, content)
            self.expect_refused(f"cannot read {name}: ", "-o", "o.vtp", surface=name)
        far = [[0, 1, 10**6], *self.triangles]
        for name, content in surface_files.makers(self.points, far[1:]).items():
            if name in ("text.vtk", "new.vtk", "text.vtp", "text.ply", "little.ply"):
                self.write(name, {"text.vtk": surface_files.vtk, "new.vtk": lambda p, t: surface_files.vtk(p, t, binary=True, version="5.1"), "text.vtp": surface_files.vtp, "text.ply": surface_files.ply, "little.ply": lambda p, t: surface_files.ply(p, t, "binary_little_endian")}[name](self.points, far))
                self.expect_refused("1000000", "-o", "o.vtp", surface=name)

    def test_files(self):
        for name, content in surface_files.makers(self.points, self.triangles).items():
            self.refuse_file(name, b"", f"cannot read {name}: it is empty")
            self.write(name, content[: len(content) // 2])
            self.expect_refused(f"cannot read {name}: ", "-o", "o.vtp", surface=name)
        self.expect_refused("there is no such file", "-o", "o.vtp", surface="missing.stl")
        self.write("fixed.xyz", b"0 0 0")
        self.expect_refused("its ending is that of no surface and no image", "-o", "o.vtp", surface="fixed.xyz")
        self.expect_refused("the endings of surfaces are .vtp, .vtk, .ply, .obj, .off, .stl, .gii", "-o", "o.xyz")
        self.expect_refused("its ending must be .png", "--figure", "f.jpg")
        self.expect_refused("there is one picture of all labels", "--figure", "{label}.png")
        self.expect_refused("noisy.vtk", "-o", "noisy.vtk")

    def test_arrays_that_are_cut_short(self):
        content = (self.folder / "noisy.vtk").read_bytes()
        self.refuse_file("short.vtk", content[: content.index(b"CELL_DATA") + 100], "cannot read short.vtk: ")

    def test_labels(self):
        self.write_labels()
        words = "--label is 5, which no voxel of labels.mha has; its 2 labels are from 3 to 7"
        self.expect_refused(words, "-o", "o.vtp", "--label", "5", surface="labels.mha")
        words = "--label is 0, which is the background in labels.mha; surfaces are those of other values"
        self.expect_refused(words, "-o", "o.vtp", "--label", "0", surface="labels.mha")
        self.write_image("one.mha", (8,) * 3, "B", [0] * 500 + [5] * 12)
        self.expect_refused("--label is 7, which no voxel of one.mha has; its only label is 5\n", "-o", "o.vtp", "--label", "7", surface="one.mha")
        self.write_image("empty.mha", (8,) * 3, "B", [0] * 512)
        self.expect_refused("empty.mha has no labels: all voxels are 0", "-o", "o.vtp", surface="empty.mha")
        self.write_distance()
        self.expect_refused("For signed distances, give --distance", "-o", "o.vtp", surface="distance.mha")
        self.write("flat.mha", programs.meta_header((12, 12), "MET_UCHAR") + bytes(144))
        self.expect_refused("flat.mha has 2 axes; a surface needs 3", "-o", "o.vtp", surface="flat.mha")
        self.write_image("positive.mha", (8,) * 3, "f", [1.5] * 512)
        self.expect_refused("cannot denoise positive.mha", "-o", "o.vtp", "--distance", surface="positive.mha")
        self.write_image("nan.mha", (8,) * 3, "f", [math.nan] * 512)
        self.expect_refused("cannot denoise nan.mha", "-o", "o.vtp", "--distance", surface="nan.mha")

    def test_parameters(self):
        self.expect_refused("--voxel-size is 7 mm; it must be", "-o", "o.vtp", "--spacing", "7")
        self.expect_refused("--voxel-size is 0.0001 mm, with which the surface needs", "-o", "o.vtp", "--spacing", "0.0001")
        for name, value in (("--patch-size", "4"), ("--patch-size", "9"), ("--number-of-neighbors", "129"), ("--number-of-neighbors", "0"), ("--number-of-passes", "101")):
            status, _, error = self.run_program("surface", "denoise", "noisy.vtk", "-o", "o.vtp", "--method", "level-set", "--spacing", "1", f"{name}={value}")
            self.assertEqual(status, 1)
            self.assertRegex(error, f"{name}.* {value}")
        for name in ("--band-width", "--spatial-scale", "--similarity-scale"):
            for value in ("0", "-1", "nan"):
                self.expect_refused(name, "-o", "o.vtp", "--spacing", "1", f"{name}={value}")
        self.write_labels()
        for surface in ("noisy.vtk", "labels.mha"):
            self.expect_refused("--band-width is 500 mm; it must be at most", "-o", "o.vtp", "--band-width", "500", surface=surface)

    def test_options_without_effect(self):
        self.write_labels()
        self.write_distance()
        for arguments, surface in (
            (["--label", "3"], "noisy.vtk"),
            (["--label", "3", "--distance"], "distance.mha"),
            (["--mask", "fixed.mha"], "noisy.vtk"),
            (["--distance"], "noisy.vtk"),
            (["--voxel-size", "1"], "labels.mha"),
        ):
            self.expect_refused(f"{arguments[0]} has no effect here", "-o", "o.vtp", *arguments, surface=surface)

    def test_full_disk(self):
        self.denoise(0, "", "-o", "whole.vtp", "--spacing", "0.7")
        size = (self.folder / "whole.vtp").stat().st_size
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))
        for name in ("o.vtp", "o.vtk", "o.stl", "o.ply", "o.obj"):
            before = self.names()
            status, _, error = self.run_program("surface", "denoise", "noisy.vtk", "-o", name, "--spacing", "0.7", *surface_test.QUICK_WORDS, "-q", preexec_fn=limit)
            self.assertEqual(status, 1, error)
            self.assertIn(f"cannot write {name}: ", error)
            self.assertEqual(self.names(), before)

    def test_damaged_files(self):
        """None of many damaged files ends the program by a signal, and each error is one line."""
        surface = surface_files.sphere(3, 5.0)
        generator = random.Random(5)
        refused = 0
        for name, content in surface_files.makers(*surface).items():
            for _ in range(25):
                how = generator.choice([damaged_files.cut, damaged_files.flip_anywhere, damaged_files.set_number, damaged_files.swap_bytes, damaged_files.remove_line, damaged_files.insert_long])
                self.write(name, how(generator, content, len(content)))
                status, out, error = self.run_program("surface", "compare", name, name, "--json", "-", "--threads", "1", errors="replace")
                self.assertIn(status, (0, 1), f"{how.__name__} of {name}: {error}")
                if status == 1:
                    refused += 1
                    self.assertEqual(error.count("\n"), 1, f"{how.__name__} of {name}: {error}")
                    self.assertIn(name, error)
        self.assertGreater(refused, 100)


if __name__ == "__main__":
    programs.run_tests()
