# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests landmarks as other programs write them: that each file gives the points of its generator, that points are matched by their
labels, and that outputs carry what inputs say.

    python3 test_files_points.py LANDMARKS
"""

import csv
import io
import json
import math
import unittest

import point_files
import programs

# Numbers with few digits, so that every format holds them exactly; no two coordinates are equal.
POINTS = [[1.5, -20.25, 3.0], [40.125, 5.0, -60.5], [-7.75, 8.5, 9.25], [10.0, 61.5, -12.0], [33.0, -34.5, 35.25]]
LABELS = ["nasion", "left ear", "right, ear", 'the "tip"', "F-5"]
SHIFT = [0.5, -1.0, 2.0]
TARGET = [[a + b for a, b in zip(p, SHIFT)] for p in POINTS]
IDENTITY = (
    "#Insight Transform File V1.0\n#Transform 0\nTransform: TranslationTransform_double_3_3\nParameters: 0 0 0\nFixedParameters:\n"
)
QUICK = ["--sigma", "60", "--time-steps", "5", "--iterations", "30", "--threads", "1"]


def turned(points):
    return [[-x, -y, z] for x, y, z in points]


def table(rows, separator=",", end="\n", quote='"'):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quotechar=quote, lineterminator=end).writerows(rows)
    return text.getvalue()


def with_commas(text):
    return text.replace(".", ",")


def fcsv(points, labels=None, system="LPS", tail=""):
    """As 3D Slicer writes it."""
    own = turned(points) if system in ("RAS", "0") else points
    head = "# Markups fiducial file version = 4.11\n" + (f"# CoordinateSystem = {system}\n" if system else "")
    head += "# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n"
    names = labels or [f"F-{i + 1}" for i in range(len(points))]
    rows = [[f"vtkMRMLMarkupsFiducialNode_{i}", *p, 0, 0, 0, 1, 1, 1, 0, n, "", ""] for i, (p, n) in enumerate(zip(own, names))]
    return head + "".join(line + tail + "\n" for line in table(rows).splitlines())


def slicer3(points):
    rows = "".join(f"P{i},{x},{y},{z},1,1\n" for i, (x, y, z) in enumerate(turned(points)))
    return f"# Fiducial List file /tmp/L.fcsv\n# version = 2\n# name = L\n# numPoints = {len(points)}\n# columns = label,x,y,z,sel,vis\n" + rows


def tables():
    """Files of other programs and people: a name, the contents, and the labels in it."""
    rows = [list(p) for p in POINTS]
    named = [[*p, n] for p, n in zip(POINTS, LABELS)]
    plain = table([["x", "y", "z"], *rows])
    fixed = lambda separator: "\n".join(separator.join(f"{x:.18e}" for x in p) for p in POINTS) + "\n"
    return [
        ("ants.csv", table([["x", "y", "z", "t", "label", "comment"], *[[*p, 0, n, ""] for p, n in zip(POINTS, LABELS)]]), LABELS),
        ("ants.csv", table([["x", "y", "z", "t"], *[[*p, 0] for p in POINTS]]), None),
        ("capitals.csv", table([["Group", "Z", "LABEL", "X", "Y"], *[["g", z, n, x, y] for (x, y, z), n in zip(POINTS, LABELS)]]), LABELS),
        ("units.csv", table([["X [mm]", "Y (mm)", "z_mm"], *rows]), None),
        ("names.csv", table([["Name", "x", "y", "z"], *[[n, *p] for p, n in zip(POINTS, LABELS)]]), LABELS),
        ("semicolons.csv", table([["x", "y", "z", "label"], *named], ";"), LABELS),
        ("commas.csv", with_commas(table([["x", "y", "z"], *rows], ";")), None),
        ("commas.csv", with_commas(table(rows, ";")), None),
        ("commas.txt", with_commas(table([["x", "y", "z"], *rows], "\t")), None),
        ("quoted.csv", 'x,y,z\n' + "".join(",".join(f'"{with_commas(str(x))}"' for x in p) + "\n" for p in POINTS), None),
        ("tabs.csv", table([["x", "y", "z", "label"], *named], "\t"), LABELS),
        ("tabs.tsv", table([["x", "y", "z", "label"], *named], "\t"), LABELS),
        ("tabs.txt", table([["label", "x", "y", "z"], *[[n, *p] for p, n in zip(POINTS, LABELS)]], "\t"), LABELS),
        ("blanks.csv", table(rows, " "), None),
        ("blanks.txt", "x y z\n" + "".join(f"  {x}   {y}\t{z}  \n" for x, y, z in POINTS), None),
        ("labels.txt", "".join(f"P{i} {x} {y} {z}\n" for i, (x, y, z) in enumerate(POINTS)), [f"P{i}" for i in range(5)]),
        ("labels.csv", table(named), LABELS),
        ("excel.csv", "\ufeffsep=;\r\n" + table([["x", "y", "z"], *rows], ";", "\r\n"), None),
        ("bom.csv", "\ufeff" + plain, None),
        ("crlf.csv", plain.replace("\n", "\r\n"), None),
        ("mac.csv", plain.replace("\n", "\r"), None),
        ("trailing.csv", plain.replace("\n", ",,\n"), None),
        ("trailing.csv", table(rows).replace("\n", ",\n"), None),
        ("trailing.csv", plain.replace("y,z\n", "y,z,,\n"), None),
        ("empty.csv", "\n" + plain.replace("\n", "\n\n,,\n") + "\n\n", None),
        ("noend.csv", plain[:-1], None),
        ("numpy.txt", fixed(" "), None),
        ("numpy.txt", "# x y z\n" + fixed(" "), None),
        ("numpy.csv", fixed(","), None),
        ("numpy.csv", "# x,y,z\n" + fixed(","), None),
        ("numpy.csv", "# z,y,x\n" + "\n".join(",".join(map(str, p[::-1])) for p in POINTS), None),
        ("numpy.csv", "# three numbers each\n" + fixed(","), None),
        ("pandas.csv", table([["", "x", "y", "z"], *[[i, *p] for i, p in enumerate(POINTS)]]), None),
        ("pandas.csv", table([["", "x", "y", "z"], *[[n, *p] for p, n in zip(POINTS, LABELS)]]), LABELS),
        ("pandas.csv", table([["index", "z", "y", "x"], *[[i, *p[::-1]] for i, p in enumerate(POINTS)]]), None),
        ("slicer.csv", table([["label", "l", "p", "s", "defined", "selected", "visible", "locked", "description"],
                              *[[n, *p, 1, 1, 1, 0, ""] for p, n in zip(POINTS, LABELS)]]), LABELS),
        ("slicer.csv", table([["label", "R", "A", "S"], *[[n, *p] for p, n in zip(turned(POINTS), LABELS)]]), LABELS),
        ("lps.fcsv", fcsv(POINTS, LABELS), LABELS),
        ("lps.fcsv", fcsv(POINTS, LABELS, "1"), LABELS),
        ("ras.fcsv", fcsv(POINTS, LABELS, "RAS"), LABELS),
        ("ras.fcsv", fcsv(POINTS, LABELS, "0"), LABELS),
        ("new.fcsv", fcsv(POINTS, LABELS, "LPS", ",2,0"), LABELS),
        ("crlf.fcsv", fcsv(POINTS, LABELS).replace("\n", "\r\n"), LABELS),
        ("bare.fcsv", "".join(line + "\n" for line in fcsv(POINTS).splitlines() if not line.startswith("# columns")), [f"F-{i + 1}" for i in range(5)]),
        ("slicer3.fcsv", slicer3(POINTS), [f"P{i}" for i in range(5)]),
        ("slicer3.fcsv", slicer3(POINTS).replace("# columns = label,x,y,z,sel,vis\n", ""), [f"P{i}" for i in range(5)]),
        ("elastix.pts", "point\n5\n" + point_files.text_of(POINTS), None),
        ("elastix.txt", "point\r\n5\r\n" + point_files.text_of(POINTS).replace("\n", "\r\n"), None),
    ]


class PointsTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("identity.tfm", IDENTITY.encode())
        self.write("template.csv", table([["x", "y", "z", "label"], *[[*p, n] for p, n in zip(POINTS, LABELS)]]).encode())
        self.write("target.csv", table([["x", "y", "z", "label"], *[[*p, n] for p, n in zip(TARGET, LABELS)]]).encode())

    def carry(self, name, output, words=""):
        """Writes points through the identity."""
        return self.expect(0, words, "landmarks", "warp", "identity.tfm", "--points", name, "-o", output, "--threads", "1", "-q")

    def refuse(self, name, content, words):
        self.write(name, content if isinstance(content, bytes) else content.encode())
        arguments = ["warp", "identity.tfm", "--points", name, "-o", "o.csv", "-q"]
        self.expect(1, f"cannot read {name}: ", "landmarks", *arguments)
        self.expect(1, words, "landmarks", *arguments)
        self.assertNotIn("o.csv", self.names())

    def match(self, words, template, target, *arguments, status=0):
        return self.expect(status, words, "landmarks", "match", template, target, *QUICK, *arguments)

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def points(self, name):
        return [[float(row[axis]) for axis in "xyz"] for row in self.rows(name)]

    def markup(self, name):
        return json.loads((self.folder / name).read_text())["markups"][0]

    def report(self):
        return json.loads((self.folder / "report.json").read_text())


class Reading(PointsTest):
    def test_tables(self):
        for name, content, labels in tables():
            with self.subTest(name=name, content=content[:100]):
                self.write(name, content.encode())
                self.carry(name, "o.csv")
                self.assertEqual(self.points("o.csv"), POINTS)
                self.assertEqual([row.get("label") for row in self.rows("o.csv")], labels or [None] * 5)

    def test_targets_of_all_formats_give_the_same_map(self):
        self.match("", "template.csv", "target.csv", "-o", "map.tfm", "-q")
        expected = (self.folder / "map.tfm").read_text()
        for name, content in [
            ("t.fcsv", fcsv(TARGET, LABELS, "RAS")),
            ("t.mrk.json", point_files.markups(TARGET, "RAS").decode()),
            ("t.pts", "point\n5\n" + point_files.text_of(TARGET)),
            ("t.csv", with_commas(table([["Z", "Y", "X"], *[p[::-1] for p in TARGET]], ";"))),
        ]:
            self.write(name, content.encode())
            self.match("", "template.csv", name, "-o", "map.tfm", "-q")
            self.assertEqual((self.folder / "map.tfm").read_text(), expected, name)

    def test_two_axes(self):
        for name, content in [("flat.csv", "Y;X\n2,5;1,5\n-4;3\n"), ("flat.pts", "point\n2\n1.5 2.5\n3 -4\n"), ("flat.txt", "label y x\na 2.5 1.5\nb -4 3\n")]:
            self.write(name, content.encode())
            self.write("flat.tfm", IDENTITY.replace("3_3", "2_2").replace("0 0 0", "0 0").encode())
            self.expect(0, "", "landmarks", "warp", "flat.tfm", "--points", name, "-o", "o.csv", "-q")
            self.assertEqual([(float(row["x"]), float(row["y"])) for row in self.rows("o.csv")], [(1.5, 2.5), (3.0, -4.0)], name)

    def test_what_is_assumed_is_said(self):
        self.write("a.fcsv", fcsv(turned(POINTS), system="").encode())
        self.carry("a.fcsv", "o.csv", "a.fcsv does not say its CoordinateSystem; it is taken for RAS")
        self.assertEqual(self.points("o.csv"), POINTS)
        self.write("a.csv", with_commas(table([["x", "y", "z"], *POINTS], ";")).encode())
        self.carry("a.csv", "o.csv", "a.csv has commas in its numbers, as ")
        self.write("a.csv", table([["x", "y", "z", "group", "Notes"], *[[*p, 1, ""] for p in POINTS]]).encode())
        self.carry("a.csv", "o.csv", "a.csv has further columns, which take no part: group, Notes")

    def test_several_lists_of_markups(self):
        lists = [json.loads(point_files.markups(POINTS[:2], "LPS"))["markups"][0], json.loads(point_files.markups(POINTS[2:], "RAS"))["markups"][0]]
        self.write("two.mrk.json", json.dumps({"markups": lists}).encode())
        self.carry("two.mrk.json", "o.csv", "two.mrk.json has 2 lists of markups, whose points")
        self.assertEqual(self.points("o.csv"), POINTS)

    def test_points_without_a_place_are_left_out_and_named(self):
        rows = [[*p, n] for p, n in zip(POINTS, LABELS)]
        rows[1][:3] = ["", "", ""]
        markups = json.loads(point_files.markups(POINTS))
        markups["markups"][0]["controlPoints"][1].update(positionStatus="undefined", position=[0, 0, 0])
        markups["markups"][0]["controlPoints"][1].pop("position")
        for name, content, label in [
            ("a.mrk.json", json.dumps(markups), "P-1"),
            ("a.csv", table([["x", "y", "z", "label"], *rows]), "left ear"),
            ("a.csv", table([["x", "y", "z", "label"], *rows]).replace(",,,", "nan,nan,NaN,"), "left ear"),
            ("a.csv", table([["x", "y", "z", "label"], *rows]).replace(",,,", "n/a,n/a,n/a,"), "left ear"),
            ("a.tsv", table([["x", "y", "z", "label"], *rows], "\t").replace("\t\t\t", "NA\tNA\tNA\t"), "left ear"),
            ("a.fcsv", fcsv(POINTS, tail=",2,0").replace("F-2,,,2,0", "F-2,,,0,0"), "F-2"),
            ("a.csv", table([["label", "l", "p", "s", "defined"], *[[n, *p, int(i != 1)] for i, (p, n) in enumerate(zip(POINTS, LABELS))]]), "left ear"),
            ("a.csv", table([["l", "p", "s", "defined"], *[[*p, int(i != 1)] for i, p in enumerate(POINTS)]]), "the point in line 3"),
        ]:
            self.write(name, content.encode())
            self.carry(name, "o.csv", f"{name} has points without a place, which are left out: {label}\n")
            self.assertEqual(self.points("o.csv"), [POINTS[0], *POINTS[2:]], name)

    def test_refusals(self):
        markup = '{"markups": [{"controlPoints": [{"label": "a", "position": [1, 2, 3]}]}]}'
        for name, content, words in [
            ("a.csv", "x;y;z\n1,5;2.5;3\n", "it has numbers with commas, as 1,5, and with points, as 2.5"),
            ("a.csv", "x;y;z\n1.234,5;2;3\n", 'the x in line 2 is "1.234,5"; it must be a finite number, with one mark'),
            ("a.csv", "x,y,z\n1,5,2,5,3,5\n", "line 2: it has 6 values; the first line names 3 columns; where commas are those of decimals, semicolons"),
            ("a.csv", "X,Y,Z\n1,2,0x10\n", 'the Z in line 2 is "0x10"'),
            ("a.csv", "x,y,z,label\n1,,3,a\n", 'the y in line 2 is ""'),
            ("a.csv", "1.5,2.5,a\n3,-4,b\n", "it has no column x; its columns are 1.5, 2.5, a"),
            ("a.csv", "a,b,c\n1,2,3\n", "it has no column x; its columns are a, b, c"),
            ("a.csv", "x,y,X\n1,2,3\n", 'column 3 is named "X", as one before it'),
            ("a.csv", "x,y\n1,2\n".encode("utf-16"), "it is text of 16 bits (UTF-16); save it as UTF-8"),
            ("a.csv", "x,y,z,label\n,,,a\n", "none of its points has a place"),
            ("a.pts", "index\n1\n1 2 3\n", "places are indices of voxels then, which cannot be used without their image"),
            ("a.pts", "3\n1 2 3\n4 5 6\n7 8 9\n", "places are indices of voxels then"),
            ("a.pts", "point\n2\n1 2 3\n4 5\n", "it has 5 coordinates, and says that there are 2 points"),
            ("a.txt", "index\n1\n1 2 3\n", "places are indices of voxels then"),
            ("a.fcsv", fcsv(POINTS, system="IJK"), 'CoordinateSystem is "IJK"; it must be LPS'),
            ("a.fcsv", fcsv(POINTS)[:-60], "line 8: it has 1 values; there are 14 columns\n"),
            ("a.json", '{"markups": []}'.encode("utf-16"), "it is text of 16 bits (UTF-16); save it as UTF-8"),
            ("a.json", b'{"markups": \xe9\xff', "last read: '\"markups\": ?'\n"),
            ("a.pts", "point\n1\n1 2 3\n".encode("utf-16"), "it is text of 16 bits (UTF-16); save it as UTF-8"),
            ("lh.a.label", "#!ascii label\n1\n0 1 2 3 0\n", "its ending is that of no file of points"),
            ("a.json", markup.replace("[1, 2, 3]", '["1", "2", "3"]'), 'control point 1 cannot be used: its position is ["1","2","3"]; it must be 3 numbers'),
            ("a.json", markup.replace("[1, 2, 3]", "true"), "its position is true; it must be 3 numbers"),
            ("a.json", markup.replace("[1, 2, 3]", "[1, 2]"), "it has no position of 3 numbers"),
            ("a.json", '{"markups": ' + "[" * 200000, "it has more than 100 brackets in one another"),
        ]:
            self.refuse(name, content, words)


class Labels(PointsTest):
    def write_points(self, name, points, labels):
        self.write(name, table([["x", "y", "z", "label"], *[[*p, n] for p, n in zip(points, labels)]]).encode())

    def test_order_does_not_matter(self):
        self.match("", "template.csv", "target.csv", "--output-points", "expected.csv", "-q")
        order = [3, 0, 4, 1, 2]
        self.write_points("shuffled.csv", [TARGET[i] for i in order], [LABELS[i] for i in order])
        words = "shuffled.csv: 5 points are matched with those of template.csv by their labels\n"
        out = self.match(words, "template.csv", "shuffled.csv", "--output-points", "o.csv", "--json", "report.json")
        self.assertIn("5 points matched by label", out)
        self.assertEqual((self.folder / "o.csv").read_text(), (self.folder / "expected.csv").read_text())
        target = self.report()["targets"][0]
        self.assertEqual((target["matched_by"], target["matched_points"]), ("label", 5))
        self.assertEqual(target["left_out"], {"template": [], "target": []})

    def test_points_that_one_file_lacks(self):
        self.write("target.fcsv", fcsv([TARGET[4], TARGET[0], TARGET[2], [0, 0, 0]], [LABELS[4], LABELS[0], LABELS[2], "extra"]).encode())
        words = "target.fcsv: 3 points are matched with those of template.csv by their labels; left out, because template.csv alone has them: "
        outputs = ["--output-points", "o.csv", "--output-momenta", "m.csv", "--output-trajectory", "t.csv", "--json", "report.json", "-o", "map.tfm", "-q"]
        self.match(words + 'left ear, the "tip"; left out, because target.fcsv alone has them: extra\n', "template.csv", "target.fcsv", *outputs)
        target = self.report()["targets"][0]
        self.assertEqual(target["left_out"], {"template": ["left ear", 'the "tip"'], "target": ["extra"]})
        self.assertEqual((target["matched_by"], target["matched_points"]), ("label", 3))
        # The map is that of the three points, and the template's other points go where it takes them.
        self.write_points("a.csv", [POINTS[i] for i in (0, 2, 4)], [LABELS[i] for i in (0, 2, 4)])
        self.write_points("b.csv", [TARGET[i] for i in (0, 2, 4)], [LABELS[i] for i in (0, 2, 4)])
        self.match("", "a.csv", "b.csv", "-o", "alone.tfm", "-q")
        self.assertEqual((self.folder / "alone.tfm").read_text(), (self.folder / "map.tfm").read_text())
        self.expect(0, "", "landmarks", "warp", "map.tfm", "--points", "template.csv", "-o", "w.csv", "-q")
        self.assertEqual([row["label"] for row in self.rows("o.csv")], LABELS)
        for p, q in zip(self.points("o.csv"), self.points("w.csv")):
            self.assertLess(math.dist(p, q), 1e-4)
        self.assertEqual([[float(row[axis]) for axis in "xyz"] for row in self.rows("m.csv")], [POINTS[i] for i in (0, 2, 4)])
        self.assertEqual(len(self.rows("t.csv")), 6 * 3)

    def test_targets_that_lack_different_points(self):
        names = []
        for i in range(3):
            kept = [k for k in range(5) if k != i or i == 2]
            names.append(f"t{i}.csv")
            self.write_points(names[-1], [TARGET[k] for k in kept], [LABELS[k] for k in kept])
        self.expect(0, "", "landmarks", "match", "template.csv", *names, *QUICK, "-q", "-o", "{name}.tfm", "--json", "report.json")
        self.assertEqual([t["matched_points"] for t in self.report()["targets"]], [4, 4, 5])
        for i, name in enumerate(names):
            self.match("", "template.csv", name, "-o", "alone.tfm", "-q")
            self.assertEqual((self.folder / "alone.tfm").read_text(), (self.folder / f"t{i}.tfm").read_text())

    def test_order_where_labels_do_not_tell(self):
        order = [3, 0, 4, 1, 2]
        for labels in (["a"] * 5, ["a", "b", "c", "d", ""], ["1", "2", "2", "3", "4"]):
            self.write_points("t.csv", TARGET, labels)
            self.match("", "template.csv", "t.csv", "--json", "report.json", "-q")
            self.assertEqual(self.report()["targets"][0]["matched_by"], "order")
            self.write_points("t.csv", TARGET[:4], labels[:4] if labels[4] else ["a", "b", "c", ""])
            self.match("cannot read t.csv: it has 4 points, and template.csv 5", "template.csv", "t.csv", "--json", "report.json", status=1)
        self.write_points("t.csv", TARGET, [f"G-{i}" for i in order])
        self.match("t.csv has no label of template.csv; points are matched by their order", "template.csv", "t.csv", "--json", "report.json", "-q")
        # Without a place, and with labels that are not unique, order does not tell either.
        rows = [["x", "y", "z", "label"], *[[*p, "a"] for p in POINTS], ["", "", "", "a"]]
        self.write("t.csv", table(rows).encode())
        status, _, error = self.run_program("landmarks", "match", "template.csv", "t.csv", *QUICK, "--json", "report.json")
        self.assertEqual(status, 1)
        self.assertIn("it has points without a place, so that their order does not tell", error)

    def test_weights_by_label(self):
        order = [3, 0, 4, 1, 2]
        weights = [0.0, 1.0, 2.0, 3.0, 4.0]
        self.write("w.csv", table([["weight"], *[[w] for w in weights]]).encode())
        self.match("", "template.csv", "target.csv", "--weights", "w.csv", "-o", "map.tfm", "-q")
        self.write("w2.tsv", table([["Label", "weight"], *[[LABELS[i], weights[i]] for i in order]], "\t").encode())
        self.match("", "template.csv", "target.csv", "--weights", "w2.tsv", "-o", "map2.tfm", "-q")
        self.assertEqual((self.folder / "map.tfm").read_text(), (self.folder / "map2.tfm").read_text())
        self.write("w2.csv", table([["label", "weight"], *[[LABELS[i], weights[i]] for i in order[1:]]]).encode())
        self.match('w2.csv: it has no weight of the "tip", which template.csv has', "template.csv", "target.csv", "--weights", "w2.csv", "-o", "o.tfm", status=1)


class Writing(PointsTest):
    def test_fcsv(self):
        self.carry("template.csv", "o.fcsv")
        text = (self.folder / "o.fcsv").read_text()
        self.assertIn("# CoordinateSystem = LPS\n", text)
        rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
        self.assertEqual([[float(x) for x in row[1:4]] for row in rows], POINTS)
        self.assertEqual([row[11] for row in rows], LABELS)
        self.assertEqual([row[4:11] for row in rows], [["0", "0", "0", "1", "1", "1", "0"]] * 5)

    def test_elastix(self):
        self.write("a.txt", point_files.txt(POINTS))
        self.carry("a.txt", "o.pts")
        words = (self.folder / "o.pts").read_text().split()
        self.assertEqual((words[:2], [float(x) for x in words[2:]]), (["point", "5"], [x for p in POINTS for x in p]))

    def test_labels_with_all_marks_go_round(self):
        for first, second in [("o.fcsv", "o.mrk.json"), ("o.mrk.json", "o.fcsv")]:
            self.carry("template.csv", first)
            self.carry(first, second)
            self.carry(second, "o.csv")
            self.assertEqual(([row["label"] for row in self.rows("o.csv")], self.points("o.csv")), (LABELS, POINTS))

    def test_fields_of_slicer(self):
        rows = [["id", "x", "y", "z", "vis", "sel", "lock", "label", "desc", "associatedNodeID"]]
        rows += [[f"n{i}", *p, i % 2, 1, i == 2, n, f"about {n}", "node"] for i, (p, n) in enumerate(zip(POINTS, LABELS))]
        self.write("a.csv", table(rows).replace("True", "1").replace("False", "0").encode())
        self.carry("a.csv", "o.fcsv")
        self.carry("o.fcsv", "o.mrk.json")
        points = self.markup("o.mrk.json")["controlPoints"]
        for i, (point, label) in enumerate(zip(points, LABELS)):
            self.assertEqual((point["id"], point["label"], point["description"]), (f"n{i}", label, f"about {label}"))
            self.assertEqual((point["visibility"], point["locked"], point["associatedNodeID"]), (bool(i % 2), i == 2, "node"))
            self.assertNotIn("selected", point)

    def test_markups_stay(self):
        content = json.loads(point_files.markups(POINTS, "RAS", type="Curve", name="a curve", display={"color": [1, 0.5, 0]}, measurements=[{"name": "length"}]))
        points = content["markups"][0]["controlPoints"]
        for i, point in enumerate(points):
            point.update(description=f"d{i}", locked=True, orientation=[1, 0, 0, 0, 0, 1, 0, -1, 0] if i == 3 else [1, 0, 0, 0, 1, 0, 0, 0, 1])
        self.write("a.mrk.json", json.dumps(content).encode())
        self.carry("a.mrk.json", "o.mrk.json")
        markup = self.markup("o.mrk.json")
        self.assertEqual((markup["type"], markup["name"], markup["display"]), ("Curve", "a curve", {"color": [1, 0.5, 0]}))
        self.assertEqual(markup["coordinateSystem"], "LPS")
        # They are those of the curve that was.
        self.assertNotIn("measurements", markup)
        for i, point in enumerate(markup["controlPoints"]):
            self.assertEqual((point["label"], point["description"], point["locked"], point["position"]), (f"P-{i}", f"d{i}", True, POINTS[i]))
        # The axes of the fourth point in LPS: those in RAS with x and y turned.
        self.assertEqual(markup["controlPoints"][3]["orientation"], [-1, 0, 0, 0, 0, -1, 0, -1, 0])

    def test_planes_become_lists(self):
        content = point_files.markups(POINTS, type="Plane", name="a plane", measurements=[], planeType="pointNormal", size=[2, 3])
        self.write("a.mrk.json", content)
        self.carry("a.mrk.json", "o.mrk.json", 'a.mrk.json is of type "Plane"; its control points become a list of points, without name, planeType, size\n')
        self.assertEqual(self.markup("o.mrk.json")["type"], "Fiducial")

    def test_tabs(self):
        self.carry("template.csv", "o.tsv")
        self.assertEqual((self.folder / "o.tsv").read_text().splitlines()[:2], ["x\ty\tz\tlabel", "1.5\t-20.25\t3\tnasion"])
        self.carry("o.tsv", "o.csv")
        self.assertEqual(([row["label"] for row in self.rows("o.csv")], self.points("o.csv")), (LABELS, POINTS))

    def test_columns_of_ants(self):
        rows = [["x", "y", "z", "t", "label", "comment"], *[[*p, 0, i, f"c{i}"] for i, p in enumerate(POINTS)]]
        self.write("a.csv", table(rows).encode())
        self.carry("a.csv", "o.csv")
        self.assertEqual((self.folder / "o.csv").read_text().splitlines()[0], "x,y,z,t,label,comment")
        self.assertEqual([row["comment"] for row in self.rows("o.csv")], [f"c{i}" for i in range(5)])
        self.carry("a.csv", "o.fcsv", "o.fcsv has no place for what else the input says of points: t\n")
        self.assertIn(",2,c2,", (self.folder / "o.fcsv").read_text())
        self.carry("a.csv", "o.pts", "o.pts has no place for what else the input says of points: label, t, comment\n")


if __name__ == "__main__":
    programs.run_tests()
