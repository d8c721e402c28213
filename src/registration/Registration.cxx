// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Registration.h"

#include "jobs/DeviceJob.h"
#include "registration/RegistrationChecks.h"
#include "registration/RegistrationRun.h"

namespace cudaneuro
{

namespace
{

/** Share of the progress before the first iteration, and until the end of the last one. */
constexpr double beginOfIterations = 0.05;
constexpr double endOfIterations = 0.95;

/** Leaves the map that was reached to the caller of a run that failed. */
void
WriteFieldsNoThrow(const RegistrationRun & run, LevelMap & map, RegistrationResult & result) noexcept
{
  try
  {
    const Context::ProgressPause pause(run.context);
    MoveMap(run.context, run.GetGeometry(), run.parameters.minimumJacobian, map);
    JoinMaps(run, map, result);
    WriteFields(run, map, result);
  }
  catch (...)
  {
    // The first exception is the one to report.
  }
}

void
Run(const RegistrationRun & run, const RegistrationObserver & observer, RegistrationResult & result)
{
  PreparedImages images;
  LevelMap       map;
  {
    const Context::ProgressRange range(run.context, 0.0, beginOfIterations);
    images = PrepareImages(run);
    map = MakeInitialMap(run);
  }
  const auto freeImages = [&images] {
    images.fixed = {};
    images.movingOnFixedGrid = {};
  };
  try
  {
    RunLevels(run, images, beginOfIterations, endOfIterations, observer, map, result);
  }
  catch (...)
  {
    freeImages();
    WriteFieldsNoThrow(run, map, result);
    throw;
  }
  freeImages();
  const Context::ProgressRange range(run.context, endOfIterations, 1.0);
  MoveMap(run.context, run.GetGeometry(), run.parameters.minimumJacobian, map);
  JoinMaps(run, map, result);
  WriteResults(run, images, map, result);
}

} // namespace

void
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer,
         RegistrationResult &           result)
{
  result = RegistrationResult();
  RequireRegistrationParameters(parameters, images.fixedGeometry.grid);
  RequireRegistrationImages(context, images);
  RequireRegistrationOutputs(context, images, outputs);
  RunDeviceJob(context, [&] { Run({ context, parameters, images, outputs }, observer, result); });
}

RegistrationResult
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer)
{
  RegistrationResult result;
  Register(context, parameters, images, outputs, observer, result);
  return result;
}

} // namespace cudaneuro
