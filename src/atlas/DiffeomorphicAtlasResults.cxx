// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/DiffeomorphicAtlasImplementation.h"

#include "atlas/LabelVote.h"
#include "atlas/PointMeans.h"
#include "cudaneuro/Error.h"
#include "jobs/DeviceJob.h"

/** The results of an atlas after its run, and the labels and points that it then takes to the template. The mean of the
 * images is available before, too. */
namespace cudaneuro
{

void
DiffeomorphicAtlas::Implementation::RequireRun(const char * call) const
{
  if (!m_HasRun)
  {
    throw Error(call, "the atlas has not been run to its end");
  }
}

void
DiffeomorphicAtlas::Implementation::GetTemplate(const Volume & output, int channel)
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
DiffeomorphicAtlas::Implementation::GetInitialMean(const Volume & output, int channel)
{
  RequireChannel(m_Plan, channel);
  this->Prepare();
  m_Group.Run([&](int device) {
    m_Shares[static_cast<std::size_t>(device)]->WriteInitialMean(static_cast<std::size_t>(channel),
                                                                 device == 0 ? output : Volume());
  });
}

AtlasImageResult
DiffeomorphicAtlas::Implementation::GetImage(int image, const AtlasImageOutputs & outputs, const AtlasImage * source)
{
  this->RequireRun("GetImage");
  AtlasImageResult result;
  this->WithMember(image,
                   [&](AtlasShare & share, Member & member) { result = share.WriteImage(member, outputs, source); });
  return result;
}

void
DiffeomorphicAtlas::Implementation::SetLabels(int image, const AtlasLabels & labels)
{
  this->RequireRun("SetLabels");
  this->WithMember(image, [&](AtlasShare & share, Member & member) { share.TakeLabels(member, labels); });
}

void
DiffeomorphicAtlas::Implementation::GetLabels(const AtlasLabelOutputs & outputs)
{
  this->RequireRun("GetLabels");
  Context & context = m_Group.GetContext(0);
  RunDeviceJob(context, [&] { WriteLabels(context, m_Plan, m_Shares, m_Communicator, outputs); });
}

AtlasPointsResult
DiffeomorphicAtlas::Implementation::SetPoints(int image, const AtlasPoints & points)
{
  this->RequireRun("SetPoints");
  AtlasPointsResult result;
  this->WithMember(image, [&](AtlasShare & share, Member & member) { result = share.TakePoints(member, points); });
  return result;
}

std::vector<AtlasPoint>
DiffeomorphicAtlas::Implementation::GetPoints()
{
  this->RequireRun("GetPoints");
  Context &               context = m_Group.GetContext(0);
  std::vector<AtlasPoint> points;
  RunDeviceJob(context, [&] { points = MeanPoints(context, m_Plan, m_Shares, m_Communicator); });
  return points;
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
