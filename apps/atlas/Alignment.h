// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_Alignment_h
#define apps_atlas_Alignment_h

#include "cudaneuro/Geometry.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** The alignment of an image. */
struct ImageAlignment
{
  /** From points of the template to points of the image. */
  cudaneuro::AffineMap transform;
  /** Values of cudaneuro::LinearRegistrationResult from the last round. */
  double metric = 0.0;
  double overlap = 0.0;
  double quality = 0.0;
  bool   isSuccess = false;
};

/** One entry per image of a population; empty if images are not aligned. */
using Alignment = std::vector<ImageAlignment>;

/** Returns an alignment for a report, with as many axes as the image. */
Report::Json
Describe(const ImageAlignment & alignment, unsigned int dimension);

/** Returns an alignment with all bits, for FromJson. */
Report::Json
ToJson(const ImageAlignment & alignment);

/** \throws Report::Json::exception */
ImageAlignment
FromJson(const Report::Json & json);

#endif
