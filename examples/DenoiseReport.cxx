// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoiseReport.h"

#include "OutputFile.h"

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

struct DenoiseReport::Values
{
  Json json;
};

DenoiseReport::DenoiseReport()
  : m_Values(std::make_unique<Values>())
{}

DenoiseReport::~DenoiseReport() = default;

void
DenoiseReport::Set(const char * where, const std::string & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, const char * value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, double value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, unsigned int value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, bool value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, const std::vector<double> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Set(const char * where, const std::vector<unsigned int> & value)
{
  m_Values->json[Json::json_pointer(where)] = value;
}

void
DenoiseReport::Print() const
{
  const Json & report = m_Values->json;
  const auto   line = [](const char * title) -> std::ostream & {
    return std::cout << std::left << std::setw(9) << title << std::right;
  };
  const auto text = [&](const char * key) { return ShortText(report[key]); };
  line("input") << text("input") << ": " << text("input_description") << '\n';
  line("filter") << text("filter");
  const char * separator = ": ";
  for (const auto & parameter : report["parameters"].items())
  {
    std::cout << separator << Words(parameter.key()) << ' ' << ShortText(parameter.value());
    separator = ", ";
  }
  std::cout << '\n';
  if (report.contains("noise"))
  {
    line("noise") << text("noise") << (report.contains("noise_is_estimated") ? " (estimated)" : " (given)") << '\n';
  }
  line("device") << text("device") << ": " << text("device_description") << '\n';
  line("seconds");
  separator = "";
  for (const auto & part : report["seconds"].items())
  {
    std::cout << separator << Words(part.key()) << ' ' << ShortText(part.value());
    separator = ", ";
  }
  std::cout << '\n';
  line("output") << text("output") << ": " << text("output_type") << std::endl;
}

void
DenoiseReport::Write(const std::string & path) const
{
  WriteText(path, m_Values->json.dump(2) + "\n");
}
