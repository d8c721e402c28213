// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceJob.h"

#include "files/images/ImageFile.h"
#include "files/input/InputFile.h"
#include "files/surfaces/SurfaceFile.h"
#include "shared/ProgramSupport.h"
#include "shared/RenderWindow.h"
#include "files/base/Text.h"
#include "shared/Files.h"

#include <filesystem>

namespace
{

constexpr const char * placeholder = "{label}";

} // namespace

void
PartSeconds::Note(Report & report) const
{
  for (const char * const part : { "reading", "distance", "denoising", "on_device", "surface", "comparing", "writing" })
  {
    if (m_Seconds.count(part) > 0)
    {
      report.Set(std::string("/seconds/") + part, m_Seconds.at(part));
    }
  }
}

SurfaceJob::SurfaceJob(const SurfaceOptions & options)
  : m_Options(options)
  , m_Functions(FunctionsOf(options.GetMethod()))
{
  options.compute.GetDevice(); // throws if it does not exist
  WarnOfUnusedMemoryLimit(options.compute);
  const Stopwatch reading;
  m_Input = std::make_unique<SurfaceInput>(options);
  m_Seconds.Add("reading", reading);
  this->CheckFormats();
  this->AddFiles();
  this->BeginReport();
}

bool
SurfaceJob::HasFileForEach(const std::string & pattern) const
{
  return pattern.find(placeholder) != std::string::npos;
}

void
SurfaceJob::CheckFormats() const
{
  const std::size_t count = m_Input->GetNumberOfItems();
  const bool        hasLabels = m_Options.GetKind() == SurfaceKind::Labels;
  for (const std::string & pattern : { m_Options.output, m_Options.outputDistance })
  {
    if (this->HasFileForEach(pattern) && !hasLabels)
    {
      throw UserError("cannot write " + pattern + ": " + placeholder +
                      " stands for a label, and the input is no image of labels");
    }
  }
  if (!m_Options.output.empty())
  {
    CheckSurfaceFormat(m_Options.output);
    if (count > 1 && !this->HasFileForEach(m_Options.output) && !HoldsArrays(m_Options.output))
    {
      throw UserError("cannot write " + m_Options.output + ": files of its ending do not tell which of " +
                      std::to_string(count) + " labels a triangle has; .vtk and .vtp do, and with " + placeholder +
                      " in the name there is one file a label");
    }
    if (m_Input->HasArrays() && !HoldsArrays(m_Options.output))
    {
      PrintWarning(m_Options.output + " will be without the arrays of " + m_Options.input +
                   ": .vtk and .vtp have such");
    }
  }
  if (!m_Options.outputDistance.empty())
  {
    CheckOutputFormat(m_Options.outputDistance);
    if (count > 1 && !this->HasFileForEach(m_Options.outputDistance))
    {
      throw UserError("--output-distance is " + m_Options.outputDistance + "; with " + std::to_string(count) +
                      " labels it must have " + placeholder + " in it, which stands for the label");
    }
  }
  if (!m_Options.figure.empty())
  {
    if (this->HasFileForEach(m_Options.figure))
    {
      throw UserError("cannot write " + m_Options.figure + ": there is one picture of all labels, and " + placeholder +
                      " stands for one of them");
    }
    if (EndingOf(m_Options.figure) != ".png")
    {
      throw UserError("cannot write " + m_Options.figure + ": its ending must be .png");
    }
    const std::string reason = GetReasonForNoWindow();
    if (!reason.empty())
    {
      throw UserError("--figure cannot be drawn: " + reason);
    }
  }
}

std::string
SurfaceJob::GetPath(const std::string & pattern, std::size_t item) const
{
  const auto label = m_Input->GetLabel(item);
  return Replaced(pattern, placeholder, label ? std::to_string(*label) : "");
}

void
SurfaceJob::AddFiles()
{
  FilesOfRun files;
  files.AddInput(m_Options.input);
  files.AddInput(m_Options.mask);
  for (const std::string & pattern : { m_Options.output, m_Options.outputDistance, m_Options.figure })
  {
    if (!pattern.empty() && !this->HasFileForEach(pattern))
    {
      m_Outputs.Add(files, pattern);
    }
    for (std::size_t item = 0; this->HasFileForEach(pattern) && item < m_Input->GetNumberOfItems(); ++item)
    {
      m_Outputs.Add(files, this->GetPath(pattern, item));
    }
  }
  m_Json = files.AddTextOutput(m_Options.json);
}

void
SurfaceJob::BeginReport()
{
  m_Functions.note(m_Options, m_Report);
  m_Report.Set("/input", m_Options.input);
  m_Report.Set("/input_description", m_Input->GetDescription());
  for (const auto & [name, path] : { std::pair{ "output", m_Options.output },
                                     std::pair{ "output_distance", m_Options.outputDistance },
                                     std::pair{ "figure", m_Options.figure } })
  {
    if (!path.empty())
    {
      m_Report.Set("/outputs/" + std::string(name), path);
    }
  }
  m_Report.SetDevice(m_Options.compute.GetDevice());
}

void
SurfaceJob::Finish()
{
  m_Report.Set("/surfaces", m_Surfaces);
  m_Seconds.Note(m_Report);
  m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  m_Report.WriteAndPrint(m_Options.json, m_Json.get(), m_Options.compute.isQuiet);
}
