# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests the surface distances of labels that cudaneuro-register reports.

    python3 test_label_distances.py REGISTER
"""

import csv
import json
import math
import random
import struct

import programs

QUICK = ["--iterations", "0", "-q", "--threads", "2"]
# Float positions in a box of some mm are off by less than 1e-6 mm, and so are distances; float squares by as much again.
TOLERANCE = 1e-5


def write_image(test, name, size, spacing, voxels, code="B", element="MET_UCHAR", more=""):
    header = programs.meta_header(size, element).decode()
    lines = f"ElementSpacing = {' '.join(map(str, spacing))}\n{more}ElementType"
    test.write(name, header.replace("ElementType", lines, 1).encode() + struct.pack(f"<{len(voxels)}{code}", *voxels))


def places_of(size):
    """The indices of all voxels, in their order."""
    places = [()]
    for count in reversed(size):
        places = [(i, *place) for place in places for i in range(count)]
    return places


def boundary(size, voxels, label):
    """The indices of the voxels at a label's boundary; beyond the image there is no label."""
    labels = dict(zip(places_of(size), voxels))
    found = []
    for place, value in labels.items():
        neighbors = [(*place[:axis], place[axis] + step, *place[axis + 1 :]) for axis in range(len(size)) for step in (-1, 1)]
        if value == label and any(labels.get(neighbor) != label for neighbor in neighbors):
            found.append(place)
    return found


def percentile_95(values):
    """As NumPy's percentile, linear between sorted values."""
    values = sorted(values)
    place = 0.95 * (len(values) - 1)
    below = math.floor(place)
    return values[below] + (place - below) * (values[min(below + 1, len(values) - 1)] - values[below])


def reference(size, spacing, fixed, moving):
    """The distances of each label of two images, from those of all pairs of voxels; None where one lacks the label."""
    distances = {}
    for label in (set(fixed) | set(moving)) - {0}:
        boundaries = [boundary(size, voxels, label) for voxels in (fixed, moving)]
        sides = [[[s * i for s, i in zip(spacing, place)] for place in places] for places in boundaries]
        ways = [[min(math.dist(a, b) for b in to) for a in of] if to else [] for of, to in (sides, sides[::-1])]
        both = ways[0] + ways[1]
        distances[str(label)] = (max(map(percentile_95, ways)), sum(both) / len(both)) if all(ways) else (None, None)
    return distances


def box(size, low, high, label=1):
    return [label if all(a <= i < b for i, a, b in zip(place, low, high)) else 0 for place in places_of(size)]


class LabelDistancesTest(programs.ProgramTest):
    def report(self, size, spacing, fixed, moving, more=""):
        """Compares labels that nothing moves: an image of noise is registered to itself.

        more: lines of the images' headers."""
        noise = random.Random(7)
        write_image(self, "image.mha", size, spacing, [noise.randrange(256) for _ in fixed], more=more)
        write_image(self, "fixed_labels.mha", size, spacing, fixed, "q", "MET_LONG_LONG", more)
        write_image(self, "moving_labels.mha", size, spacing, moving, "q", "MET_LONG_LONG", more)
        words = ["translation", "image.mha", "image.mha"]
        words += ["--fixed-labels", "fixed_labels.mha", "--moving-labels", "moving_labels.mha"]
        self.printed = self.expect(0, "", "register", *words, "--label-distances", "--json", "report.json", *QUICK)
        return json.loads((self.folder / "report.json").read_text())["label_distances"]

    def expect_distances(self, got, expected):
        """Compares the distances of all labels, and their means."""
        self.assertEqual(set(got["labels"]), set(expected))
        there = [values for values in expected.values() if values[0] is not None]
        for label, values in expected.items():
            self.expect_values(got["labels"][label], values, label)
        self.expect_values(got["mean"], [sum(column) / len(there) for column in zip(*there)] or [None, None], "mean")
        self.assertEqual(got["in_one_image"], len(expected) - len(there))

    def expect_values(self, got, values, name):
        self.assertEqual(list(got), ["hausdorff_95_mm", "mean_mm"])
        for one, value in zip(got.values(), values):
            if value is None:
                self.assertIsNone(one, name)
            else:
                self.assertAlmostEqual(one, value, delta=TOLERANCE, msg=name)


