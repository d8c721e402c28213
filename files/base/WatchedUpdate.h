// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_WatchedUpdate_h
#define files_base_WatchedUpdate_h

#include "itkProcessObject.h"

#include <functional>

namespace cudaneuro::files
{

/** A function that is called with the fraction done. */
using ShowProgress = std::function<void(double fraction)>;

/** Updates a filter, with a number of threads, or the default if it is 0. Interrupt() ends it.
 * \throws Interrupted, itk::ProcessAborted, and exceptions of the filter */
void
UpdateWatched(itk::ProcessObject & filter, unsigned int numberOfThreads, const ShowProgress & show);

} // namespace cudaneuro::files

#endif
