// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/LandmarksCommands.h"
#include "landmarks/MatchRun.h"

namespace
{

constexpr const char * description =
  "Finds the diffeomorphism of space, on a geodesic, that takes the points of a template to those of a target (Wang;\n"
  "Allassonniere, Trouve and Younes).\n"
  "Choose it to carry points, meshes and images along with corresponding landmarks, by a map with an inverse that "
  "does\n"
  "not fold.";

constexpr const char * examples =
  "Examples:\n"
  "  cudaneuro-landmarks match template.csv target.csv --sigma 5 --output-transform map.h5 --output-points moved.csv\n"
  "  cudaneuro-landmarks match template.vtk target.vtk --sigma 3 --output-mesh moved.vtk --mesh fine.vtk\n"
  "  cudaneuro-landmarks match template.csv subject*.csv --sigma 3 --output-transform 'maps/{name}.h5' --json "
  "report.json";

void
RequireOutputs(const MatchOptions & options)
{
  const std::vector<std::pair<const char *, std::string>> outputs{
    { "--output-transform", options.outputTransform },
    { "--output-inverse-transform", options.outputInverseTransform },
    { "--output-points", options.outputPoints },
    { "--output-mesh", options.outputMesh },
    { "--output-field", options.outputField },
    { "--output-inverse-field", options.outputInverseField },
    { "--output-momenta", options.outputMomenta },
    { "--output-trajectory", options.outputTrajectory },
    { "--picture", options.picture },
    { "--animation", options.animation }
  };
  bool        hasAny = !options.json.empty();
  std::string names;
  for (const auto & [name, path] : outputs)
  {
    hasAny = hasAny || !path.empty();
    names += name + std::string(", ");
    if (options.targets.size() > 1 && !path.empty() && path.find("{name}") == std::string::npos)
    {
      throw UserError(std::string(name) + " is " + path + "; with " + std::to_string(options.targets.size()) +
                      " targets it must have {name} in it, which stands for that of the target's file");
    }
  }
  if (options.json.find("{name}") != std::string::npos)
  {
    throw UserError("--json is " + options.json +
                    "; there is one report of all targets, and {name} stands for one of them");
  }
  if (!hasAny)
  {
    throw CLI::RequiredError("At least one of " + names + "--json");
  }
}

} // namespace

void
AddMatchCommand(CLI::App & program)
{
  const auto       options = std::make_shared<MatchOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("match", description);
  AddMatchOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RequireOutputs(*options);
    MatchJob job(*options);
    Try("match " + options->templatePoints + " with " +
          (options->targets.size() == 1 ? options->targets.front()
                                        : std::to_string(options->targets.size()) + " targets"),
        [&] { job.GetDimension() == 2 ? MatchPointsOf<2>(job) : MatchPointsOf<3>(job); });
    job.Finish();
  });
}
