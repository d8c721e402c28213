// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/MatchOptions.h"

#include "shared/ImageOptions.h"
#include "shared/ParameterOptions.h"

namespace
{

void
AddInputOptions(CLI::App & app, MatchOptions & options, OptionModes & modes)
{
  const char * const group = "Inputs";
  app
    .add_option("TEMPLATE",
                options.templatePoints,
                "The points that move, in mm: .csv, .tsv, .txt, elastix' .pts,\n"
                "3D Slicer's markups (.json, .fcsv), or the vertices of a mesh\n"
                "(.vtk, .gii, .ply, .obj, .off, .stl, lh.*); 2D or 3D")
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
                "Weight of each point, at least 0: a .csv or .tsv file with a\n"
                "column weight, or a number a line. Default: 1 for all")
    ->option_text("FILE")
    ->type_name("file input fileExtensions=.csv,.tsv,.txt")
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
  // Slicer cannot read the transform, whose class is this project's; it uses the displacement field as a transform.
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
      "Initial momenta with the template points, .csv; after\n--point-alignment those towards the target in the "
      "template's pose");
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
  using cudaneuro::ShootingIntegrator;
  using cudaneuro::ShootingPrecision;
  using Matching = itk::CudaNeuroDetail::LandmarkMatchingParameters;
  using Shooting = cudaneuro::GeodesicShootingParameters;
  const char * const group = "Matching";
  auto &             parameters = options.parameters;
  Matching &         matching = parameters.matching;
  Shooting &         shooting = parameters.shooting;
  AddEnumParameter(app,
                   nullptr,
                   parameters,
                   &itk::CudaNeuroDetail::LandmarkRegistrationParameters::pointAlignment,
                   ChoiceOf<cudaneuro::PointAlignment>(),
                   { group,
                     "--point-alignment,--align",
                     "Take a rotation and a shift off first, or a scale as well, by\n"
                     "least squares; all outputs have them in them. Choose it where\n"
                     "the target is turned by more than a few degrees" });
  CLI::Option * const sigma = AddParameter(app, nullptr, shooting, &Shooting::sigma, { group })->required();
  sigma->description(sigma->get_description() + ". Needed");
  AddParameter(app, nullptr, shooting, &Shooting::lambda, { group });
  AddParameter(app, nullptr, shooting, &Shooting::numberOfTimeSteps, { group, "--time-steps" });
  AddEnumParameter(app, nullptr, shooting, &Shooting::integrator, ChoiceOf<ShootingIntegrator>(), { group });
  AddEnumParameter(app, nullptr, shooting, &Shooting::precision, ChoiceOf<ShootingPrecision>(), { group });
  AddParameter(app, nullptr, matching, &Matching::maximumNumberOfIterations, { group, "-n,--iterations" });
  AddParameter(app, nullptr, matching, &Matching::convergenceThreshold, { group, "--convergence" });
  AddParameter(app, nullptr, matching, &Matching::gradientTolerance, { group });
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
