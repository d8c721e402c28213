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

/** The folder of an atlas: the names of its files, which all processes know, and their places, which the first process
 * keeps. */
class AtlasFolder
{
public:
  explicit AtlasFolder(const AtlasOptions & options);
  ~AtlasFolder();
  AtlasFolder(const AtlasFolder &) = delete;
  AtlasFolder &
  operator=(const AtlasFolder &) = delete;

  /** Makes the folders, and locks the main one until this object is destroyed. Checks that every result can be written
   * and overwrites nothing of the run, and keeps the places of results of the whole atlas.
   * \throws UserError */
  void
  Open(const Population & population);

  const CheckpointFolder &
  GetCheckpoint() const
  {
    return m_Checkpoint;
  }

  /** Return the paths of an image's files; empty for files that are left out. */
  std::string
  GetMap(const PopulationImage & image) const;
  std::string
  GetInverse(const PopulationImage & image) const;
  /** Also empty if images are not aligned. */
  std::string
  GetAlignment(const PopulationImage & image) const;
  /** \param channel 0 for the first one */
  std::string
  GetDeformed(const PopulationImage & image, std::size_t channel = 0) const;

  /** Return the places of files of the whole atlas. Call them after Open. */
  const OutputFile &
  GetTemplate() const
  {
    return *m_Template;
  }
  /** The templates of the channels after the first one. */
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
  /** Null if no image has labels. */
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
  /** Null if no image has points. */
  const OutputFile *
  GetPoints() const
  {
    return m_Points.get();
  }
  /** Null if no figure can be drawn. */
  const OutputFile *
  GetFigure() const
  {
    return m_Figure.get();
  }
  /** Returns the file of --json; null for standard output. */
  const OutputFile *
  GetJson() const
  {
    return m_Json.get();
  }

private:
  /** \throws UserError if another program has locked the folder */
  void
  Lock();
  /** \throws UserError if a file of the run is in the folder of checkpoints, if checkpoints cannot be written
   * there, or if there is one, and the options neither resume nor overwrite it. */
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
