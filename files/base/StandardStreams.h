// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_StandardStreams_h
#define files_base_StandardStreams_h

#include <string>

namespace cudaneuro::files
{

/** \throws UserError when standard output was closed before the program began. */
void
RequireStandardOutput();

/** \throws UserError when printing failed: standard output is closed, or its disk is full. */
void
FlushStandardOutput();

/** Prints a text and flushes. */
void
WriteToStandardOutput(const std::string & text);

} // namespace cudaneuro::files

#endif
