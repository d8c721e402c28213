// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_SlicerRun_h
#define apps_shared_SlicerRun_h

#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** How a program runs as a module of 3D Slicer: from the command line that Slicer makes of its description.
 *
 * Slicer tells a program that it is run by Slicer in one of three ways: it gives --slicer, which descriptions have with
 * the value true; it gives a file for results; it starts the program under the name of a module. */

bool
IsSlicerRun();

/** Adds --xml, which prints the description, and the flags that Slicer gives, to a program and all its commands. */
void
AddSlicerOptions(CLI::App & app);

/** The arguments of a command line, without the program's name, in ordinary form:
 *
 *  - a program that was started as a module, by a link whose name is its own and that of a command, as
 *    cudaneuro-denoise-bilateral or CudaNeuroDenoiseBilateral, gets the command;
 *  - Slicer's --output_type becomes --output-type, as Slicer's names have no hyphens;
 *  - options that come before the command follow it, as Slicer gives all names of files last;
 *  - from Slicer, which gives all numbers and choices, those that are the default are left out: otherwise options that
 *    have no effect together with others, or exclude them, would be errors. */
std::vector<std::string>
OrdinaryArguments(const CLI::App & app, int argc, const char * const * argv);

/** Writes those of a command's results that a report has into the file that Slicer gave for them, if it gave one.
 * \throws UserError */
void
WriteSlicerResults(const Report::Json & report);

#endif
