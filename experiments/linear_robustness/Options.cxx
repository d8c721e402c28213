// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Options.h"

#include "Runs.h"

#include <iostream>

void
AddOptions(CLI::App & app, Options & o)
{
  auto & p = o.parameters;
  // So that a script's options can be followed by others.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("fixed", o.fixed)->required();
  app.add_option("moving", o.moving)->required();
  app.add_option("--title", o.title, "First cell of the table's row");
  app.add_option("--device", o.device, "cpu or cuda");
  app.add_option("--json", o.json, "File for all runs");
  app.add_option("--truth", o.truth, "header; consensus: the median of all results; or a transform file");
  app.add_option("--starts", o.starts, "Number of starts")->check(CLI::PositiveNumber);
  app.add_option("--angle", o.angle, "Largest rotation about each axis, in degrees; from 180 on, any rotation");
  app.add_option("--shift", o.shift, "Largest shift along each axis, in mm");
  app.add_option("--tolerance", o.tolerance, "Largest error of a success, in mm");
  app.add_option("--seed", o.seed, "Seed of starts, noise and bias");
  app.add_option("--shrink", o.shrink, "Shrink both images first")->check(CLI::PositiveNumber);
  app.add_option("--smooth", o.smooth, "Smooth both images first, standard deviation in mm");
  app.add_flag("--resample", o.isResampled, "See each image on a slightly rotated grid of its own first");
  app.add_option("--noise", o.noise, "Noise of both images, in percent of bright tissue");
  app.add_option("--bias", o.bias, "Range of a smooth factor on the moving image, in percent");
  app.add_option("--cut", o.cut, "Fraction of the moving head's height to cut off below")->check(CLI::Range(0.0, 0.9));
  app.add_flag("--cut-above", o.isCutAbove, "Cut off above");
  app.add_option("--known-scale", o.knownScale, "Give the moving image a known affine map with scales 1 - S to 1 + S");
  app.add_option("--transform-type", o.transformType);
  app.add_option("--metric", o.metric);
  app.add_option("--start", o.start, "Start of the registration, from the random one on");
  app.add_option("--search-angle", p.searchAngle);
  app.add_option("--search-distance", p.searchDistance);
  app.add_option("--levels", o.levels, "Shrink factors, coarsest first")->delimiter(',');
  app.add_option("--number-of-histogram-bins,--bins", p.metric.numberOfHistogramBins);
  app.add_option("--intensity-quantiles,--quantiles", p.metric.intensityQuantiles)->delimiter(',');
  app.add_option("--correlation-radius", p.metric.correlationRadius);
  app.add_flag_callback("--one-way", [&p] { p.metric.useSymmetricMetric = false; });
  app.add_option("--convergence-threshold,--convergence", p.convergenceThreshold);
  app.add_option("--minimum-overlap", p.minimumOverlap);
  app.add_flag_callback("--table-head", [] {
    std::cout << Summary::TableHead();
    throw CLI::Success();
  });
}

void
SetParameters(Options & o)
{
  FromName(o.metric, o.parameters.metric.metric);
  FromName(o.transformType, o.parameters.transformType);
  FromName(o.start, o.parameters.start);
  if (!o.levels.empty())
  {
    o.parameters.levels.clear();
    for (const int factor : o.levels)
    {
      o.parameters.levels.push_back({ { factor, factor, factor }, 100 });
    }
  }
}
