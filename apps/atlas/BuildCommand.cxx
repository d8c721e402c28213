// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasCommands.h"
#include "atlas/population/AtlasOptions.h"
#include "atlas/AtlasSteps.h"
#include "atlas/CohortRuns.h"
#include "shared/ProgramSupport.h"

#include <CLI/CLI.hpp>

namespace
{

void
Run(const AtlasOptions & options, Processes & processes)
{
  processes.BeginMessages("cudaneuro-atlas");
  AtlasJob job(options, processes);
  BuildAtlas(job);
  if (processes.IsFirst())
  {
    job.Finish();
  }
  processes.Wait();
}

} // namespace

void
AddBuildCommand(CLI::App & program, Processes & processes)
{
  constexpr const char * description =
    "Builds the unbiased diffeomorphic atlas of a population (Ha et al.): the template to which all images are\n"
    "deformed by maps whose mean is the identity. Images may be as the scanner wrote them: they are aligned first.\n"
    "Choose it for a template of a study, and to compare many images in one space.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-atlas build subject*.nii.gz --output-folder atlas\n"
    "  cudaneuro-atlas build subject*.nii.gz --align rigid --require-success --output-folder atlas\n"
    "  cudaneuro-atlas build --list subjects.csv --reference mni.nii.gz --mean-method trimmed-mean --device all -o "
    "atlas\n"
    "  cudaneuro-atlas build --cohorts visits.csv --align rigid --device cuda:all -o templates\n"
    "  mpirun -n 4 cudaneuro-atlas build --list subjects.csv -o atlas --checkpoint-interval 300 --resume\n"
    "A signal, as Ctrl-C or SIGTERM, has a checkpoint written before the program ends; a second one ends it at once.\n"
    "mpirun kills its processes a second after SIGTERM: SIGUSR1, which it passes on, leaves them the time to write.";

  const auto       options = std::make_shared<AtlasOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("build", description);
  AddAtlasOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=, &processes] {
    modes->Check();
    if (options->images.empty() && options->list.empty() && options->cohorts.empty())
    {
      throw CLI::RequiredError("IMAGE..., --list or --cohorts");
    }
    options->cohorts.empty() ? Run(*options, processes) : RunCohorts(*app, *options, processes);
  });
}
