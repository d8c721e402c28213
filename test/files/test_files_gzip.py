# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests which gzip files are read, and that those that are written are one member that any reader takes to its end.

    python3 test_files_gzip.py DENOISE REGISTER
"""

import gzip
import os
import random
import resource
import signal
import struct
import time
import zlib

import programs

# As many voxels as make several parts of a compressed file, which hold a million bytes.
SIZE = (128, 128, 96)
COUNT = SIZE[0] * SIZE[1] * SIZE[2]


def nifti(voxels, size, datatype, bits):
    """A NIfTI-1 file of voxels of 1 mm."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, len(size), *size, *[1] * (7 - len(size)))
    struct.pack_into("<2h", header, 70, datatype, bits)
    struct.pack_into("<8f", header, 76, *[1.0] * 8)
    struct.pack_into("<f", header, 108, 352.0)
    struct.pack_into("<2h", header, 252, 1, 0)
    header[344:348] = b"n+1\0"
    return bytes(header) + voxels


def nrrd(voxels, size):
    header = f"NRRD0004\ntype: uchar\ndimension: 3\nsizes: {' '.join(map(str, size))}\nencoding: gzip\n\n"
    return header.encode() + voxels


def members(data, bytes_of_member):
    return b"".join(gzip.compress(data[i : i + bytes_of_member]) for i in range(0, len(data), bytes_of_member))


class GzipTest(programs.ProgramTest):
    def setUp(self):
        super().setUp()
        self.image = nifti(programs.blob(12, 0), (12, 12, 12), 2, 8)
        self.write("plain.nii", self.image)

    def smoothed(self, name, words=""):
        """The voxels of the result for a file."""
        self.expect(0, words, "denoise", "bilateral", name, "o.nii", "-q", "--radius", "1", "--range-sigma", "20")
        return (self.folder / "o.nii").read_bytes()[352:]


