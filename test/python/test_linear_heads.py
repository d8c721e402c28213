# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Checks the experiment experiments/linear_heads.py on label maps of a few boxes: drawing, crops, files, and the measures."""

import importlib.util
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

HAS_SCIPY = importlib.util.find_spec("scipy") is not None
if HAS_SCIPY:
    import drawn_heads as heads
    import label_overlap
    import linear_heads
    import thin_stacks
import nifti  # noqa: E402
import pair_lists  # noqa: E402

# As SynthSeg's label maps lie: from left to right, down, and to the front.
AFFINE = np.array([[-1, 0, 0, 20.0], [0, 0, 1, -30.0], [0, -1, 0, 40.0], [0, 0, 0, 1]])


def boxes_of_structures(size=64):
    """Soft tissue with twelve structures of 6 x 6 x 6 to 10 x 8 x 6 voxels inside."""
    labels = np.zeros((size,) * 3, np.int16)
    labels[8:-8, 8:-8, 8:-8] = 507
    places = [(14 + 18 * a, 14 + 14 * b, 14 + 18 * c) for a in range(2) for b in range(3) for c in range(2)]
    for number, (i, j, k) in zip((2, 3, 8, 10, 11, 12, 41, 42, 47, 49, 50, 51), places):
        labels[i : i + 6 + number % 5, j : j + 6 + number % 3, k : k + 6] = number
    return heads.Lattice(labels, AFFINE.copy())


def structures_only(lattice):
    return heads.Lattice(heads.structures_of(lattice.voxels), lattice.affine)


def head_labels(lattice):
    return label_overlap.HeadLabels(structures_only(lattice))


def whole(lattice):
    return [[0, n] for n in lattice.voxels.shape]


