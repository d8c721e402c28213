// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_AbortGuard_h
#define files_base_AbortGuard_h

#include <functional>

namespace cudaneuro::files
{

/** Calls a function of a library that may end the program by abort(), as GDCM with assertions does for files that are
 * cut short. What the library had in use then stays so; it is not called by several threads at a time.
 * \return whether the function came to its end */
bool
EndsWithoutAbort(const std::function<void()> & call);

} // namespace cudaneuro::files

#endif
