// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/MapJob.h"

#include <CLI/CLI.hpp>

namespace
{

class MapReport : public Report
{
public:
  void
  Print() const override
  {
    for (std::size_t i = 0; this->Has("/transforms/" + std::to_string(i)); ++i)
    {
      PrintLine(i == 0 ? "map" : "", this->TextOf("/transforms/" + std::to_string(i)));
    }
    if (this->Has("/output"))
    {
      PrintLine("output", this->TextOf("/output") + ": " + this->TextOf("/output_description"));
    }
    for (const auto & [title, where] :
         { std::pair("inverse", "/inversion"), std::pair("jacobian", "/jacobian"), std::pair("mm", "/distance_mm") })
    {
      if (this->Has(where))
      {
        PrintLine(title, this->TextOfAll(where));
      }
    }
    PrintLine("seconds", this->TextOfAll("/seconds"));
  }
};

} // namespace

void
AddMapJobOptions(CLI::App & app, MapJobOptions & options, const std::string & reference, const std::string & group)
{
  AddFile(app, "--reference", options.reference, reference, group, "image input");
  AddImageOptions(app, options.opened, group);
  AddJsonFile(app, options.json, group);
  AddComputeOptions(app, options.compute);
}

void
AddMapOutput(CLI::App & app, MapJobOptions & options, const std::string & meaning)
{
  app.add_option("OUTPUT", options.output, meaning)->option_text(" ")->type_name("transform output")->required();
}

void
AddTransformFile(CLI::App & app, const std::string & name, std::string & path, const std::string & meaning)
{
  app
    .add_option(name,
                path,
                meaning +
                  ": a transform (.h5, .tfm, .txt, .mat, .lta)\nor an image of displacements; [FILE,1] is its inverse")
    ->option_text(" ")
    ->type_name("transform input")
    ->required();
}

MapJob::MapJob(const MapJobOptions & options, const std::vector<MapStep> & steps)
  : m_Options(options)
  , m_Report(std::make_unique<MapReport>())
{
  WarnOfUnusedMemoryLimit(options.compute);
  if (!options.reference.empty())
  {
    m_Dimension = OpenGridOrField(*options.opened, options.reference).dimension;
  }
  else if (!steps.empty())
  {
    m_Dimension = AxesOfMap(steps.front().path, {}, options.opened->reading);
  }
  CheckMapFiles(steps);
  m_Files.AddInput(options.reference);
  AddMapInputs(m_Files, steps);
  if (!options.output.empty())
  {
    m_Output = std::make_unique<OutputFile>(m_Files.AddOutput(options.output));
  }
  m_Json = m_Files.AddTextOutput(options.json);
  m_Report->Set("/transforms", TextsOf(steps));
  if (!options.reference.empty())
  {
    m_Report->Set("/reference", options.reference);
  }
  if (!options.output.empty())
  {
    m_Report->Set("/output", options.output);
  }
  m_Report->SetDevice(options.compute.GetDevice());
}

void
MapJob::Finish()
{
  m_Report->Set("/seconds/total", m_Stopwatch.GetSeconds());
  m_Report->WriteAndPrint(m_Options.json, m_Json.get(), m_Options.compute.isQuiet);
}
