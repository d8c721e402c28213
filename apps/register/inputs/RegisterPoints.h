// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_RegisterPoints_h
#define apps_register_inputs_RegisterPoints_h

#include "cudaneuro/RegistrationTerms.h"
#include "files/images/OpenedImage.h"
#include "register/inputs/RegisterOptions.h"

#include <string>
#include <vector>

/** The pairs of points of a run. */
struct RegisterPoints
{
  cudaneuro::PointPairs pairs;
  /** The labels of the fixed points; empty if they have none. */
  std::vector<std::string> labels;
  bool                     isByLabel = false;
  /** Notes to print if there are no errors; texts may be empty. */
  std::vector<std::string> notes;
};

/** Reads the points of a run, and pairs them like cudaneuro-landmarks.
 * \param fixed the grid of the displacements
 * \param moving the grid of the moving image
 * \throws UserError that names the file and the point that is outside of its grid, at the position of another, or of
 * other axes, and for standard deviations that are not one, or one per point */
RegisterPoints
ReadRegisterPoints(const RegisterOptions & files, const OpenedImage & fixed, const OpenedImage & moving);

/** The statistics of distances for a report, in mm. */
struct DistanceSummary
{
  double mean = 0.0;
  double median = 0.0;
  double maximum = 0.0;
};

DistanceSummary
Summarize(std::vector<double> distances);

/** Adds --fixed-points, --moving-points and their standard deviation. */
void
AddPointOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & group);

#endif
