# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The walls between the rooms of src/, files/ and apps/ hold, and tools/check-includes.sh finds each kind of breach. Rooms and files
are small. Systems and compilers are told apart in src/system and its counterpart of the programs, files/system, alone."""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = (
    "core 0\ncuda 1\nimages 4\nimages/noise 5\nsolvers 4\n"
    "registration/step 5\nregistration 6\nregistration/parts 5 inner\nitk 7\n"
)

SYSTEM_ROOMS = ("src/system", "files/system")
SOURCE_FOLDERS = ("src", "include", "files", "apps", "vtk", "benchmark", "examples", "experiments", "test", "wrapping")
SOURCES = {".h", ".hxx", ".cxx", ".cpp", ".cu", ".cuh", ".py", ".sh", ".cmake", ".txt", ".wrap"}
# Headers that users include lie in one folder each, as ITK's do, and the documentation of a class stays together.
OF_USERS = (ROOT / "include", ROOT / "include/cudaneuro")
# What only some systems have, and what only some compilers have, where CUDA's own words are not meant.
OF_SYSTEMS = re.compile(
    r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:_WIN32|_WIN64|WIN32|__linux__|__unix__|__APPLE__|__MINGW\w*|_MSC_VER"
    r"|__GNUC__|__clang__|__x86_64__|_M_X64|__aarch64__|_M_ARM64)\b"
    r"|^\s*#\s*include\s*<(?:windows|io|direct|process|unistd|fcntl|dlfcn|poll|pthread|sched|sys/\w+|immintrin|arm_neon)\.h>"
)
OF_COMPILERS = re.compile(r"__attribute__|__builtin_|__declspec|__forceinline(?!__)|__int128|#\s*pragma\s+(?:GCC|clang)|\btypeof\b")
# A test that makes processes by a fork, for CMake leaves it out on other systems; one of descriptors, likewise; what stands
# around blocks of the pages, which GCC compiles; and what comes before sources that are parsed in Microsoft's dialect.
OF_ONE_SYSTEM = {
    "test/atlas/cudaneuroCheckpointKillsGTest.cxx",
    "test/core/cudaneuroForkedThreadsGTest.cxx",
    "test/files/cudaneuroErrorStreamGTest.cxx",
    "test/pages/preludes/program.cpp",
    "test/platforms/msvc-headers.h",
}

# How names become paths and folders are listed by the standard library, which GCC's gets wrong on Windows: ToPath and FilesOfFolder
# of files/system do it.
BY_STANDARD_PATHS = re.compile(r"\b(?:fs|filesystem)::(?:path(?:\s+\w+)?\s*\((?:\w|\.|->)+\)|directory_iterator\b)")


def told_apart(name, text):
    """The lines of a source that know a system or a compiler."""
    return [
        f"{name}:{number}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), 1)
        if OF_SYSTEMS.search(line) or OF_COMPILERS.search(line.split("//")[0])
    ]


def by_standard_paths(line):
    return BY_STANDARD_PATHS.search(line.split("//")[0]) is not None


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
        inner = {
            "registration/X.cxx": '#include "registration/parts/A.h"\n#include "images/noise/B.h"\n',
            "registration/step/Y.h": "void F(const RegistrationParameters &);\n",
            "solvers/Z.h": "void F(const LinearRegistrationParameters &);\n",
        }
        self.assertEqual(breaches(inner), "")
        self.assertEqual(breaches({"images/X.cu": "#include <cufft.h>\n", "cuda/Y.h": "#include <cuda_runtime.h>\n"}), "")

    def test_breaches_are_found(self):
        for name, line, complaint in (
            ("core/X.h", '#include "cuda/Y.h"', "cuda is on floor 1, core on floor 0"),
            ("images/X.cu", '#include "solvers/Y.cuh"', "solvers is on floor 4, images on floor 4"),
            ("images/X.cxx", '#include "images/noise/Y.h"', "images/noise is on floor 5, images on floor 4"),
            ("itk/X.cxx", '#include "registration/parts/Y.h"', "registration/parts is an inner room of registration"),
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

    def test_systems_are_told_apart_in_one_room(self):
        found = []
        for folder in SOURCE_FOLDERS:
            for path in sorted(ROOT.joinpath(folder).rglob("*")):
                name = path.relative_to(ROOT).as_posix()
                if path.suffix in {".h", ".hxx", ".cxx", ".cpp", ".cu", ".cuh"} and name not in OF_ONE_SYSTEM:
                    if not name.startswith(tuple(room + "/" for room in SYSTEM_ROOMS)):
                        found += told_apart(name, path.read_text())
        self.assertEqual(found, [])
        for room in SYSTEM_ROOMS:
            self.assertTrue(any(told_apart(path.name, path.read_text()) for path in ROOT.joinpath(room).iterdir()), room)

    def test_names_become_paths_in_one_room(self):
        found = []
        for folder in ("files", "apps"):
            for path in sorted(ROOT.joinpath(folder).rglob("*")):
                name = path.relative_to(ROOT).as_posix()
                if path.suffix in {".h", ".cxx"} and not name.startswith("files/system/"):
                    lines = enumerate(path.read_text().splitlines(), 1)
                    found += [f"{name}:{i}: {line}" for i, line in lines if by_standard_paths(line)]
        self.assertEqual(found, [])
        for line in (
            "const fs::path stem(path);",
            "if (std::filesystem::path(path).extension() == name)",
            "for (const auto & entry : fs::directory_iterator(folder))",
        ):
            with self.subTest(line=line):
                self.assertTrue(by_standard_paths(line))
        self.assertFalse(by_standard_paths("fs::path stem = ToPath(path); // not fs::path(path)"))

    def test_rooms_and_files_are_small(self):
        """A newcomer finds the place for something new: a folder has at most 40 files, and a file at most 400 lines."""
        large = []
        for folder in SOURCE_FOLDERS:
            for inner in (ROOT / folder, *sorted(path for path in ROOT.joinpath(folder).rglob("*") if path.is_dir())):
                sources = [path for path in inner.iterdir() if path.suffix in SOURCES]
                if inner.name != "__pycache__" and inner not in OF_USERS and len(sources) > 40:
                    large.append(f"{inner.relative_to(ROOT)}: {len(sources)} files")
                for path in sources:
                    lines = path.read_text().count("\n")
                    if lines > 400 and inner not in OF_USERS:
                        large.append(f"{path.relative_to(ROOT)}: {lines} lines")
        self.assertEqual(large, [])

    def test_what_tells_systems_apart_is_found(self):
        for line in (
            "#ifdef _WIN32",
            "#  if !defined(__APPLE__)",
            "#elif defined(__GNUC__) && defined(__x86_64__)",
            "#include <unistd.h>",
            "#  include <sys/mman.h>",
        ):
            with self.subTest(line=line):
                self.assertEqual(told_apart("src/core/X.cu", f"int a;\n{line}\n"), [f"src/core/X.cu:2: {line}"])
        for line in ("void F() __attribute__((noinline));", "return __builtin_popcount(a);", '#pragma GCC diagnostic push'):
            with self.subTest(line=line):
                self.assertEqual(told_apart("src/core/X.h", line), [f"src/core/X.h:1: {line}"])
                self.assertEqual(told_apart("src/core/X.cuh", line), [f"src/core/X.cuh:1: {line}"])
        self.assertEqual(told_apart("src/core/X.h", "#if CUDANEURO_USE_CUDA\n#include <cstdio>\n// __builtin_\n"), [])
        self.assertEqual(told_apart("src/core/X.cuh", "__device__ __forceinline__ void F();\n#pragma unroll\n"), [])


if __name__ == "__main__":
    unittest.main()
