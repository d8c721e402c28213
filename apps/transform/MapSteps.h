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

/** Maps of space that a command line names: transforms that are applied to a point one after the other. */

/** A transform of a file, or its inverse. */
struct MapStep
{
  std::string path;
  bool        isInverse = false;

  /** The file, with what stands for an inverse. */
  std::string
  GetText() const;
};

/** A transform by its name on the command line: FILE, or [FILE,1] for the inverse as ANTs writes it. */
MapStep
ParseMapStep(const std::string & text);

/** Transforms that a text names beside it, one a line; what begins with # is a comment.
 * \throws UserError */
std::vector<MapStep>
ReadStepsOfText(const std::string & path);

/** The options --transform and --inverse. */
struct MapOptions
{
  std::vector<std::string> transforms;
  std::vector<std::string> inverses;
  const CLI::App *         command = nullptr;

  /** The transforms in the order of the command line. */
  std::vector<MapStep>
  GetSteps() const;
};

/** Adds --transform and --inverse. */
void
AddMapOptions(CLI::App & app, MapOptions & options, const std::string & group);

/** Notes the files of transforms as inputs. */
void
AddMapInputs(FilesOfRun & files, const std::vector<MapStep> & steps);

/** Checks what can be known of the steps without making their transforms.
 * \throws UserError that names the file, and what in it cannot be right */
void
CheckMapFiles(const std::vector<MapStep> & steps);

/** What a report says of the steps. */
std::vector<std::string>
TextsOf(const std::vector<MapStep> & steps);

/** Reads the map that applies the steps to a point in their order.
 * \param what what it is for, in the message about transforms of other axes
 * \throws UserError that names a file with other axes, an unknown class, a singular matrix, or no inverse */
template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadMap(const std::vector<MapStep> & steps,
        const ReadingOptions &       reading,
        const std::string &          what,
        const ComputeOptions &       compute);

/** Reads the map of one step where it is linear, and checks it as ReadMap does. Of other files it checks what can be
 * known without reading them.
 * \return null where the map is not linear */
template <unsigned int VDimension>
typename SpaceMap<VDimension>::Pointer
ReadLinearMap(const MapStep & step, const ReadingOptions & reading, const std::string & what);

#endif
