// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_MatchOptions_h
#define apps_landmarks_MatchOptions_h

#include "files/images/OpenedImage.h"
#include "itkCudaNeuroLandmarkMatching.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"

#include <memory>
#include <string>
#include <vector>

/** Options of cudaneuro-landmarks match. {name} in names of outputs stands for the target. */
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

  itk::CudaNeuroDetail::LandmarkRegistrationParameters parameters;
  ComputeOptions                                       compute;

  /** The images that a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();

  /** Whether a linear map is part of the results. */
  bool
  IsAligned() const
  {
    return parameters.pointAlignment != cudaneuro::PointAlignment::None;
  }
};

/** Adds all options of MatchOptions. */
void
AddMatchOptions(CLI::App & app, MatchOptions & options, OptionModes & modes);

#endif
