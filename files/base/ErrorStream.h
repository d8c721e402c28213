// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_ErrorStream_h
#define files_base_ErrorStream_h

#include <string>

namespace cudaneuro::files
{

/** Writes a line of this program to standard error, also while an ErrorStreamCapture exists. */
void
WriteErrorLine(const std::string & line);

/** Writes a text that is no whole line, such as a progress bar, in the same way. */
void
WriteErrorText(const std::string & text);

/** Captures standard error while it exists, because the libraries beneath ITK's readers print errors of files there.
 * Several may exist at once. */
class ErrorStreamCapture
{
public:
  ErrorStreamCapture();
  ~ErrorStreamCapture();
  ErrorStreamCapture(const ErrorStreamCapture &) = delete;
  ErrorStreamCapture &
  operator=(const ErrorStreamCapture &) = delete;

  /** Returns what was printed since the last call. */
  std::string
  TakeText() const;
};

} // namespace cudaneuro::files

#endif