class Reading(GzipTest):
    def test_zeros_behind_the_end(self):
        expected = self.smoothed("plain.nii")
        for count in (1, 2, 10, 511, 10240, 3000000):
            self.write("padded.nii.gz", gzip.compress(self.image) + bytes(count))
            self.assertEqual(self.smoothed("padded.nii.gz"), expected, count)
            _, _, error = self.run_program("denoise", "bilateral", "padded.nii.gz", "p.nii", "-q", "--radius", "1")
            self.assertEqual(error, "")

    def test_several_members_and_zeros_between_them(self):
        expected = self.smoothed("plain.nii")
        for length in (1, 100, 352, 1000):
            self.write("members.nii.gz", members(self.image, length))
            self.assertEqual(self.smoothed("members.nii.gz"), expected, length)
        half = len(self.image) // 2
        padded = gzip.compress(self.image[:half]) + bytes(512) + gzip.compress(self.image[half:]) + bytes(512)
        self.write("members.nii.gz", padded + gzip.compress(b""))
        self.assertEqual(self.smoothed("members.nii.gz"), expected)

    def test_other_bytes_behind_the_end_are_ignored_with_a_warning(self):
        expected = self.smoothed("plain.nii")
        for rubbish in (b"x", b"\x1f", b"rubbish", bytes(100) + b"y" * 50, b"\x1f\x8c" + bytes(20)):
            self.write("more.nii.gz", gzip.compress(self.image) + rubbish)
            count = len(rubbish.lstrip(b"\0"))
            self.assertEqual(self.smoothed("more.nii.gz", f"more.nii.gz: the last {count} bytes are ignored"), expected)

    def test_what_is_cut_short_or_damaged_is_refused(self):
        whole = gzip.compress(self.image)
        damaged = bytearray(whole)
        damaged[-6] ^= 1  # in the checksum
        second = bytearray(gzip.compress(self.image[500:]))
        second[len(second) // 2] ^= 0x55
        cases = [whole[:-9], whole[:-1], whole[: len(whole) // 2], whole[: len(whole) // 2] + bytes(1000), bytes(damaged)]
        cases += [gzip.compress(self.image[:500]) + bytes(second), whole + b"\x1f\x8b rubbish", gzip.compress(self.image[:-1])]
        for i, content in enumerate(cases):
            with self.subTest(i):
                self.write("bad.nii.gz", content)
                self.expect(1, "cannot read bad.nii.gz", "denoise", "bilateral", "bad.nii.gz", "o.nii", "-q", "--radius", "1")
                self.assertNotIn("o.nii", self.names())

    def test_nrrd(self):
        self.write("plain.nrrd", nrrd(gzip.compress(programs.blob(12, 0)), (12, 12, 12)))
        expected = self.smoothed("plain.nrrd")
        whole = gzip.compress(programs.blob(12, 0))
        for voxels in (whole + bytes(512), members(programs.blob(12, 0), 500), members(programs.blob(12, 0), 500) + bytes(2)):
            self.write("padded.nrrd", nrrd(voxels, (12, 12, 12)))
            self.assertEqual(self.smoothed("padded.nrrd"), expected)
        for voxels in (whole[:-9], whole[: len(whole) // 2], members(programs.blob(12, 0), 500)[:-20]):
            self.write("bad.nrrd", nrrd(voxels, (12, 12, 12)))
            self.expect(1, "cannot read bad.nrrd", "denoise", "bilateral", "bad.nrrd", "o.nii", "-q", "--radius", "1")


class Writing(GzipTest):
    """Files are read by zlib, which ends after the first member."""

    def inflate(self, name):
        content = (self.folder / name).read_bytes()
        first = zlib.decompressobj(31)
        data = first.decompress(content)
        self.assertTrue(first.eof)
        self.assertEqual(first.unused_data, b"")
        self.assertEqual(gzip.decompress(content), data)
        self.assertEqual(content[3:8], bytes(5))  # neither name nor time
        return data

    def expect_one_member(self, voxels, datatype, bits, size=SIZE):
        """Writes an image unchanged: as .nii, which is the truth, and as .nii.gz twice."""
        self.write("in.nii", nifti(voxels, size, datatype, bits))
        for name in ("o.nii", "o.nii.gz", "again.nii.gz"):
            self.expect(0, "", "denoise", "bilateral", "in.nii", name, "-q", "--radius", "1", "--range-sigma", "1e-6")
        written = self.inflate("o.nii.gz")
        self.assertEqual(written, (self.folder / "o.nii").read_bytes())
        self.assertEqual(len(written), 352 + len(voxels))
        self.assertEqual((self.folder / "o.nii.gz").read_bytes(), (self.folder / "again.nii.gz").read_bytes())
        return written[352:]

    def test_noise_that_cannot_be_compressed(self):
        self.expect_one_member(random.Random(1).randbytes(2 * COUNT), 512, 16)

    def test_noise_of_few_values(self):
        # So many short matches that the compressor begins new blocks early.
        noise = random.Random(2)
        voxels = struct.pack(f"<{COUNT}h", *(100 + noise.getrandbits(3) for _ in range(COUNT)))
        self.assertEqual(self.expect_one_member(voxels, 4, 16), voxels)

    def test_a_constant(self):
        self.assertEqual(self.expect_one_member(bytes(COUNT), 2, 8), bytes(COUNT))

    def test_floats(self):
        voxels = struct.pack(f"<{COUNT}f", *((i % 128) * 0.37 + (i // 128) % 7 for i in range(COUNT)))
        self.expect_one_member(voxels, 16, 32)

    def test_sizes_about_those_of_blocks(self):
        for count in (1, 2, 5, 100, 65518, 65520, 65522, 2 * 65520, 16 * 65520 - 1, 16 * 65520, 16 * 65520 + 1):
            with self.subTest(count):
                factor = next(i for i in range(1, count + 1) if count % i == 0 and count // i < 32768)
                voxels = bytes(i * 7 % 251 for i in range(count))
                self.expect_one_member(voxels, 2, 8, (count // factor, factor, 1))

    def test_a_field(self):
        self.register(0, "", "--output-field", "f.nii")
        self.register(0, "", "--output-field", "f.nii.gz")
        self.assertEqual(self.inflate("f.nii.gz"), (self.folder / "f.nii").read_bytes())
        self.register(0, "", "--output-field", "f.mha")
        # The components of a voxel lie together in MetaImage, and those of all voxels in NIfTI.
        values = struct.unpack(f"<{3 * 12**3}f", (self.folder / "f.mha").read_bytes()[-12 * 12**3 :])
        planes = struct.pack(f"<{3 * 12**3}f", *values[0::3], *values[1::3], *values[2::3])
        self.assertEqual((self.folder / "f.nii").read_bytes()[-len(planes) :], planes)

    def test_a_full_disk(self):
        """Files of several parts are cut in the first, in a later one, and at the end."""
        self.write("in.nii", nifti(random.Random(3).randbytes(2 * COUNT), SIZE, 512, 16))
        command = ["denoise", "bilateral", "in.nii", "o", "-q", "--radius", "1", "--range-sigma", "1e-6"]
        for ending in (".nii", ".nii.gz"):
            command[3] = "o" + ending
            self.expect(0, "", *command)
            size = (self.folder / command[3]).stat().st_size
            (self.folder / command[3]).unlink()
            kept = self.names()
            for limit in (0, 5, 11, 500, 100000, size // 2, size - 9, size - 1):
                with self.subTest(ending=ending, limit=limit):
                    limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                    self.expect(1, f"cannot write {command[3]}: the disk may be full", *command, preexec_fn=limits)
                    self.assertEqual(self.names(), kept)

    def test_a_signal_while_it_is_written(self):
        self.write("in.nii", nifti(random.Random(4).randbytes(2 * COUNT), SIZE, 512, 16))
        before = self.names()
        moments = random.Random(5)
        for _ in range(10):
            process = self.start("denoise", "bilateral", "in.nii", "o.nii.gz", "-q", "--radius", "1", "--range-sigma", "1e-6")
            folder = self.folder / f".o.nii.gz.unfinished-{process.pid}"
            while process.poll() is None and not (folder / "o.nii.gz").exists():
                time.sleep(0.0005)
            time.sleep(moments.uniform(0.0, 0.05))
            process.send_signal(signal.SIGTERM)
            _, error = process.communicate(timeout=60)
            self.assertIn(process.returncode, [0, 128 + signal.SIGTERM], error)
            if "o.nii.gz" in self.names():
                self.assertEqual(len(self.inflate("o.nii.gz")), 352 + 2 * COUNT)
                (self.folder / "o.nii.gz").unlink()
            self.assertEqual(self.names(), before)

    def test_nothing_else_is_left(self):
        before = self.names()
        self.denoise(0, "", "o.nii.gz")
        self.assertEqual(self.names() - before, {"o.nii.gz"})
        self.assertFalse([name for name in os.listdir(self.folder) if "unfinished" in name])


if __name__ == "__main__":
    programs.run_tests()
