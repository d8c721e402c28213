// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Registers two image files on a GPU or on the CPU, with the filters of this module.

#include "register/RegisterCommands.h"
#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"

int
main(int argc, char ** argv)
{
  CLI::App program("Finds the deformation that makes one 2D or 3D image like another, on an NVIDIA GPU or on the CPU.",
                   "cudaneuro-register");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddUnbiasedCommand(program);
  AddGreedyCommand(program);
  AddDevicesCommand(program);
  program.footer("Which one: unbiased to measure change or difference of volume, and when in doubt; greedy for the\n"
                 "best fit of two brains to each other. Rotation, scale and large shifts are for --initial-transform.\n"
                 "Each has its own help: cudaneuro-register unbiased --help");
  return RunProgram(program, argc, argv);
}
