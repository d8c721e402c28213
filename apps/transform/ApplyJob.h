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

/** Options of cudaneuro-transform apply. */
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

  /** The images that a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** Returns the values of --interpolation. */
const Choice<Interpolation> &
Interpolations();

/** Moves an image, labels, a series, points or a mesh. Checks everything, and makes the place of the output, before it
 * computes.
 * \throws UserError, Interrupted */
void
RunApply(const ApplyOptions & options);

#endif
