// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_population_AtlasOptions_h
#define apps_atlas_population_AtlasOptions_h

#include "cudaneuro/Atlas.h"
#include "files/images/OpenedImage.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"
#include "shared/registration/RegistrationOptions.h"

#include <memory>
#include <string>
#include <vector>

struct PopulationImage;

/** Options of cudaneuro-atlas build. */
struct AtlasOptions
{
  std::vector<std::string> images;
  /** The images of each further channel, one for each image. */
  std::vector<std::vector<std::string>> channels;
  std::vector<double>                   channelWeights;
  std::vector<std::string>              channelMetrics;
  std::vector<std::string>              labels; // none, or one for each of the images
  std::vector<std::string>              points; // the same
  std::string                           list;
  /** A list of several populations. */
  std::string cohorts;
  /** The table of their outcomes; empty for its place in the folder. */
  std::string table;
  /** The images of one of these populations, which replace those above. */
  std::shared_ptr<const std::vector<PopulationImage>> population;
  std::string                                         reference;
  std::string                                         initialTemplate;

  /** "affine", "rigid" or "none"; empty for the default, which depends on the images: see ResolveAlign. */
  std::string  align;
  unsigned int alignRounds = 2;
  bool         isSuccessRequired = false;

  std::string folder;
  std::string outputType;
  std::string json;
  bool        leaveOutMaps = false;
  bool        leaveOutInverse = false;
  bool        leaveOutDeformed = false;

  /** The parameters without the registration and its levels. */
  cudaneuro::AtlasParameters parameters;

  FluidOptions        fluid;
  std::vector<double> sigma{ 4.0 };

  cudaneuro::AtlasCheckpoint checkpoint;
  bool                       noCheckpoint = false;
  bool                       resume = false;
  bool                       overwrite = false;

  ComputeOptions compute;

  /** The images that a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();

  AtlasOptions();

  /** Returns whether images are aligned. Call it after ResolveAlign. */
  bool
  Aligns() const
  {
    return align != "none";
  }
  /** Returns the number of rounds: 1 with a given template, which does not change. */
  unsigned int
  GetAlignRounds() const
  {
    return initialTemplate.empty() ? alignRounds : 1;
  }

  bool
  WritesImages() const
  {
    return !leaveOutMaps || !leaveOutInverse || !leaveOutDeformed;
  }
};

/** Adds all options of AtlasOptions. */
void
AddAtlasOptions(CLI::App & app, AtlasOptions & options, OptionModes & modes);

#endif
