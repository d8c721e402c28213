// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberStep_h
#define cudaneuro_atlas_members_MemberStep_h

#include "atlas/members/Member.h"
#include "core/Dispatch.h"
#include "registration/step/Step.h"

#include <memory>
#include <vector>

/** The step of one image of an atlas: a step of a registration to the template, and the check of the new map. */
namespace cudaneuro
{

/** A map whose minimum Jacobian determinant is not above this counts as folded. The limit exceeds the rounding error of
 * a determinant, so that the next force finds no fold in a map that has passed. */
constexpr float leastJacobian = 1e-4f;

/** The outcome of an image's step, for the host. */
struct MemberRecord
{
  double imageEnergy = 0.0;
  double biasEnergy = 0.0;
  /** Energies of the channels after the first one, by their places. */
  double termEnergies[numberOfTerms] = {};
  /** Minimum Jacobian determinant of the new map, or of the old one if the new one folds. */
  float minimumJacobian = 1.0f;
  int   hasFolded = 0;
  /** Largest absolute displacement of that map along each axis, in voxels. */
  float largest[3] = { 0.0f, 0.0f, 0.0f };
};

/** The state that one step of an image passes to the next, in memory of the context's device. */
struct MemberState
{
  StepState    step;
  StepRecord   records[2] = {}; // the next decision writes one of them
  MemberRecord record;
};

/** One image in one step. All members except the images' extent are in memory of the context's device. */
struct MemberVisit
{
  ChannelVolumes<const float> moving{};
  /** The map, which does not fold. */
  SoAField map;
  /** Output of the next map. */
  SoAField next;
  SoAField velocity;
  /** Scratch memory, where the new velocity may be left. */
  SoAField scratch;
  /** Receives moving(next) of each channel, NaN where it has no value. */
  ChannelVolumes<float> deformed{};
  MemberState *         state = nullptr;
  /** Whether the level begins, and the velocity is 0. */
  bool isFirst = false;
};

/** Steps of images on one grid, which share the template and scratch memory. On a GPU all work is enqueued on the
 * compute stream. */
class MemberStepper
{
public:
  virtual ~MemberStepper() = default;

  /** Moves the map by one step towards the template, and deforms the image. If the step folds the map, the next map is
   * the old one, and the next step is half as long.
   * \returns whether the new velocity is in \c scratch instead of \c velocity */
  virtual bool
  Step(const MemberVisit & visit) = 0;

  /** Writes the energy of the map to the next of the state's records, which is the first one of a new state. Overwrites
   * the force and \c scratch. */
  virtual void
  Evaluate(const MemberVisit & visit) = 0;

  /** Deforms the image by \c next, which contains a map; if that folds, replaces it by the old map first. */
  virtual void
  Deform(const MemberVisit & visit) = 0;
};

/** The parameters of all steps of a level. */
struct StepperSetting
{
  const RegistrationParameters & parameters;
  /** The plan's order. */
  const std::vector<int> & channelOrder;
  Extent                   extent;
  std::array<float, 3>     descentScale{};
  /** The template of each channel, read by each step. */
  ChannelVolumes<const float> targets{};
  /** Scratch memory. */
  SoAField force;
};

/** The buffers of a step's parts: the map is the candidate, is accepted by the decision, and moves to \c next.
 * \param terms see StepBuffers::terms */
StepBuffers
BuffersOf(const StepperSetting & setting, const MemberVisit & visit, double * terms);

/** The channels whose images influence the maps, each in its place: those with a weight, in the order of the plan. The
 * other ones are only deformed, so that forces have the bits of a registration without them. */
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
  /** The parameters of the channel in a place, valid during this object's lifetime. */
  const RegistrationParameters &
  GetParameters(int place) const
  {
    return m_Parameters[static_cast<std::size_t>(place)];
  }
  /** The images of a place in a member's step.
   * \param moving null if ChangeImages will provide them */
  ImagePair
  GetImages(const StepperSetting & setting, int place, const ChannelVolumes<const float> & moving) const;
  /** The energy of a channel, without its weight; 0 if it has no place. */
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

/** \throws OutOfMemoryError, Error when the library of Fourier transforms is missing */
CUDANEURO_DISPATCHED(std::unique_ptr<MemberStepper> MakeMemberStepper(Context &              context,
                                                                      const StepperSetting & setting));

} // namespace cudaneuro

#endif
