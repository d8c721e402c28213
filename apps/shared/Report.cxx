// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Report.h"

#include "files/output/OutputFile.h"
#include "itkComputeDevice.h"
#include "shared/Files.h"
#include "shared/SlicerRun.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace
{

/** Returns a value of the report in few characters. */
std::string
ShortText(const Report::Json & value, const std::string & separator = " x ")
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
      text << (i == 0 ? "" : separator) << ShortText(value[i]);
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

std::string
JsonText(const Report::Json & json)
{
  return json.dump(2, ' ', false, Report::Json::error_handler_t::replace) + '\n';
}

void
Report::AddOldName(const std::string & oldName, const std::string & where)
{
  m_OldNames.emplace_back(oldName, where);
}

void
Report::SetDevice(const itk::ComputeDevice & device)
{
  this->Set("/device", device.GetName());
  this->Set("/device_description", "");
  m_Description = std::async(std::launch::async, [device] { return device.GetDescription(); }).share();
}

std::string
Report::GetJson() const
{
  Json json = m_Json;
  for (const auto & [oldName, where] : m_OldNames)
  {
    if (this->Has(where))
    {
      json[Json::json_pointer(oldName)] = this->At(where);
    }
  }
  return JsonText(json);
}

void
Report::WriteAndPrint(const std::string & json, const OutputFile * file, bool isQuiet)
{
  if (m_Description.valid())
  {
    this->Set("/device_description", m_Description.get());
  }
  if (!json.empty())
  {
    WriteText(file, this->GetJson());
  }
  WriteSlicerResults(m_Json);
  if (!isQuiet && json != "-")
  {
    this->Print();
  }
}

bool
Report::Has(const std::string & where) const
{
  return m_Json.contains(Json::json_pointer(where));
}

std::string
Report::TextOf(const std::string & where, const std::string & separator) const
{
  return ShortText(this->At(where), separator);
}

std::string
Report::TextOfAll(const std::string & where) const
{
  std::string text;
  for (const auto & entry : this->At(where).items())
  {
    // Lists are written as on the command line.
    text += (text.empty() ? "" : ", ") + Words(entry.key()) + ' ' + ShortText(entry.value(), ",");
  }
  return text;
}

void
Report::PrintLine(const std::string & title, const std::string & text)
{
  std::cout << std::left << std::setw(9) << title << std::right << text << std::endl;
}

void
Report::PrintDevice() const
{
  PrintLine("device", this->TextOf("/device") + ": " + this->TextOf("/device_description"));
}
