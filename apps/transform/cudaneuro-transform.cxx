// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Applies, composes, inverts, measures, compares and converts maps of space.

#include "shared/DevicesCommand.h"
#include "shared/ProgramSupport.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

int
main(int argc, char ** argv)
{
  CLI::App program("Applies, composes, inverts, measures, compares and converts maps of space: linear transforms, "
                   "displacement fields and composites of them.",
                   "cudaneuro-transform");
  program.require_subcommand(0, 1);
  program.get_formatter()->column_width(32);
  AddApplyCommand(program);
  AddComposeCommand(program);
  AddInvertCommand(program);
  AddJacobianCommand(program);
  AddCompareMapsCommand(program);
  AddConvertCommand(program);
  AddDevicesCommand(program);
  // The place in Slicer's list of modules. It is set last, because commands that are added later would inherit it in
  // their help.
  program.group("Registration");
  program.footer(
    "Which one: apply to move images and points, compose to make one transform of several, invert to go back, "
    "jacobian\n"
    "to see where a map folds, compare to see how far apart two are, convert for another program.\n"
    "A transform takes points of the fixed image to the moving one, as those of ITK and ANTs do: images are resampled\n"
    "from the moving to the fixed grid, and points move from the fixed to the moving image.\n"
    "Each has its own help: cudaneuro-transform apply --help");
  return RunProgram(program, argc, argv);
}
