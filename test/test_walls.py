# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The walls between the rooms of src/, files/ and apps/ hold, and tools/check-includes.sh finds each kind of breach."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = "core 0\ncuda 1\nimages 4\nsolvers 4\nregistration 5\nitk 7\n"


def breaches(files):
    """What the check says of a folder of sources with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"rooms.txt": ROOMS, **files}.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check(folder)


def check(folder):
    result = subprocess.run(["bash", ROOT / "tools/check-includes.sh", folder], capture_output=True, text=True)
    assert result.stderr == "" and (result.returncode == 0) == (result.stdout == ""), result
    return result.stdout


class Walls(unittest.TestCase):
    def test_hold(self):
        for folder in ("src", "files", "apps"):
            with self.subTest(folder=folder):
                self.assertEqual(check(ROOT / folder), "")

    def test_rooms_of_files(self):
        rooms = "files/base 0\nfiles/points 3\nfiles/images 3\n"
        own = {"rooms.txt": rooms, "points/X.cxx": '#include "files/base/A.h"\n#include "itkImage.h"\n'}
        self.assertEqual(breaches(own), "")
        for line in ("files/images/A.h", "shared/A.h", "base/A.h"):
            with self.subTest(line=line):
                self.assertIn("points/X.cxx", breaches({**own, "points/X.cxx": f'#include "{line}"\n'}))

    def test_own_room_and_lower_floors_are_open(self):
        text = '#include "images/A.h"\n#include "core/B.h"\n#include "cudaneuro/Context.h"\n#include <vector>\n'
        self.assertEqual(breaches({"images/X.cxx": text, "itk/Y.cxx": '#include "itkImage.h"\n'}), "")
        self.assertEqual(breaches({"images/X.cu": "#include <cufft.h>\n", "cuda/Y.h": "#include <cuda_runtime.h>\n"}), "")

    def test_breaches_are_found(self):
        for name, line, complaint in (
            ("core/X.h", '#include "cuda/Y.h"', "cuda is on floor 1, core on floor 0"),
            ("images/X.cu", '#include "solvers/Y.cuh"', "solvers is on floor 4, images on floor 4"),
            ("images/X.cxx", '#  include "Y.h"', "in no room"),
            ("images/X.cxx", '#include "attic/Y.h"', "in no room"),
            ("attic/X.cxx", "", "room attic is not in rooms.txt"),
            ("images/X.cxx", "#include <cuda_runtime.h>", "header of CUDA"),
            ("registration/X.h", "#include <cufft.h>", "header of CUDA"),
            ("core/X.cxx", '#include "itkImage.h"', "ITK belongs to the room itk"),
            ("core/X.cxx", "#include <itkImage.h>", "ITK belongs to the room itk"),
            ("solvers/X.cxx", "void F(const RegistrationParameters &);", "parameters of registration"),
        ):
            with self.subTest(name=name, line=line):
                found = breaches({name: "// a comment\n" + line + "\n"})
                self.assertIn(complaint, found)
                self.assertIn(name, found)


if __name__ == "__main__":
    unittest.main()
