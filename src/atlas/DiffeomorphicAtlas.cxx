// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasMemory.h"
#include "atlas/AtlasRun.h"
#include "atlas/checkpoints/CheckpointFiles.h"
#include "atlas/checkpoints/Checksum.h"
#include "atlas/means/FixedPoint.h"
#include "atlas/IntensityScale.h"
#include "atlas/LabelVote.h"
#include "atlas/PointMeans.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/Error.h"
#include "jobs/DeviceJob.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

namespace cudaneuro
{

class DiffeomorphicAtlas::Implementation
{
public:
  Implementation(const AtlasParameters &     parameters,
                 const Geometry &            geometry,
                 const std::vector<double> & weights,
                 const AtlasDevices &        devices)
    : m_Communicator(devices.communicator)
    , m_Rank(devices.communicator ? devices.communicator->GetRank() : 0)
    , m_Plan(MakePlan(parameters, geometry, weights))
    , m_Contexts(ContextsOf(m_Plan, devices))
    , m_Group(m_Contexts, devices.numberOfThreads, devices.maximumDeviceMemory, devices.communicator)
    , m_Locks(m_Contexts.size())
    , m_Checkpoints(m_Plan, m_Group, m_Shares, m_Rank == 0)
  {
    std::vector<double> speeds;
    for (int device = 0; device < m_Group.GetSize(); ++device)
    {
      const Context & context = m_Group.GetContext(device);
      speeds.push_back(SpeedOf(context.GetDevice(), context.GetNumberOfThreads()));
    }
    const int  processes = devices.communicator ? devices.communicator->GetSize() : 1;
    const auto images = DistributeImages(m_Plan.NumberOfImages(), speeds, m_Rank, processes);
    m_Shares.resize(images.size());
    m_Group.Run([&](int device) {
      const auto index = static_cast<std::size_t>(device);
      const auto sharing = static_cast<int>(std::count(m_Contexts.begin(), m_Contexts.end(), m_Contexts[index]));
      m_Shares[index] = std::make_unique<AtlasShare>(m_Plan, m_Group, device, images[index], sharing);
    });
  }

  std::vector<int>
  GetOwnImages() const
  {
    std::vector<int> images;
    for (const auto & share : m_Shares)
    {
      for (const Member & member : share->GetMembers())
      {
        images.push_back(member.image);
      }
    }
    return images;
  }

  void
  SetImage(int image, const AtlasImage & input)
  {
    this->RequireUnprepared("SetImage");
    this->WithMember(image, [&](AtlasShare & share, Member & member) { share.SetImage(member, input); });
  }

  void
  SetInitialTemplate(const ConstVolume & image)
  {
    this->RequireUnprepared("SetInitialTemplate");
    const Grid & grid = m_Plan.geometry.grid;
    Context &    context = m_Group.GetContext(0);
    RequireVolume("initial template", context, image);
    m_InitialTemplate.resize(static_cast<std::size_t>(grid.NumberOfVoxels()));
    CopyVolume(context, grid, image, { m_InitialTemplate.data(), PixelType::Float, MemorySpace::Host });
    if (!std::all_of(m_InitialTemplate.begin(), m_InitialTemplate.end(), [](float v) { return std::isfinite(v); }))
    {
      ThrowInvalid("the initial template", "infinite or NaN at some voxels", "finite");
    }
    m_Plan.initialTemplate = Checksum(m_InitialTemplate.data(), m_InitialTemplate.size() * sizeof(float));
  }

  double
  GetCutFraction(int image)
  {
    double fraction = 0.0;
    this->WithMember(image, [&](AtlasShare &, Member & member) {
      if (!member.isSet)
      {
        throw Error("GetCutFraction", "image " + std::to_string(image) + " of the atlas has not been set");
      }
      fraction = member.cutFraction;
    });
    return fraction;
  }

  void
  SetCheckpoint(const AtlasCheckpoint & checkpoint)
  {
    RequireParameters(checkpoint);
    m_Checkpoints.Set(checkpoint);
  }

  void
  SetProgressFunction(Context::ProgressFunction function)
  {
    m_Group.GetContext(0).SetProgressFunction(std::move(function));
  }