class NiftiFiles(unittest.TestCase):
    def test_are_read_as_they_were_written(self):
        voxels = np.arange(3 * 4 * 5, dtype=np.int16).reshape(3, 4, 5)
        affine = np.diag([2.0, 3, 4, 1])
        affine[:3, :3] = np.array([[0.6, 0, 0.8], [0, -1, 0], [0.8, 0, -0.6]]) @ affine[:3, :3]
        affine[:3, 3] = 1, -2, 3
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.nii", "a.nii.gz"):
                nifti.write(pathlib.Path(folder) / name, voxels, affine)
                read, where = nifti.read(pathlib.Path(folder) / name)
                np.testing.assert_array_equal(read, voxels)
                np.testing.assert_allclose(where, affine, atol=1e-6)  # the header has single precision

    @unittest.skipUnless(HAS_SCIPY, "needs SciPy")
    def test_both_forms_of_a_header_say_the_same(self):
        for angles in ((10, 20, 30), (170, 0, 0), (0, 180, 0), (120, 50, -90)):
            for sign in (1, -1):
                affine = np.eye(4)
                affine[:3, :3] = heads.rotation(angles) * [2, 3, 4 * sign]
                affine[:3, 3] = 5, 6, -7
                with tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "a.nii"
                    nifti.write(path, np.zeros((2, 2, 2), np.uint8), affine)
                    content = bytearray(path.read_bytes())
                    struct.pack_into("<h", content, 254, 0)  # no sform
                    path.write_bytes(content)
                    # Single precision loses the square root of its 1e-7 where the quaternion's first component is near 0.
                    np.testing.assert_allclose(nifti.read(path)[1], affine, atol=4e-3)


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Drawing(unittest.TestCase):
    def test_a_pose_moves_labels_in_space(self):
        labels = boxes_of_structures()
        pose = heads.rigid([5, -10, 15], [3, -4, 5], labels.center)
        oblique = heads.oblique_affine(labels.center, 64, np.random.default_rng(3))
        before = head_labels(labels)
        shown = np.flatnonzero(before.counts)[1:]
        after = head_labels(heads.resampled(labels, oblique, labels.voxels.shape, pose)).centers[shown]
        # The center of a box of 6 voxels, sampled at the nearest voxels of a turned grid, moves by less than a third of a voxel.
        np.testing.assert_allclose(after, before.centers[shown] @ pose[:3, :3].T + pose[:3, 3], atol=0.3)

    def test_pooled_voxels_lie_where_their_parts_do(self):
        x = np.arange(8.0)
        lattice = heads.Lattice(x[:, None, None] + 10 * x[None, :, None] + 100 * x[None, None, :], AFFINE.copy())
        pool = heads.pooled(lattice, 2)
        self.assertEqual(pool.voxels[1, 2, 3], 2.5 + 45 + 650)
        np.testing.assert_allclose(pool.affine @ [1, 2, 3, 1], AFFINE @ [2.5, 4.5, 6.5, 1])

    def test_resizing_keeps_points(self):
        lattice = heads.Lattice(np.random.default_rng(0).integers(1, 9, (5, 8, 11)), AFFINE.copy())
        for size in (6, 7, 12):
            resized = heads.resampled(lattice.resized(size), lattice.affine, (5, 8, 11))
            kept = resized.voxels != 0
            np.testing.assert_array_equal(resized.voxels[kept], lattice.voxels[kept])
            self.assertEqual(kept.sum(), min(5, size) * min(8, size) * min(11, size))

    def test_each_tissue_has_its_intensity(self):
        labels = boxes_of_structures()
        image = heads.draw(labels, "t1", 1, np.random.default_rng(0))
        inner = np.median(image.voxels[16:19, 16:19, 16:19])
        # 170 of white matter, with twice 6 % from head to head and 20 % of bias.
        self.assertTrue(170 * 0.88 * 0.8 < inner < 170 * 1.12 * 1.2, inner)
        self.assertLess(image.voxels[:4].mean(), 15)  # air has noise of 6 alone

    def test_the_same_numbers_draw_the_same(self):
        labels = boxes_of_structures()
        images = [heads.draw(labels, "t2", 2, linear_heads.generator_of("03", 7)).voxels for _ in range(2)]
        np.testing.assert_array_equal(*images)

    def test_unknown_labels_are_named(self):
        labels = boxes_of_structures()
        labels.voxels[0, 0, 0] = 999
        with self.assertRaisesRegex(ValueError, "999"):
            heads.draw(labels, "t1", 1, np.random.default_rng(0))

    def test_crops_keep_the_upper_and_one_side(self):
        structures = structures_only(boxes_of_structures(128))
        where = np.nonzero(structures.voxels.any(axis=(0, 2)))[0]
        top, bottom = where[0], where[-1]  # the second axis goes down
        self.assertEqual(heads.crop_box(structures, "whole"), [[0, 128]] * 3)
        (_, chin, _), (_, ears, _) = (heads.crop_box(structures, crop) for crop in ("chin", "ears"))
        # To voxels of 4 mm.
        self.assertLessEqual(abs(chin[1] - (bottom + 1 + 35)), 2)
        self.assertLessEqual(abs(ears[1] - (bottom + 1 - (bottom - top) / 3)), 2)
        right, left = (heads.crop_box(structures, "side", keeps_right)[0] for keeps_right in (True, False))
        # The first axis goes to the left.
        self.assertEqual((right[0], left[1]), (0, 128))
        self.assertLessEqual(abs(right[1] - left[0]), 4)


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Measures(unittest.TestCase):
    def setUp(self):
        labels = boxes_of_structures()
        self.pose = heads.rigid([6, -8, 10], [3, -4, 5], labels.center)
        oblique = heads.oblique_affine(labels.center, 64, np.random.default_rng(5))
        self.fixed = head_labels(labels)
        self.moving = head_labels(heads.resampled(labels, oblique, labels.voxels.shape, self.pose))
        self.truth = label_overlap.PairTruth(self.fixed, self.moving, whole(labels), whole(labels))

    def test_the_best_similarity_of_points(self):
        points = np.random.default_rng(1).normal(size=(9, 3))
        matrix = heads.rigid([40, 20, -100], [1, 2, 3], np.zeros(3))
        matrix[:3, :3] *= 1.3
        found = label_overlap.best_similarity(points, points @ matrix[:3, :3].T + matrix[:3, 3])
        np.testing.assert_allclose(found, matrix, atol=1e-12)

    def test_a_mirrored_head_gives_no_mirror(self):
        points = np.random.default_rng(1).normal(size=(9, 3))
        self.assertGreater(np.linalg.det(label_overlap.best_similarity(points, points * [-1, 1, 1])[:3, :3]), 0)

    def test_the_truth_is_right_and_others_are_not(self):
        overlap = self.truth.overlap(self.pose)
        self.assertGreater(overlap, 0.9)  # boxes of 6 voxels lose a tenth at most to nearest neighbors
        self.assertLess(abs(overlap - self.truth.reference_overlap), 0.03)
        self.assertLess(self.truth.distance(self.pose), 0.3)
        self.assertEqual(label_overlap.verdict(self.truth.reference_overlap - overlap), "right")
        turned = heads.rigid([0, 0, 20], [0, 0, 0], self.fixed.lattice.center) @ self.pose
        self.assertEqual(label_overlap.verdict(self.truth.reference_overlap - self.truth.overlap(turned)), "wrong")

    def test_structures_that_a_crop_lacks_do_not_count(self):
        box = whole(self.moving.lattice)
        box[0][1] = 40
        truth = label_overlap.PairTruth(self.fixed, self.moving, whole(self.fixed.lattice), box)
        self.assertLess(len(truth.structures), len(self.truth.structures))
        self.assertGreater(truth.overlap(self.pose), 0.9)
        strict = label_overlap.PairTruth(self.fixed, self.moving, whole(self.fixed.lattice), box, is_strict=True)
        self.assertLessEqual(set(strict.structures), set(truth.structures))
        np.testing.assert_allclose(strict.moving_centers, self.moving.centers[strict.structures])

    def test_reports_are_in_lps(self):
        lps = pair_lists.LPS @ self.pose @ pair_lists.LPS
        report = {"alignment": {"matrix": lps[:3, :3].tolist(), "offset_mm": lps[:3, 3].tolist()}}
        np.testing.assert_allclose(pair_lists.matrix_of(report), self.pose)


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Tables(unittest.TestCase):
    ROW = {"crop": "chin", "contrast": "t1", "reference": 0.7, "excess_mm": 1.0, "milliseconds": 20.0, "error": False}

    def rows(self):
        def row(heads_of_pair, loss, success):
            fixed, moving = heads_of_pair.split("-")
            dice = 0.7 - loss
            of_pair = {"fixed": fixed, "moving": moving, "dice": dice, "success": success}
            verdicts = {"verdict": label_overlap.verdict(loss), "strict_verdict": label_overlap.verdict(loss + 0.015)}
            return {**self.ROW, **of_pair, **verdicts}

        return [row("01-02", 0.01, False), row("02-07", 0.2, True), row("08-09", 0.1, True), row("09-08", 0.02, True)]

    def test_counts(self):
        lines = linear_heads.table_of(self.rows()).splitlines()
        everything = [cell.strip() for cell in lines[-1].strip("|").split("|")]
        self.assertEqual(everything[3:11], ["4", "2", "1", "1", "1", "1", "1", "0"])
        self.assertEqual([line.split("|")[1].strip() for line in lines[2:5]], ["design", "held out", "across"])

    def test_it_is_printed_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "measures.json"
            path.write_text(json.dumps(self.rows()))
            command = [sys.executable, str(EXPERIMENTS / "linear_heads.py"), "table", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.strip(), linear_heads.table_of(self.rows()).strip())


