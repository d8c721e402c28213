// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/LinearOptions.h"

using cudaneuro::LinearStart;
using cudaneuro::VoxelWeighting;

namespace
{

const Choice<LinearStart> &
Starts()
{
  static const Choice<LinearStart> choice({ { "centers-of-mass", LinearStart::CentersOfMass },
                                            { "initial-transform", LinearStart::InitialTransform },
                                            { "grid-centers", LinearStart::GridCenters },
                                            { "principal-axes", LinearStart::PrincipalAxes } });
  return choice;
}

const Choice<VoxelWeighting> &
Weightings()
{
  static const Choice<VoxelWeighting> choice({ { "automatic", VoxelWeighting::Automatic },
                                               { "uniform", VoxelWeighting::Uniform },
                                               { "near-head", VoxelWeighting::NearHead },
                                               { "depth", VoxelWeighting::Depth } });
  return choice;
}

void
AddMetricOptions(CLI::App & app, LinearOptions & options, OptionModes & modes, const std::string & group)
{
  AddMetric(app,
            options.metric,
            { "mutual-information", "local-correlation", "mean-squares" },
            "What makes the images alike: the first for images of any two\n"
            "contrasts, the second where shading differs, the third for\n"
            "images of one scanner and sequence",
            group);
  AddHistogramBins(app, options.metric, modes, group);
  AddCorrelationRadius(app, options.metric, modes, group);
  AddKeepOutliers(app, options.metric, group);
  app
    .add_option("--quantiles",
                options.quantiles,
                "Two fractions of an image's voxels: intensities below the\n"
                "first quantile and above the second count as the quantile, so\n"
                "that a few bright voxels do not matter")
    ->delimiter(',')
    ->allow_extra_args(false)
    ->expected(1, 2)
    ->check(AtLeast(0))
    ->option_text("N[,N...]")
    ->group(group);
  app
    .add_flag("--one-way",
              options.isOneWay,
              "Compare the fixed with the moving image alone, in half the time.\n"
              "By default the images are compared both ways, so that exchanging\n"
              "them inverts the map")
    ->group(group);
  AddChoice(app,
            "--voxel-weights",
            options.voxelWeights,
            Weightings().GetNames(),
            "Which voxels count: all, those of the head and near it, or on the\n"
            "last two levels by their depth under the surface of the head, as\n"
            "scalp, jaw and neck would outweigh the brain. automatic: depth for\n"
            "similarity and affine, near-head else, and uniform with metrics\n"
            "other than mutual-information")
    ->group(group);
  app
    .add_flag("--no-local-refinement",
              options.withoutLocalRefinement,
              "Leave out the refinement after the last level, by the local\n"
              "correlation of deep voxels, which maps by mutual information\n"
              "with --voxel-weights depth have where voxels are not larger than\n"
              "1.3 mm")
    ->group(group);
  app
    .add_flag("--overlap-only",
              options.overlapOnly,
              "Compare the images only where they overlap. By default the\n"
              "moving image goes on beyond its grid at sides where it ends\n"
              "in background")
    ->group(group);
}

} // namespace

cudaneuro::LinearRegistrationParameters
LinearOptions::Defaults()
{
  return {};
}

void
AddLinearMethodOptions(CLI::App & app, LinearOptions & options, OptionModes & modes)
{
  const std::string group = "Registration";
  AddMetricOptions(app, options, modes, group);
  AddLevelOptions(app, options.levels, "image", "", group);
  app
    .add_option("--convergence",
                options.convergence,
                "End a level when a step moves no corner of the fixed image by\n"
                "more than this, in voxels of the level, 1e-6 to 1")
    ->check(Positive())
    ->option_text("X")
    ->group(group);
  app
    .add_option("--minimum-overlap",
                options.minimumOverlap,
                "Do not take maps after which the other image covers less than\n"
                "this fraction of the smaller one")
    ->check(AtLeast(0).description("[0,1]"))
    ->option_text("X")
    ->group(group);
  app
    .add_option("--maximum-scale",
                options.maximumScale,
                "Do not take maps that scale any direction by more than this,\n"
                "without unit, or by less than its inverse")
    ->check(AtLeast(1))
    ->option_text("X")
    ->group(group);
  app
    .add_option("--maximum-shear",
                options.maximumShear,
                "Do not take maps that change a right angle by more than this, in\ndegrees")
    ->check(AtLeast(0).description("[0,90]"))
    ->option_text("X")
    ->group(group);
  app
    .add_option("--maximum-rotation",
                options.maximumRotation,
                "Do not take maps that rotate by more than this, in degrees,\nagainst the initial transform")
    ->check(AtLeast(0).description("[0,180]"))
    ->option_text("X")
    ->group(group);
}

