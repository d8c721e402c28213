// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Builds the atlas of a population of images on GPUs, on the CPU, or on several machines, with the engine of this
// module.

#include "atlas/AtlasCommands.h"
#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

namespace
{

int
Run(Processes & processes, int argc, char ** argv)
{
  CLI::App program("Builds the unbiased template of a population of 2D or 3D images, on NVIDIA GPUs or on the CPU.",
                   "cudaneuro-atlas");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddBuildCommand(program, processes);
  AddSynthesizeCommand(program, processes);
  AddDevicesCommand(program);
  // The place in Slicer's list of modules. It is set last, because commands that are added later would inherit it in
  // their help.
  program.group("Registration.Atlases");
  program.footer(
    "Which one: build makes the template and, for every image, the maps to it and back; synthesize\n"
    "makes images to try it with.\n"
    "On several GPUs of one machine: cudaneuro-atlas build --device all ...; on several machines, where MPI\n"
    "is part of the build: mpirun -n N cudaneuro-atlas build ..., a process for each GPU.\n"
    "Each has its own help: cudaneuro-atlas build --help");
  return RunProgram(program, argc, argv, [&](int status) { processes.End(status); });
}

} // namespace

int
main(int argc, char ** argv)
{
  return RunWithProcesses("cudaneuro-atlas", argc, argv, Run);
}
