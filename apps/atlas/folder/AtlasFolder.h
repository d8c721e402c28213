// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_folder_AtlasFolder_h
#define apps_atlas_folder_AtlasFolder_h

#include "atlas/folder/CheckpointFolder.h"
#include "atlas/population/Population.h"
#include "files/output/NewFolders.h"
#include "files/output/OutputFile.h"
#include "shared/Files.h"

#include <cstdint>
#include <memory>

/** The folder of an atlas: the names of its files, which all processes know, and the places that the first keeps. */
class AtlasFolder
{
public:
  explicit AtlasFolder(const AtlasOptions & options);
  ~AtlasFolder();
  AtlasFolder(const AtlasFolder &) = delete;
  AtlasFolder &
  operator=(const AtlasFolder &) = delete;

  /** Makes the folders, and locks the first until this object ends. Checks that every result can be written and
   * overwrites nothing of the run, and keeps the places of those that there is one of.
   * \throws UserError */
  void
  Open(const Population & population);

  const CheckpointFolder &
  GetCheckpoint() const
  {
    return m_Checkpoint;
  }

  /** Names of an image's files; empty for those that are left out. */
  std::string
  GetMap(const PopulationImage & image) const;
  std::string
  GetInverse(const PopulationImage & image) const;
  /** Left out where images are not aligned, too. */
  std::string
  GetAlignment(const PopulationImage & image) const;
  /** \param channel 0 for the first one */
  std::string
  GetDeformed(const PopulationImage & image, std::size_t channel = 0) const;

  /** After Open. */
  const OutputFile &
  GetTemplate() const
  {
    return *m_Template;
  }
  /** Of the channels after the first one. */
  const std::vector<std::unique_ptr<OutputFile>> &
  GetChannelTemplates() const
  {
    return m_ChannelTemplates;
  }
  const OutputFile &
  GetMean() const
  {
    return *m_Mean;
  }
  const std::vector<std::unique_ptr<OutputFile>> &
  GetChannelMeans() const
  {
    return m_ChannelMeans;
  }
  const OutputFile &
  GetReport() const
  {
    return *m_Report;
  }
  /** Null where no image has labels. */
  const OutputFile *
  GetLabels() const
  {
    return m_Labels.get();
  }
  const OutputFile *
  GetLabelProbability() const
  {
    return m_LabelProbability.get();
  }
  /** Null where no image has points. */
  const OutputFile *
  GetPoints() const
  {
    return m_Points.get();
  }
  /** Null where no figure can be drawn. */
  const OutputFile *
  GetFigure() const
  {
    return m_Figure.get();
  }
  /** The file of --json; null for standard output. */
  const OutputFile *
  GetJson() const
  {
    return m_Json.get();
  }

private:
  /** \throws UserError when another program has locked it */
  void
  Lock();
  /** \throws UserError when a file of the run lies in the folder of checkpoints, when checkpoints cannot be written
   * there, and when there is one, and the options say neither to take it up nor to overwrite it. */
  void
  CheckCheckpoint(const Population & population) const;
  std::string
  PathOf(const std::string & name) const;

  const AtlasOptions &                     m_Options;
  const CheckpointFolder                   m_Checkpoint;
  NewFolders                               m_Folders;
  std::intptr_t                            m_Lock = -1;
  std::unique_ptr<OutputFile>              m_Template;
  std::unique_ptr<OutputFile>              m_Mean;
  std::vector<std::unique_ptr<OutputFile>> m_ChannelTemplates;
  std::vector<std::unique_ptr<OutputFile>> m_ChannelMeans;
  std::unique_ptr<OutputFile>              m_Labels;
  std::unique_ptr<OutputFile>              m_LabelProbability;
  std::unique_ptr<OutputFile>              m_Points;
  std::unique_ptr<OutputFile>              m_Report;
  std::unique_ptr<OutputFile>              m_Figure;
  std::unique_ptr<OutputFile>              m_Json;
};

#endif
