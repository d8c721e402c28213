// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_MatchOptions_h
#define apps_landmarks_MatchOptions_h

#include "cudaneuro/GeodesicShooting.h"
#include "cudaneuro/PointAlignment.h"
#include "files/images/OpenedImage.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"

#include <memory>
#include <string>
#include <vector>

/** Options of cudaneuro-landmarks match. In names of outputs {name} stands for the target. */
struct MatchOptions
{
  std::string              templatePoints;
  std::vector<std::string> targets;
  std::string              weights;
  std::string              reference;
  std::string              mesh;

  std::string outputTransform;
  std::string outputInverseTransform;
  std::string outputPoints;
  std::string outputMesh;
  std::string outputField;
  std::string outputInverseField;
  std::string outputMomenta;
  std::string outputTrajectory;
  std::string picture;
  std::string animation;
  std::string json;

  std::string  align = "none";
  double       sigma = 0.0;
  double       lambda = 5e5;
  unsigned int timeSteps = 40;
  std::string  integrator = "euler";
  std::string  precision = "single";
  unsigned int iterations = 400;
  double       convergence = 0.0;
  double       gradientTolerance = 1e-6;

  ComputeOptions compute;

  /** What a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

const Choice<cudaneuro::PointAlignment> &
PointAlignments();
const Choice<cudaneuro::ShootingIntegrator> &
Integrators();
const Choice<cudaneuro::ShootingPrecision> &
Precisions();

/** Adds all options of MatchOptions. */
void
AddMatchOptions(CLI::App & app, MatchOptions & options, OptionModes & modes);

#endif
