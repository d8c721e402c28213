// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_AtlasRun_h
#define cudaneuro_atlas_AtlasRun_h

#include "atlas/AtlasCheckpoints.h"
#include "atlas/AtlasShare.h"

#include <chrono>
#include <limits>
#include <optional>

namespace cudaneuro
{

/** The outcome of a step for all images. */
struct IterationReport
{
  std::vector<double>              energies;        // one for each image of the atlas
  std::vector<std::vector<double>> channelEnergies; // the same for each channel
  double                           minimumJacobian = std::numeric_limits<double>::max();
  int                              numberOfFolds = 0;
  /** All deformed images are 0 outside this box after the next step. */
  VoxelBox box;
};

/** The iterations of an atlas: all shares run the same schedule in parallel, each in its body. */
class AtlasRun
{
public:
  /** \param resumed the position of the checkpoint whose state the shares have, if there is one */
  AtlasRun(const AtlasPlan &                          plan,
           DeviceGroup &                              group,
           std::vector<std::unique_ptr<AtlasShare>> & shares,
           AtlasCheckpoints &                         checkpoints,
           const std::optional<CheckpointPosition> &  resumed,
           const AtlasObserver &                      observer,
           AtlasResult &                              result);

  void
  Run();

private:
  void
  RunShare(int device);
  /** \returns false if the observer ends the run */
  bool
  RunLevel(int device, int level, int firstIteration);
  /** Measures the energies of the result. */
  void
  TakeEnergies(int device);
  /** The weighted mean over all images. */
  double
  MeanOf(const std::vector<double> & energies) const;
  IterationReport
  Exchange(int device);
  void
  LimitBoxes(int device, const IterationReport & report);
  void
  Record(int level, int iteration, const IterationReport & report, AtlasShare & share);
  void
  AddDrift(int device, int level, int iteration, AtlasDrift drift);
  AtlasAction
  Agree(int device);
  bool
  HasConverged(int device, int level);
  bool
  IsShapeUpdateDue(int iteration, bool isLast) const;
  void
  ReportProgress(int level, int iteration);

  const AtlasPlan &                          m_Plan;
  DeviceGroup &                              m_Group;
  std::vector<std::unique_ptr<AtlasShare>> & m_Shares;
  AtlasCheckpoints &                         m_Checkpoints;
  const std::optional<CheckpointPosition> &  m_Resumed;
  const AtlasObserver &                      m_Observer;
  AtlasResult &                              m_Result;
  std::vector<double>                        m_MeanSeconds; // of each share
  double                                     m_Work = 0.0;  // voxels times iterations, summed over the levels
  double                                     m_Progress = 0.0;
  std::optional<Context::ProgressRange>      m_Range;
};

} // namespace cudaneuro

#endif
