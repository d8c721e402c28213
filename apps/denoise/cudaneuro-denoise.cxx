// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Denoises image files on a GPU or on the CPU, with the filters of this module.

#include "shared/Commands.h"
#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

int
main(int argc, char ** argv)
{
  CLI::App program("Denoises 2D and 3D images with edge-preserving filters, on an NVIDIA GPU or on the CPU.",
                   "cudaneuro-denoise");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddBilateralCommand(program);
  AddDiffusionCommand(program);
  AddNonLocalMeansCommand(program);
  AddAdaptiveNonLocalMeansCommand(program);
  AddNoiseMapCommand(program);
  AddCompareCommand(program);
  AddDevicesCommand(program);
  // The place in the list of modules of 3D Slicer. Commands that are added later would have it in their help.
  program.group("Filtering.Denoising");
  program.footer(
    "Which one: adaptive-non-local-means for the best result, and when in doubt; non-local-means is faster,\n"
    "and second best; bilateral for the shortest time.\n"
    "Each has its own help: cudaneuro-denoise adaptive-non-local-means --help");
  return RunProgram(program, argc, argv);
}