@unittest.skipUnless(HAS_SCIPY, "needs SciPy")
class Stacks(unittest.TestCase):
    def test_the_formula_turns_with_the_pose(self):
        head = thin_stacks.FormulaHead(np.random.default_rng(4))
        quarter = heads.rigid([0, 0, 90], np.zeros(3), np.zeros(3))
        scans = []
        for pose in (np.eye(4), quarter):
            voxels, _ = thin_stacks.scan(head, (40, 40, 2), [4, 4, 6], 10, pose, np.random.default_rng(0))
            scans.append(voxels.astype(float))
        difference = scans[1] - np.rot90(scans[0], axes=(0, 1))
        # Both have noise of deviation 3 of their own in 3200 voxels: their difference has 4.2.
        self.assertLess(difference.std(), 5)

    def test_errors_are_those_of_the_corners(self):
        pair = {"slices": 5, "height": 10.0, "pose": heads.rigid([0, 0, 8], np.zeros(3), np.zeros(3)).tolist()}
        self.assertEqual(thin_stacks.error_at_corners(np.array(pair["pose"]), pair), 0)
        shifted = heads.rigid([0, 0, 8], [0, 3, 4], np.zeros(3))
        self.assertAlmostEqual(thin_stacks.error_at_corners(shifted, pair), 5)
        tilted = np.array(pair["pose"]) @ heads.rigid([2, 0, 0], np.zeros(3), np.array([0, 0, 10.0]))
        # The corners are 96 mm and 15 mm from the axis of the tilt.
        expected = 2 * np.sin(np.deg2rad(1)) * np.hypot(96, 15)
        self.assertAlmostEqual(thin_stacks.error_at_corners(tilted, pair), expected)


if __name__ == "__main__":
    unittest.main()
