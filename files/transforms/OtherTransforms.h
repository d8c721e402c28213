// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_OtherTransforms_h
#define files_transforms_OtherTransforms_h

#include <string>

namespace cudaneuro::files
{

/** Transforms of programs whose formats are not read here. */

/** Whether a text is 16 numbers, as a matrix of 4 x 4 is. Comments come before them. */
bool
IsMatrix(std::string text);

/** Why a file is refused that has no transform of a format that is read: whose it is, with what converts it, where that
 * is known.
 * \param start the first bytes of the file, decompressed */
std::string
ReasonForOther(const std::string & path, const std::string & start);

} // namespace cudaneuro::files

#endif