  void
  Resume(const std::string & folder)
  {
    this->Prepare();
    m_ResumedResult = AtlasResult();
    m_Resumed = m_Checkpoints.Load(folder, m_ResumedResult);
  }

  void
  Run(const AtlasObserver & observer, AtlasResult & result)
  {
    this->Prepare();
    if (std::exchange(m_HasStarted, true))
    {
      throw Error("Run", "the atlas has been run already; another run takes another object");
    }
    result = m_ResumedResult;
    result.exchange = m_Group.GetExchange();
    AtlasRun(m_Plan, m_Group, m_Shares, m_Checkpoints, m_Resumed, observer, result).Run();
    for (const auto & share : m_Shares)
    {
      result.numberOfStreamedImages = std::max(result.numberOfStreamedImages, share->GetNumberOfOffloaded());
    }
    m_Resumed.reset();
    m_HasRun = true;
  }

  void
  GetTemplate(const Volume & output, int channel)
  {
    this->RequireRun("GetTemplate");
    RequireChannel(m_Plan, channel);
    m_Group.Run([&](int device) {
      if (device == 0 && output.data != nullptr)
      {
        m_Shares[0]->WriteTemplate(static_cast<std::size_t>(channel), output);
      }
    });
  }

  void
  GetInitialMean(const Volume & output, int channel)
  {
    RequireChannel(m_Plan, channel);
    this->Prepare();
    m_Group.Run([&](int device) {
      m_Shares[static_cast<std::size_t>(device)]->WriteInitialMean(static_cast<std::size_t>(channel),
                                                                   device == 0 ? output : Volume());
    });
  }

  AtlasImageResult
  GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source)
  {
    this->RequireRun("GetImage");
    AtlasImageResult result;
    this->WithMember(image,
                     [&](AtlasShare & share, Member & member) { result = share.WriteImage(member, outputs, source); });
    return result;
  }

  void
  SetLabels(int image, const AtlasLabels & labels)
  {
    this->RequireRun("SetLabels");
    this->WithMember(image, [&](AtlasShare & share, Member & member) { share.TakeLabels(member, labels); });
  }

  void
  GetLabels(const AtlasLabelOutputs & outputs)
  {
    this->RequireRun("GetLabels");
    Context & context = m_Group.GetContext(0);
    RunDeviceJob(context, [&] { WriteLabels(context, m_Plan, m_Shares, m_Communicator, outputs); });
  }

  AtlasPointsResult
  SetPoints(int image, const AtlasPoints & points)
  {
    this->RequireRun("SetPoints");
    AtlasPointsResult result;
    this->WithMember(image, [&](AtlasShare & share, Member & member) { result = share.TakePoints(member, points); });
    return result;
  }

  std::vector<AtlasPoint>
  GetPoints()
  {
    this->RequireRun("GetPoints");
    Context &               context = m_Group.GetContext(0);
    std::vector<AtlasPoint> points;
    RunDeviceJob(context, [&] { points = MeanPoints(context, m_Plan, m_Shares, m_Communicator); });
    return points;
  }

private:
  static AtlasPlan
  MakePlan(const AtlasParameters & parameters, const Geometry & geometry, const std::vector<double> & weights)
  {
    RequireAtlasParameters(parameters, geometry, weights);
    AtlasPlan plan;
    plan.parameters = parameters;
    plan.geometry = geometry;
    plan.weights = weights;
    plan.wholeWeights = WholeWeights(weights);
    plan.scales.resize(plan.NumberOfChannels());
    plan.channelOrder.resize(plan.NumberOfChannels());
    std::iota(plan.channelOrder.begin(), plan.channelOrder.end(), 0);
    return plan;
  }

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

  /** Images have their scale in common, which is found once. */
  void
  RequireUnprepared(const char * call) const
  {
    if (m_IsPrepared)
    {
      throw Error(call, "the atlas has its images already, since Run, Resume or GetInitialMean was called");
    }
  }

  void
  RequireRun(const char * call) const
  {
    if (!m_HasRun)
    {
      throw Error(call, "the atlas has not been run to its end");
    }
  }

