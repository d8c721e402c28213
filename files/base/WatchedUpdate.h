// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_WatchedUpdate_h
#define files_base_WatchedUpdate_h

#include "itkProcessObject.h"

#include <functional>

namespace cudaneuro::files
{

/** Is called with the fraction that is done. */
using ShowProgress = std::function<void(double fraction)>;

/** Updates a filter, with so many threads where they are not 0. Interrupt() ends it.
 * \throws Interrupted, itk::ProcessAborted, and what the filter throws */
void
UpdateWatched(itk::ProcessObject & filter, unsigned int numberOfThreads, const ShowProgress & show);

} // namespace cudaneuro::files

#endif
