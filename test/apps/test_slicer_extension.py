# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Builds and installs the extension of examples/slicer, with a small stand-in for Slicer's CMake package.

    python3 test_slicer_extension.py DENOISE REGISTER ATLAS LANDMARKS TRANSFORM [SURFACE] [BENCHMARK]
"""

import os
import pathlib
import subprocess

import programs
from slicer_module import Module

EXTENSION = pathlib.Path(__file__).resolve().parents[2] / "examples" / "slicer"
MODULES = ["DenoiseAdaptiveNonLocalMeans", "DenoiseBilateral", "DenoiseCompare", "DenoiseDiffusion", "DenoiseNonLocalMeans", "LandmarksMatch"]
MODULES += ["TransformApply", "TransformCompare", "TransformJacobian"]
MODULES += [f"Register{method}" for method in ("Affine", "Greedy", "Rigid", "Symmetric", "Unbiased")]
# What an extension uses of Slicer's package: folders, and a macro that puts scripts into theirs.
SLICER = """
set(Slicer_CLIMODULES_BIN_DIR lib/Slicer-5.10/cli-modules)
set(Slicer_INSTALL_CLIMODULES_BIN_DIR lib/Slicer-5.10/cli-modules)
set(Slicer_USE_FILE "${CMAKE_CURRENT_LIST_DIR}/UseSlicer.cmake")
set(Slicer_EXTENSION_GENERATE_CONFIG "${CMAKE_CURRENT_LIST_DIR}/Nothing.cmake")
set(Slicer_EXTENSION_CPACK "${CMAKE_CURRENT_LIST_DIR}/Nothing.cmake")
"""
USE_SLICER = """
macro(slicerMacroBuildScriptedModule)
  cmake_parse_arguments(MY "" "NAME" "SCRIPTS;RESOURCES" ${ARGN})
  install(FILES ${MY_SCRIPTS} DESTINATION lib/Slicer-5.10/qt-scripted-modules)
endmacro()
"""


class Extension(programs.ProgramTest):
    def run_cmake(self, *arguments):
        done = subprocess.run(["cmake", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_extension_is_built_and_installed(self):
        slicer = self.folder / "slicer"
        slicer.mkdir()
        for name, text in [("SlicerConfig.cmake", SLICER), ("UseSlicer.cmake", USE_SLICER), ("Nothing.cmake", "")]:
            (slicer / name).write_text(text)
        build, package = self.folder / "build", self.folder / "package"
        folder = pathlib.Path(programs.PROGRAMS["denoise"]).parent
        self.run_cmake("-S", EXTENSION, "-B", build, f"-DSlicer_DIR={slicer}", f"-DCudaNeuro_PROGRAMS_DIR={folder}")
        self.run_cmake("--build", build)
        self.run_cmake("--install", build, "--prefix", package)
        scripts = package / "lib/Slicer-5.10/qt-scripted-modules"
        self.assertEqual(os.listdir(scripts), ["CudaNeuroDenoise.py"])
        # Modules are complete in the build tree, and in the package as far as a program finds its libraries there.
        for place in (build, package):
            modules = place / "lib/Slicer-5.10/cli-modules"
            self.assertEqual(sorted(os.listdir(modules)), sorted(f"CudaNeuro{name}" for name in MODULES))
            for path in modules.iterdir():
                self.assertTrue(path.is_symlink() and os.access(path, os.X_OK), path)
                self.assertTrue(path.resolve().name.startswith("cudaneuro-"), path)
        titles = set()
        for path in (build / "lib/Slicer-5.10/cli-modules").iterdir():
            done = subprocess.run([path, "--xml"], capture_output=True, text=True, timeout=5, check=True)
            module = Module(done.stdout)
            titles.add(module.root.findtext("title"))
            self.assertNotIn("command", [parameter.name for parameter in module.parameters])
        self.assertEqual(len(titles), len(MODULES))
        self.assertEqual(len(os.listdir(package / "lib/Slicer-5.10/cudaneuro")), 4)


if __name__ == "__main__":
    programs.run_tests()
