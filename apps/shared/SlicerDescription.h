// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_SlicerDescription_h
#define apps_shared_SlicerDescription_h

#include "shared/CommandLine.h"

#include <string>
#include <vector>

/** Describes commands as modules of 3D Slicer, in the XML of its execution model. */

/** A number in a command's report that Slicer shows. */
struct SlicerResult
{
  std::string name;
  /** Where it is in the command's report, a JSON pointer. */
  std::string where;
  std::string description;
};

/** Sets the numbers of a command that Slicer shows. */
void
DeclareResults(const CLI::App & command, const std::vector<SlicerResult> & results);

const std::vector<SlicerResult> &
ResultsOf(const CLI::App & command);

/** Describes a command with all its options. A program with commands is described with a choice of those that have the
 * same files as the first one, and with the options that all of these share. The program's group is its place in
 * Slicer's list of modules. */
std::string
DescribeForSlicer(const CLI::App & app);

/** The name of an option or a file in a description: "--output-type" is output_type, FIXED fixed. */
std::string
SlicerNameOf(const CLI::Option & option);

/** Flags that Slicer passes. Descriptions have the first one with the value true, so that Slicer passes it back, which
 * shows that the program runs from its description. */
constexpr const char * slicerFlag = "--slicer";
constexpr const char * slicerResultFile = "--returnparameterfile";
constexpr const char * slicerProcessAddress = "--processinformationaddress";

#endif
