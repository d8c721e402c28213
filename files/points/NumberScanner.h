// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_NumberScanner_h
#define files_points_NumberScanner_h

#include "files/base/NumberTypes.h"
#include "files/input/TextScanner.h"

#include <cstdint>
#include <vector>

namespace cudaneuro::files
{

/** Whether a number can be that of a point. */
inline bool
IsIndex(double value)
{
  return value == std::trunc(value) && value >= 0.0 && value <= std::numeric_limits<std::uint32_t>::max();
}

/** Reads the numbers of a file, which are words or, in binary files, bytes. */
class NumberScanner : public TextScanner
{
public:
  using Type = itk::IOComponentEnum;
  using TextScanner::TextScanner;

  /** From here on, numbers are bytes. */
  void
  BeginBinary(bool isBigEndian)
  {
    m_IsBinary = true;
    m_IsBigEndian = isBigEndian;
  }
  bool
  IsBinary() const
  {
    return m_IsBinary;
  }

  /** \throws UserError for a name that is not known */
  Type
  FindType(const std::string & name) const
  {
    const Type type = TypeNamed(name);
    if (type == Type::UNKNOWNCOMPONENTTYPE)
    {
      this->Refuse("the type of numbers is \"" + name.substr(0, 20) + "\", which is not known here");
    }
    return type;
  }

  double
  Take(Type type, const char * what)
  {
    return m_IsBinary ? NumberAt(type, this->TakeBytes(BytesOf(type)), m_IsBigEndian) : this->TakeNumber(what);
  }

  /** The number of a point, or what else is counted from 0. */
  std::uint32_t
  TakeIndex(Type type, const char * what)
  {
    const double value = this->Take(type, what);
    if (!IsIndex(value))
    {
      this->Refuse(what + std::string(" is ") + std::to_string(value) +
                   "; it must be a whole number from 0 to 2^32 - 1");
    }
    return static_cast<std::uint32_t>(value);
  }

  std::vector<double>
  TakeNumbers(std::size_t count, Type type, const char * what)
  {
    return this->TakeSeveral<double>(count, type, [&] { return this->Take(type, what); });
  }
  std::vector<std::uint32_t>
  TakeIndices(std::size_t count, Type type, const char * what)
  {
    return this->TakeSeveral<std::uint32_t>(count, type, [&] { return this->TakeIndex(type, what); });
  }

  /** Passes over numbers that are not used. They may be NaN, as the quality of a point that has none. */
  void
  SkipNumbers(std::size_t count, Type type)
  {
    if (m_IsBinary)
    {
      this->TakeBytes(count * BytesOf(type));
      return;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      if (this->TakeWord().empty())
      {
        RefuseInput(this->GetPath(), "it is cut short: a number is missing");
      }
    }
  }

private:
  template <typename TValue, typename TTake>
  std::vector<TValue>
  TakeSeveral(std::size_t count, Type type, const TTake & take)
  {
    if (m_IsBinary)
    {
      const std::size_t at = this->GetPosition();
      RequireBytes(this->GetPath(), at + this->GetRemainingBytes(), at, count * BytesOf(type));
    }
    std::vector<TValue> values;
    for (std::size_t i = 0; i < count; ++i)
    {
      values.push_back(take());
    }
    return values;
  }

  bool m_IsBinary = false;
  bool m_IsBigEndian = false;
};

} // namespace cudaneuro::files

#endif
