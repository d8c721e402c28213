// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/PointTermFormulas.h"

namespace cudaneuro::cpu
{

void
EnqueuePointForce(Context &, const LevelPoints & points, const StepBuffers & buffers, const MapPair * others)
{
  if (!buffers.state->isRunning)
  {
    return;
  }
  const SoAField own = buffers.maps.Candidate(*buffers.state);
  const SoAField other = others != nullptr ? others->Candidate(*buffers.state) : SoAField();
  double         energy = 0.0;
  for (int i = 0; i < points.numberOfPoints; ++i)
  {
    energy += PullOfPoint(points, i, buffers.velocitySign, own, others != nullptr ? &other : nullptr);
  }
  for (int i = 0; i < points.numberOfVoxels; ++i)
  {
    AddPulls(points, i, buffers.force);
  }
  buffers.terms[pointTerm] = energy;
}

} // namespace cudaneuro::cpu
