# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests channels, points and labels of cudaneuro-register.

    python3 test_terms.py REGISTER
"""

import csv
import json
import math
import struct

import programs

SIZE = 12
QUICK = ["--align", "none", "--levels", "1", "-q", "--threads", "2"]
TRANSLATION = "#Insight Transform File V1.0\nTransform: TranslationTransform_double_3_3\nParameters: {} 0 0\nFixedParameters:\n"
# Pairs of points around the middle, as (name, fixed, moving).
POINTS = [("a", (4, 5, 6), (4.8, 5, 6)), ("b", (8, 6, 5), (8, 6.7, 5)), ("c", (5, 8, 7), (5, 8, 6.4))]


def image(voxels, offset=(0, 0, 0)):
    header = programs.meta_header((SIZE,) * 3, "MET_UCHAR").decode()
    return header.replace("ElementType", "Offset = {} {} {}\nElementType".format(*offset)).encode() + bytes(voxels)


def labels(voxels, element="MET_LONG_LONG", code="q"):
    return programs.meta_header((SIZE,) * 3, element) + struct.pack(f"<{len(voxels)}{code}", *voxels)


def point_table(column, rows=POINTS, named=True):
    lines = [("label," if named else "") + "x,y,z"]
    return "".join(
        f"{line}\n"
        for line in lines + [",".join(([row[0]] if named else []) + [repr(float(x)) for x in row[column]]) for row in rows]
    ).encode()


class TermsTest(programs.ProgramTest):
    """A folder with two contrasts of a blob and of one that is shifted, with points and labels."""

    def setUp(self):
        super().setUp()
        first = [programs.blob(SIZE, shift) for shift in (0, 1)]
        # Another contrast of the same blobs.
        second = [bytes((255 - value) // 2 for value in voxels) for voxels in first]
        for name, voxels in zip(("fixed", "moving", "fixed2", "moving2"), first + second):
            self.write(f"{name}.mha", image(voxels))
        self.write("half.mha", image(x < SIZE // 2 for z in range(SIZE) for y in range(SIZE) for x in range(SIZE)))
        self.write("two.mha", programs.meta_header((SIZE,) * 2, "MET_UCHAR") + bytes(SIZE**2))
        self.write("fixed.csv", point_table(1))
        self.write("moving.csv", point_table(2))
        # Labels of 64 bits, two nested ones.
        for name, voxels in zip(("fixed_labels", "moving_labels"), first):
            self.write(f"{name}.mha", labels([2**40 if value > 120 else 7 if value > 40 else 0 for value in voxels]))

    def report(self, *arguments, command="unbiased", iterations=20):
        """The report of a run."""
        words = ["register", command, *arguments, *QUICK, "--iterations", str(iterations), "--json", "report.json"]
        self.expect(0, "", *words)
        return json.loads((self.folder / "report.json").read_text())

    def field(self, *arguments, **options):
        """The displacements of a run as bytes."""
        self.report(*arguments, "--output-field", "field.mha", **options)
        return (self.folder / "field.mha").read_bytes().split(b"LOCAL\n", 1)[1]

    def expect_same(self, one, other, name=""):
        """Compares fields by bits, and does not print them."""
        self.assertTrue(one == other, f"{name}: the fields differ by up to {self.difference(one, other)} mm")

    def expect_other(self, one, other, name=""):
        self.assertFalse(one == other, f"{name}: the fields are the same")

    def difference(self, one, other):
        """The largest difference of two fields, in mm."""
        count = len(one) // 4
        return max(abs(a - b) for a, b in zip(struct.unpack(f"<{count}f", one), struct.unpack(f"<{count}f", other)))

    def at(self, field, place):
        """A field between voxels of 1 mm, by linear interpolation."""
        values = struct.unpack(f"<{len(field) // 4}f", field)
        base = [math.floor(x) for x in place]
        found = [0.0] * 3
        for corner in range(8):
            step = [corner >> axis & 1 for axis in range(3)]
            weight = math.prod(abs(1 - s - (x - b)) for s, x, b in zip(step, place, base))
            x, y, z = (b + s for b, s in zip(base, step))
            at = 3 * ((z * SIZE + y) * SIZE + x)
            found = [f + weight * v for f, v in zip(found, values[at : at + 3])]
        return found


PAIR = ["fixed.mha", "moving.mha"]
CHANNEL = ["--channel", "fixed2.mha", "moving2.mha"]
BY_POINTS = ["--fixed-points", "fixed.csv", "--moving-points", "moving.csv"]
BY_LABELS = ["--fixed-labels", "fixed_labels.mha", "--moving-labels", "moving_labels.mha"]


class Channels(TermsTest):
    def test_one_given_twice_is_the_single_one(self):
        for command in ["unbiased", "greedy", "symmetric"]:
            alone = self.field(*PAIR, command=command)
            both = self.field(*PAIR, "--channel", *PAIR, "--channel-weights", "0.5,0.5", command=command)
            self.assertLess(self.difference(alone, both), 0.01, command)
            # And it does something.
            self.assertGreater(self.difference(alone, bytes(len(alone))), 0.2, command)

    def test_weight_0_leaves_no_trace(self):
        alone = self.field(*PAIR)
        self.expect_same(self.field(*PAIR, *CHANNEL, "--channel-weights", "1,0"), alone)
        self.expect_other(self.field(*PAIR, *CHANNEL), alone)

    def test_each_has_a_metric_and_a_report(self):
        three = [*CHANNEL, "--channel", *PAIR]
        report = self.report(*PAIR, *three, "--channel-metric", "local-correlation,mean-squares", "--channel-weights", "1,2,1",
                             "--channel-correlation-radius", "2")  # fmt: skip
        self.assertEqual(report["parameters"]["channel_metric"], ["local-correlation", "mean-squares"])
        self.assertEqual(report["parameters"]["channel_weights"], [1, 2, 1])
        self.assertEqual([one["fixed"] for one in report["further_channels"]], ["fixed2.mha", "fixed.mha"])
        first, final = (report["channel_energies"][when] for when in ("first", "final"))
        self.assertEqual((len(first), len(final)), (3, 3))
        # The third channel is the first one, and the energy is the mean with the weights.
        self.assertAlmostEqual(first[0], first[2], places=6)
        self.assertAlmostEqual(report["energy"]["image"], (final[0] + 2 * final[1] + final[2]) / 4, places=6)
        self.assertLess(final[0], first[0])
        self.assertLess(final[1], first[1])
        each = report["iterations"]["channel_energies"]
        self.assertEqual((len(each), each[0]), (len(report["iterations"]["energy"]), first))
        # Without further channels a report is what it was.
        self.assertNotIn("channel_energies", self.report(*PAIR))

    def test_masks_are_those_of_a_channel(self):
        free = self.field(*PAIR, *CHANNEL)
        for option in ["--channel-fixed-mask", "--channel-moving-mask"]:
            self.expect_same(self.field(*PAIR, *CHANNEL, option, "none"), free, option)
            masked = self.field(*PAIR, *CHANNEL, option, "half.mha")
            self.assertGreater(self.difference(masked, free), 0.01, option)
        # One for all, or one a channel.
        two = [*CHANNEL, *CHANNEL]
        one = self.field(*PAIR, *two, "--channel-fixed-mask", "half.mha")
        each = self.field(*PAIR, *two, "--channel-fixed-mask", "half.mha", "--channel-fixed-mask", "half.mha")
        other = self.field(*PAIR, *two, "--channel-fixed-mask", "none", "--channel-fixed-mask", "half.mha")
        self.expect_same(one, each)
        self.expect_other(one, other)

    def test_transforms_lead_to_the_channels_images(self):
        """A channel that lies 20 mm away, with the transform that tells so, is as one that lies on the first."""
        near = self.field(*PAIR, *CHANNEL)
        for name in ["fixed2", "moving2"]:
            self.write(f"far_{name}.mha", image((self.folder / f"{name}.mha").read_bytes()[-(SIZE**3) :], (20, 0, 0)))
        self.write("far.tfm", TRANSLATION.format(20).encode())
        far = self.field(*PAIR, "--channel", "far_fixed2.mha", "far_moving2.mha", "--channel-fixed-transform", "far.tfm",
                         "--channel-moving-transform", "far.tfm")  # fmt: skip
        self.assertLess(self.difference(near, far), 1e-3)

    def test_the_alignment_before_uses_all(self):
        """It finds a shift that the first channel does not show, and compares all by its own metric."""
        self.write("flat.mha", image([value // 40 for value in programs.blob(SIZE, 0)]))
        words = ["unbiased", "flat.mha", "flat.mha", "--channel", *PAIR, "--channel-weights", "0,1", "--channel-metric", "mean-squares"]
        words += ["--levels", "1", "--iterations", "1", "-q", "--json", "report.json", "--output-field", "o.mha"]
        self.expect(0, "", "register", *words, "--align", "rigid", "--search-angle", "0")
        alignment = json.loads((self.folder / "report.json").read_text())["alignment"]
        self.assertEqual(alignment["parameters"]["channel_metric"], ["mutual-information"])
        self.assertEqual(alignment["parameters"]["channel_weights"], [0, 1])
        self.assertAlmostEqual(alignment["offset_mm"][0], 1, delta=0.5)

    def test_linear_maps(self):
        """Linear subcommands have channels, too, with metrics and weights."""
        words = ["--levels", "2", "-q", "--json", "report.json", "--output-transform", "map.tfm", "--search-angle", "0"]
        for command, more in [("rigid", []), ("affine", ["--channel-metric", "local-correlation", "--channel-weights", "1,2"])]:
            self.expect(0, "", "register", command, *PAIR, *CHANNEL, *words, *more)
            report = json.loads((self.folder / "report.json").read_text())
            metrics = report["alignment"]["channel_metrics"]
            weights = report["parameters"]["channel_weights"]
            self.assertEqual((len(metrics), weights), (2, [1, 2] if more else [1, 1]))
            mean = sum(w * m for w, m in zip(weights, metrics)) / sum(weights)
            self.assertAlmostEqual(report["alignment"]["metric"], mean, places=5)
            self.assertEqual(report["further_channels"][0]["moving"], "moving2.mha")
        self.expect(1, "--channel-weights are all 0", "register", "rigid", *PAIR, *CHANNEL, *words, "--channel-weights", "0,0")


class Points(TermsTest):
    def test_alone(self):
        """Without images; the report's distances are those of the field that was written."""
        for command in ["unbiased", "greedy", "symmetric"]:
            field = self.field("--grid", "fixed.mha", *BY_POINTS, command=command, iterations=100)
            report = json.loads((self.folder / "report.json").read_text())
            self.assertEqual((report["grid"], report["points"]["number"]), ("fixed.mha", 3))
            self.assertEqual(report["points"]["labels"], ["a", "b", "c"])
            before, after = (report["points"][f"distance_{when}"] for when in ("before", "after"))
            for i, (_, fixed, moving) in enumerate(POINTS):
                self.assertAlmostEqual(before["each_mm"][i], math.dist(fixed, moving), places=5)
                reached = [x + d for x, d in zip(fixed, self.at(field, fixed))]
                # The engine's positions are of float, and interpolated as here.
                self.assertAlmostEqual(after["each_mm"][i], math.dist(reached, moving), delta=2e-3, msg=command)
            self.assertAlmostEqual(before["median_mm"], 0.7, places=5)
            self.assertAlmostEqual(before["maximum_mm"], 0.8, places=5)
            self.assertAlmostEqual(before["mean_mm"], 0.7, places=5)
            self.assertLess(after["maximum_mm"], 0.3, command)
            self.assertEqual(len(report["iterations"]["point_energy"]), len(report["iterations"]["energy"]))

    def test_they_hold_beside_images(self):
        free = self.report(*PAIR, *BY_POINTS, "--point-weight", "0")["points"]
        held = self.report(*PAIR, *BY_POINTS)["points"]
        self.assertLess(held["distance_after"]["mean_mm"], free["distance_after"]["mean_mm"])
        loose = self.report(*PAIR, *BY_POINTS, "--point-standard-deviations", "100")["points"]
        self.assertLess(held["distance_after"]["mean_mm"], loose["distance_after"]["mean_mm"])
        self.expect_same(self.field(*PAIR, *BY_POINTS, "--point-weight", "0"), self.field(*PAIR))

    def test_they_are_matched_by_label(self):
        """In another order, with one more, in another format: the same bits."""
        expected = self.field(*PAIR, *BY_POINTS)
        self.write("turned.csv", point_table(2, POINTS[::-1] + [("d", None, (1, 1, 1))]))
        self.expect_same(self.field(*PAIR, "--fixed-points", "fixed.csv", "--moving-points", "turned.csv"), expected)
        rows = "".join(f"{i},{-m[0]},{-m[1]},{m[2]},0,0,0,1,1,1,0,{name},,\n" for i, (name, _, m) in enumerate(POINTS))
        self.write("moving.fcsv", ("# Markups fiducial file version = 4.11\n# CoordinateSystem = RAS\n# columns = "
                                   "id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n" + rows).encode())  # fmt: skip
        self.expect_same(self.field(*PAIR, "--fixed-points", "fixed.csv", "--moving-points", "moving.fcsv"), expected)
        self.write("unnamed.csv", point_table(2, named=False))
        report = self.report(*PAIR, "--fixed-points", "fixed.csv", "--moving-points", "unnamed.csv")
        self.assertEqual(report["points"]["matched_by"], "order")

    def test_each_has_a_standard_deviation(self):
        """The one that is held looser ends farther off."""
        tight = self.report("--grid", "fixed.mha", *BY_POINTS)["points"]["distance_after"]["each_mm"]
        loose = self.report("--grid", "fixed.mha", *BY_POINTS, "--point-standard-deviations", "1,20,1")
        loose = loose["points"]["distance_after"]["each_mm"]
        self.assertGreater(loose[1], tight[1])

    def test_distances_after_the_alignment(self):
        words = ["--levels", "1", "--iterations", "3", "-q", "--json", "report.json"]
        self.expect(0, "", "register", "unbiased", *PAIR, *BY_POINTS, *words)
        report = json.loads((self.folder / "report.json").read_text())
        points, alignment = report["points"], report["alignment"]
        self.assertAlmostEqual(points["distance_before"]["mean_mm"], 0.7, places=5)
        for i, (_, fixed, moving) in enumerate(POINTS):
            to = [sum(m * x for m, x in zip(row, fixed)) + o for row, o in zip(alignment["matrix"], alignment["offset_mm"])]
            self.assertAlmostEqual(points["distance_aligned"]["each_mm"][i], math.dist(to, moving), places=4)


