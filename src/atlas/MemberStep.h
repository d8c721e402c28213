// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_MemberStep_h
#define cudaneuro_atlas_MemberStep_h

#include "core/Dispatch.h"
#include "registration/Step.h"

#include <memory>

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
  const float * moving = nullptr;
  /** The map, which does not fold. */
  SoAField map;
  /** Where the next map goes. */
  SoAField next;
  SoAField velocity;
  /** Scratch memory, where the new velocity may be left. */
  SoAField scratch;
  /** Receives moving(next), NaN where it has no value. */
  float *       deformed = nullptr;
  MemberState * state = nullptr;
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
  Extent                         extent;
  std::array<float, 3>           descentScale{};
  /** Read by each step. */
  const float * target = nullptr;
  /** Scratch memory. */
  SoAField force;
};

/** The images of a member's step. */
ImagePair
ImagesOf(const StepperSetting & setting, const float * moving);

/** What the parts of a step work on: the map is the candidate, is accepted by the decision, and moves to \c next. */
StepBuffers
BuffersOf(const StepperSetting & setting, const MemberVisit & visit);

/** \throws OutOfMemoryError, Error when the library of Fourier transforms is missing. */
CUDANEURO_DISPATCHED(std::unique_ptr<MemberStepper> MakeMemberStepper(Context &              context,
                                                                      const StepperSetting & setting));

} // namespace cudaneuro

#endif
