// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_ApplyJob_h
#define apps_transform_ApplyJob_h

#include "files/images/OpenedImage.h"
#include "files/maps/VoxelSampler.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"
#include "transform/MapSteps.h"

#include <memory>
#include <string>

/** What the command apply moves, and where. */
struct ApplyOptions
{
  std::string    input;
  std::string    output;
  std::string    reference;
  MapOptions     map;
  std::string    volumeTransforms;
  std::string    interpolation = "linear";
  double         background = 0.0;
  std::string    outputType;
  std::string    json;
  ComputeOptions compute;

  /** What a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** The names of --interpolation. */
const Choice<Interpolation> &
Interpolations();

/** Moves an image, labels, a series, points or a mesh. All is checked, and the place of the output is made, before
 * anything is computed.
 * \throws UserError, Interrupted */
void
RunApply(const ApplyOptions & options);

#endif