class Labels(TermsTest):
    def test_they_pull_where_they_have_a_weight(self):
        overlap = {}
        for weight in "0", "1":
            report = self.report("fixed.mha", "fixed.mha", *BY_LABELS, "--label-weight", weight, iterations=50)
            overlap[weight] = report["overlap"]["after"]
            self.assertEqual("labels" in report["energy"], weight == "1")
            self.assertEqual("label_energy" in report["iterations"], weight == "1")
        # The images are the same one, and tell nothing.
        for label in ["7", str(2**40)]:
            self.assertGreater(overlap["1"]["labels"][label], overlap["0"]["labels"][label] + 0.02)

    def test_alone(self):
        for command in ["unbiased", "greedy", "symmetric"]:
            report = self.report(*BY_LABELS, "--label-weight", "1", command=command, iterations=50)
            self.assertEqual(report["grid"], "fixed_labels.mha")
            self.assertGreater(report["overlap"]["after"]["mean"], report["overlap"]["before"]["mean"] + 0.02)

    def test_a_label_of_weight_0_tells_its_overlap_alone(self):
        words = [*BY_LABELS, "--label-weight", "1"]
        both = self.field(*words)
        self.expect_same(self.field(*words, "--weight-of-label", "others=1"), both)
        one = self.field(*words, "--weight-of-label", "7=0")
        self.expect_other(one, both)
        self.expect_same(self.field(*words, "--weight-of-label", f"others=0,{2**40}=1"), one)
        self.assertIn("7", self.report(*words, "--weight-of-label", "7=0")["overlap"]["after"]["labels"])


