# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Tests what headers of images say beside their voxels, as other programs write it: units, keys, names, versions, and series
of DICOM that are no single volume.

    python3 test_files_headers.py DENOISE REGISTER TRANSFORM
"""

import gzip
import struct

import image_files as files
import nifti_files as nf
import programs
from files_test import FilesTest
from image_files import BYTES, SIZE, VALUES, VOXELS

DIRECTIONS = ["space: LPS", "space directions: (2,0,0) (0,3,0) (0,0,4)", "space origin: (10,-20,30)"]
IDENTITY = b"#Insight Transform File V1.0\nTransform: TranslationTransform_double_3_3\nParameters: 0 0 0\nFixedParameters:\n"


class HeadersTest(FilesTest):
    def setUp(self):
        super().setUp()
        self.write("same.tfm", IDENTITY)

    def apply(self, name, output, reference, status=0, words=""):
        arguments = ["apply", name, output, "--reference", reference, "-x", "same.tfm", "-q"]
        self.expect(status, words, "transform", *arguments, *(["--output-type", "float"] if status == 0 else []))

    def lines(self, name):
        """The lines of a header of text."""
        header = (self.folder / name).read_bytes().split(b"\n\n")[0].split(b"ElementDataFile")[0]
        return [line.strip() for line in header.decode().splitlines()]

    def read_nifti(self, name):
        return nf.read((self.folder / name).read_bytes())


class Dicom(HeadersTest):
    def setUp(self):
        super().setUp()
        (self.folder / "series").mkdir()
        self.slice(1, (10, -20, 30))
        if "dcm2niix" in self.run_program("denoise", "bilateral", "series", "o.mha", "-q")[2]:
            self.skipTest("built without ITKIOGDCM")

    def slice(self, number, position, count=20, **options):
        voxels = VALUES[20 * ((number - 1) % 3) :][:count]
        files.dicom(self.folder / "series" / f"{number}.dcm", position, voxels, number=number, **options)

    def test_series_of_several_volumes(self):
        for number in range(2, 7):
            self.slice(number, (10, -20, 30 + 3 * ((number - 1) % 3)))
        self.convert("series", 1, "its slices 1.dcm and 4.dcm are at one place, and so its series is no single volume")

    def test_series_of_several_directions_and_sizes(self):
        self.slice(2, (10, -20, 30), orientation=(0, 1, 0, 0, 0, -1))
        self.convert("series", 1, "1.dcm and 2.dcm have different directions")
        self.slice(2, (10, -20, 33), count=15, size=(5, 3))
        self.convert("series", 1, "1.dcm and 2.dcm have different sizes")

    def test_series_are_moved(self):
        for number in (2, 3):
            self.slice(number, (10, -20, 27 + 3 * number))
        for name in ("series", "series/2.dcm"):
            self.apply(name, "o.mha", "series")
            self.assertEqual(self.read_meta("o.mha")["voxels"], VALUES)


class Inputs(HeadersTest):
    def test_what_is_neither_an_image_nor_points(self):
        self.apply("no.xyz", "o.nii", "fixed.mha", 1, "cannot read no.xyz: there is no such file")
        self.write("a.png", b"\x89PNG")
        for words in ("neither an image", ".nrrd", ".fcsv"):
            self.apply("a.png", "o.nii", "fixed.mha", 1, words)
        self.write("a.csv", b"x,y,z\n1,2,3\n")
        self.apply("a.csv", "o.csv", "fixed.mha", 1, "--reference has no effect here: a.csv has points")

    def test_names_in_capitals(self):
        for ending, data in zip(("HDR", "IMG"), nf.nifti(SIZE, "B", VALUES, pair=True), strict=True):
            self.write("A." + ending, data)
        for name in ("A.HDR", "A.IMG"):
            self.expect_image(name)
        for name in ("W.HDR", "V.IMG"):
            self.convert("A.HDR", output=name)
            self.assertLessEqual({name[0] + ".HDR", name[0] + ".IMG"}, self.names())
            self.expect_image(name)
        # MetaIO would write O.mha.
        self.convert("A.HDR", 1, "the ending of MetaImage is written in small letters, as .mha", "O.MHA")

    def test_magic_of_the_other_kind(self):
        content = bytearray(nf.nifti(SIZE, "B", VALUES))
        content[344:347] = b"ni1"
        self.write("a.nii", content)
        self.expect_image("a.nii", words="a.nii: magic is that of a pair of .hdr and .img, and it is read as its name says")
        struct.pack_into("<f", content, 108, 0)
        self.expect_refused("a.nii", content, "vox_offset is 0")
        header, data = nf.nifti(SIZE, "B", VALUES, pair=True)
        self.write("b.hdr", header[:344] + b"n+1" + header[347:])
        self.write("b.img", data)
        self.expect_image("b.hdr", words="b.hdr: magic is that of one file, .nii")

    def test_list_as_metaio_writes_it(self):
        for i in range(3):
            self.write(f"s{i}.raw", BYTES[20 * i : 20 * i + 20])
        self.write("a.mhd", files.meta(data=b"s0.raw\ns1.raw\ns2.raw\n", file="LIST 2D"))
        self.expect_image("a.mhd")

    def test_spm_and_analyze(self):
        """What only SPM says is named, and what has no place gets none."""
        header, data = nf.nifti(SIZE, "h", VALUES, pair=True, pixdim=[0, 2, 3, 4, 0, 0, 0, 0])
        plain = header[:344] + bytes(4)
        self.write("a.img", data)
        self.write("a.hdr", plain)
        self.convert("a.img", output="o.nii")
        fields, values = self.read_nifti("o.nii")
        self.assertEqual((fields["qform_code"], fields["sform_code"], fields["pixdim"][1:4]), (0, 0, [2, 3, 4]))
        self.assertEqual(values, VALUES)
        scaled = bytearray(plain)
        struct.pack_into("<f", scaled, 112, 0.5)
        struct.pack_into("<3h", scaled, 253, 3, 2, 1)
        for content, words in ((scaled, "not applied: a scale of 0.5, an origin;"), (plain, "")):
            self.write("a.hdr", content)
            error = self.run_program("denoise", "bilateral", "a.hdr", "o.nii", "-q", "--range-sigma", "1")[2]
            self.assertEqual(words in error and bool(error), bool(words), error)
        self.write("a.mat", b"")
        self.convert("a.hdr", words="a.mat", output="o.nii")

    def test_versions_and_axes_of_freesurfer(self):
        content = files.mgh()
        self.write("a.mgh", struct.pack(">i", 257) + content[4:])
        self.convert("a.mgh")
        self.expect_refused("a.mgz", gzip.compress(files.mgh(BYTES * 2, frames=2)), "mri_convert")

    def test_lines_before_compressed_voxels(self):
        self.write("a.nrrd", files.nrrd(["line skip: 2"], b"one\ntwo\n" + gzip.compress(BYTES), encoding="gzip"))
        self.expect_image("a.nrrd")
        self.expect_refused("a.nrrd", files.nrrd(["byte skip: -1"], gzip.compress(BYTES), encoding="gzip"), "unu save")

    def test_more_layers_than_fit(self):
        lines = ["space: LPS", "space directions: none (1,0,0) (0,1,0) (0,0,1)", "kinds: list domain domain domain"]
        lines += files.segments(*map(str, range(70)), layers=range(70), labels=[1] * 70)
        self.expect_refused("a.seg.nrrd", files.nrrd(lines, bytes(70 * VOXELS), (70, *SIZE)), "70 layers")

    def test_links_to_what_is_not_there(self):
        (self.folder / "a.nii").symlink_to("away/a.nii")
        (self.folder / "b.nii").symlink_to(".git/annex/objects/b.nii")
        for program in ("apply", "denoise"):
            run = self.convert if program == "denoise" else lambda name, status, words: self.apply(name, "o.nii", "fixed.mha", status, words)
            run("a.nii", 1, "cannot read a.nii: it is a link to away/a.nii, which is not there\n")
            run("b.nii", 1, 'objects/b.nii, which is not there; "git annex get" fetches it\n')

    def test_names_of_voxels_that_stand_for_several_files(self):
        """Before anything is computed, and only where a format takes the name so."""
        (self.folder / "of%d").mkdir()
        (self.folder / "LIST").mkdir()
        for name, words in (
            ("a%d.mhd", "MetaImage takes a name with % for a pattern of several files; .mha is one file"), ("of%d/a.mhd", "a name with %"),
            ("LIST of it.mhd", "MetaImage takes a name that begins with LIST for a list of files; .mha is one file"),
            ("a%.nhdr", "NRRD takes a name with % for a pattern of several files; .nrrd is one file"), ("LIST.nhdr", "begins with LIST"),
        ):  # fmt: skip
            self.apply("fixed.mha", name, "fixed.mha", 1, f"cannot write {name}: its voxels are in a second file, and ")
            self.apply("fixed.mha", name, "fixed.mha", 1, words)
            self.convert("fixed.mha", 1, words, name)
            self.assertFalse((self.folder / name).exists())
        before = (self.folder / "fixed.mha").read_bytes()[-1728:]
        for name in ("a%d.mha", "LIST.mha", "a%d.nrrd", "LIST.nrrd", "list.mhd", "A LIST.nhdr", "of%d/a.nhdr", "LIST/a.mhd", "LIST/a.nhdr"):
            self.expect(0, "", "transform", "apply", "fixed.mha", name, "--reference", "fixed.mha", "-x", "same.tfm", "-q")
            self.expect(0, "", "transform", "apply", name, "back.mha", "--reference", "fixed.mha", "-x", "same.tfm", "-q")
            self.assertEqual((self.folder / "back.mha").read_bytes()[-1728:], before, name)

    def test_transforms_of_a_series_in_one_file(self):
        """As fMRIPrep writes those of a correction of motion: shifts by whole voxels, which differ."""
        volumes = [[10 * volume + x for _ in range(6) for x in range(4)] for volume in range(3)]
        self.write("s.nii", nf.nifti((4, 3, 2, 3), "h", sum(volumes, []), sform_code=1, sform=[-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0]))
        shifts = [f"#Transform {i}\nTransform: TranslationTransform_double_3_3\nParameters: {i} 0 0\nFixedParameters:\n" for i in range(4)]
        head = "#Insight Transform File V1.0\n"
        expected = sum(([value + i if value % 10 + i < 4 else 0 for value in volume] for i, volume in enumerate(volumes)), [])
        arguments = ["apply", "s.nii", "o.nii", "--reference", "s.nii", "-q", "--volume-transforms"]
        for first in (b"", b"\xef\xbb\xbf"):
            self.write("motion.txt", first + (head + "".join(shifts[:3])).encode())
            self.expect(0, "", "transform", *arguments, "motion.txt")
            self.assertEqual(self.read_nifti("o.nii")[1], expected)
        for count in (1, 2, 4):
            self.write("motion.txt", (head + "".join(shifts[:count])).encode())
            self.expect(1, f"motion.txt has {count} transforms, and s.nii has 3 volumes", "transform", *arguments, "motion.txt")
        for count, words in ((2, "it has 2 transforms; a file with one"), (3, "Those of a series' volumes are for --volume-transforms")):
            self.write("same.tfm", (head + "".join(shifts[:count])).encode())
            self.apply("fixed.mha", "o.mha", "fixed.mha", 1, words)
        self.write("motion.txt", (head + "".join(shifts[:2]) + shifts[2].replace("2 0 0", "2 0")).encode())
        self.expect(1, "cannot read motion.txt: the count of parameters", "transform", *arguments, "motion.txt")
        # Lists of names, as editors of other systems leave them.
        for i, name in enumerate(("0.tfm", "one, too.tfm", "it's 2.tfm")):
            self.write(name, (head + shifts[i]).encode())
        for content in (b'\xef\xbb\xbf0.tfm\r\n"one, too.tfm"\r\n"it\'s 2.tfm"\r\n', b"'0.tfm'\n[\"one, too.tfm\",0]\n\"[it's 2.tfm,0]\""):
            self.write("list.txt", content)
            self.expect(0, "", "transform", *arguments, "list.txt")
            self.assertEqual(self.read_nifti("o.nii")[1], expected)


class Meaning(HeadersTest):
    def test_lengths_in_other_units(self):
        for unit, factor in (("um", 1e-3), ("\u00b5m", 1e-3), ("cm", 10), ("m", 1e3), ("mm", 1)):
            expected = {"spacing": [factor * x for x in (2, 3, 4)], "origin": [factor * x for x in (10, -20, 30)]}
            words = f"its lengths are in {unit}, and converted to mm" if factor != 1 else ""
            self.write("a.nrrd", files.nrrd([*DIRECTIONS, f'space units: "{unit}" "{unit}" "{unit}"']))
            self.expect_image("a.nrrd", words=words, **expected)
            self.write("a.mha", files.meta([f"DistanceUnits = {unit}", "ElementSpacing = 2 3 4", "Offset = 10 -20 30"]))
            self.expect_image("a.mha", words=words, **expected)
            self.assertIn(self.read_meta("out.mha").get("DistanceUnits", "mm"), ("mm", "?"))
        self.write("a.nrrd", files.nrrd(["spacings: 2 3 4", 'units: "um" "um" "um"']))
        self.expect_image("a.nrrd", spacing=(0.002, 0.003, 0.004), words="um")
        self.expect_refused("a.nrrd", files.nrrd(["spacings: 2 3 4", 'units: "um" "um" "mm"']), "mm, um; write all in mm")
        for unit in ("micron", "microns"):
            self.write("a.nrrd", files.nrrd(["spacings: 2 3 4", f'units: "{unit}" "{unit}" "{unit}"']))
            self.expect_image("a.nrrd", spacing=(0.002, 0.003, 0.004), words=f"its lengths are in {unit}, and converted to mm")
        vectors = files.nrrd(["kinds: vector domain domain domain", 'units: "" "um" "um" "um"'], BYTES * 3, (3, *SIZE))
        self.expect_refused("a.nrrd", vectors, "its vectors")

    def test_keys_stay(self):
        """Also where an image is moved, and without that of the reader's name."""
        pairs = {"one": "value", "k" * 300: "v", "two": "words of it"}
        self.write("a.nrrd", files.nrrd([*DIRECTIONS, 'labels: "x" "y" "z"', *(f"{k}:={v}" for k, v in pairs.items())]))
        fields = {"one": "value", "Comment": "a comment", "Name": "its name", "ID": "7", "Color": "1 0 0 1", "Modality": "MET_MOD_MR"}
        self.write("a.mha", files.meta([f"{k} = {v}" for k, v in fields.items()]))
        self.write("grid.nii", nf.nifti(SIZE, "B", VALUES, qform_code=1))
        for name, between, said in (("a.nrrd", ":=", pairs), ("a.mha", " = ", fields)):
            output = "o." + name[2:]
            expected = {key + between + value for key, value in said.items()}
            for run in (
                lambda: self.convert(name, output=output),
                lambda: self.apply(name, output, "grid.nii"),
                lambda: self.run_program("register", "translation", "grid.nii", name, "-o", output, "--iterations", "0", "-q"),
            ):
                run()
                lines = self.lines(output)
                self.assertLessEqual(expected, set(lines), output)
                self.assertFalse([line for line in lines if "ITK_InputFilterName" in line])
            self.assertFalse([line for line in lines if line.startswith("labels")])

    def test_keys_that_a_metaimage_cannot_have(self):
        """3D Slicer notes the names of all files of DICOM in one value, which may be longer than what ITK's writer has room for."""
        keys = ["one:=value", "l" * 300 + ":=v", "DICOM.instanceUIDs:=1.2" + " 1.2.840" * 5000, "lines:=a\\nb", "Comment:=" + "c" * 400]
        self.write("a.nrrd", files.nrrd([*DIRECTIONS, *keys, "ElementSpacing:=9 9 9", "a:b:=v"]))
        for output in ("o.mha", "o.mhd"):
            self.apply("a.nrrd", output, "a.nrrd", words=output + ": a MetaImage cannot have the keys Comment, DICOM.instanceUIDs")
            self.expect_image(output, VALUES, SIZE, (2, 3, 4), (10, -20, 30))
            self.assertIn("one = value", self.lines(output))
        self.apply("a.nrrd", "o.nrrd", "a.nrrd")
        self.assertLessEqual(set(keys), set(self.lines("o.nrrd")))

    def test_headers_of_nifti_stay_where_images_move(self):
        """What is said of values and of time, while the place is that of the new grid; what is said of axes stays on the same grid only."""
        said = {
            "intent_code": 3, "intent_p1": 17.25, "intent_name": b"T of a test", "cal_max": 100.5, "cal_min": -3, "toffset": 1.5,
            "descrip": b"d" * 80, "aux_file": b"other.txt",
        }  # fmt: skip
        axes = {"dim_info": 57, "slice_start": 1, "slice_end": 2, "slice_code": 4, "slice_duration": 0.0625}
        place = {"qform_code": 2, "quatern": [0, 0, 0], "qoffset": [1, 2, 3], "sform_code": 2, "sform": [2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3]}
        extension = struct.pack("<ii", 32, 6) + b"a comment of 24 bytes" + bytes(3)
        template = {"qform_code": 1, "quatern": [0, 0, 0], "qoffset": [1, 2, 2], "sform_code": 4, "sform": [3, 0, 0, 1, 0, 3, 0, 2, 0, 0, 3, 2]}
        self.write("grid.nii", nf.nifti((4, 4, 4), "B", range(64), pixdim=[1, 3, 3, 3, 9, 1, 1, 1], xyzt_units=16 + 2, descrip=b"the template", **template))
        self.write("grid.mha", files.meta(["ElementSpacing = 3 3 3", "Offset = -1 -2 2"], bytes(64), (4, 4, 4)))
        for version, count in ((1, 1), (2, 1), (1, 2), (2, 2)):
            pixdim = [1, 2, 2, 2, 2.5, 1, 1, 1]
            content = nf.nifti((*SIZE, count), "h", VALUES * count, version, "<", extension, pixdim=pixdim, xyzt_units=10, **said, **axes, **place)
            self.write("a.nii", content)
            for reference, expected in (
                ("a.nii", {**said, **axes, **place, "xyzt_units": 10}),
                ("grid.nii", {**said, **{name: 0 for name in axes}, **template, "xyzt_units": 10}),
                ("grid.mha", {**said, **{name: 0 for name in axes}, "qform_code": 1, "sform_code": 1, "sform": [-3, 0, 0, 1, 0, -3, 0, 2, 0, 0, 3, 2], "xyzt_units": 10}),
            ):
                for more in ([], ["--interpolation", "label"]):
                    self.expect(0, "", "transform", "apply", "a.nii", "o.nii", "--reference", reference, "-x", "same.tfm", "-q", *more)
                    fields, _ = self.read_nifti("o.nii")
                    self.assertEqual({name: fields[name] for name in expected}, expected, (version, count, reference, more))
                    self.assertEqual((fields["extension"][:32], fields["version"], fields["pixdim"][4]), (extension, version, 2.5))
                    self.assertEqual(fields["pixdim"][1:4], pixdim[1:4] if reference == "a.nii" else [3, 3, 3])
        self.write("a.nii", nf.nifti(SIZE, "B", VALUES, 1, "<", extension, pixdim=[1, 2, 2, 2, 2.5, 1, 1, 1], xyzt_units=10, **said, **axes, **place))
        moved = ["translation", "grid.nii", "a.nii", "-o", "w.nii", "--moving-labels", "a.nii", "--output-labels", "l.nii", "--iterations", "0", "-q"]
        self.assertEqual(self.run_program("register", *moved)[0], 0)
        for name in ("w.nii", "l.nii"):
            fields, _ = self.read_nifti(name)
            expected = {**said, **template, "dim_info": 0}
            self.assertEqual({key: fields[key] for key in expected}, expected)


if __name__ == "__main__":
    programs.run_tests()
