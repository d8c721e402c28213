// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/folder/AtlasFolder.h"

#include "atlas/folder/AtlasFigure.h"
#include "files/system/SystemFile.h"
#include "shared/Files.h"
#include "shared/Messages.h"

namespace fs = std::filesystem;

namespace
{

/** Returns the end of the names of a channel's files: nothing for the first one, _2 for the next one, and so on. */
std::string
NumberOf(std::size_t channel)
{
  return channel == 0 ? "" : '_' + std::to_string(channel + 1);
}

} // namespace

AtlasFolder::AtlasFolder(const AtlasOptions & options)
  : m_Options(options)
  , m_Checkpoint(ToPath(options.folder) / "checkpoint")
{}

AtlasFolder::~AtlasFolder()
{
  UnlockFolder(m_Lock);
}

void
AtlasFolder::Lock()
{
  // Some file systems have no locks.
  const FolderLock lock = LockFolder(ToPath(m_Options.folder));
  if (lock.state == FolderLock::State::Busy)
  {
    throw UserError("another program is building an atlas in " + m_Options.folder);
  }
  m_Lock = lock.handle;
}

std::string
AtlasFolder::PathOf(const std::string & name) const
{
  return NameInFolder(m_Options.folder, name);
}

void
AtlasFolder::Open(const Population & population)
{
  m_Folders.Make(ToPath(m_Options.folder));
  this->Lock();
  this->CheckCheckpoint(population);
  FilesOfRun files;
  files.AddInput(m_Options.list);
  for (const std::string & input : InputsOf(m_Options, population))
  {
    files.AddInput(input);
  }
  m_Template = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("template.nii.gz")));
  m_Mean = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("mean.nii.gz")));
  for (std::size_t channel = 1; channel <= NumberOfFurtherChannels(population); ++channel)
  {
    const auto open = [&](const char * name) {
      return std::make_unique<OutputFile>(files.AddOutput(this->PathOf(name + NumberOf(channel) + ".nii.gz")));
    };
    m_ChannelTemplates.push_back(open("template"));
    m_ChannelMeans.push_back(open("mean"));
  }
  if (FirstWithLabels(population) != nullptr)
  {
    m_Labels = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("labels.nii.gz")));
    m_LabelProbability = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("label_probability.nii.gz")));
  }
  if (HasPoints(population))
  {
    m_Points = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("points.csv")));
  }
  m_Report = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("report.json")));
  if (GetReasonForNoFigure().empty())
  {
    m_Figure = std::make_unique<OutputFile>(files.AddOutput(this->PathOf("figure.png")));
  }
  m_Json = files.AddTextOutput(m_Options.json);
  if (!m_Options.leaveOutMaps || !m_Options.leaveOutInverse)
  {
    m_Folders.Make(ToPath(this->PathOf("maps")));
  }
  if (!m_Options.leaveOutDeformed)
  {
    m_Folders.Make(ToPath(this->PathOf("deformed")));
  }
  for (const PopulationImage & image : population)
  {
    std::vector<std::string> paths{ this->GetMap(image), this->GetInverse(image), this->GetAlignment(image) };
    for (std::size_t channel = 0; channel <= image.channels.size(); ++channel)
    {
      paths.push_back(this->GetDeformed(image, channel));
    }
    for (const std::string & path : paths)
    {
      if (!path.empty())
      {
        // The place is checked, but not kept, because each place keeps a file open, and there are many.
        files.AddOutput(path);
      }
    }
  }
}

void
AtlasFolder::CheckCheckpoint(const Population & population) const
{
  for (const std::string & input : InputsOf(m_Options, population))
  {
    m_Checkpoint.RequireOutside(input);
  }
  m_Checkpoint.RequireOutside(m_Options.list);
  m_Checkpoint.RequireOutside(m_Options.json);
  if (!m_Options.noCheckpoint)
  {
    m_Checkpoint.RequireNothingElse();
  }
  // A checkpoint that is overwritten stays until this run's first one replaces it.
  if (!m_Options.resume && !m_Options.overwrite && m_Checkpoint.HasCheckpoint())
  {
    throw UserError(m_Checkpoint.GetPath() +
                    " is the checkpoint of a run that did not end: --resume goes on from it, and --overwrite "
                    "removes it and begins anew");
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
AtlasFolder::GetDeformed(const PopulationImage & image, std::size_t channel) const
{
  return m_Options.leaveOutDeformed ? "" : this->PathOf("deformed/" + image.name + NumberOf(channel) + ".nii.gz");
}
