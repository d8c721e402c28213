// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Messages_h
#define apps_shared_Messages_h

#include <stdexcept>
#include <string>

/** What the command-line programs say: one line a message, on standard error, which begins with the program's name. */

/** An error that the user can act on; its message becomes one line on standard error. */
class ProgramError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/** Names the program, and lets ITK's classes speak in the same way as the program. */
void
StartMessages(const std::string & programName);

/** Prints a line of some kind, such as "error: ", or "" for one of none. */
void
PrintMessage(const std::string & kind, const std::string & text);

/** A warning of this program, as one line on standard error. */
void
PrintWarning(const std::string & text);

/** A message as one line, without ITK's prefix of class name and address. */
std::string
OneLine(const std::string & text);

/** A message of the library, with options in place of the names that its parameters have there: "maximumStep is 2; it
 * must be ..." becomes "--step is 2; it must be ...". */
std::string
WithOptionNames(const std::string & text);

#endif