class Distances(LabelDistancesTest):
    def random_labels(self, size, seed):
        """Half-planes that wave, of three labels and background."""
        noise = random.Random(seed)
        waves = [[noise.uniform(0.2, 0.6) for _ in size] for _ in range(2)]
        sums = [[math.sin(seed + sum(w * i for w, i in zip(wave, place))) > 0 for wave in waves] for place in places_of(size)]
        names = [0, 7, -3, 2**40]
        return [names[a + 2 * b] if noise.random() < 0.95 else 0 for a, b in sums]

    def test_agree_with_all_pairs(self):
        for size, spacing in [((17, 23), (0.7, 1.9)), ((9, 7, 8), (1.1, 0.6, 2.3)), ((13, 11, 1), (0.9, 1.7, 5.0))]:
            fixed, moving = (self.random_labels(size, seed) for seed in (1, 2))
            # A slice is as an image of two axes.
            axes = 2 if size[-1] == 1 else len(size)
            expected = reference(size[:axes], spacing[:axes], fixed, moving)
            got = self.report(size, spacing, fixed, moving)
            for when in ("before", "after"):
                self.expect_distances(got[when], expected)
            self.assertGreater(min(hausdorff for hausdorff, _ in expected.values()), min(spacing))

    def test_axes_that_are_turned(self):
        """Distances are those of the labels, wherever these lie in space."""
        c, s = math.cos(0.5), math.sin(0.5)
        more = f"TransformMatrix = {c} {s} 0 {-s} {c} 0 0 0 1\nOffset = 300 -200 1000\n"
        size, spacing = (9, 7, 8), (1.1, 0.6, 2.3)
        fixed, moving = (self.random_labels(size, seed) for seed in (3, 4))
        got = self.report(size, spacing, fixed, moving, more)
        self.expect_distances(got["before"], reference(size, spacing, fixed, moving))

    def test_a_box_that_is_shifted(self):
        """The faces across the shift are as far apart as it is, and more than 5 % of all; the others lie on each other."""
        size, spacing = (14, 12, 12), (0.5, 2.0, 3.0)
        fixed = box(size, (3, 2, 2), (11, 10, 10))
        for shift in (1, 2):
            got = self.report(size, spacing, fixed, box(size, (3 + shift, 2, 2), (11 + shift, 10, 10)))["before"]
            # Of 8^3 - 6^3 voxels: layers of one face with their rims, and the inner voxels of the other face.
            sum_ = sum(0.5 * step * (64 if step == shift else 28) for step in range(1, shift + 1)) + 36 * 0.5 * shift
            self.expect_distances(got, {"1": (0.5 * shift, sum_ / (8**3 - 6**3))})

    def test_lines_and_points(self):
        """A plate of one voxel is as far as it is shifted; and one voxel that is far alone changes the mean only."""
        got = self.report((20, 6), (1.5, 2.0), box((20, 6), (4, 0), (5, 6)), box((20, 6), (11, 0), (12, 6)))["before"]
        self.expect_distances(got, {"1": (10.5, 10.5)})
        size = (30, 30)
        fixed = box(size, (10, 10), (20, 20))
        moving = [a or b for a, b in zip(fixed, box(size, (29, 15), (30, 16)))]
        got = self.report(size, (2.0, 1.0), fixed, moving)["before"]
        # The boundary of the square has 36 voxels; the voxel's nearest one is 10 voxels away.
        self.expect_distances(got, {"1": (0.0, 20.0 / (36 + 37))})

    def test_identical_labels_are_at_0(self):
        labels = self.random_labels((9, 7, 8), 5)
        got = self.report((9, 7, 8), (1.1, 0.6, 2.3), labels, labels)
        for when in ("before", "after"):
            self.expect_distances(got[when], dict.fromkeys(["7", "-3", str(2**40)], (0.0, 0.0)))
            self.assertEqual(got[when]["mean"], {"hausdorff_95_mm": 0.0, "mean_mm": 0.0})

    def test_a_label_of_one_image_has_none(self):
        size = (12, 10)
        one, two, three = (box(size, (low, 2), (low + 1, 8), label) for low, label in ((2, 1), (6, 2), (9, 3)))
        fixed = [a or b for a, b in zip(one, two)]
        moving = [a or b for a, b in zip(box(size, (3, 2), (4, 8)), three)]
        expected = {"1": (1.5, 1.5), "2": (None, None), "3": (None, None)}
        self.expect_distances(self.report(size, (1.5, 1.0), fixed, moving)["before"], expected)
        got = self.report(size, (1.5, 1.0), two, three)["before"]
        self.assertEqual(got["mean"], {"hausdorff_95_mm": None, "mean_mm": None})
        self.assertEqual(got["in_one_image"], 2)

    def test_what_is_printed(self):
        size = (12, 10)
        fixed, moving = box(size, (2, 2), (3, 8)), box(size, (4, 2), (5, 8))
        self.report(size, (1.5, 1.0), fixed, moving)
        self.assertNotIn("surfaces", self.printed)  # -q
        words = ["translation", "image.mha", "image.mha", "--iterations", "0", "--json", "report.json"]
        words += ["--fixed-labels", "fixed_labels.mha", "--moving-labels", "moving_labels.mha"]
        line = ("surfaces 95 % Hausdorff distance, mean of labels 3 before, 3 after; mean distance 3 before, 3 after mm; "
                "labels of one image alone 0 before, 0 after\n")  # fmt: skip
        self.assertIn(line, self.expect(0, "", "register", *words, "--label-distances"))
        # Without the option there is nothing of them.
        self.assertNotIn("surfaces", self.expect(0, "", "register", *words))
        self.assertNotIn("label_distances", json.loads((self.folder / "report.json").read_text()))


