// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformRun_h
#define apps_register_DeformRun_h

#include "register/DeformableOptions.h"
#include "register/RegisterRun.h"

/** Makes the run of a job that aligns and deforms. The device starts while files are read.
 * \param filter of the method, with its parameters
 * \throws UserError for options that contradict each other */
template <unsigned int VDimension>
std::unique_ptr<RegisterRun>
MakeDeformRun(const DeformableOptions &                      options,
              std::unique_ptr<RegisterJob>                   job,
              typename DeformableFilter<VDimension>::Pointer filter);

/** Stands for SigmaOptions in methods that do not smooth by a Gaussian. */
struct NoSigma
{
  template <typename TFilter>
  void
  SetTo(TFilter &, const LevelOptions &) const
  {}
  void
  Note(RegisterReport &, const FluidOptions &) const
  {}
};

/** Makes the filter of a method, with its standard deviations. */
template <template <typename, typename, typename> class TFilter, unsigned int VDimension, typename TSigma>
typename DeformableFilter<VDimension>::Pointer
MakeDeformableFilter(const DeformableOptions & options, const TSigma & sigma)
{
  using Base = DeformableFilter<VDimension>;
  const auto filter =
    TFilter<typename Base::FixedImageType, typename Base::MovingImageType, typename Base::DisplacementFieldType>::New();
  sigma.SetTo(*filter, options.fluid.levels);
  return filter.GetPointer();
}

/** Runs a subcommand, from the command line's options to the report.
 * \tparam TFilter the class of the method's filter
 * \param sigma SigmaOptions, or NoSigma */
template <template <typename, typename, typename> class TFilter, typename TSigma>
void
RunDeform(const CLI::App & app, const std::string & methodName, const DeformableOptions & options, const TSigma & sigma)
{
  const auto make = [&](std::unique_ptr<RegisterJob> job) {
    sigma.Note(job->GetReport(), options.fluid);
    return job->GetDimension() == 2
             ? MakeDeformRun<2>(options, std::move(job), MakeDeformableFilter<TFilter, 2>(options, sigma))
             : MakeDeformRun<3>(options, std::move(job), MakeDeformableFilter<TFilter, 3>(options, sigma));
  };
  const auto isAligned = [&](const RegisterOptions & files) { return options.GetAlignOf(files) != "none"; };
  RunMethod(
    app, { methodName, TransformParts::Several, options.alignment.isSuccessRequired, isAligned, make }, options.files);
}

#endif
