// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Denoises surfaces on a GPU or on the CPU, with the functions of this module.

#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"
#include "surface/SurfaceCommands.h"

#include <CLI/CLI.hpp>

int
main(int argc, char ** argv)
{
  CLI::App program("Denoises meshes and the boundaries of labels, on an NVIDIA GPU or on the CPU.",
                   "cudaneuro-surface");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddDenoiseCommand(program);
  AddCompareCommand(program);
  AddSynthesizeCommand(program);
  AddDevicesCommand(program);
  // The place in Slicer's list of modules. It is set last, because commands that are added later would inherit it in
  // their help.
  program.group("Surface Models");
  program.footer("Which one: denoise smooths what was scanned or segmented and keeps folds and edges; compare tells "
                 "how far two surfaces are\n"
                 "apart; synthesize makes surfaces to try it with.\n"
                 "Each has its own help: cudaneuro-surface denoise --help");
  return RunProgram(program, argc, argv);
}
