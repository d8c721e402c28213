// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasCheckpoints_h
#define cudaneuro_atlas_AtlasCheckpoints_h

#include "atlas/AtlasShare.h"

#include <chrono>
#include <string>

namespace cudaneuro
{

/** Where a run continues: the number of completed iterations of a level. */
struct CheckpointPosition
{
  int level = 0;
  int iteration = 0;
};

/** Writes and reads the state of an atlas: map, velocity and step of each image, and the history of the run. The
 * template is recomputed from the maps, with the same bits. */
class AtlasCheckpoints
{
public:
  using Shares = std::vector<std::unique_ptr<AtlasShare>>;

  AtlasCheckpoints(const AtlasPlan & plan, DeviceGroup & group, Shares & shares, bool isFirstProcess);

  void
  Set(const AtlasCheckpoint & checkpoint);
  /** Whether the interval has elapsed; never without a folder. */
  bool
  IsDue() const;

  /** Writes a checkpoint. Called by the bodies of all devices. */
  void
  Save(int device, const CheckpointPosition & position, const AtlasResult & result);

  /** Reads the checkpoint into the shares, and brings them to its level.
   * \throws Error if it is damaged, or of another atlas */
  CheckpointPosition
  Load(const std::string & folder, AtlasResult & result);

  /** \throws Error if the checkpoint is damaged */
  static std::string
  ReadNote(const std::string & folder);

private:
  /** Exchanges the images' checksums between all devices. Called by their bodies. */
  void
  ExchangeChecksums(int device);
  /** The properties that an atlas must have in common with its checkpoint, one per line. */
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
  std::vector<std::int64_t>             m_Checksums; // of all images; empty until the exchange
};

} // namespace cudaneuro

#endif
