// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/DiffeomorphicAtlasImplementation.h"

#include "atlas/AtlasMemory.h"
#include "atlas/AtlasRun.h"
#include "atlas/IntensityScale.h"
#include "atlas/checkpoints/CheckpointFiles.h"
#include "atlas/checkpoints/Checksum.h"
#include "atlas/means/FixedPoint.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

/** The construction of an atlas: its images, its checkpoints and its run. */
namespace cudaneuro
{

AtlasPlan
DiffeomorphicAtlas::Implementation::MakePlan(const AtlasParameters &     parameters,
                                             const Geometry &            geometry,
                                             const std::vector<double> & weights)
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

DiffeomorphicAtlas::Implementation::Implementation(const AtlasParameters &     parameters,
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
DiffeomorphicAtlas::Implementation::GetOwnImages() const
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
DiffeomorphicAtlas::Implementation::RequireUnprepared(const char * call) const
{
  if (m_IsPrepared)
  {
    throw Error(call, "the atlas has its images already, since Run, Resume or GetInitialMean was called");
  }
}

void
DiffeomorphicAtlas::Implementation::SetImage(int image, const AtlasImage & input)
{
  this->RequireUnprepared("SetImage");
  this->WithMember(image, [&](AtlasShare & share, Member & member) { share.SetImage(member, input); });
}

void
DiffeomorphicAtlas::Implementation::SetInitialTemplate(const ConstVolume & image)
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
DiffeomorphicAtlas::Implementation::GetCutFraction(int image)
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
DiffeomorphicAtlas::Implementation::SetCheckpoint(const AtlasCheckpoint & checkpoint)
{
  RequireParameters(checkpoint);
  m_Checkpoints.Set(checkpoint);
}

void
DiffeomorphicAtlas::Implementation::SetProgressFunction(Context::ProgressFunction function)
{
  m_Group.GetContext(0).SetProgressFunction(std::move(function));
}

void
DiffeomorphicAtlas::Implementation::Prepare()
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
  const Context::ProgressRange range(m_Group.GetContext(0), 0.0, 0.0); // that of Run, which has just begun
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

void
DiffeomorphicAtlas::Implementation::Resume(const std::string & folder)
{
  if (m_HasStarted)
  {
    throw Error("Resume", "the atlas has been run already; to resume a checkpoint takes another object");
  }
  this->Prepare();
  AtlasResult result;
  m_Resumed = m_Checkpoints.Load(folder, result);
  m_ResumedResult = std::move(result);
}

void
DiffeomorphicAtlas::Implementation::Run(const AtlasObserver & observer, AtlasResult & result)
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

} // namespace cudaneuro
