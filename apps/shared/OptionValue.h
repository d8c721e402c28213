// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_OptionValue_h
#define apps_shared_OptionValue_h

#include "shared/CommandLine.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/** The kind of value that an option takes.
 *
 * Most of it follows from the C++ type: a number, a flag, a text, or a list of them. The rest is in the option's type
 * name: a kind of data of 3D Slicer, whether it is read or written, and attributes of Slicer:
 *
 *   option->type_name("image input");
 *   option->type_name("transform output type=linear reference=moving");
 *   option->type_name(notInSlicer);
 *
 * Choices and ranges come from the option's validators: "{mean,median}" and "[1,8]". */
struct OptionValue
{
  /** Its element in a description for Slicer: "integer", "string-enumeration", "image" and so on. */
  std::string tag;
  /** "input", "output" or nothing. */
  std::string                                      channel;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<std::string>                         choices;
  /** The smallest and the largest number. */
  std::optional<std::pair<double, double>> range;
  /** The default; empty if there is none. */
  std::string standard;

  bool
  IsFlag() const
  {
    return tag == "boolean";
  }
  bool
  IsShown() const
  {
    return !tag.empty();
  }
};

/** The type name of options that have no place in Slicer. */
constexpr const char * notInSlicer = "none";

OptionValue
ValueOf(const CLI::Option & option);

/** Whether two texts stand for the same value: "0.50" is "0.5". */
bool
IsSameValue(const std::string & first, const std::string & second);

/** Adds the default to an option's description, unless it already names one. */
void
TellDefault(CLI::Option & option);

#endif
