// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

using Json = nlohmann::ordered_json;

namespace
{

/** A value of the report in few characters. */
std::string
ShortText(const Json & value)
{
  std::ostringstream text;
  if (value.is_number_float())
  {
    text << std::setprecision(4) << value.get<double>();
  }
  else if (value.is_array())
  {
    for (std::size_t i = 0; i < value.size(); ++i)
    {
      text << (i == 0 ? "" : " x ") << ShortText(value[i]);
    }
  }
  else if (value.is_string())
  {
    text << value.get<std::string>();
  }
  else
  {
    text << value;
  }
  return text.str();
}

std::string
Words(std::string key)
{
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

} // namespace

struct Report::Values
{
  Json json;

  const Json &
  At(const std::string & where) const
  {
    return json.at(Json::json_pointer(where));
  }
};

Report::Report()
  : m_Values(std::make_unique<Values>())
{}

Report::~Report() = default;

void
Report::Set(const std::string & where, const std::string & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const char * value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, double value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, unsigned int value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, int value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, std::uint64_t value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, bool value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const std::vector<double> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const std::vector<unsigned int> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const std::vector<int> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const std::vector<std::string> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
Report::Set(const std::string & where, const std::map<int, double> & value)
{
  Json object = Json::object();
  for (const auto & [key, number] : value)
  {
    object[std::to_string(key)] = number;
  }
  m_Values->json[Json::json_pointer(where)] = object;
}

std::string
Report::GetJson() const
{
  return m_Values->json.dump(2) + "\n";
}

bool
Report::Has(const std::string & where) const
{
  return m_Values->json.contains(Json::json_pointer(where));
}

std::string
Report::TextOf(const std::string & where) const
{
  return ShortText(m_Values->At(where));
}

std::string
Report::TextOfAll(const std::string & where) const
{
  std::string text;
  for (const auto & entry : m_Values->At(where).items())
  {
    text += (text.empty() ? "" : ", ") + Words(entry.key()) + ' ' + ShortText(entry.value());
  }
  return text;
}

void
Report::PrintLine(const std::string & title, const std::string & text)
{
  std::cout << std::left << std::setw(9) << title << std::right << text << std::endl;
}