class Deformations(LabelDistancesTest):
    def test_all_methods_have_them(self):
        """Those after a registration are those of the labels that it writes."""
        size, spacing = (12, 12, 12), (1.5, 1.0, 2.0)
        for name, shift in (("a", 0), ("b", 1)):
            write_image(self, f"{name}.mha", size, spacing, list(programs.blob(12, shift)))
            voxels = [2 if value > 120 else 1 if value > 40 else 0 for value in programs.blob(12, shift)]
            write_image(self, f"{name}_labels.mha", size, spacing, voxels)
        labels = [list((self.folder / f"{name}_labels.mha").read_bytes()[-(12**3) :]) for name in "ab"]
        before = reference(size, spacing, *labels)
        for command in [["unbiased"], ["greedy"], ["symmetric", "--align", "rigid"], ["rigid"], ["affine"]]:
            words = [*command, "a.mha", "b.mha", "--fixed-labels", "a_labels.mha", "--moving-labels", "b_labels.mha", "-q"]
            words += ["--levels", "1", "--iterations", "20", "--threads", "2"]
            words += ["--label-distances", "--output-labels", "warped.mha", "--json", "report.json"]
            self.expect(0, "", "register", *words)
            got = json.loads((self.folder / "report.json").read_text())["label_distances"]
            warped = list((self.folder / "warped.mha").read_bytes()[-(12**3) :])
            self.expect_distances(got["before"], before)
            self.expect_distances(got["after"], reference(size, spacing, labels[0], warped))
            self.assertLess(got["after"]["mean"]["mean_mm"], got["before"]["mean"]["mean_mm"])
            self.assertEqual("aligned" in got, command[0] in ("unbiased", "greedy", "symmetric"))


class Segments(LabelDistancesTest):
    """Segmentations of 3D Slicer, whose segments are compared by their names."""

    size = (10, 8, 6)
    spacing = (1.0, 1.5, 2.0)

    def write_segments(self, name, layers, segments):
        """segments: (name, layer, label) of each."""
        several = len(layers) > 1
        lines = ["NRRD0004", "type: unsigned char", f"dimension: {4 if several else 3}", "space: left-posterior-superior"]
        lines += [f"sizes: {'%d ' % len(layers) if several else ''}{' '.join(map(str, self.size))}", "encoding: raw"]
        lines += [f"kinds: {'list ' if several else ''}domain domain domain"]
        lines += [f"space directions: {'none ' if several else ''}(1,0,0) (0,1.5,0) (0,0,2)"]
        for i, (segment, layer, label) in enumerate(segments):
            lines += [f"Segment{i}_{key}:={value}" for key, value in
                      {"ID": f"Segment_{i}", "LabelValue": label, "Layer": layer, "Name": segment}.items()]  # fmt: skip
        voxels = bytes(value for group in zip(*layers) for value in group)
        self.write(name, ("\n".join(lines) + "\n\n").encode() + voxels)

    def test_by_their_names(self):
        noise = random.Random(7)
        write_image(self, "image.mha", self.size, self.spacing, [noise.randrange(256) for _ in places_of(self.size)])
        one, two = box(self.size, (1, 1, 1), (6, 6, 4)), box(self.size, (3, 2, 1), (9, 7, 5))
        shifted = box(self.size, (2, 1, 2), (7, 6, 5))
        self.write_segments("layered.seg.nrrd", [one, two], [("left", 0, 1), ("right", 1, 1), ("own", 1, 2)])
        self.write_segments("flat.seg.nrrd", [[4 * voxel for voxel in shifted]], [("left", 0, 4), ("right", 0, 5)])
        left = reference(self.size, self.spacing, one, shifted)["1"]
        words = ["translation", "image.mha", "image.mha", "--fixed-labels", "flat.seg.nrrd", "--json", "report.json", *QUICK]
        self.expect(0, "", "register", *words, "--label-distances", "--moving-labels", "layered.seg.nrrd")
        got = json.loads((self.folder / "report.json").read_text())["label_distances"]["before"]
        self.assertEqual((got["labels"], list(got["segments"])), ({}, ["left", "right"]))
        self.expect_values(got["segments"]["left"], left, "left")
        self.expect_values(got["segments"]["right"], (None, None), "right")
        self.expect_values(got["mean"], left, "mean")
        self.assertEqual(got["in_one_image"], 1)
        # Of one layer each, by label and by name.
        self.write_segments("other.seg.nrrd", [one], [("left", 0, 1)])
        self.expect(0, "", "register", *words, "--label-distances", "--moving-labels", "other.seg.nrrd")
        got = json.loads((self.folder / "report.json").read_text())["label_distances"]["before"]
        self.expect_values(got["segments"]["left"], left, "left")
        self.assertEqual((list(got["labels"]), got["in_one_image"]), (["1", "4"], 2))

    def test_without_a_common_name_they_are_refused_before_anything_is_computed(self):
        noise = random.Random(7)
        write_image(self, "image.mha", self.size, self.spacing, [noise.randrange(256) for _ in places_of(self.size)])
        one = box(self.size, (1, 1, 1), (6, 6, 4))
        self.write_segments("layered.seg.nrrd", [one, one], [("left", 0, 1), ("right", 1, 1)])
        self.write_segments("flat.seg.nrrd", [one], [("other", 0, 1)])
        words = "flat.seg.nrrd and layered.seg.nrrd have no segment of the same name"
        arguments = ["--fixed-labels", "flat.seg.nrrd", "--moving-labels", "layered.seg.nrrd", "--output-transform", "o.tfm"]
        # What is without an end, were it computed.
        self.expect(1, words, "register", "unbiased", "image.mha", "image.mha", *arguments, "--iterations", "1000000000", "-q")

    def test_segments_without_voxels(self):
        nothing = bytes(len(places_of(self.size)))
        write_image(self, "image.mha", self.size, self.spacing, [place[0] % 3 for place in places_of(self.size)])
        self.write_segments("layered.seg.nrrd", [nothing, nothing], [("left", 0, 1), ("right", 1, 1)])
        write_image(self, "none.mha", self.size, self.spacing, nothing)
        for name in ("layered.seg.nrrd", "none.mha"):
            arguments = ["--fixed-labels", name, "--moving-labels", name, "--json", "report.json", *QUICK]
            words = f"warning: {name} and {name} have no label, whose overlap is noted as 0"
            self.expect(0, words, "register", "translation", "image.mha", "image.mha", *arguments)
            self.assertEqual(json.loads((self.folder / "report.json").read_text())["overlap"]["after"]["mean"], 0)


