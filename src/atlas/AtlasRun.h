// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasRun_h
#define cudaneuro_atlas_AtlasRun_h

#include "atlas/AtlasCheckpoints.h"
#include "atlas/AtlasShare.h"

#include <chrono>
#include <optional>

namespace cudaneuro
{

/** What the shares of all processes tell each other after an iteration, one entry for each image of the atlas. */
struct IterationReport
{
  std::vector<double>   energies;
  std::vector<double>   minimumJacobians;
  std::vector<int>      folds;
  std::vector<VoxelBox> boxes;
};

/** The iterations of an atlas: all shares run the same schedule side by side, each in its body. */
class AtlasRun
{
public:
  AtlasRun(const AtlasPlan &                            plan,
           DeviceGroup &                                group,
           std::vector<std::unique_ptr<AtlasShare>> &   shares,
           AtlasCheckpoints &                           checkpoints,
           const std::optional<CheckpointPosition> &    resumed,
           const AtlasObserver &                        observer,
           AtlasResult &                                result);

  /** Runs the levels, from where a checkpoint left them. */
  void
  Run();

private:
  /** Where a share is in the schedule. */
  struct Place
  {
    int level = 0;
    int iteration = 0;
  };

  void
  RunShare(int device);
  void
  RunLevel(int device, int level, int firstIteration);
  IterationReport
  Exchange(int device);
  void
  Record(const Place & place, const IterationReport & report, double entropy);
  void
  AddDrift(int device, const Place & place, AtlasDrift drift);
  AtlasAction
  Agree(int device, AtlasAction wish);
  AtlasAction
  AskObserver();
  bool
  HasConverged(int level) const;
  bool
  IsShapeUpdateDue(int level, int iteration) const;
  void
  ReportProgress(int level, int iteration);

  const AtlasPlan &                          m_Plan;
  DeviceGroup &                              m_Group;
  std::vector<std::unique_ptr<AtlasShare>> & m_Shares;
  AtlasCheckpoints &                         m_Checkpoints;
  const std::optional<CheckpointPosition> &  m_Resumed;
  const AtlasObserver &                      m_Observer;
  AtlasResult &                              m_Result;
  double                                     m_Work = 0.0; // voxels times iterations of all levels
};

} // namespace cudaneuro

#endif
