// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_EnergyShares_h
#define cudaneuro_registration_step_EnergyShares_h

#include "core/HostDevice.h"
#include "cudaneuro/Registration.h"

/** The weights by which the terms of the energy add up. */
namespace cudaneuro
{

/** Places of the terms besides the first channel and the bias: channel c has place c - 1. */
constexpr int pointTerm = maximumNumberOfChannels - 1;
constexpr int labelTerm = pointTerm + 1;
constexpr int numberOfTerms = labelTerm + 1;

/** Factors of the terms in the energy. The factors of the channels add up to 1, unless all are 0. */
struct EnergyShares
{
  double firstChannel = 1.0;
  double terms[numberOfTerms] = {};

  EnergyShares() = default;
  explicit EnergyShares(const RegistrationParameters & parameters);

  /** \param channel 0 for the first one */
  double
  OfChannel(int channel) const
  {
    return channel == 0 ? firstChannel : terms[channel - 1];
  }
};

/** The energy of all channels, weighted by their shares.
 * \param terms energies of the terms besides the first channel and the bias, by their places */
CUDANEURO_HOST_DEVICE double
EnergyOfChannels(const EnergyShares & shares, double ofFirst, const double * terms)
{
  // A single channel's energy stays unchanged to the bit, whatever contractions the compiler chooses.
  double energy = shares.firstChannel == 1.0 ? ofFirst : shares.firstChannel * ofFirst;
  for (int term = 0; term < pointTerm; ++term)
  {
    energy += shares.terms[term] * terms[term];
  }
  return energy;
}

/** The parameters of a channel as the caller sets them; 0 is the first one. */
ChannelParameters
DescriptionOfChannel(const RegistrationParameters & parameters, int channel);

/** The parameters by which a channel is compared. Channels after the first one have no bias of their own. */
RegistrationParameters
ParametersOfChannel(const RegistrationParameters & parameters, int channel);

/** The parameters with only some of their channels, in another order.
 * \param channels not empty */
RegistrationParameters
WithChannels(const RegistrationParameters & parameters, const std::vector<int> & channels);

} // namespace cudaneuro

#endif
