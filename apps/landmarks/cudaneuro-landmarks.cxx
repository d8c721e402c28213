// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Matches landmarks by geodesic shooting on a GPU or on the CPU, with the classes of this module.

#include "landmarks/LandmarksCommands.h"
#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

int
main(int argc, char ** argv)
{
  CLI::App program("Finds the deformation of space that takes landmarks to others, on an NVIDIA GPU or on the CPU.",
                   "cudaneuro-landmarks");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddMatchCommand(program);
  AddWarpCommand(program);
  AddSynthesizeCommand(program);
  AddDevicesCommand(program);
  // The place in Slicer's list of modules. It is set last, because commands that are added later would inherit it in
  // their help.
  program.group("Registration.Landmarks");
  program.footer(
    "Which one: match finds the deformation, with its inverse, from corresponding points of two files or more;\n"
    "warp applies one that was found to other points and meshes; synthesize makes points to try it with.\n"
    "Each has its own help: cudaneuro-landmarks match --help");
  return RunProgram(program, argc, argv);
}
