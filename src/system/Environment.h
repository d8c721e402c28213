// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_Environment_h
#define cudaneuro_system_Environment_h

namespace cudaneuro::system
{

/** Sets a variable of this process, also one that is set. An empty value removes it on Windows. */
void
SetVariable(const char * name, const char * value);

} // namespace cudaneuro::system

#endif
