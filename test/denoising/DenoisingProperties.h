// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DenoisingProperties_h
#define DenoisingProperties_h

#include "DeviceTest.h"
#include "TestVolumes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

/** Properties that every filter from a volume to a volume must have, whatever it computes. */
namespace properties
{

/** A filter with its parameters. */
using Filter = std::function<void(cudaneuro::Context &,
                                  const cudaneuro::Grid &,
                                  const cudaneuro::ConstVolume & input,
                                  const cudaneuro::ConstVolume & mask,
                                  const cudaneuro::Volume &      output)>;

/** The same filter in double precision. */
using ReferenceFilter = std::function<std::vector<double>(const reference::Image &)>;

/** Range of the intensities of the test volumes, which tolerances are relative to. */
constexpr double dataRange = 1000.0;

/** The grid of tests that need no other. */
inline const cudaneuro::Grid middleGrid = testvolumes::MakeGrid({ 37, 29, 23 }, { 1.0, 1.1, 1.3 });

/** Values as pixels of another type: rounded where it is one of integers, and limited to its range. */
template <typename T>
std::vector<T>
Converted(const std::vector<float> & values)
{
  std::vector<T> converted;
  for (const float value : values)
  {
    const double low = static_cast<double>(std::numeric_limits<T>::lowest());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    const double rounded = std::is_integral_v<T> ? std::nearbyint(value) : value;
    converted.push_back(static_cast<T>(std::min(std::max(rounded, low), high)));
  }
  return converted;
}

/** A volume in memory of the context's device. */
template <typename TPixel = float>
struct DeviceVolume
{
  cudaneuro::DeviceMemory memory;

  DeviceVolume(cudaneuro::Context & context, const cudaneuro::Grid & grid)
    : memory(context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(TPixel)))
  {}

  operator cudaneuro::Volume() const
  {
    return { memory.Data(), cudaneuro::PixelTypeOf<TPixel>::value, cudaneuro::MemorySpace::Device };
  }
  operator cudaneuro::ConstVolume() const
  {
    return { memory.Data(), cudaneuro::PixelTypeOf<TPixel>::value, cudaneuro::MemorySpace::Device };
  }
};

/** Compares bits, so that NaN equals itself. */
::testing::AssertionResult
HaveSameBits(const std::vector<float> & a, const std::vector<float> & b);

std::vector<float>
Run(cudaneuro::Context &               context,
    const Filter &                     filter,
    const cudaneuro::Grid &            grid,
    const std::vector<float> &         input,
    const std::vector<unsigned char> & mask = {});

/** Returns the largest absolute difference. It is infinite where values that are not finite differ. */
double
LargestDifference(const std::vector<float> & result, const std::vector<double> & expected);

/** The result agrees with double precision on odd sizes, sizes of 1, anisotropic spacing, with a mask, and with values
 * that are not finite.
 * \param tolerance share of the data range */
void
ExpectMatchesReference(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       double                  tolerance);

/** A constant volume does not change. */
void
ExpectConstantIsFixedPoint(cudaneuro::Context & context, const Filter & filter, double tolerance);

/** Values that are not finite or outside the mask keep their value and do not influence the result elsewhere. */
void
ExpectNoPartTaken(cudaneuro::Context & context, const Filter & filter);

/** With some voxels of FLT_MAX, -FLT_MAX, 1e20, and -1e30, the result agrees with double precision everywhere.
 * \param reach voxels nearer to a huge one than this are only expected to be finite: 1 and more where the definition
 * itself gives huge voxels a weight in others */
void
ExpectHugeVoxelsInsideCount(cudaneuro::Context &    context,
                            const Filter &          filter,
                            const ReferenceFilter & referenceFilter,
                            double                  tolerance,
                            std::int64_t            reach = 0);

/** The value of a masked voxel, however large, does not change the bits elsewhere. */
void
ExpectHugeVoxelOutsideMaskChangesNothing(cudaneuro::Context & context, const Filter & filter);

/** The error is at most 1e-5 of the range of intensities up to so many times the range away from 0, above and below. At
 * 100 times the range, float itself resolves 4e-6 of the range.
 * \param timesTheRange at most 100
 * \param isMagnitude leaves negative intensities out, which no magnitude has */
void
ExpectExactFarFromZero(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       float                   timesTheRange,
                       bool                    isMagnitude = false);

/** Every pixel type of input and output gives the converted result of float. */
void
ExpectAllPixelTypes(cudaneuro::Context & context, const Filter & filter);

/** A second run gives the same bits, also in another context with another number of threads. */
void
ExpectRepeatable(cudaneuro::Context & context, const Filter & filter);

/** Several threads at once, each with its own context, get the same bits. The threads begin with different filters. */
void
ExpectConcurrent(const cudaneuro::Device & device, const std::vector<Filter> & filters);

/** Progress begins at 0 or above, never falls, and ends at 1. */
void
ExpectProgress(cudaneuro::Context & context, const Filter & filter);

/** An aborted run throws Aborted, and the next run is correct. */
void
ExpectAbort(cudaneuro::Context & context, const Filter & filter);

/** The result agrees with the CPU on a volume of 61 x 47 x 53 and on an image of 301 x 203. */
void
ExpectMatchesCpu(cudaneuro::Context & context, const Filter & filter, double tolerance);

/** A memory limit that forces slabs does not change the bits, for host and for device memory. */
void
ExpectSlabsEqualWhole(cudaneuro::Context & context, const Filter & filter);

/** Volumes of the host that arrive in several chunks have the bits of one that is on the device as a whole: of pageable
 * and of page-locked memory, as integers, and after an abort in the middle. */
void
ExpectChunksEqualWhole(cudaneuro::Context & context, const Filter & filter);

/** From device memory to device memory no bytes are transferred to or from the host, and the result is the same. */
void
ExpectNoTransferOnDevice(cudaneuro::Context & context, const Filter & filter);

/** On a volume of more than 2^31 voxels, planes at the start, around the 2^31st voxel, and at the end agree with the
 * CPU on their neighborhoods.
 * \param halo planes that a plane of the result depends on */
void
ExpectLargeVolume(cudaneuro::Context & context, const Filter & filter, std::int64_t halo);

} // namespace properties

#endif
