// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasCheckpoints_h
#define cudaneuro_atlas_AtlasCheckpoints_h

#include "atlas/AtlasShare.h"

#include <chrono>
#include <string>

namespace cudaneuro
{

/** Where a run goes on: iterations of the level that are done. */
struct CheckpointPosition
{
  int level = 0;
  int iteration = 0;
};

/** Writes and reads the state of an atlas: map, velocity and step of each image, and the course of the run. The
 * template is made anew of the maps, with the same bits. */
class AtlasCheckpoints
{
public:
  using Shares = std::vector<std::unique_ptr<AtlasShare>>;

  AtlasCheckpoints(const AtlasPlan & plan, DeviceGroup & group, Shares & shares, bool isFirstProcess);

  void
  Set(const AtlasCheckpoint & checkpoint);
  /** Whether the interval is over; never without a folder. */
  bool
  IsDue() const;

  /** Writes a checkpoint. Called by the bodies of all devices. */
  void
  Save(int device, const CheckpointPosition & position, const AtlasResult & result);

  /** Reads the checkpoint into the shares, which are brought to its level.
   * \throws Error when it is damaged, or of another atlas. */
  CheckpointPosition
  Load(const std::string & folder, AtlasResult & result);

  /** \throws Error when the checkpoint is damaged. */
  static std::string
  ReadNote(const std::string & folder);

private:
  /** Makes the images' checksums known to all. Called by the bodies of all devices. */
  void
  ExchangeChecksums(int device);
  /** What an atlas must have in common with its checkpoint, line by line. */
  std::vector<std::string>
  Identity() const;
  void
  RequireSameAtlas(const std::string & folder, const std::vector<std::string> & identity) const;
  void
  SaveShare(int device, int generation);

  const AtlasPlan &                     m_Plan;
  DeviceGroup &                         m_Group;
  Shares &                              m_Shares;
  bool                                  m_IsFirstProcess;
  AtlasCheckpoint                       m_Checkpoint;
  std::chrono::steady_clock::time_point m_Last;
  std::vector<std::int64_t>             m_Checksums; // of all images; empty until they are exchanged
};

} // namespace cudaneuro

#endif
