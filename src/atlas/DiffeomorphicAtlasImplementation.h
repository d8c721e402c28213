// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_DiffeomorphicAtlasImplementation_h
#define cudaneuro_atlas_DiffeomorphicAtlasImplementation_h

#include "atlas/AtlasCheckpoints.h"
#include "atlas/AtlasPlan.h"
#include "atlas/AtlasShare.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/Atlas.h"
#include "group/DeviceGroup.h"
#include "jobs/DeviceJob.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cudaneuro
{

/** The data of an atlas, and the implementation of its functions, each of which calls the one of its name here. */
class DiffeomorphicAtlas::Implementation
{
public:
  Implementation(const AtlasParameters &     parameters,
                 const Geometry &            geometry,
                 const std::vector<double> & weights,
                 const AtlasDevices &        devices);

  std::vector<int>
  GetOwnImages() const;

  void
  SetImage(int image, const AtlasImage & input);

  void
  SetInitialTemplate(const ConstVolume & image);

  double
  GetCutFraction(int image);

  void
  SetCheckpoint(const AtlasCheckpoint & checkpoint);

  void
  SetProgressFunction(Context::ProgressFunction function);

  void
  Resume(const std::string & folder);

  void
  Run(const AtlasObserver & observer, AtlasResult & result);

  void
  GetTemplate(const Volume & output, int channel);

  void
  GetInitialMean(const Volume & output, int channel);

  AtlasImageResult
  GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source);

  void
  SetLabels(int image, const AtlasLabels & labels);

  void
  GetLabels(const AtlasLabelOutputs & outputs);

  AtlasPointsResult
  SetPoints(int image, const AtlasPoints & points);

  std::vector<AtlasPoint>
  GetPoints();

private:
  static AtlasPlan
  MakePlan(const AtlasParameters & parameters, const Geometry & geometry, const std::vector<double> & weights);

  /** Calls body(share, member) as a job of the device that has the image. */
  template <typename TBody>
  void
  WithMember(int image, const TBody & body)
  {
    for (std::size_t device = 0; device < m_Shares.size(); ++device)
    {
      if (Member * const member = m_Shares[device]->FindMember(image))
      {
        const std::lock_guard<std::mutex> lock(m_Locks[device]);
        Context &                         context = m_Group.GetContext(static_cast<int>(device));
        RunDeviceJob(context, [&] { body(*m_Shares[device], *member); });
        return;
      }
    }
    ThrowInvalid("the index of an image", image, "one of those that this process has");
  }

  /** Requires that the common scale of the images has not been found yet. */
  void
  RequireUnprepared(const char * call) const;

  void
  RequireRun(const char * call) const;

  /** Finds the scale of all images' intensities, and standardizes them. Does this once. */
  void
  Prepare();

  Communicator *                           m_Communicator; // null for a single process
  int                                      m_Rank;
  AtlasPlan                                m_Plan;
  std::vector<Device>                      m_Contexts;
  DeviceGroup                              m_Group;
  std::vector<std::unique_ptr<AtlasShare>> m_Shares;
  std::vector<std::mutex>                  m_Locks;
  AtlasCheckpoints                         m_Checkpoints;
  std::vector<float>                       m_InitialTemplate;
  std::optional<CheckpointPosition>        m_Resumed;
  AtlasResult                              m_ResumedResult;
  bool                                     m_IsPrepared = false;
  bool                                     m_HasStarted = false;
  bool                                     m_HasRun = false;
};

} // namespace cudaneuro

#endif
