// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzFftKernel_cuh
#define cudaneuro_solvers_HelmholtzFftKernel_cuh

#include "cuda/DeviceGate.h"
#include "solvers/HelmholtzFormulas.h"

#include <cufft.h>

#include <cstdint>

/** The sine transform DST-I of a line of n values is minus the imaginary part of the Fourier transform of its odd
 * extension, 0, x1 ... xn, 0, -xn ... -x1, at the frequencies 1 to n. Lines are consecutive in memory: n values, 2 (n +
 * 1) extended ones, or n + 2 complex ones. */
namespace cudaneuro::gpu
{

constexpr int fftTile = 32;
constexpr int fftTileRows = 8;

/** Writes value \p j of a line and its mirror image to the extended line; value 0 also writes the two zeros. */
__device__ __forceinline__ void
WriteExtended(float * line, int n, int j, float value)
{
  line[1 + j] = value;
  line[2 * n + 1 - j] = -value;
  if (j == 0)
  {
    line[0] = 0.0f;
    line[n + 1] = 0.0f;
  }
}

__device__ __forceinline__ float
SineCoefficient(const cufftComplex * spectrum, std::int64_t line, int n, int j)
{
  return -spectrum[line * (n + 2) + (j + 1)].y;
}

/** Reads lines of values and writes extended lines. threadIdx.x runs along lines, .y numbers them. */
static __global__ void
ExtendKernel(int n, std::int64_t lines, const float * from, float * to, DeviceGate gate)
{
  if (gate.IsClosed())
  {
    return;
  }
  const std::int64_t step = std::int64_t{ gridDim.x } * fftTileRows;
  for (std::int64_t line = std::int64_t{ blockIdx.x } * fftTileRows + threadIdx.y; line < lines; line += step)
  {
    for (int j = static_cast<int>(threadIdx.x); j < n; j += fftTile)
    {
      WriteExtended(to + line * (2 * (n + 1)), n, j, from[line * n + j]);
    }
  }
}

/** Reads spectra of lines and writes plain lines of sine coefficients. */
static __global__ void
ExtractKernel(int n, std::int64_t lines, const cufftComplex * from, float * to, DeviceGate gate)
{
  if (gate.IsClosed())
  {
    return;
  }
  const std::int64_t step = std::int64_t{ gridDim.x } * fftTileRows;
  for (std::int64_t line = std::int64_t{ blockIdx.x } * fftTileRows + threadIdx.y; line < lines; line += step)
  {
    for (int j = static_cast<int>(threadIdx.x); j < n; j += fftTile)
    {
      to[line * n + j] = SineCoefficient(from, line, n, j);
    }
  }
}

struct DivideArguments
{
  int                  n;
  std::int64_t         lines;
  int                  linesInner;
  const cufftComplex * from;
  float *              to;
  /** Eigenvalues along the axis of the lines, and along the two axes that number them, which are indexed by a line's
   * number modulo linesInner, and divided by it. */
  const float * eigenvalues[3];
  /** Both coefficients are multiplied by the normalization factor of the transforms. */
  float      alpha;
  float      gamma;
  DeviceGate gate;
};

/** Reads spectra of lines and writes extended lines of sine coefficients divided by the operator's eigenvalues. */
static __global__ void
DivideKernel(const DivideArguments arguments)
{
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const int          n = arguments.n;
  const std::int64_t step = std::int64_t{ gridDim.x } * fftTileRows;
  for (std::int64_t line = std::int64_t{ blockIdx.x } * fftTileRows + threadIdx.y; line < arguments.lines; line += step)
  {
    const float others =
      arguments.eigenvalues[1][line % arguments.linesInner] + arguments.eigenvalues[2][line / arguments.linesInner];
    for (int j = static_cast<int>(threadIdx.x); j < n; j += fftTile)
    {
      const float eigenvalue = arguments.alpha * (arguments.eigenvalues[0][j] + others) + arguments.gamma;
      WriteExtended(
        arguments.to + line * (2 * (n + 1)), n, j, SineCoefficient(arguments.from, line, n, j) / eigenvalue);
    }
  }
}

struct TurnArguments
{
  /** The lengths of the lines that are read, of those that are written, and of the third axis. */
  int n;
  int turned;
  int others;
  /** The number of a line that is read is turned index * readTurned + other index * readOther. */
  std::int64_t readTurned;
  std::int64_t readOther;
  /** The number of a line that is written is index along the lines read * writeIndex + other index * writeOther. */
  std::int64_t         writeIndex;
  std::int64_t         writeOther;
  const cufftComplex * from;
  float *              to;
  DeviceGate           gate;
};

/** Reads spectra of lines and writes extended lines of sine coefficients along another axis. Blocks of 32 x 8 threads
 * transpose tiles in shared memory: blockIdx.x runs along the lines that are read, .y along those that are written, .z
 * along the third axis. */
static __global__ void
TurnKernel(const TurnArguments arguments)
{
  __shared__ float tile[fftTile][fftTile + 1];
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(threadIdx.y);
  const int beginIndex = static_cast<int>(blockIdx.x) * fftTile;
  const int beginTurned = static_cast<int>(blockIdx.y) * fftTile;
  for (int other = static_cast<int>(blockIdx.z); other < arguments.others; other += static_cast<int>(gridDim.z))
  {
    for (int r = row; r < fftTile; r += fftTileRows)
    {
      const int index = beginIndex + lane;
      const int turned = beginTurned + r;
      if (index < arguments.n && turned < arguments.turned)
      {
        tile[r][lane] = SineCoefficient(
          arguments.from, turned * arguments.readTurned + other * arguments.readOther, arguments.n, index);
      }
    }
    __syncthreads();
    for (int r = row; r < fftTile; r += fftTileRows)
    {
      const int index = beginIndex + r;
      const int turned = beginTurned + lane;
      if (index < arguments.n && turned < arguments.turned)
      {
        const std::int64_t line = index * arguments.writeIndex + other * arguments.writeOther;
        WriteExtended(arguments.to + line * (2 * (arguments.turned + 1)), arguments.turned, turned, tile[lane][r]);
      }
    }
    __syncthreads();
  }
}

struct FrequencyArguments
{
  int            half; // frequencies along x
  int            rows;
  std::int64_t   frequencies;
  cufftComplex * values[3];
  /** The tables of PeriodicSymbols. */
  const float * symbols[3];
  float         alpha;
  float         beta;
  float         gamma;
  float         scale;
  DeviceGate    gate;
};

/** Reads and writes the values: solves the equation for all frequencies of the periodic grid, in place. */
static __global__ void
FrequencyKernel(const FrequencyArguments arguments)
{
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const std::int64_t step = std::int64_t{ gridDim.x } * blockDim.x;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * blockDim.x + threadIdx.x; i < arguments.frequencies; i += step)
  {
    const float * const x = arguments.symbols[0] + 2 * (i % arguments.half);
    const float * const y = arguments.symbols[1] + 2 * (i / arguments.half % arguments.rows);
    const float * const z = arguments.symbols[2] + 2 * (i / arguments.half / arguments.rows);
    const float         d = arguments.alpha * (x[0] + y[0] + z[0]) + arguments.gamma;
    const float         s[3] = { x[1], y[1], z[1] };
    float               real[3];
    float               imaginary[3];
    for (int component = 0; component < 3; ++component)
    {
      real[component] = arguments.values[component][i].x;
      imaginary[component] = arguments.values[component][i].y;
    }
    SolvePeriodic(d, arguments.beta, s, arguments.scale, real);
    SolvePeriodic(d, arguments.beta, s, arguments.scale, imaginary);
    for (int component = 0; component < 3; ++component)
    {
      arguments.values[component][i] = make_float2(real[component], imaginary[component]);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
