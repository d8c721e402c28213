// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Options_h
#define Options_h

#include "cudaneuro/LinearRegistration.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/** The command line of an experiment. */
struct Options
{
  std::string fixed;
  std::string moving;
  std::string title;
  std::string device = "cuda";
  std::string truth = "header";
  std::string json;
  int         starts = 100;
  double      angle = 30.0;
  double      shift = 30.0;
  double      tolerance = 1.0;
  int         seed = 1;
  // What is done to the images.
  unsigned int shrink = 1;
  double       smooth = 0.0;
  bool         isResampled = false;
  double       noise = 0.0; // percent of bright tissue
  double       bias = 0.0;  // percent
  double       cut = 0.0;   // fraction of the head's height
  bool         isCutAbove = false;
  double       knownScale = 0.0;
  // How it is registered.
  std::string                             metric = "MutualInformation";
  std::string                             transformType = "Rigid";
  std::string                             start = "InitialTransform";
  std::vector<int>                        levels;
  cudaneuro::LinearRegistrationParameters parameters;
};

void
AddOptions(CLI::App & app, Options & o);

/** Takes names of options to the parameters' values. */
void
SetParameters(Options & o);

#endif