  /** Finds the scale of all images' intensities, and standardizes them. Once. */
  void
  Prepare()
  {
    if (m_IsPrepared)
    {
      return;
    }
    for (const auto & share : m_Shares)
    {
      for (const Member & member : share->GetMembers())
      {
        if (!member.isSet)
        {
          throw Error("Run", "image " + std::to_string(member.image) + " of the atlas has not been set");
        }
      }
    }
    const Context::ProgressRange range(m_Group.GetContext(0), 0.0, 0.0); // of Run, which has just begun
    m_Group.Run([this](int device) {
      AtlasShare & share = *m_Shares[static_cast<std::size_t>(device)];
      FindScale(m_Group, device, share.GetMembers(), m_Plan);
      if (!m_InitialTemplate.empty())
      {
        share.SetInitialTemplate(m_InitialTemplate);
      }
      share.Standardize();
    });
    m_InitialTemplate = {};
    m_IsPrepared = true;
  }

  Communicator *                           m_Communicator; // null for a process that is alone
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

DiffeomorphicAtlas::DiffeomorphicAtlas(const AtlasParameters &     parameters,
                                       const Geometry &            geometry,
                                       const std::vector<double> & weights,
                                       const AtlasDevices &        devices)
  : m_Implementation(std::make_unique<Implementation>(parameters, geometry, weights, devices))
{}

DiffeomorphicAtlas::~DiffeomorphicAtlas() = default;

std::vector<int>
DiffeomorphicAtlas::GetOwnImages() const
{
  return m_Implementation->GetOwnImages();
}

void
DiffeomorphicAtlas::SetImage(int image, const AtlasImage & input)
{
  m_Implementation->SetImage(image, input);
}

double
DiffeomorphicAtlas::GetCutFraction(int image) const
{
  return m_Implementation->GetCutFraction(image);
}

void
DiffeomorphicAtlas::SetInitialTemplate(const ConstVolume & image)
{
  m_Implementation->SetInitialTemplate(image);
}

void
DiffeomorphicAtlas::SetCheckpoint(const AtlasCheckpoint & checkpoint)
{
  m_Implementation->SetCheckpoint(checkpoint);
}

bool
DiffeomorphicAtlas::HasCheckpoint(const std::string & folder)
{
  return cudaneuro::HasCheckpoint(folder);
}

bool
DiffeomorphicAtlas::IsCheckpointFile(const std::string & fileName)
{
  return cudaneuro::IsCheckpointFile(fileName);
}

std::string
DiffeomorphicAtlas::ReadCheckpointNote(const std::string & folder)
{
  return AtlasCheckpoints::ReadNote(folder);
}

void
DiffeomorphicAtlas::Resume(const std::string & folder)
{
  m_Implementation->Resume(folder);
}

void
DiffeomorphicAtlas::SetProgressFunction(Context::ProgressFunction function)
{
  m_Implementation->SetProgressFunction(std::move(function));
}

void
DiffeomorphicAtlas::Run(const AtlasObserver & observer, AtlasResult & result)
{
  m_Implementation->Run(observer, result);
}

void
DiffeomorphicAtlas::GetTemplate(const Volume & output, int channel)
{
  m_Implementation->GetTemplate(output, channel);
}

void
DiffeomorphicAtlas::GetInitialMean(const Volume & output, int channel)
{
  m_Implementation->GetInitialMean(output, channel);
}

AtlasImageResult
DiffeomorphicAtlas::GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source)
{
  return m_Implementation->GetImage(image, outputs, source);
}

void
DiffeomorphicAtlas::SetLabels(int image, const AtlasLabels & labels)
{
  m_Implementation->SetLabels(image, labels);
}

void
DiffeomorphicAtlas::GetLabels(const AtlasLabelOutputs & outputs)
{
  m_Implementation->GetLabels(outputs);
}

AtlasPointsResult
DiffeomorphicAtlas::SetPoints(int image, const AtlasPoints & points)
{
  return m_Implementation->SetPoints(image, points);
}

std::vector<AtlasPoint>
DiffeomorphicAtlas::GetPoints()
{
  return m_Implementation->GetPoints();
}

} // namespace cudaneuro
