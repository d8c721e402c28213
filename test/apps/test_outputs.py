# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what the programs do to the files that they write, and to existing ones.

    python3 test_outputs.py DENOISE REGISTER ATLAS LANDMARKS [BENCHMARK]
"""

import json
import math
import os
import pathlib
import resource
import socket
import stat
import struct
import subprocess
import unittest

import programs

IMAGE_ENDINGS = [".nii", ".nii.gz", ".hdr", ".img", ".mha", ".mhd", ".nrrd", ".nhdr"]
TRANSFORM_ENDINGS = [".h5", ".tfm", ".txt"]


class Replacing(programs.ProgramTest):
    """Tests outputs whose names exist already."""

    def test_links_are_followed(self):
        (self.folder / "there").mkdir()
        self.write("there/old.nii", b"old")
        (self.folder / "old.nii").symlink_to("there/old.nii")
        (self.folder / "new.nii").symlink_to("there/new.nii")  # leads to nothing yet
        (self.folder / "old.json").symlink_to("there/old.json")
        for name in ["old", "new"]:
            self.denoise(0, "", f"{name}.nii", "--json", "old.json")
            self.assertTrue((self.folder / f"{name}.nii").is_symlink())
            self.assertEqual(programs.nifti_voxels(self.folder / f"there/{name}.nii"), ((12, 12, 12), 12**3))
        self.assertTrue((self.folder / "old.json").is_symlink())
        self.assertIn('"filter"', (self.folder / "there/old.json").read_text())
        self.assertFalse([name for name in self.names() if "unfinished" in name])

    def test_links_of_second_files_are_followed(self):
        (self.folder / "there").mkdir()
        (self.folder / "o.img").symlink_to("there/data.img")
        self.denoise(0, "", "o.hdr")
        self.assertTrue((self.folder / "o.img").is_symlink())
        self.assertEqual((self.folder / "there/data.img").stat().st_size, 12**3)

    def test_a_circle_of_links_is_an_error(self):
        (self.folder / "a.nii").symlink_to("b.nii")
        (self.folder / "b.nii").symlink_to("a.nii")
        self.denoise(1, "cannot write a.nii", "a.nii")

    def test_permissions_and_owner_are_kept(self):
        for name in ["o.nii", "o.json", "o.raw", "o.mhd"]:
            self.write(name, b"old")
            (self.folder / name).chmod(0o640)
            if os.geteuid() == 0:
                os.chown(self.folder / name, 1234, 4321)
        self.denoise(0, "", "o.nii", "--json", "o.json")
        self.denoise(0, "", "o.mhd")
        for name in ["o.nii", "o.json", "o.raw", "o.mhd"]:
            status = (self.folder / name).stat()
            self.assertEqual(stat.S_IMODE(status.st_mode), 0o640)
            if os.geteuid() == 0:
                self.assertEqual((status.st_uid, status.st_gid), (1234, 4321))

    def test_a_new_file_has_the_usual_permissions(self):
        self.denoise(0, "", "o.nii", "--json", "o.json", umask=0o027)
        for name in ["o.nii", "o.json"]:
            self.assertEqual(stat.S_IMODE((self.folder / name).stat().st_mode), 0o640)

    def test_other_names_keep_the_old_contents(self):
        self.write("o.nii", b"old")
        os.link(self.folder / "o.nii", self.folder / "other.nii")
        self.denoise(0, "", "o.nii")
        self.assertEqual((self.folder / "other.nii").read_bytes(), b"old")

    def test_only_regular_files_are_replaced(self):
        os.mkfifo(self.folder / "fifo.nii")
        (self.folder / "folder.nii").mkdir()
        (self.folder / "link.nii").symlink_to("fifo.nii")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(self.folder / "socket.nii"))
        kinds = {"fifo.nii": "pipe", "folder.nii": "folder", "link.nii": "pipe", "socket.nii": "socket"}
        try:
            # A device with the numbers of /dev/null, so that a failing test cannot replace the real one.
            os.mknod(self.folder / "device.nii", stat.S_IFCHR | 0o666, os.makedev(1, 3))
            kinds["device.nii"] = "device"
        except PermissionError:
            print("left out: devices, which only root makes")
        before = {name: os.lstat(self.folder / name) for name in kinds}
        for name, kind in kinds.items():
            self.denoise(1, f"cannot write {name}: it is", name)
            self.denoise(1, kind, "o.nii", "--json", name)
            self.register(1, kind, "--json", name)
            if "benchmark" in programs.PROGRAMS:
                self.expect(1, kind, "benchmark", "--quick", "--json", name)
            after = os.lstat(self.folder / name)
            self.assertEqual((after.st_mode, after.st_ino), (before[name].st_mode, before[name].st_ino))
        self.assertNotIn("o.nii", self.names())

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_protected_files_are_not_replaced(self):
        self.write("o.nii", b"old")
        (self.folder / "o.nii").chmod(0o444)
        self.denoise(1, "write-protected", "o.nii")

    def test_an_unusable_place_is_known_before_anything_is_read(self):
        self.write("short.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + b"few")
        for output, arguments in [("nowhere/o.nii", []), ("o.nii", ["--json", "nowhere/o.json"])]:
            self.expect(1, "no folder nowhere", "denoise", "bilateral", "short.mha", output, *arguments)
        self.expect(1, "short.mha is a file, not a folder", "denoise", "bilateral", "fixed.mha", "short.mha/o.nii")


class Names(programs.ProgramTest):
    """Names beyond ASCII, with blanks, and of more than 260 characters."""

    def write_and_read(self, name):
        self.denoise(0, "", name, "--json", f"{name}.json")
        self.assertIn("bilateral", (self.folder / f"{name}.json").read_text())
        self.expect(0, "", "denoise", "bilateral", name, "again.nii", "-q", "--radius", "1")
        self.assertEqual(programs.nifti_voxels(self.folder / "again.nii"), ((12, 12, 12), 12**3))

    def test_beyond_ascii_and_with_blanks(self):
        (self.folder / "\u00e4 \u65e5").mkdir()
        for ending in IMAGE_ENDINGS:
            self.write_and_read(f"\u00e4 \u65e5/\u00f6 \u672c{ending}")
        self.expect(0, "", "denoise", "bilateral", "fixed.mha", str(self.folder / "\u00e4 \u65e5" / "o.nii"), "-q", "--radius", "1")
        self.denoise(1, "cannot write \u65e5.xyz", "\u65e5.xyz")
        self.expect(1, "cannot read \u65e5.nii: there is no such file", "denoise", "bilateral", "\u65e5.nii", "o.nii")
        self.assertFalse([name for name in self.names() if "unfinished" in name])

    def test_more_than_260_characters(self):
        folder = pathlib.Path("x" * 120, "y" * 120)
        (self.folder / folder).mkdir(parents=True)
        for name in ["o.nii.gz", "o.mhd"]:
            self.write_and_read(str(folder / name))
        self.assertEqual(len(list((self.folder / folder).iterdir())), 5)


class Clashes(programs.ProgramTest):
    """No output overwrites an input or another output."""

    def expect_refused(self, words, function, *arguments, **options):
        before = self.contents()
        function(1, words, *arguments, **options)
        self.assertEqual(self.contents(), before)

    def test_outputs_with_links(self):
        (self.folder / "link.mha").symlink_to("o.mha")
        (self.folder / "here").symlink_to(".")
        for link in ["link.mha", "here/o.mha"]:
            self.expect_refused("the output o.mha", self.register, "-o", "o.mha", "--output-jacobian", link)

    def test_outputs_with_each_other(self):
        pairs = [
            ("o.mha", "./o.mha", "the output o.mha"),
            ("c.mhd", "c.nhdr", "its file c.raw would overwrite the output c.raw, a file of c.mhd"),
            ("w.hdr", "w.img", "the output w.img, a file of w.hdr"),
        ]
        for first, second, words in pairs:
            self.expect_refused(words, self.register, "-o", first, "--output-jacobian", second)
        self.expect_refused("the output o.nii", self.register, "-o", "o.nii", "--json", "o.nii")
        self.expect_refused("the output o.img", self.register, "-o", "o.hdr", "--json", "o.img")
        self.expect_refused("the output o.nii", self.denoise, "o.nii", "--json", "./o.nii")
        self.expect_refused(
            "the output m.nii", self.expect, "denoise", "compare", "fixed.mha", "moving.mha", "--map", "m.nii", "--json", "m.nii"
        )

    def test_outputs_with_inputs(self):
        os.link(self.folder / "fixed.mha", self.folder / "hard.mha")
        (self.folder / "soft.mha").symlink_to("fixed.mha")
        for name in ["fixed.mha", "moving.mha", "hard.mha", "soft.mha"]:
            self.expect_refused("the input", self.register, "-o", name)
            self.expect_refused("the input", self.register, "--json", name)
        self.expect_refused("the input fixed.mha", self.denoise, "fixed.mha")
        self.expect_refused("the input moving.mha", self.denoise, "o.nii", "--mask", "moving.mha", "--json", "moving.mha")
        self.expect_refused("the input moving.mha", self.register, "--fixed-mask", "moving.mha", "-o", "moving.mha")

    def test_outputs_with_second_files_of_inputs(self):
        self.write(
            "pair.nhdr", b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: 12 12 12\nencoding: raw\ndata file: voxels.raw\n"
        )
        for image, second in [("pair.mhd", "voxels"), ("pair.nhdr", "voxels")]:
            words = f"would overwrite the input {second}.raw, a file of {image}"
            command = ["denoise", "bilateral", image]
            self.expect_refused(words, self.expect, *command, f"{second}.mhd")
            self.expect_refused(words, self.expect, *command, "o.nii", "--json", f"{second}.raw")

    def test_the_file_of_standard_output(self):
        with open(self.folder / "o.nii", "w") as out:
            self.denoise(1, "the file that standard output goes to", "o.nii", "--json", "-", stdout=out)


class PixelTypes(programs.ProgramTest):
    """Tests values that the type of the warped image does not hold."""

    def setUp(self):
        super().setUp()
        self.floats = [2.0 * value - 30.0 for value in programs.blob(12, 1)]
        self.floats[500] = math.nan
        self.write("moving.mha", self.image("MET_FLOAT", "f", self.floats))

    def image(self, element, kind, values):
        return programs.meta_header((12, 12, 12), element) + struct.pack(f"<{len(values)}{kind}", *values)

    def warped(self, command, kind, option):
        """Voxels, count in the report, and what was said."""
        quick = ["--align", "none"] if command == "unbiased" else []
        arguments = ["fixed.mha", "moving.mha", *quick, "--iterations", "2", "--levels", "1", "-q", "--json", "report.json"]
        got, out, error = self.run_program("register", command, *arguments, "-o", "o.nii", *option)
        self.assertEqual(got, 0, error)
        count = json.loads((self.folder / "report.json").read_text())["limited_voxels"]
        return struct.unpack(f"<{12**3}{kind}", (self.folder / "o.nii").read_bytes()[352:]), count, error

    def test_values_that_the_type_does_not_hold_are_counted(self):
        for command in ("unbiased", "rigid"):
            values, count, error = self.warped(command, "f", [])
            self.assertEqual((count, error), (0, ""))
            voxels, count, error = self.warped(command, "B", ["--output-type", "uchar"])
            expected = sum(map(programs.is_limited, values))
            self.assertGreater(expected, 50)
            self.assertEqual(count, expected, command)
            self.assertIn(f"o.nii: {expected} voxels are NaN or beyond the range of unsigned char, and have 0 or its limits", error)
            self.assertEqual(list(voxels), [0 if math.isnan(v) else min(max(round(v), 0), 255) for v in values], command)

    def test_a_type_that_holds_all_is_silent(self):
        self.write("moving.mha", self.image("MET_UCHAR", "B", list(programs.blob(12, 1))))
        for option in ([], ["--output-type", "short"], ["--output-type", "ushort"]):
            self.assertEqual(self.warped("unbiased", "H" if option else "B", option)[1:], (0, ""))


class FullDisk(programs.ProgramTest):
    """Simulates a full disk by a limit on the size of files, which cuts them at any byte."""

    def expect_cut_is_seen(self, output, arguments, margins=(9, 1)):
        """A margin is the number of bytes that may be missing at the end."""
        function = {True: self.register, False: self.denoise}[arguments[0].startswith("--")]
        before = self.names()
        function(0, "", *arguments)
        largest = max((self.folder / name).stat().st_size for name in self.names() - before)
        kept = self.contents()
        for limit in sorted({0, 100, largest // 2, *(largest - margin for margin in margins)}):
            with self.subTest(output=output, limit=limit):
                limits = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
                function(1, f"cannot write {output}", *arguments, preexec_fn=limits)
                self.assertEqual(self.contents(), kept)

    def test_images(self):
        for i, ending in enumerate(IMAGE_ENDINGS):
            self.expect_cut_is_seen(f"o{i}{ending}", [f"o{i}{ending}", "--output-type", "float"])

    def test_transforms(self):
        for ending in TRANSFORM_ENDINGS:
            self.expect_cut_is_seen(f"o{ending}", ["--output-transform", f"o{ending}"])

    def test_fields(self):
        for ending in [".nii.gz", ".mhd"]:
            self.expect_cut_is_seen(f"o{ending}", ["--output-field", f"o{ending}"])

    def test_reports(self):
        # Times have more or fewer digits in every run.
        self.expect_cut_is_seen("o.json", ["--json", "o.json"], margins=(200,))

    def test_a_disk_that_is_full(self):
        (self.folder / "disk").mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(self.folder / "disk")]
        if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(self.folder / "disk")], check=True)
        for ending in IMAGE_ENDINGS:
            # Random numbers, which gzip does not compress.
            self.write("noise.mha", programs.meta_header((40, 40, 40), "MET_UCHAR") + os.urandom(64000))
            output = f"disk/o{ending}"
            self.expect(1, f"cannot write {output}", "denoise", "bilateral", "noise.mha", output, "--range-sigma", "1e-3")
            self.assertEqual(os.listdir(self.folder / "disk"), [])
        for ending in TRANSFORM_ENDINGS:
            self.register(1, f"cannot write disk/o{ending}", "--output-transform", f"disk/o{ending}")
            self.assertEqual(os.listdir(self.folder / "disk"), [])


class Reports(programs.ProgramTest):
    def test_names_that_are_not_utf8(self):
        name = os.fsdecode(b"m\xffller.mha")
        os.rename(self.folder / "moving.mha", self.folder / name)
        for command in (
            ["denoise", "bilateral", name, "o.nii", "--radius", "1"],
            ["denoise", "compare", "fixed.mha", name],
            ["register", "greedy", "fixed.mha", name, "--align", "none", "--levels", "1", "--iterations", "2", "-o", "o.nii"],
        ):
            self.expect(0, "", *command, "--json", "r.json", errors="replace")
            self.assertIn("m\ufffdller.mha", (self.folder / "r.json").read_text(encoding="utf-8"))

    def test_names_in_a_list_that_are_not_utf8(self):
        self.write("pairs.csv", b"fixed,moving,name\nfixed.mha,moving.mha,m\xffller\n")
        command = ["register", "greedy", "--pairs", "pairs.csv", "-o", "{name}.nii", "--json", "{name}.json", "--table", "t.csv"]
        command += ["--align", "none", "--levels", "1", "--iterations", "2"]
        for words in ("", "skipped"):
            out = self.expect(0, "", *command, "--resume", errors="replace")
            self.assertIn(words, out)
        self.assertTrue((self.folder / os.fsdecode(b"m\xffller.nii")).is_file())


class FewDescriptors(programs.ProgramTest):
    def test_an_error_is_said(self):
        command = ["register", "greedy", "fixed.mha", "moving.mha", "--align", "none", "--iterations", "2", "-o", "o.nii.gz"]
        command += ["--output-field", "f.nii.gz", "--json", "r.json", "-q"]
        failures = 0
        for count in range(5, 30):
            limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
            status, _, error = self.run_program(*command, preexec_fn=limit)
            if status != 0:
                self.assertIn("error", error, count)
                failures += 1
        self.assertGreater(failures, 0)


class Masks(programs.ProgramTest):
    def test_a_mask_without_voxels(self):
        self.write("empty.mha", programs.meta_header((12, 12, 12), "MET_UCHAR") + bytes(12**3))
        words = "the mask empty.mha of fixed.mha leaves no voxel"
        self.denoise(1, words, "o.nii", "--mask", "empty.mha", "--range-sigma", "1")
        self.expect(1, words, "denoise", "compare", "fixed.mha", "moving.mha", "--mask", "empty.mha")
        self.assertNotIn("o.nii", self.names())

    def test_an_image_without_finite_voxels(self):
        self.write("nan.mha", programs.meta_header((12, 12, 12), "MET_FLOAT") + struct.pack("<f", math.nan) * 12**3)
        self.expect(1, "no voxel is finite in both images", "denoise", "compare", "fixed.mha", "nan.mha")


class StandardOutput(programs.ProgramTest):
    """Tests that failing to print is an error."""

    COMMANDS = [
        ["denoise", "--help"],
        ["denoise", "--version"],
        ["denoise", "devices"],
        ["denoise", "bilateral", "--help"],
        ["denoise", "compare", "fixed.mha", "moving.mha"],
        ["denoise", "bilateral", "fixed.mha", "o.nii"],
        ["denoise", "bilateral", "fixed.mha", "o.nii", "--json", "-"],
        ["register", "unbiased", "fixed.mha", "moving.mha", "--align", "none", "--iterations", "1", "--json", "-"],
        ["benchmark", "--version"],
    ]

    def expect_error(self, **options):
        for command in self.COMMANDS:
            if command[0] in programs.PROGRAMS:
                self.expect(1, "standard output", *command, **options)

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            self.expect_error(stdout=full)

    def test_a_closed_stream(self):
        self.expect_error(preexec_fn=lambda: os.close(1))

    def test_a_pipe_that_nobody_reads(self):
        reading, writing = os.pipe()
        os.close(reading)
        self.expect_error(stdout=writing)
        os.close(writing)

    def test_nothing_printed_needs_no_stream(self):
        self.denoise(0, "", "o.nii", preexec_fn=lambda: os.close(1))


if __name__ == "__main__":
    programs.run_tests()
