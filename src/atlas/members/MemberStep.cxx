// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/MemberStep.h"

#include "core/Dispatch.h"

#include <algorithm>

namespace cudaneuro
{

StepBuffers
BuffersOf(const StepperSetting & setting, const MemberVisit & visit, double * terms)
{
  StepBuffers buffers;
  buffers.extent = setting.extent;
  buffers.maps = { visit.next, visit.map };
  buffers.force = setting.force;
  buffers.velocity = visit.velocity;
  buffers.scratch = visit.scratch;
  buffers.state = &visit.state->step;
  buffers.records = visit.state->records;
  buffers.terms = terms;
  return buffers;
}

ChannelPlaces::ChannelPlaces(const RegistrationParameters & parameters, const std::vector<int> & order)
  : m_UnbiasedWeight(parameters.unbiasedWeight)
{
  const EnergyShares shares(parameters);
  std::vector<int>   channels;
  for (const int channel : order)
  {
    if (shares.OfChannel(channel) > 0.0 || parameters.furtherChannels.empty())
    {
      channels.push_back(channel);
      m_Channels.push_back(static_cast<std::size_t>(channel));
    }
  }
  const RegistrationParameters inPlace = WithChannels(parameters, channels);
  m_Shares = EnergyShares(inPlace);
  for (int place = 0; place < this->GetSize(); ++place)
  {
    m_Parameters.push_back(ParametersOfChannel(inPlace, place));
  }
}

ImagePair
ChannelPlaces::GetImages(const StepperSetting & setting, int place, const ChannelVolumes<const float> & moving) const
{
  const std::size_t channel = this->GetChannel(place);
  ImagePair         images{ setting.extent, moving[channel], setting.targets[channel], setting.descentScale };
  images.share = static_cast<float>(m_Shares.OfChannel(place));
  return images;
}

double
ChannelPlaces::EnergyOf(std::size_t channel, double imageEnergy, const double * termEnergies) const
{
  const auto found = std::find(m_Channels.begin(), m_Channels.end(), channel);
  if (found == m_Channels.end())
  {
    return 0.0;
  }
  return found == m_Channels.begin() ? imageEnergy : termEnergies[found - m_Channels.begin() - 1];
}

double
ChannelPlaces::EnergyOf(double imageEnergy, double biasEnergy, const double * termEnergies) const
{
  return EnergyOfChannels(m_Shares, imageEnergy, termEnergies) + m_UnbiasedWeight * biasEnergy;
}

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  CUDANEURO_DISPATCH(context, MakeMemberStepper(context, setting));
}

} // namespace cudaneuro
