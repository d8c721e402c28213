// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformRun_h
#define apps_register_DeformRun_h

#include "register/DeformableOptions.h"
#include "register/RegisterRun.h"

/** Makes the run of a job that aligns and deforms. The device starts while files are read.
 * \param filter with the parameters of its method
 * \throws UserError for options that contradict each other */
template <unsigned int VDimension>
std::unique_ptr<RegisterRun>
MakeDeformRun(const DeformableOptions &                      options,
              std::unique_ptr<RegisterJob>                   job,
              typename DeformableFilter<VDimension>::Pointer filter);

/** Runs a subcommand, from the command line's options to the report. A task has MakeFilter<VDimension>(levels), and
 * Note(report, options), which notes what parameters of the engine do not tell. */
template <typename TTask>
void
RunDeform(const CLI::App & app, const std::string & methodName, const DeformableOptions & options, const TTask & task)
{
  const auto make = [&](std::unique_ptr<RegisterJob> job) {
    const LevelOptions & levels = options.fluid.levels;
    task.Note(job->GetReport(), options);
    return job->GetDimension() == 2 ? MakeDeformRun<2>(options, std::move(job), task.template MakeFilter<2>(levels))
                                    : MakeDeformRun<3>(options, std::move(job), task.template MakeFilter<3>(levels));
  };
  const auto isAligned = [&](const RegisterOptions & files) { return options.GetAlignOf(files) != "none"; };
  RunMethod(
    app, { methodName, TransformParts::Several, options.alignment.isSuccessRequired, isAligned, make }, options.files);
}

#endif
