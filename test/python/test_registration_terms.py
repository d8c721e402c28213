# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks the experiment experiments/registration_terms.py on label maps of a few boxes: contrasts, known maps, files, and tables."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

import numpy as np

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

HAS_SCIPY = importlib.util.find_spec("scipy") is not None
if HAS_SCIPY:
    import contrast_heads as heads
    import drawn_heads
    import nifti
    import registration_terms
    import registration_terms_labels as brains
import registration_terms_tables as tables  # noqa: E402

# As SynthSeg's label maps lie: from left to right, down, and to the front.
AFFINE = np.array([[-1, 0, 0, 20.0], [0, 0, 1, -30.0], [0, -1, 0, 40.0], [0, 0, 0, 1]])


def boxes(shape=(40, 44, 48)):
    """Soft tissue, white matter inside, and in it thalamus and putamen of both sides."""
    labels = np.zeros(shape, np.int16)
    labels[4:-4, 4:-4, 4:-4] = 507
    labels[8:-8, 8:-8, 8:-8] = 2
    for number, i, k in ((10, 12, 12), (49, 22, 12), (12, 12, 28), (51, 22, 28)):
        labels[i : i + 7, 14:30, k : k + 8] = number
    return drawn_heads.Lattice(labels, AFFINE.copy())


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Contrasts(unittest.TestCase):
    def test_each_hides_what_it_says_and_nothing_else(self):
        for contrast, (_, hidden) in heads.CONTRASTS.items():
            values = heads.contrast_values(contrast)
            for pair in heads.BORDERS:
                if set(pair) & set(hidden):
                    continue
                difference = abs(float(values[heads.tissue_of(pair[0])]) - values[heads.tissue_of(pair[1])])
                self.assertGreaterEqual(difference, heads.LEAST_STEP, (contrast, pair))
            for label in hidden:
                self.assertEqual(values[heads.tissue_of(label)], values[heads.tissue_of(2)], contrast)

    def test_what_hides_nothing_differs_in_the_hidden_structure_alone(self):
        for contrast in ("t1", "t2"):
            differs = np.flatnonzero(heads.contrast_values(contrast) != heads.contrast_values(f"{contrast}_shown"))
            self.assertEqual(differs.tolist(), [heads.tissue_of(heads.CONTRASTS[contrast][1][0])])


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class KnownMaps(unittest.TestCase):
    def setUp(self):
        self.labels = boxes()
        self.known = heads.KnownMap(self.labels.voxels.shape, heads.generator_of("01", 50))

    def test_jacobian_is_near_its_bound(self):
        least = self.known.jacobians(1).min()
        # Found on a coarser grid.
        self.assertGreater(least, heads.LEAST_JACOBIAN - 0.1)
        self.assertLess(least, heads.LEAST_JACOBIAN + 0.1)

    def test_the_border_stays(self):
        corner = np.array(self.known.shape, float)[:, None] - 1
        for places in (np.zeros((3, 1)), corner, np.array([[0.0], [20], [30]])):
            np.testing.assert_allclose(self.known.displacements(places), 0, atol=1e-12)

    def test_warped_labels_and_known_places_agree(self):
        warped = self.known.warped(self.labels)
        pairs = heads.KnownPairs(warped, self.known, 200, np.random.default_rng(1))
        there = np.linalg.inv(AFFINE)[:3, :3] @ (pairs.moving - AFFINE[:3, 3]).T
        here = drawn_heads.structures_of(warped.voxels)[tuple(pairs.places.T.round().astype(int))]
        same = here == drawn_heads.structures_of(self.labels.voxels)[tuple(there.round().astype(int))]
        # But at borders, as places lie up to half a voxel from the center of theirs.
        self.assertGreater(same.mean(), 0.8)
        self.assertGreater(np.linalg.norm(pairs.fixed - pairs.moving, axis=1).max(), 1.0)


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_points_are_read_as_they_were_written(self):
        points = np.random.default_rng(2).normal(0, 50, (7, 3))
        heads.write_points(self.folder / "a.csv", points)
        np.testing.assert_array_equal(heads.read_points(self.folder / "a.csv"), points)
        first = (self.folder / "a.csv").read_text().splitlines()[1].split(",")
        self.assertEqual(float(first[1]), -points[0, 0])  # LPS

    def test_a_field_takes_places_where_it_says(self):
        field = np.zeros((4, 3, 2, 3), "<f4")  # [k, j, i]
        field[..., 0], field[..., 2] = 2.0, 0.5  # to the left, and up
        header = (
            "ObjectType = Image\nDimSize = 2 3 4\nElementNumberOfChannels = 3\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n"
        )
        (self.folder / "f.mha").write_bytes(header.encode() + field.tobytes())
        read = heads.read_field(self.folder / "f.mha")
        self.assertEqual(read.shape, (2, 3, 4, 3))
        places = np.array([[1.0, 1, 1], [0.5, 2, 3]])
        np.testing.assert_allclose(heads.mapped(read, AFFINE, places), heads.to_world(AFFINE, places) + [-2, 0, 0.5])

    def test_heads_are_drawn(self):
        nifti.write(self.folder / "seg_01.nii", boxes().voxels, AFFINE)
        tasks = registration_terms.tasks_of_head(self.folder / "seg_01.nii", self.folder, 1)
        self.assertEqual([task[1] for task in tasks], ["01"] * len(heads.CONTRASTS) + ["01d"])
        for task in tasks:
            registration_terms.draw_one(task)
        labels = nifti.read(heads.labels_path(self.folder, "01"))[0]
        thalamus = np.isin(labels, registration_terms.THALAMUS)
        white = labels == drawn_heads.STRUCTURES.index(2) + 1
        means = {
            name: [nifti.read(heads.image_path(self.folder, "01", name))[0][of].mean() for of in (thalamus, white)]
            for name in heads.CONTRASTS
        }
        # Blur and bias leave less than the step of shown borders.
        self.assertLess(abs(np.subtract(*means["t1"])), 0.5 * heads.LEAST_STEP)
        for name in ("t2", "all", "t1_shown"):
            self.assertGreater(abs(np.subtract(*means[name])), 0.5 * heads.LEAST_STEP, name)


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Labels(unittest.TestCase):
    def test_no_label_is_given_twice(self):
        folds = list(brains.folds_of(list(range(1, 33))))
        given = [number for one, _ in folds for number in one]
        self.assertEqual(len(folds), brains.FOLDS)
        self.assertEqual(len(set(given)), len(given))
        for one, others in folds:
            self.assertEqual((len(one), len(others)), (3, 29))
            self.assertEqual(set(one) | set(others), set(range(1, 33)))


class Tables(unittest.TestCase):
    def test_musts(self):
        rows = []
        for name, values in (("t1", (0.8, 0.6)), ("t2", (0.7, 0.7)), ("t1 + t2", (0.9, 0.8)), ("all", (1.0, 0.8))):
            for pair, value in zip(("01-02", "02-01"), values):
                rows.append({"method": "greedy", "channels": name, "pair": pair, "both": value, "mean": value / 2})
        cells = [cell.strip() for cell in tables.musts(rows)[2].split("|")[1:-1]]
        # Means are 0.7, 0.7, 0.85 and 0.9; against T1 alone the gains are 0.1 and 0.2.
        self.assertEqual(cells, ["greedy", "thalamus and putamen", "0.944", "0.944", "+0.150", "+0.100"])


if __name__ == "__main__":
    unittest.main()
