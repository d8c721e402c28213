// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_folder_AtlasFigure_h
#define apps_atlas_folder_AtlasFigure_h

#include "cudaneuro/Atlas.h"

#include <string>

/** Returns why no figure can be drawn, or an empty string: this program may be built without PLplot, or PLplot may lack
 * its driver for PNG. */
std::string
GetReasonForNoFigure();

/** The content of the figure. */
struct AtlasFigure
{
  cudaneuro::Geometry geometry;
  /** The template, on the grid. */
  const float *                  atlas = nullptr;
  const float *                  mean = nullptr;
  double                         entropyOfAtlas = 0.0;
  double                         entropyOfMean = 0.0;
  std::size_t                    numberOfImages = 0;
  const cudaneuro::AtlasResult * result = nullptr;
};

/** Draws a PNG: the middle slices of the template and of the plain mean, and the curves of energy, entropy and drift.
 * Requires that GetReasonForNoFigure is empty.
 * \throws std::runtime_error */
void
DrawAtlasFigure(const AtlasFigure & figure, const std::string & path);

#endif
