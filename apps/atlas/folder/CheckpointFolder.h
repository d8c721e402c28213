// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_folder_CheckpointFolder_h
#define apps_atlas_folder_CheckpointFolder_h

#include <filesystem>
#include <string>

/** The folder of a run's checkpoints. Files in it that are no part of a checkpoint are never touched. */
class CheckpointFolder
{
public:
  explicit CheckpointFolder(const std::filesystem::path & path);

  std::string
  GetPath() const
  {
    return m_Path.generic_string();
  }

  bool
  HasCheckpoint() const;

  /** \throws UserError that names a file in the folder that is no part of a checkpoint */
  void
  RequireNothingElse() const;

  /** \param file of the run, empty for none
   * \throws UserError if it is in the folder */
  void
  RequireOutside(const std::string & file) const;

  /** Removes the checkpoint, and the folder if it is then empty.
   * \throws UserError */
  void
  Remove() const;

private:
  std::filesystem::path m_Path;
};

#endif
