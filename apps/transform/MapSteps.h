// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MapSteps_h
#define apps_transform_MapSteps_h

#include "files/images/ReadingOptions.h"
#include "files/maps/EngineMap.h"
#include "files/output/OutputFile.h"
#include "shared/CommandLine.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"

#include <string>
#include <vector>

/** Maps of space on a command line: transforms that are applied to a point one after the other. */

/** A transform of a file, or its inverse. */
struct MapStep
{
  std::string path;
  bool        isInverse = false;

  /** Returns the file's path, as [FILE,1] for the inverse. */
  std::string
  GetText() const;
};

/** Parses a transform on the command line: FILE, or [FILE,1] for the inverse, as in ANTs. */
MapStep
ParseMapStep(const std::string & text);

/** Reads a text with one transform per line, by its path relative to the text. Lines with # are comments.
 * \throws UserError */
std::vector<MapStep>
ReadStepsOfText(const std::string & path);

/** The options --transform and --inverse. */
struct MapOptions
{
  std::vector<std::string> transforms;
  std::vector<std::string> inverses;
  const CLI::App *         command = nullptr;

  /** Returns the transforms in the order of the command line. */
  std::vector<MapStep>
  GetSteps() const;
};

/** Adds --transform and --inverse. */
void
AddMapOptions(CLI::App & app, MapOptions & options, const std::string & group);

/** Adds the files of transforms to the inputs of a run. */
void
AddMapInputs(FilesOfRun & files, const std::vector<MapStep> & steps);

/** Checks the steps as far as possible without making their transforms.
 * \throws UserError that names the file and the error */
void
CheckMapFiles(const std::vector<MapStep> & steps);

/** Returns the texts of the steps for a report. */
std::vector<std::string>
TextsOf(const std::vector<MapStep> & steps);

/** Reads the map that applies the steps to a point in their order.
 * \param what the purpose, in the message about transforms of other axes
 * \throws UserError that names a file with other axes, an unknown class, a singular matrix, or no inverse */
template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadMap(const std::vector<MapStep> & steps,
        const ReadingOptions &       reading,
        const std::string &          what,
        const ComputeOptions &       compute);

/** Reads the map of one step if it is linear, with the checks of ReadMap. Other files are checked as far as possible
 * without reading them.
 * \return null if the map is not linear */
template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadLinearMap(const MapStep & step, const ReadingOptions & reading, const std::string & what);

#endif
