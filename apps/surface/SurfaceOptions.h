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

/** The kind of a run's input. */
enum class SurfaceKind
{
  Surface,
  Labels,
  Distance
};

/** How surfaces are denoised. */
enum class SurfaceMethod
{
  /** cudaneuro::DenoiseMesh: the vertices of a mesh are moved. */
  Normals,
  /** cudaneuro::MakeLabelSurfaces: the surface which the voxels of a label make most likely. */
  Labels,
  /** cudaneuro::NonLocalMeansLevelSet: the signed distance is denoised, and a new mesh is made of it. */
  LevelSet
};

/** Options of cudaneuro-surface denoise. {label} in names of outputs stands for the label. */
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

  /** Empty for the default of the input's kind. */
  std::string                                method;
  std::optional<double>                      noise;
  std::optional<double>                      spacing;
  cudaneuro::NonLocalMeansLevelSetParameters levelSet;
  bool                                       keepsEdges = false;

  ComputeOptions compute;

  /** The images that a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();

  SurfaceKind
  GetKind() const;
  /** Returns the requested method, or the default of the input's kind. */
  SurfaceMethod
  GetMethod() const;
  cudaneuro::SurfaceContouring
  GetContouring() const;
};

/** Returns the name of a method in the option. */
std::string
NameOf(SurfaceMethod method);

/** Adds all options of SurfaceOptions. */
void
AddSurfaceOptions(CLI::App & app, SurfaceOptions & options, OptionModes & modes);

/** Checks that options have an effect, and that there is an output.
 * \throws UserError, CLI::RequiredError */
void
CheckSurfaceOptions(const SurfaceOptions & options, const OptionModes & modes);

#endif
