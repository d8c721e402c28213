// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Registers two image files on a GPU or on the CPU, with the filters of this module.

#include "register/RegisterCommands.h"
#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

namespace
{

int
Run(Processes & processes, int argc, char ** argv)
{
  CLI::App program(
    "Finds the map that makes one 2D or 3D image like another, linear or deformable, on an NVIDIA GPU or on\nthe CPU.",
    "cudaneuro-register");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddUnbiasedCommand(program, processes);
  AddGreedyCommand(program, processes);
  AddSymmetricCommand(program, processes);
  AddLinearCommands(program, processes);
  AddDevicesCommand(program);
  // The place in Slicer's list of modules. It is set last, because commands that are added later would inherit it in
  // their help.
  program.group("Registration");
  program.footer(
    "Which one: rigid for two scans of one head; affine for two heads; unbiased to measure change or difference\n"
    "of volume, and when in doubt; greedy for the best fit of two brains to each other; symmetric where no image\n"
    "may go before the other, and where the inverse is used as well. These three align the images first, by an\n"
    "affine map unless --align says otherwise.\n"
    "A list of pairs is shared by all GPUs of a machine with --device cuda:all, and by several machines, where MPI\n"
    "is part of the build, with mpirun.\n"
    "Each has its own help: cudaneuro-register unbiased --help");
  return RunProgram(program, argc, argv, [&](int status) { processes.End(status); });
}

} // namespace

int
main(int argc, char ** argv)
{
  return RunWithProcesses("cudaneuro-register", argc, argv, Run);
}