void
AddStartOptions(CLI::App &                                 app,
                LinearOptions &                            options,
                LinearTransformType                        type,
                const char *                               group,
                const std::function<void(CLI::Option *)> & addMode)
{
  const auto add = [&](CLI::Option * option) {
    option->group(group);
    if (addMode)
    {
      addMode(option);
    }
  };
  add(AddChoice(app,
                "--start",
                options.start,
                Starts().GetNames(),
                "Where to start: with the centers of mass at one point; at the\n"
                "initial transform, or the identity; with the centers of the\n"
                "grids at one point; with the principal axes of the intensities\n"
                "on each other. The first and the third follow an initial\n"
                "transform",
                "initial-transform where one is given, else\ncenters-of-mass"));
  if (type != LinearTransformType::Translation)
  {
    add(app
          .add_option("--search-angle",
                      options.searchAngle,
                      "Try rotations of the start by up to this angle first, in\n"
                      "degrees; 180 tries all, for scans whose position is unknown;\n"
                      "0 none")
          ->check(AtLeast(0).description("[0,180]"))
          ->option_text("X"));
  }
  add(app
        .add_option("--search-distance",
                    options.searchDistance,
                    "Try shifts of the start by up to this distance first, in mm;\n"
                    "0 none")
        ->check(AtLeast(0))
        ->option_text("X"));
  add(app.add_flag("--require-success",
                   options.isSuccessRequired,
                   "End with exit status 1 where the quality of the result tells\n"
                   "that nothing was found, rather than with a warning; outputs\n"
                   "have the best that was found"));
}

namespace
{

void
NoteParameters(const LinearOptions & options,
               const std::string &   start,
               RegisterReport &      report,
               const std::string &   where)
{
  const auto note = [&](const char * name, const auto & value) { report.Set(where + '/' + name, value); };
  options.metric.Note(report, where);
  note("quantiles", options.quantiles);
  note("one_way", options.isOneWay);
  note("overlap_only", options.overlapOnly);
  note("voxel_weights", options.voxelWeights);
  note("no_local_refinement", options.withoutLocalRefinement);
  note("start", start);
  note("search_angle", options.searchAngle);
  note("search_distance", options.searchDistance);
  note("levels", options.levels.GetNumberOfLevels());
  note("iterations", options.levels.iterations);
  note("convergence", options.convergence);
  note("minimum_overlap", options.minimumOverlap);
  note("maximum_scale", options.maximumScale);
  note("maximum_shear", options.maximumShear);
  note("maximum_rotation", options.maximumRotation);
}

} // namespace

template <unsigned int VDimension>
typename LinearFilter<VDimension>::Pointer
MakeLinearFilter(const LinearOptions & options,
                 LinearTransformType   type,
                 bool                  hasInitialTransform,
                 RegisterReport &      report,
                 const std::string &   where)
{
  const std::string start = !options.start.empty() ? options.start
                            : hasInitialTransform  ? "initial-transform"
                                                   : "centers-of-mass";
  if (hasInitialTransform && start == "principal-axes")
  {
    throw UserError("--start principal-axes does not use --initial-transform: leave one of them out");
  }
  if (options.quantiles.size() != 2)
  {
    throw UserError("--quantiles has " + std::to_string(options.quantiles.size()) + " values; it needs 2");
  }
  const auto filter = LinearFilter<VDimension>::New();
  filter->SetTransformType(type);
  filter->SetMetric(options.metric.Get());
  filter->SetNumberOfHistogramBins(options.metric.bins);
  filter->SetCorrelationRadius(options.metric.correlationRadius);
  filter->SetIntensityQuantiles(options.quantiles.front(), options.quantiles.back());
  filter->SetRepairOutliers(!options.metric.keepOutliers);
  filter->SetUseSymmetricMetric(!options.isOneWay);
  filter->SetExtendBackground(!options.overlapOnly);
  filter->SetVoxelWeighting(Weightings().GetValue(options.voxelWeights));
  filter->SetUseLocalRefinement(!options.withoutLocalRefinement);
  filter->SetStart(Starts().GetValue(start));
  filter->SetSearchAngle(options.searchAngle);
  filter->SetSearchDistance(options.searchDistance);
  SetLevels(options.levels, *filter);
  filter->SetConvergenceThreshold(options.convergence);
  filter->SetMinimumOverlap(options.minimumOverlap);
  filter->SetMaximumScale(options.maximumScale);
  filter->SetMaximumShear(options.maximumShear);
  filter->SetMaximumRotation(options.maximumRotation);
  NoteParameters(options, start, report, where);
  return filter;
}

#define INSTANTIATE(VDimension) \
  template LinearFilter<VDimension>::Pointer MakeLinearFilter<VDimension>( \
    const LinearOptions &, LinearTransformType, bool, RegisterReport &, const std::string &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
