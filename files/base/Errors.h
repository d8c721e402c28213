// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Errors_h
#define files_base_Errors_h

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** An error that the user can act on. Its message is one line, which names the file, the place and the value. */
class UserError : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/** Passes a warning to the handler of SetWarningHandler; without one it is a line on standard error. */
void
Warn(const std::string & text);

/** Warns of a file with all notes in one line, once in a run. Does nothing if there are no notes. */
void
WarnOnce(const std::string & path, const std::vector<std::string> & notes);

/** Sets the handler of warnings. Do not call it while other threads warn. */
void
SetWarningHandler(std::function<void(const std::string &)> handler);

/** Returns a message of ITK or VTK as one line, without the name and address of the class. */
std::string
OneLine(const std::string & text);

} // namespace cudaneuro::files

#endif
