// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformFiles_h
#define apps_register_DeformFiles_h

#include "register/DeformableOptions.h"

#include <functional>

/** Makes a filter, with the parameters of its method. */
template <unsigned int VDimension>
using DeformableFilterMaker = std::function<typename DeformableFilter<VDimension>::Pointer()>;

/** Reads, aligns, deforms and writes the files of a job. The device starts while files are read.
 * \throws ProgramError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
DeformFiles(const DeformableOptions & options, RegisterJob & job, const DeformableFilterMaker<VDimension> & makeFilter);

/** Runs a subcommand, from the command line's options to the report. A task has MakeFilter<VDimension>(), and
 * Note(report), which notes the parameters of the method. */
template <typename TTask>
void
RunDeform(const std::string & methodName, const DeformableOptions & options, const TTask & task)
{
  RegisterJob job(methodName, options.files, TransformParts::Several);
  task.Note(job.GetReport());
  Try("register " + options.files.moving + " to " + options.files.fixed, [&] {
    if (job.GetDimension() == 2)
    {
      DeformFiles<2>(options, job, [&] { return task.template MakeFilter<2>(); });
    }
    else
    {
      DeformFiles<3>(options, job, [&] { return task.template MakeFilter<3>(); });
    }
  });
  job.Finish();
  if (options.alignment.isSuccessRequired)
  {
    job.GetReport().RequireSuccess();
  }
}

#endif
