// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorTile_cuh
#define cudaneuro_solvers_HelmholtzSorTile_cuh

#include "core/IntegerMath.h"
#include "cuda/DeviceGate.h"
#include "solvers/HelmholtzFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace cudaneuro::gpu
{

struct SorArguments
{
  Extent          extent;
  SorCoefficients coefficients;
  ConstSoAField   force;
  ConstSoAField   from;
  SoAField        to;
  DeviceGate      gate;
  int             tilesX;
  int             tilesY;
  /** The number of planes that a block writes; even. */
  int planes;
};

/** The columns of voxels of a block of the kernel. A warp has rows of 32 pairs. */
template <int VSweeps, int VRows, int VWarps, int VPlanes>
struct SorTile
{
  static_assert(VPlanes >= 2, "One plane arrives while another is read");
  static constexpr int rows = VRows;
  /** The number of steps in the ring whose values are being copied from memory or read. */
  static constexpr int planes = VPlanes;
  static constexpr int stages = 2 * VSweeps;
  /** Voxels at the edge of a tile, inside the grid, whose results are invalid and discarded. */
  static constexpr int halo = stages;
  /** Empty columns beside the first and the last one of the grid: lanes 0 and 31 need no neighbors there. */
  static constexpr int marginX = 2;
  static constexpr int width = 64;
  static constexpr int height = VRows * VWarps;
  static constexpr int stepX = width - 2 * halo;
  static constexpr int stepY = height - 2 * halo;
  static constexpr int threads = 32 * VWarps;

  /** Returns the tiles for \p n columns: an inner tile yields \p step columns, an outer one those up to the edge. */
  static int
  Count(int n, int step, int margin)
  {
    const int single = step + 2 * halo - 2 * margin;
    return n <= single ? 1 : 1 + DivideUp(n - single, step);
  }

  /** The rows that other warps read: the first and the last row of each warp, between two rows of zeros. */
  static constexpr int sharedRows = 2 * VWarps + 2;
  using Exchange = float[2][stages][sharedRows][32];

  /** The values that a step loads: pairs of the field and of the force, each for the thread that has copied it. */
  using Arrival = float2[2][VRows][threads];

  struct Shared
  {
    /** A ring: VPlanes - 1 steps are being copied from memory at a time. */
    Arrival  arrivals[VPlanes];
    Exchange exchange;
  };
};

/** The values of one of the two columns of a thread, x and x + 1; the "even" column has even x + y. */
template <int VStages>
struct SorColumn
{
  /** At a step k in which the column is active, index i is plane k + 1 - i. */
  float value[VStages + 3];
  /** Index h is plane k - h, times the force coefficient; 0 and 1 are multiplied at the beginning of the step. */
  float force[VStages];
  /** Values that arrive with those of the other column: plane k + 2 of the field, and plane k + 1 of the force. */
  float pendingValue;
  float pendingForce;
};

} // namespace cudaneuro::gpu

#endif
