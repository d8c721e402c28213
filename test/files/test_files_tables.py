# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests tables whose lines are not those of the file.

    python3 test_files_tables.py LANDMARKS
"""

import programs
import test_files_points as points
from test_files_points import LABELS, POINTS, table


class Lines(points.PointsTest):
    def test_breaks_of_lines_in_quotation_marks(self):
        """As Excel and pandas write them: they become blanks."""
        self.refuse("a.csv", 'x,y,z,label\n1,2,3,"a\nb"\n1,2,c,"d"\n', 'the z in line 4 is "c"')
        self.refuse("a.csv", 'x,y,z,label\n1,2,3,"a\nb\n4,5,6,c\n', "line 2: the quotation mark has no second one")
        rows = [["x", "y", "z", "a\nlabel", "label"], *[[*p, "one\nof, them", f'the "{n}"\nof it'] for p, n in zip(POINTS, LABELS)]]
        for separator, end in ((",", "\n"), (";", "\r\n"), ("\t", "\r")):
            self.write("a.csv", table(rows, separator).replace("\n", end).encode())
            self.carry("a.csv", "o.csv")
            self.assertEqual((self.points("o.csv"), [row["label"] for row in self.rows("o.csv")]), (POINTS, [f'the "{n}" of it' for n in LABELS]))
            self.assertEqual([row["a label"] for row in self.rows("o.csv")], ["one of, them"] * 5)


if __name__ == "__main__":
    programs.run_tests()
