// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/WatchedUpdate.h"

#include "files/base/Interruption.h"
#include "itkMultiThreaderBase.h"

namespace cudaneuro::files
{

void
UpdateWatched(itk::ProcessObject & filter, unsigned int numberOfThreads, const ShowProgress & show)
{
  if (numberOfThreads > 0)
  {
    filter.SetNumberOfWorkUnits(numberOfThreads);
    // Raises ITK's default limit if the user asks for more.
    filter.GetMultiThreader()->SetMaximumNumberOfThreads(numberOfThreads);
  }
  ThrowIfInterrupted();
  const auto observer = [&](const itk::EventObject &) {
    show(filter.GetProgress());
    if (IsInterrupted())
    {
      filter.AbortGenerateDataOn();
    }
  };
  const unsigned long tag = filter.AddObserver(itk::ProgressEvent(), observer);
  try
  {
    filter.Update();
  }
  catch (...)
  {
    filter.RemoveObserver(tag);
    throw;
  }
  filter.RemoveObserver(tag);
  ThrowIfInterrupted();
}

} // namespace cudaneuro::files
