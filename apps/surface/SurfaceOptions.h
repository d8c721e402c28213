// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_SurfaceOptions_h
#define apps_surface_SurfaceOptions_h

#include "cudaneuro/VtkSurface.h"
#include "files/images/OpenedImage.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/** What the input of a run is. */
enum class SurfaceKind
{
  Surface,
  Labels,
  Distance
};

/** Options of cudaneuro-surface denoise. In names of outputs {label} stands for the label. */
struct SurfaceOptions
{
  std::string               input;
  bool                      isDistance = false;
  std::vector<std::int64_t> labels;
  std::string               mask;

  std::string output;
  std::string outputDistance;
  std::string figure;
  std::string json;

  std::optional<double>                      spacing;
  cudaneuro::NonLocalMeansLevelSetParameters levelSet;
  bool                                       keepsEdges = false;

  ComputeOptions compute;

  /** What a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();

  SurfaceKind
  GetKind() const;
  cudaneuro::SurfaceContouring
  GetContouring() const;
};

/** Adds all options of SurfaceOptions. */
void
AddSurfaceOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes);

#endif
