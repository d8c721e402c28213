// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_Alignment_h
#define apps_atlas_Alignment_h

#include "cudaneuro/Geometry.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** How an image was aligned. */
struct ImageAlignment
{
  /** From points of the template to points of the image. */
  cudaneuro::AffineMap transform;
  /** Values of cudaneuro::LinearRegistrationResult, in the last round. */
  double metric = 0.0;
  double overlap = 0.0;
  double quality = 0.0;
  bool   isSuccess = false;
};

/** One an image of a population; empty where images are not aligned. */
using Alignment = std::vector<ImageAlignment>;

/** As a report has it, with as many axes as an image has. */
Report::Json
Describe(const ImageAlignment & alignment, unsigned int dimension);

/** With all bits, for FromJson. */
Report::Json
ToJson(const ImageAlignment & alignment);

/** \throws Report::Json::exception */
ImageAlignment
FromJson(const Report::Json & json);

#endif