class Lists(LabelDistancesTest):
    OUTPUTS = ["--json", "{name}.json", "--table", "table.csv", *QUICK]

    def setUp(self):
        super().setUp()
        size = (12, 12, 12)
        for name, low in (("one", 2), ("two", 4)):
            write_image(self, f"{name}.mha", size, (1, 1, 1), box(size, (low, 2, 2), (low + 4, 8, 8), 5))
        write_image(self, "other.mha", size, (1, 1, 1), box(size, (2, 2, 2), (6, 8, 8), 9))

    def test_columns(self):
        self.write("pairs.csv", b"name,fixed,moving,fixed_labels,moving_labels\na,fixed.mha,moving.mha,one.mha,two.mha\n"
                   b"b,fixed.mha,moving.mha,,\nc,fixed.mha,moving.mha,one.mha,other.mha\n")  # fmt: skip
        self.expect(0, "", "register", "translation", "--pairs", "pairs.csv", "--label-distances", *self.OUTPUTS)
        with open(self.folder / "table.csv", newline="", encoding="utf-8") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        distances = json.loads((self.folder / "a.json").read_text())["label_distances"]
        for column, figure in (("hausdorff_95_mean", "hausdorff_95_mm"), ("surface_distance_mean", "mean_mm")):
            for when in ("before", "after"):
                self.assertEqual(float(rows["a"][f"{column}_{when}_mm"]), distances[when]["mean"][figure])
                self.assertEqual([rows[name][f"{column}_{when}_mm"] for name in "bc"], ["", ""])
        self.assertEqual(distances["before"]["mean"]["hausdorff_95_mm"], 2.0)

    def test_without_labels_it_is_refused(self):
        words = "--label-distances has no effect here"
        self.expect(1, f"{words}: only with --fixed-labels", "register", "rigid", "fixed.mha", "moving.mha", "--label-distances",
                    "--json", "r.json", *QUICK)  # fmt: skip
        self.expect(1, f"{words}: only with --fixed-labels", "register", "unbiased", "fixed.mha", "moving.mha", "--label-distances",
                    "--moving-labels", "one.mha", "--output-labels", "o.mha", *QUICK)  # fmt: skip
        self.write("pairs.csv", b"fixed,moving,moving_labels\nfixed.mha,moving.mha,\n")
        self.expect(1, f"{words}: the list has no fixed_labels and moving_labels", "register", "greedy", "--pairs", "pairs.csv",
                    "--label-distances", *self.OUTPUTS)  # fmt: skip


if __name__ == "__main__":
    programs.run_tests()
