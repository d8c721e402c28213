// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_CommandOptions_h
#define apps_shared_CommandOptions_h

#include "itkCommonEnums.h"
#include "shared/CommandLine.h"
#include "shared/Messages.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/** Kinds of command-line options that CLI11 lacks. */

/* The description of a validator may tell the range that is useful, as AtLeast(0).description("[0,0.5]"), from which
 * Slicer makes a slider. What is too large is refused by the library. */

/** Returns the option of an argument such as "--name" or "--name=value"; null if the command has no such option. */
const CLI::Option *
FindOption(const CLI::App & command, const std::string & argument);

/** Makes an option take one list of values, with commas between them.
 * \param text how help shows the values */
CLI::Option *
AsList(CLI::Option * option, const char * text = "N[,N...]");

/** Accepts finite numbers above 0. */
CLI::Validator
Positive();

/** Accepts finite numbers of at least a limit. */
CLI::Validator
AtLeast(double limit);

/** Takes whole numbers in decimal form, in which 010 is 10. As a transform. Options of a numeric type name have it. */
CLI::Validator
WholeNumber(bool isUnsigned);

/** Adds an option that takes a number above 0, or "auto", which leaves the value empty. */
CLI::Option *
AddNumberOrAuto(CLI::App &              app,
                const std::string &     name,
                std::optional<double> & value,
                const std::string &     description);

/** Returns the name of an option for messages: the first long one in "-r,--correlation-radius,--radius". */
std::string
ShownName(const std::string & names);

/** Adds an option that takes a number of bytes, at least 1, with or without a unit: KB, MB, GB, TB, of 1024 each. */
CLI::Option *
AddMemorySize(CLI::App & app, const std::string & name, std::size_t & bytes, const std::string & description);

/** Options that have an effect only in some modes of a command, and are errors in the others. */
class OptionModes
{
public:
  /** Notes an option, and in its help the mode in which it has an effect, as "--velocity-method gaussian". */
  void
  Add(CLI::Option * option, const std::string & mode, const std::function<bool()> & isMode);

  /** Notes an option that has an effect with one value of another option, as "median" of "--mean-method". */
  void
  Add(CLI::Option * option, const std::string & name, const std::string & choice, const std::string & value);

  /** \throws UserError that names the first option that was given and has no effect, and its mode. */
  void
  Check() const;

private:
  struct Entry
  {
    CLI::Option *         option;
    std::string           mode;
    std::function<bool()> isMode;
  };
  std::vector<Entry> m_Entries;
};

/** Expands the values of AddAxisValues to one an axis, as an itk::Size or itk::FixedArray.
 * \throws UserError unless there is one value, or one an axis. */
template <typename TArray, typename TValue>
TArray
AxisValues(const std::vector<TValue> & values, const std::string & name)
{
  TArray array;
  if (values.size() != 1 && values.size() != TArray::Dimension)
  {
    throw UserError(name + " has " + std::to_string(values.size()) + " values; an image of " +
                    std::to_string(TArray::Dimension) + " axes needs 1 or " + std::to_string(TArray::Dimension));
  }
  for (unsigned int axis = 0; axis < TArray::Dimension; ++axis)
  {
    array[axis] = values[values.size() == 1 ? 0 : axis];
  }
  return array;
}

/** Adds an option that takes one of several names.
 * \param usual what help says of a default that is computed from other things; its name is auto, and \p choice is then
 *        empty */
CLI::Option *
AddChoice(CLI::App &                       app,
          const std::string &              name,
          std::string &                    choice,
          const std::vector<std::string> & names,
          const std::string &              description,
          const std::string &              usual = {});

/** The same for a function that takes the name.
 * \param standard the name of the default
 * \param others further accepted names, each for one of \p names */
CLI::Option *
AddChoice(CLI::App &                                               app,
          const std::string &                                      name,
          const std::function<void(const std::string &)> &         set,
          const std::vector<std::string> &                         names,
          const std::string &                                      description,
          const std::string &                                      standard,
          const std::vector<std::pair<std::string, std::string>> & others = {});

/** Adds a flag that turns off what is on by default. */
void
AddOffFlag(CLI::App & app, const std::string & name, bool & value, const std::string & help, const std::string & group);

/** The end of each mask's help. */
inline const std::string maskHelp = "where it is 0 voxels are excluded,\nas are those that are infinite or NaN";

/** Adds an option that names a file.
 * \param kind what is in it, as "image input": see OptionValue */
CLI::Option *
AddFile(CLI::App &          app,
        const std::string & name,
        std::string &       path,
        const std::string & description,
        const std::string & group,
        const std::string & kind);

/** Adds --json, which names the file of the report. */
void
AddJsonFile(CLI::App & app, std::string & path, const std::string & group);

/** The names of an option with the values that they stand for. */
template <typename TEnum>
class Choice
{
public:
  using EntriesType = std::vector<std::pair<std::string, TEnum>>;

  Choice(EntriesType entries)
    : m_Entries(std::move(entries))
  {}

  std::vector<std::string>
  GetNames() const
  {
    std::vector<std::string> names;
    for (const auto & entry : m_Entries)
    {
      names.push_back(entry.first);
    }
    return names;
  }

  TEnum
  GetValue(const std::string & name) const
  {
    for (const auto & entry : m_Entries)
    {
      if (entry.first == name)
      {
        return entry.second;
      }
    }
    throw UserError("unknown name " + name);
  }

  std::string
  GetName(TEnum value) const
  {
    const auto found =
      std::find_if(m_Entries.begin(), m_Entries.end(), [&](const auto & entry) { return entry.second == value; });
    return found == m_Entries.end() ? std::string() : found->first;
  }

private:
  EntriesType m_Entries;
};

/** The pixel types of this module, by their names in options. */
const Choice<itk::IOComponentEnum> &
PixelTypes();

#endif
