// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Messages_h
#define apps_shared_Messages_h

#include "files/base/Errors.h"
#include "shared/CommandLine.h"
#include "shared/Files.h"

#include <string>

/** Messages of the programs: one line each on standard error, which begins with the program's name. */

/** From now on, prints the messages of ITK's classes like the program's own. The app must outlive all messages. */
void
StartMessages(const CLI::App & app);

/** Sets the beginning of messages, which is the program's name at first. */
void
SetNameOfMessages(const std::string & name);

/** While it exists, this thread's warnings and messages of ITK's classes begin with a text, such as "pair NAME: ". */
class MessageSubject
{
public:
  explicit MessageSubject(const std::string & text);
  ~MessageSubject();
  MessageSubject(const MessageSubject &) = delete;
  MessageSubject &
  operator=(const MessageSubject &) = delete;
};

/** Mutes messages: in all processes but one, if all would print the same. */
void
SetMessagesMuted(bool areMuted);

/** Prints a line with a prefix such as "error: ". */
void
PrintMessage(const std::string & kind, const std::string & text);

/** Prints a warning as one line on standard error. */
void
PrintWarning(const std::string & text);

/** Returns a message of the library with the options of the running command in place of the library's parameters:
 * "MaximumStep is 2; it must be ..." becomes "--maximum-step is 2; it must be ...". */
std::string
WithOptionNames(const std::string & text);

#endif
