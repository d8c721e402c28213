// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_SlicerRun_h
#define apps_shared_SlicerRun_h

#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Runs a program as a module of 3D Slicer, with the command line that Slicer makes from its description.
 *
 * A program knows that Slicer runs it in one of three ways: Slicer passes --slicer, which descriptions have with
 * the value true; or it passes a file for results; or it starts the program under the name of a module. */

bool
IsSlicerRun();

/** Adds --xml, which prints the description, and the flags that Slicer gives, to a program and all its commands. */
void
AddSlicerOptions(CLI::App & app);

/** Returns the arguments of a command line, without the program's name, in ordinary form:
 *
 *  - the command is added if the program was started by a link that is named after the program and a command, such as
 *    cudaneuro-denoise-bilateral or CudaNeuroDenoiseBilateral;
 *  - Slicer's --output_type becomes --output-type, because Slicer's names have no hyphens;
 *  - options before the command are moved behind it, because Slicer passes all names of files last;
 *  - defaults that Slicer passes, as it does for all numbers and choices, are left out: otherwise options that
 *    have no effect together with others, or exclude them, would be errors. */
std::vector<std::string>
OrdinaryArguments(const CLI::App & app, int argc, const char * const * argv);

/** Writes a command's results in a report into the file that Slicer passed for them, if it passed one.
 * \throws UserError */
void
WriteSlicerResults(const Report::Json & report);

#endif