class Lists(TermsTest):
    LIST = ["--pairs", "pairs.csv", "--table", "table.csv"]

    def test_columns(self):
        self.write("far.tfm", TRANSLATION.format(0.5).encode())
        self.write("pairs.csv", (
            b"name,fixed,moving,fixed_2,moving_2,fixed_mask_2,moving_transform_2,fixed_3,moving_3,fixed_points,moving_points\n"
            b"one,fixed.mha,moving.mha,fixed2.mha,moving2.mha,half.mha,far.tfm,fixed.mha,moving.mha,fixed.csv,moving.csv\n"
            b"two,fixed.mha,moving.mha,fixed2.mha,moving2.mha,,,fixed.mha,moving.mha,,\n"))  # fmt: skip
        options = ["--iterations", "5", "--channel-metric", "local-correlation,mean-squares", "--channel-weights", "1,2,1"]
        outputs = ["--output-field", "{name}.mha", "--json", "{name}.json"]
        self.expect(0, "", "register", "unbiased", *self.LIST, *outputs, *QUICK, *options)
        further = [*CHANNEL, "--channel", *PAIR, *options]
        masked = ["--channel-fixed-mask", "half.mha", "--channel-fixed-mask", "none"]
        moved = ["--channel-moving-transform", "far.tfm", "--channel-moving-transform", "none"]
        for name, words in [("one", [*masked, *moved, *BY_POINTS]), ("two", [])]:
            alone = ["--output-field", "alone.mha"]
            self.expect(0, "", "register", "unbiased", *PAIR, *further, *words, *alone, *QUICK)
            self.assertEqual((self.folder / f"{name}.mha").read_bytes(), (self.folder / "alone.mha").read_bytes(), name)
        report = json.loads((self.folder / "one.json").read_text())
        with open(self.folder / "table.csv", newline="", encoding="utf-8") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        for when in "before", "after":
            for figure in "mean", "maximum":
                expected = report["points"][f"distance_{when}"][f"{figure}_mm"]
                self.assertEqual(float(rows["one"][f"points_{figure}_{when}_mm"]), expected)
                self.assertEqual(rows["two"][f"points_{figure}_{when}_mm"], "")
        # Another mask is another input.
        resumed = self.expect(0, "", "register", "unbiased", *self.LIST, *outputs, *[q for q in QUICK if q != "-q"], *options, "--resume")
        self.assertIn("0 pairs done, 2 skipped", resumed)


if __name__ == "__main__":
    programs.run_tests()
