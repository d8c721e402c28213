// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_Environment_h
#define cudaneuro_system_Environment_h

namespace cudaneuro::system
{

/** Sets a variable of this process, even if it is set already. An empty value removes it on Windows. */
void
SetVariable(const char * name, const char * value);

/** Returns the number that the system gives to this process. A process that was forked has another one. */
long
GetProcessNumber();

} // namespace cudaneuro::system

#endif
