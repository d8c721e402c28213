// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasFolder.h"

#include "atlas/AtlasFigure.h"
#include "cudaneuro/Atlas.h"
#include "shared/Messages.h"

namespace fs = std::filesystem;

AtlasFolder::AtlasFolder(const AtlasOptions & options)
  : m_Options(options)
{}

std::string
AtlasFolder::PathOf(const std::string & name) const
{
  return (fs::path(m_Options.folder) / name).string();
}

void
AtlasFolder::Open(const Population & population)
{
  m_Folders.Make(m_Options.folder);
  RunFiles files;
  for (const PopulationImage & image : population)
  {
    files.AddInput(image.path);
    files.AddInput(image.mask);
    files.AddInput(image.transform);
  }
  files.AddInput(m_Options.list);
  files.AddInput(m_Options.reference);
  files.AddInput(m_Options.initialTemplate);
  m_Template = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("template.nii.gz")));
  m_Mean = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("mean.nii.gz")));
  m_Report = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("report.json")));
  if (GetReasonForNoFigure().empty())
  {
    m_Figure = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("figure.png")));
  }
  m_Json = files.AddTextOutput(m_Options.json);
  if (!m_Options.leaveOutMaps || !m_Options.leaveOutInverse)
  {
    m_Folders.Make(this->PathOf("maps"));
  }
  if (!m_Options.leaveOutDeformed)
  {
    m_Folders.Make(this->PathOf("deformed"));
  }
  for (const PopulationImage & image : population)
  {
    for (const std::string & path :
         { this->GetMap(image), this->GetInverse(image), this->GetAlignment(image), this->GetDeformed(image) })
    {
      if (!path.empty())
      {
        // The place is checked, and not kept: each keeps a file open, and there are many.
        files.AddOutput(path);
      }
    }
  }
}

void
AtlasFolder::CheckCheckpoint() const
{
  if (m_Options.resume || !cudaneuro::DiffeomorphicAtlas::HasCheckpoint(this->GetCheckpoint()))
  {
    return;
  }
  if (!m_Options.overwrite)
  {
    throw ProgramError(this->GetCheckpoint() +
                       " is the checkpoint of a run that did not end: --resume goes on from it, and --overwrite "
                       "removes it and begins anew");
  }
  this->RemoveCheckpoint();
}

std::string
AtlasFolder::GetCheckpoint() const
{
  return this->PathOf("checkpoint");
}

std::string
AtlasFolder::GetCheckpointedAlignment() const
{
  return this->GetCheckpoint() + "/alignment.json";
}

void
AtlasFolder::RemoveCheckpoint() const
{
  std::error_code error;
  fs::remove_all(this->GetCheckpoint(), error);
  if (error)
  {
    throw ProgramError("cannot remove " + this->GetCheckpoint() + ": " + error.message());
  }
}

std::string
AtlasFolder::GetMap(const PopulationImage & image) const
{
  return m_Options.leaveOutMaps ? "" : this->PathOf("maps/" + image.name + "_map.nii.gz");
}

std::string
AtlasFolder::GetInverse(const PopulationImage & image) const
{
  return m_Options.leaveOutInverse ? "" : this->PathOf("maps/" + image.name + "_inverse.nii.gz");
}

std::string
AtlasFolder::GetAlignment(const PopulationImage & image) const
{
  return m_Options.leaveOutMaps || !m_Options.Aligns() ? "" : this->PathOf("maps/" + image.name + "_alignment.tfm");
}

std::string
AtlasFolder::GetDeformed(const PopulationImage & image) const
{
  return m_Options.leaveOutDeformed ? "" : this->PathOf("deformed/" + image.name + ".nii.gz");
}
