// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Messages_h
#define apps_shared_Messages_h

#include "files/base/Errors.h"
#include "shared/CommandLine.h"
#include "shared/Files.h"

#include <string>

/** Messages of the command-line programs: one line each on standard error, which begins with the program's name. */

/** Prints the messages of ITK's classes like the program's own, from now on. The app must live as long as there are
 * messages. */
void
StartMessages(const CLI::App & app);

/** Sets what messages begin with, in place of the program's name. */
void
SetNameOfMessages(const std::string & name);

/** As long as it lives, warnings and what ITK's classes say in this thread begin with a text, as "pair NAME: ". */
class MessageSubject
{
public:
  explicit MessageSubject(const std::string & text);
  ~MessageSubject();
  MessageSubject(const MessageSubject &) = delete;
  MessageSubject &
  operator=(const MessageSubject &) = delete;
};

/** Mutes messages, in all processes but one, where all would print the same. */
void
SetMessagesMuted(bool areMuted);

/** Prints a line with a prefix such as "error: ". */
void
PrintMessage(const std::string & kind, const std::string & text);

/** Prints a warning as one line on standard error. */
void
PrintWarning(const std::string & text);

/** Returns a message of the library with options of the command that runs in place of the library's parameters:
 * "MaximumStep is 2; it must be ..." becomes "--maximum-step is 2; it must be ...". */
std::string
WithOptionNames(const std::string & text);

#endif
