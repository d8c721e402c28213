// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberStep_h
#define cudaneuro_atlas_members_MemberStep_h

#include "atlas/members/Member.h"
#include "core/Dispatch.h"
#include "registration/step/Step.h"

#include <memory>
#include <vector>

/** The step of one image of an atlas: that of a registration to the template, and what becomes of the new map. */
namespace cudaneuro
{

/** A map whose least Jacobian determinant is not above this counts as folded. It is above 0 by more than the
 * rounding of a determinant, so that the next force finds no fold in a map that has passed. */
constexpr float leastJacobian = 1e-4f;

/** What becomes of an image's step, for the host. */
struct MemberRecord
{
  double imageEnergy = 0.0;
  double biasEnergy = 0.0;
  /** Of the channels after the first, by their places. */
  double termEnergies[numberOfTerms] = {};
  /** The minimum of the new map, or of the old one where the new one folds. */
  float minimumJacobian = 1.0f;
  int   hasFolded = 0;
  /** Largest absolute displacement of that map along each axis, in voxels. */
  float largest[3] = { 0.0f, 0.0f, 0.0f };
};

/** What an image's steps pass on, in memory of the context's device. */
struct MemberState
{
  StepState    step;
  StepRecord   records[2] = {}; // the next decision writes one of them
  MemberRecord record;
};

/** One image at one step. All but the images' extent lies in memory of the context's device. */
struct MemberVisit
{
  ChannelVolumes<const float> moving{};
  /** The map, which does not fold. */
  SoAField map;
  /** Where the next map goes. */
  SoAField next;
  SoAField velocity;
  /** Scratch memory, where the new velocity may be left. */
  SoAField scratch;
  /** Receives moving(next) of each channel, NaN where it has no value. */
  ChannelVolumes<float> deformed{};
  MemberState *         state = nullptr;
  /** The level begins: the velocity is 0. */
  bool isFirst = false;
};

/** Steps of images on one grid, which share the template and scratch memory. On a GPU all is enqueued on the compute
 * stream. */
class MemberStepper
{
public:
  virtual ~MemberStepper() = default;

  /** Moves the map by one step towards the template, and deforms the image. The next map is the old one where the step
   * folds it; the next step is half as long then.
   * \returns whether the new velocity is in \c scratch instead of \c velocity. */
  virtual bool
  Step(const MemberVisit & visit) = 0;

  /** Writes the energy of the map to the next of the state's records, which is the first one of a new state.
   * Overwrites the force and \c scratch. */
  virtual void
  Evaluate(const MemberVisit & visit) = 0;

  /** Deforms the image by \c next, which holds a map, or makes it the old one where it folds. */
  virtual void
  Deform(const MemberVisit & visit) = 0;
};

/** What all steps of a level work with. */
struct StepperSetting
{
  const RegistrationParameters & parameters;
  /** That of the plan. */
  const std::vector<int> & channelOrder;
  Extent                   extent;
  std::array<float, 3>     descentScale{};
  /** The template of each channel, read by each step. */
  ChannelVolumes<const float> targets{};
  /** Scratch memory. */
  SoAField force;
};

/** What the parts of a step work on: the map is the candidate, is accepted by the decision, and moves to \c next.
 * \param terms StepBuffers::terms */
StepBuffers
BuffersOf(const StepperSetting & setting, const MemberVisit & visit, double * terms);

/** The channels whose images have a say in the maps, each in its place: those with a weight, in the order of the plan.
 * The others are deformed alone, and forces have the bits that they have without them. */
class ChannelPlaces
{
public:
  ChannelPlaces() = default;
  /** \param order all channels */
  ChannelPlaces(const RegistrationParameters & parameters, const std::vector<int> & order);

  int
  GetSize() const
  {
    return static_cast<int>(m_Channels.size());
  }
  /** The channel in a place, 0 for the first one. */
  std::size_t
  GetChannel(int place) const
  {
    return m_Channels[static_cast<std::size_t>(place)];
  }
  /** By which the channel of a place is compared; they live as long as this object. */
  const RegistrationParameters &
  GetParameters(int place) const
  {
    return m_Parameters[static_cast<std::size_t>(place)];
  }
  /** The images of a place in a member's step.
   * \param moving null where ChangeImages will tell */
  ImagePair
  GetImages(const StepperSetting & setting, int place, const ChannelVolumes<const float> & moving) const;
  /** The energy of a channel, without its weight; 0 where it has no place. */
  double
  EnergyOf(std::size_t channel, double imageEnergy, const double * termEnergies) const;
  /** The energy of a map, all channels and the bias together. */
  double
  EnergyOf(double imageEnergy, double biasEnergy, const double * termEnergies) const;

private:
  double                              m_UnbiasedWeight = 0.0;
  std::vector<std::size_t>            m_Channels;
  std::vector<RegistrationParameters> m_Parameters;
  EnergyShares                        m_Shares;
};

/** \throws OutOfMemoryError, Error when the library of Fourier transforms is missing. */
CUDANEURO_DISPATCHED(std::unique_ptr<MemberStepper> MakeMemberStepper(Context &              context,
                                                                      const StepperSetting & setting));

} // namespace cudaneuro

#endif
