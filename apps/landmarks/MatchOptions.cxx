// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchOptions.h"

#include "shared/ImageOptions.h"

using cudaneuro::PointAlignment;
using cudaneuro::ShootingIntegrator;
using cudaneuro::ShootingPrecision;

const Choice<PointAlignment> &
PointAlignments()
{
  static const Choice<PointAlignment> choice({ { "none", PointAlignment::None },
                                               { "rigid", PointAlignment::Rigid },
                                               { "similarity", PointAlignment::Similarity } });
  return choice;
}

const Choice<ShootingIntegrator> &
Integrators()
{
  static const Choice<ShootingIntegrator> choice({ { "euler", ShootingIntegrator::Euler },
                                                   { "heun", ShootingIntegrator::Heun },
                                                   { "runge-kutta-4", ShootingIntegrator::RungeKutta4 } });
  return choice;
}

const Choice<ShootingPrecision> &
Precisions()
{
  static const Choice<ShootingPrecision> choice(
    { { "single", ShootingPrecision::Single }, { "double", ShootingPrecision::Double } });
  return choice;
}

namespace
{

void
AddInputOptions(CLI::App & app, MatchOptions & options, OptionModes & modes)
{
  const char * const group = "Inputs";
  app
    .add_option("TEMPLATE",
                options.templatePoints,
                "The points that move, in mm: .csv, .txt, elastix' .pts,\n"
                "3D Slicer's markups (.json, .fcsv), or the vertices of a mesh\n"
                "(.vtk, .gii, .obj, .off, .fsa, .fsb); 2D or 3D")
    ->option_text(" ")
    ->type_name("pointfile input type=point fileExtensions=.mrk.json coordinateSystem=lps")
    ->required();
  app
    .add_option("TARGET",
                options.targets,
                "Where they are to go: points of the same labels, where these\n"
                "are unique in both files, or as many in the same order.\n"
                "Several targets are matched together, which is faster")
    ->option_text("...")
    ->type_name("pointfile input type=point fileExtensions=.mrk.json coordinateSystem=lps")
    ->required();
  app
    .add_option("--weights",
                options.weights,
                "Weight of each point, at least 0: a .csv file with a column\n"
                "weight, or a number a line. Default: 1 for all")
    ->option_text("FILE")
    ->type_name("file input fileExtensions=.csv,.txt")
    ->group(group);
  modes.Add(app.add_option("--reference", options.reference, "An image whose grid the displacements have")
              ->option_text("FILE")
              ->type_name("image input")
              ->group(group),
            "--output-field or --output-inverse-field",
            [&options] { return !options.outputField.empty() || !options.outputInverseField.empty(); });
  for (CLI::Option * const option : AddImageOptions(app, options.opened, group))
  {
    modes.Add(option, "--reference", [&options] { return !options.reference.empty(); });
  }
  modes.Add(app.add_option("--mesh", options.mesh, "Another mesh, or points, to carry along")
              ->option_text("FILE")
              ->type_name("geometry input fileExtensions=.vtk")
              ->group(group),
            "--output-mesh",
            [&options] { return !options.outputMesh.empty(); });
}

void
AddOutputOptions(CLI::App & app, MatchOptions & options)
{
  const std::string group = "Outputs (the ending decides the format; of several targets, {name} in a name stands for "
                            "that of the target's file)";
  // The transform is of a class of this project, which Slicer cannot read; it takes the displacements for a transform.
  const auto add = [&](const char * name, std::string & path, const char * kind, const char * what) {
    return app.add_option(name, path, what)->option_text("FILE")->group(group)->type_name(kind);
  };
  add("-o,--output-transform",
      options.outputTransform,
      "file output fileExtensions=.h5,.tfm",
      "The map from template to target points: .h5, .tfm, .txt or\n.mat. To resample an image of the target's space on "
      "the\ntemplate's grid, ITK takes this one");
  add("--output-inverse-transform",
      options.outputInverseTransform,
      "file output fileExtensions=.h5,.tfm",
      "The map back, which resamples an image of the template's space");
  add("--output-points",
      options.outputPoints,
      "pointfile output type=point fileExtensions=.mrk.json coordinateSystem=lps",
      "The moved template points; with the mesh's cells in the\nformats of meshes");
  add("--output-mesh",
      options.outputMesh,
      "geometry output fileExtensions=.vtk",
      "The moved points of --mesh, with its cells");
  add("--output-field",
      options.outputField,
      "transform output type=nonlinear fileExtensions=.nrrd",
      "Displacements of the map in mm on the grid of --reference, LPS");
  add("--output-inverse-field",
      options.outputInverseField,
      "transform output type=nonlinear fileExtensions=.nrrd",
      "Those of the map back");
  add("--output-momenta",
      options.outputMomenta,
      "file output fileExtensions=.csv",
      "Initial momenta with the template points, .csv; after --align\nthose towards the target in the template's pose");
  add("--output-trajectory",
      options.outputTrajectory,
      "file output fileExtensions=.vtk,.csv",
      "Positions at all times: .csv, or polylines in 3D, .vtk");
  add("--picture", options.picture, "file output fileExtensions=.png", "Picture of the path, .png; in builds with VTK");
  app
    .add_option("--animation",
                options.animation,
                "Folder for pictures of the path up to each time step,\nframe_0000.png and so on; in builds with VTK")
    ->option_text("FOLDER")
    ->type_name("directory output")
    ->group(group);
  AddJsonFile(app, options.json, group);
}

void
AddMethodOptions(CLI::App & app, MatchOptions & options)
{
  const char * const group = "Matching";
  const auto         addNumber = [&](const char * name, double & value, const char * text) {
    return app.add_option(name, value, text)->option_text("X")->group(group);
  };
  const auto addCount = [&](const char * name, unsigned int & value, const char * text) {
    return app.add_option(name, value, text)->option_text("N")->group(group);
  };
  AddChoice(app,
            "--align,--point-alignment",
            options.align,
            PointAlignments().GetNames(),
            "Take a rotation and a shift off first, or a scale as well, by\n"
            "least squares; all outputs have them in them. Choose it where\n"
            "the target is turned by more than a few degrees")
    ->group(group);
  addNumber("--sigma",
            options.sigma,
            "Standard deviation, in mm, of the Gaussian by which a point\n"
            "carries its neighborhood along: about the distance between\n"
            "neighboring points, or more for smoother maps. Needed")
    ->check(Positive())
    ->required();
  addNumber("--lambda",
            options.lambda,
            "Weight of the squared distances to the target against the\nkinetic energy, in 1 / mm^2")
    ->check(Positive());
  addCount("--time-steps,--number-of-time-steps",
           options.timeSteps,
           "Number of time steps from template to target, up to 10000")
    ->check(AtLeast(1).description("[1,10000]"));
  AddChoice(app,
            "--integrator",
            options.integrator,
            Integrators().GetNames(),
            "How a time step is made, with 1, 2 or 4 sums over all pairs\nof points")
    ->group(group);
  AddChoice(app, "--precision", options.precision, Precisions().GetNames(), "Floating-point numbers of the iterations")
    ->group(group);
  addCount("-n,--iterations,--maximum-number-of-iterations", options.iterations, "Largest number of iterations")
    ->check(AtLeast(0));
  addNumber("--convergence,--convergence-threshold",
            options.convergence,
            "End when an iteration decreases the loss by no more than this\n"
            "fraction; 0 goes on as long as it falls")
    ->check(AtLeast(0));
  addNumber("--gradient-tolerance",
            options.gradientTolerance,
            "End when the gradient's norm is no more than this fraction of\nthat at the start")
    ->check(AtLeast(0));
}

} // namespace

void
AddMatchOptions(CLI::App & app, MatchOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options);
  AddInputOptions(app, options, modes);
  AddMethodOptions(app, options);
  app.get_option("--output-mesh")->needs("--mesh");
  app.get_option("--output-field")->needs("--reference");
  app.get_option("--output-inverse-field")->needs("--reference");
  AddComputeOptions(app, options.compute);
}
