// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterFiles_h
#define apps_register_RegisterFiles_h

#include "register/RegisterCommand.h"

#include <functional>

/** Makes a filter, with the parameters of its method. */
template <unsigned int VDimension>
using RegisterFilterMaker = std::function<typename RegisterFilter<VDimension>::Pointer()>;

/** Reads, registers and writes the files of a job. The device starts while files are read.
 * \throws ProgramError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
RegisterFiles(RegisterJob & job, const RegisterFilterMaker<VDimension> & makeFilter);

/** Runs a subcommand, from the command line's options to the report. A task has MakeFilter<VDimension>(), and
 * Note(report), which notes the parameters of the method. */
template <typename TTask>
void
RunRegister(const std::string & methodName, const RegisterOptions & options, const TTask & task)
{
  RegisterJob job(methodName, options);
  task.Note(job.GetReport());
  Try("register " + options.moving + " to " + options.fixed, [&] {
    if (job.GetDimension() == 2)
    {
      RegisterFiles<2>(job, [&] { return task.template MakeFilter<2>(); });
    }
    else
    {
      RegisterFiles<3>(job, [&] { return task.template MakeFilter<3>(); });
    }
  });
  job.Finish();
}

#endif
