// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterJob.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <limits>
#include <sstream>

namespace
{

/** Requires that a pixel type can hold the value of --edge-padding-value. */
void
RequireValueOfType(double value, itk::IOComponentEnum type)
{
  WithPixelType(type, [value](auto pixel) {
    using Limits = std::numeric_limits<decltype(pixel)>;
    if constexpr (Limits::is_integer)
    {
      if (value != std::floor(value) || value < Limits::lowest() || value > Limits::max())
      {
        std::ostringstream message;
        message << "--edge-padding-value is " << value << "; it must be a whole number from " << +Limits::lowest()
                << " to " << +Limits::max()
                << ", as the pixel type of the warped image has them, or --output-type another type";
        throw UserError(message.str());
      }
    }
  });
}

} // namespace

RegisterJob::RegisterJob(const std::string & methodName, const RegisterOptions & options, TransformParts parts)
  : m_Options(options)
  , m_Parts(parts)
  , m_Images(OpenImages(options))
  , m_GridMetadata(GridMetadata(m_Images.fixed.metadata))
{
  const itk::ComputeDevice device = options.compute.GetDevice();
  m_WarpedType = options.outputType.empty() ? m_Images.moving.pixelType : PixelTypes().GetValue(options.outputType);
  RequireValueOfType(options.outside, m_WarpedType);
  this->AddFiles();
  m_Report.Set("/method", methodName);
  if (m_Images.hasImages)
  {
    m_Report.Set("/fixed", options.fixed);
    m_Report.Set("/fixed_description", Describe(m_Images.fixed));
    m_Report.Set("/moving", options.moving);
    m_Report.Set("/moving_description", Describe(m_Images.moving));
  }
  else
  {
    m_Report.Set("/grid", m_Images.fixed.path);
    m_Report.Set("/grid_description", Describe(m_Images.fixed));
  }
  m_Report.SetDevice(device);
  this->NoteFiles();
  if (this->Has("warped"))
  {
    m_Report.Set("/parameters/interpolation", options.interpolation);
    m_Report.Set("/parameters/outside", options.outside);
  }
}

void
RegisterJob::AddFiles()
{
  for (const std::string & path : InputsOf(m_Options))
  {
    m_Files.AddInput(path);
  }
  const auto addTransform = [this](const std::string & name, const std::string & path, TransformParts parts) {
    if (!path.empty())
    {
      CheckTransformFormat(path, parts);
      m_Outputs.emplace(name, m_Files.AddOutput(path));
    }
  };
  this->AddImage("warped", m_Options.outputWarped);
  this->AddImage("field", m_Options.outputField);
  this->AddImage("inverse_field", m_Options.outputInverseField);
  this->AddImage("jacobian", m_Options.outputJacobian);
  addTransform("transform", m_Options.outputTransform, m_Parts);
  addTransform("inverse_transform", m_Options.outputInverseTransform, m_Parts);
  addTransform("alignment", m_Options.outputAlignment, TransformParts::One);
  this->AddImage("labels", m_Options.outputLabels);
  m_JsonFile = m_Files.AddTextOutput(m_Options.json);
  if (m_Outputs.empty() && m_Options.json.empty())
  {
    const bool isLinear = m_Parts == TransformParts::One;
    throw CLI::RequiredError(std::string("At least one of --output-warped, ") +
                             (isLinear ? "--output-transform, --output-inverse-transform"
                                       : "--output-field, --output-inverse-field, --output-jacobian, "
                                         "--output-transform, --output-alignment") +
                             ", --output-labels and --json");
  }
}

void
RegisterJob::AddImage(const std::string & name, const std::string & path)
{
  if (!path.empty())
  {
    CheckOutputFormat(path);
    m_Outputs.emplace(name, m_Files.AddOutput(path));
  }
}

void
RegisterJob::NoteFiles()
{
  const std::vector<std::pair<const char *, std::string>> files{
    { "/initial_field", m_Options.initialField }, { "/fixed_mask", m_Options.fixedMask },
    { "/moving_mask", m_Options.movingMask },     { "/fixed_labels", m_Options.fixedLabels },
    { "/moving_labels", m_Options.movingLabels }, { "/moving_grid", m_Options.movingGrid },
    { "/fixed_points", m_Options.fixedPoints },   { "/moving_points", m_Options.movingPoints }
  };
  if (!m_Options.initialTransforms.empty())
  {
    m_Report.Set("/initial_transforms", m_Options.initialTransforms);
  }
  for (const auto & [name, path] : files)
  {
    if (!path.empty())
    {
      m_Report.Set(name, path);
    }
  }
  this->NoteChannels();
}

void
RegisterJob::NoteChannels()
{
  Report::Json channels = Report::Json::array();
  for (std::size_t i = 0; i < m_Options.channels.size(); ++i)
  {
    const ChannelFiles &                               files = m_Options.channels[i];
    const OpenedChannel &                              opened = m_Images.channels[i];
    Report::Json                                       channel{ { "fixed", files.fixed },
                          { "fixed_description", Describe(opened.fixed) },
                          { "moving", files.moving },
                          { "moving_description", Describe(opened.moving) } };
    const std::pair<const char *, const std::string &> others[] = { { "fixed_mask", files.fixedMask },
                                                                    { "moving_mask", files.movingMask },
                                                                    { "fixed_transform", files.fixedTransform },
                                                                    { "moving_transform", files.movingTransform } };
    for (const auto & [name, path] : others)
    {
      if (!path.empty())
      {
        channel[name] = path;
      }
    }
    channels.push_back(channel);
  }
  if (!channels.empty())
  {
    m_Report.Set("/further_channels", channels);
  }
}

void
RegisterJob::Finish()
{
  for (const auto & [name, file] : m_Outputs)
  {
    m_Report.Set("/outputs/" + name, file.GetPath());
  }
  m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  m_Report.WriteAndPrint(m_Options.json, m_JsonFile.get(), m_Options.compute.isQuiet);
}
