# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests cudaneuro-atlas: points of the images on the template.

    python3 test_atlas_points.py ATLAS LANDMARKS TRANSFORM
"""

import csv
import math
import shutil

import atlas_test
import programs

# In the middle of the images, in mm in LPS: their grids begin at (5, -3, 2), with voxels of 1.5 x 1 x 2 mm.
POINTS = [[20.0, 8.0, 24.0], [24.3, 10.1, 28.7], [17.2, 12.4, 20.5]]
NAMES = ["ac", "pc", "apex, left"]


def table(points, labels=None):
    """A table of points, as CSV."""
    rows = [["x", "y", "z"] + (["label"] if labels else [])]
    rows += [[repr(float(x)) for x in point] + ([labels[i]] if labels else []) for i, point in enumerate(points)]
    return "".join(",".join(f'"{value}"' if "," in value else value for value in row) + "\n" for row in rows).encode()


class Points(atlas_test.AtlasTest):
    def rows(self, name="out/points.csv"):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def place(self, row):
        return [float(row[axis]) for axis in "xyz"]

    def expect_places(self, rows, points, tolerance):
        self.assertEqual(len(rows), len(points))
        for row, point in zip(rows, points):
            self.assertLess(math.dist(self.place(row), point), tolerance)

    def test_the_maps_take_the_points_back(self):
        """The maps and the alignment of an atlas take places of the template to the images."""
        for align in ("none", "rigid"):
            quick = ["--align", align, *atlas_test.QUICK[2:]]
            self.expect(0, "", "atlas", "build", *self.images, "-o", "first", *quick)
            self.write("template.csv", table(POINTS, NAMES))
            moved = 0.0
            for i in range(atlas_test.COUNT):
                maps = ["-x", f"first/maps/s{i}_map.nii.gz"] + ([] if align == "none" else ["-x", f"first/maps/s{i}_alignment.tfm"])
                self.expect(0, "", "transform", "apply", "template.csv", f"p{i}.csv", *maps, "-q")
                moved = max([moved, *(math.dist(self.place(row), point) for row, point in zip(self.rows(f"p{i}.csv"), POINTS))])
            self.assertGreater(moved, 1)
            files = [f"p{i}.csv" for i in range(atlas_test.COUNT)]
            self.expect(0, "", "atlas", "build", *self.images, "--points", *files, "-o", "out", *quick)
            rows = self.rows()
            # Files of transforms and maps hold single precision.
            self.expect_places(rows, POINTS, 1e-3)
            self.assertEqual([row["label"] for row in rows], NAMES)
            self.assertEqual([row["images"] for row in rows], ["4"] * 3)
            self.assertEqual([row["number"] for row in rows], ["0", "1", "2"])
            report = self.report()
            self.assertLess(report["points"]["maximum_spread_mm"], 1e-3)
            self.assertEqual((report["points"]["number"], report["points"]["images"], report["points"]["left_out"]), (3, 4, 0))
            self.assertEqual(report["images"][2]["points"], "p2.csv")
            self.assertEqual(report["outputs"]["points"], "out/points.csv")
            shutil.rmtree(self.folder / "out")

    def test_means_and_spreads_of_a_list(self):
        """Equal images do not move."""
        for i in (1, 2, 3):
            shutil.copy(self.folder / "s0.mha", self.folder / f"s{i}.mha")
        # Labels match points in any order; the third file has a label of its own, and the last image has no points.
        self.write("p0.csv", table(POINTS, NAMES))
        other = [[p[0] + 1, p[1], p[2]] for p in reversed(POINTS)]
        self.write("p1.csv", table(other, list(reversed(NAMES))))
        self.write("p2.csv", table([POINTS[0], [19, 9, 23]], ["ac", "new"]))
        self.write("list.csv", b"image,weight,points\ns0.mha,1,p0.csv\ns1.mha,3,p1.csv\ns2.mha,0.5,p2.csv\ns3.mha,1,\n")
        self.build(0, "", "--list", "list.csv", "-o", "out")
        rows = self.rows()
        expected = [[p[0] + 0.75, p[1], p[2]] for p in POINTS] + [[19, 9, 23]]
        expected[0][0] = POINTS[0][0] + 3 / 4.5
        self.expect_places(rows, expected, 1e-4)
        self.assertEqual([row["label"] for row in rows], [*NAMES, "new"])
        self.assertEqual([row["images"] for row in rows], ["3", "2", "2", "1"])
        variances = [3 / 4.5 * 1.5 / 4.5, 0.1875, 0.1875, 0]
        for row, variance in zip(rows, variances):
            self.assertAlmostEqual(float(row["covariance_xx_mm2"]), variance, places=4)
            self.assertAlmostEqual(float(row["spread_mm"]), math.sqrt(variance), places=4)
            for entry in ("xy", "xz", "yy", "yz", "zz"):
                self.assertAlmostEqual(float(row[f"covariance_{entry}_mm2"]), 0, places=6)
        self.assertEqual(self.report()["points"]["images"], 3)
        # cudaneuro-landmarks reads what is written.
        self.expect(0, "", "landmarks", "match", "out/points.csv", "p1.csv", "--sigma", "10", "-o", "map.tfm", "--output-points", "matched.csv", "-q")
        self.assertEqual([row["label"] for row in self.rows("matched.csv")], ["ac", "pc", "apex, left", "new"])

    def test_points_without_labels_and_in_2d(self):
        for i in range(2):
            blob = programs.blob(atlas_test.SIZE, 0)[atlas_test.SIZE**2 * 12 : atlas_test.SIZE**2 * 13]
            self.write(f"flat{i}.mha", programs.meta_header((atlas_test.SIZE, atlas_test.SIZE), "MET_UCHAR") + blob)
            self.write(f"flat{i}.txt", f"# x y\n{8 + i} 10\n12 {9 + i}\n".encode())
        self.build(0, "", "flat0.mha", "flat1.mha", "--points", "flat0.txt", "flat1.txt", "-o", "out")
        rows = self.rows()
        self.assertEqual(list(rows[0]), ["x", "y", "number", "images", "spread_mm", "covariance_xx_mm2", "covariance_xy_mm2", "covariance_yy_mm2"])
        self.assertAlmostEqual(float(rows[0]["x"]), 8.5, places=4)
        self.assertAlmostEqual(float(rows[1]["covariance_yy_mm2"]), 0.25, places=4)

    def test_points_without_a_place_are_named(self):
        self.write("p0.csv", table([*POINTS, [500, 8, 24]], [*NAMES, "far"]))
        self.write("p1.csv", table([POINTS[0], [5, 900, 24]], ["ac", "pc"]))
        self.write("list.csv", b"image,points\ns0.mha,p0.csv\ns1.mha,p1.csv\n")
        words = "points are left out, because they are outside their image: p0.csv (far); p1.csv (pc)"
        self.build(0, words, "--list", "list.csv", "-o", "out")
        self.assertEqual([(row["label"], row["images"]) for row in self.rows()], [("ac", "2"), ("pc", "1"), ("apex, left", "1")])
        self.assertEqual(self.report()["points"]["left_out"], 2)
        # A template that does not reach as far as the images.
        self.write("grid.mha", programs.meta_header((12, 24, 24), "MET_UCHAR").replace(b"ElementType", b"Offset = 5 -3 2\nElementSpacing = 1.5 1 2\nElementType") + bytes(12 * 24 * 24))
        words = "where no point of the template's grid is mapped to: p0.csv (pc)"
        self.write("p0.csv", table([[15, 8, 24], [38, 10, 28]], NAMES[:2]))
        self.write("list.csv", b"image,points\ns0.mha,p0.csv\ns1.mha,\n")
        self.build(0, words, "--list", "list.csv", "--reference", "grid.mha", "-o", "out")
        self.assertEqual([row["label"] for row in self.rows()], ["ac"])

    def test_bad_points(self):
        self.write("p.csv", table(POINTS))
        self.write("two.csv", table(POINTS[:2]))
        self.write("nan.csv", table([POINTS[0], [1, math.nan, 2], POINTS[1]]))
        self.write("flat.csv", b"x,y\n1,2\n")
        for words, files in [
            ("--points names 3 files, and there are 4 images", ["p.csv"] * 3),
            ("two.csv: it has 2 points, and p.csv 3 points", ["p.csv", "p.csv", "two.csv", "p.csv"]),
            ("cannot read none.csv: there is no such file", ["p.csv", "none.csv", "p.csv", "p.csv"]),
            ("nan.csv", ["p.csv", "p.csv", "p.csv", "nan.csv"]),
            ("flat.csv: its points have 2 coordinates, and the images 3 axes", ["flat.csv", "p.csv", "p.csv", "p.csv"]),
            ("2 files cannot be used", ["p.csv", "none.csv", "two.csv", "p.csv"]),
        ]:
            self.expect_refused(words, *self.images, "--points", *files, "-o", "out")
        self.write("list.csv", b"image,points\ns0.mha,p.csv\ns1.mha,two.csv\n")
        self.expect_refused("two.csv: it has 2 points", "--list", "list.csv", "-o", "out")
        (self.folder / "out").mkdir()
        shutil.copy(self.folder / "p.csv", self.folder / "out/points.csv")
        self.expect_refused("would overwrite the input", *self.images, "--points", "out/points.csv", *["p.csv"] * 3, "-o", "out")


if __name__ == "__main__":
    programs.run_tests()
