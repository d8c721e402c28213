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
  const PointMaps maps = { buffers.maps.Candidate(*buffers.state),
                           others != nullptr ? others->Candidate(*buffers.state) : SoAField(),
                           buffers.velocitySign };
  double          energy = 0.0;
  for (int i = 0; i < points.numberOfPoints; ++i)
  {
    energy += EnergyOfPoint(points, i, maps);
  }
  for (int i = 0; i < points.numberOfVoxels; ++i)
  {
    AddPointForces(points, i, maps, buffers.force);
  }
  buffers.terms[pointTerm] = energy;
}

} // namespace cudaneuro::cpu
