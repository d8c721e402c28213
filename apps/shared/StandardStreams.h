// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_StandardStreams_h
#define apps_shared_StandardStreams_h

#include <string>

/** \throws ProgramError when standard output was closed before the program began. */
void
RequireStandardOutput();

/** \throws ProgramError when printing failed: standard output is closed, or its disk is full. */
void
FlushStandardOutput();

/** Prints a text and flushes. */
void
WriteToStandardOutput(const std::string & text);

#endif
