// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroDetail.h"

#include "cudaneuro/Error.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroException.h"
#include "itkMultiThreaderBase.h"

#include <algorithm>

namespace itk
{

void
CudaNeuroDetail::Call(const std::function<void()> & function)
{
  try
  {
    function();
  }
  catch (const cudaneuro::Aborted &)
  {
    ProcessAborted aborted(__FILE__, __LINE__);
    aborted.SetDescription("Process aborted.");
    throw aborted;
  }
  catch (const cudaneuro::OutOfMemoryError & error)
  {
    CudaNeuroException exception(__FILE__, __LINE__, error.GetCall(), error.GetReason());
    exception.SetBytes(error.GetBytesNeeded(), error.GetBytesAvailable());
    throw exception;
  }
  catch (const cudaneuro::Error & error)
  {
    throw CudaNeuroException(__FILE__, __LINE__, error.GetCall(), error.GetReason());
  }
  catch (const cudaneuro::InvalidParameterError & error)
  {
    throw ExceptionObject(__FILE__, __LINE__, error.what(), ITK_LOCATION);
  }
}

void
CudaNeuroDetail::PrepareContext(std::unique_ptr<cudaneuro::Context> & context,
                                const ComputeDevice &                 device,
                                unsigned int                          threads)
{
  if (!context || context->GetDevice() != device.GetEngineDevice())
  {
    context = std::make_unique<cudaneuro::Context>(device.GetEngineDevice());
  }
  context->SetNumberOfThreads(threads);
  context->ResetStatistics();
}

ThreadIdType
CudaNeuroDetail::NumberOfThreadsOf(const ProcessObject * filter)
{
  // By default a threader has several work units per thread.
  return std::min({ filter->GetNumberOfWorkUnits(),
                    filter->GetMultiThreader()->GetMaximumNumberOfThreads(),
                    MultiThreaderBase::GetGlobalMaximumNumberOfThreads() });
}

template <unsigned int VDimension>
ModifiedTimeType
CudaNeuroDetail::LatestMTimeOf(const Transform<double, VDimension, VDimension> * transform)
{
  ModifiedTimeType time = transform != nullptr ? transform->GetMTime() : 0;
  if (const auto * const composite = dynamic_cast<const CompositeTransform<double, VDimension> *>(transform))
  {
    for (SizeValueType i = 0; i < composite->GetNumberOfTransforms(); ++i)
    {
      time = std::max(time, LatestMTimeOf<VDimension>(composite->GetNthTransformConstPointer(i)));
    }
  }
  return time;
}

template ModifiedTimeType
CudaNeuroDetail::LatestMTimeOf<2>(const Transform<double, 2, 2> *);
template ModifiedTimeType
CudaNeuroDetail::LatestMTimeOf<3>(const Transform<double, 3, 3> *);

} // namespace itk
