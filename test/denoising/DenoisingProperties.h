// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DenoisingProperties_h
#define DenoisingProperties_h

#include "DeviceTest.h"
#include "TestVolumes.h"

#include <functional>

/** What every filter from a volume to a volume must do, whatever it computes. */
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

std::vector<float>
Run(cudaneuro::Context &               context,
    const Filter &                     filter,
    const cudaneuro::Grid &            grid,
    const std::vector<float> &         input,
    const std::vector<unsigned char> & mask = {});

/** Largest absolute difference. Values that are not finite must be the same in both: a difference there is infinite. */
double
LargestDifference(const std::vector<float> & result, const std::vector<double> & expected);

/** On odd sizes, sizes of 1, anisotropic spacing, with mask and with values that are not finite.
 * \param tolerance share of the data range */
void
ExpectMatchesReference(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       double                  tolerance);

/** A volume of one value stays so. */
void
ExpectConstantIsFixedPoint(cudaneuro::Context & context, const Filter & filter, double tolerance);

/** Values that are not finite, and those outside the mask, are unchanged and change nothing: the result elsewhere is
 * the same whatever stands there. */
void
ExpectNoPartTaken(cudaneuro::Context & context, const Filter & filter);

/** Some voxels of FLT_MAX, -FLT_MAX, 1e20 and -1e30: the result is that of double precision, their own values and
 * those of their neighbors included.
 * \param reach voxels nearer to a huge one than this are only expected to be finite: 1 and more where the definition
 * itself gives huge voxels a weight in others */
void
ExpectHugeVoxelsInsideCount(cudaneuro::Context &    context,
                            const Filter &          filter,
                            const ReferenceFilter & referenceFilter,
                            double                  tolerance,
                            std::int64_t            reach = 0);

/** The same bits elsewhere whatever the size of a voxel that the mask leaves out. */
void
ExpectHugeVoxelOutsideMaskChangesNothing(cudaneuro::Context & context, const Filter & filter);

/** Where filters promise 1e-5 of the range of the intensities: up to so many times the range from 0, above and below.
 * Float itself resolves 4e-6 of the range at 100 times the range.
 * \param timesTheRange at most 100 */
void
ExpectExactFarFromZero(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       float                   timesTheRange);

/** Every pixel type in and out gives what float in and out gives, converted. */
void
ExpectAllPixelTypes(cudaneuro::Context & context, const Filter & filter);

/** The same bits twice, also in another context with another number of threads. */
void
ExpectRepeatable(cudaneuro::Context & context, const Filter & filter);

/** The same bits from several threads at once, each with its own context; the threads run through the filters, so that
 * different ones meet. */
void
ExpectConcurrent(const cudaneuro::Device & device, const std::vector<Filter> & filters);

/** Progress begins at 0 or above, never falls, and ends at 1. */
void
ExpectProgress(cudaneuro::Context & context, const Filter & filter);

/** Aborted is thrown, and the next run is right. */
void
ExpectAbort(cudaneuro::Context & context, const Filter & filter);

/** Close to the CPU on a volume of 61 x 47 x 53, and on a flat one of 301 x 203. */
void
ExpectMatchesCpu(cudaneuro::Context & context, const Filter & filter, double tolerance);

/** The same bits when a memory limit forces slabs, for host and for device memory. */
void
ExpectSlabsEqualWhole(cudaneuro::Context & context, const Filter & filter);

/** From device memory to device memory not a byte crosses, and the result is the same. */
void
ExpectNoTransferOnDevice(cudaneuro::Context & context, const Filter & filter);

/** A volume of more than 2^31 voxels: planes at the start, around the 2^31st voxel and at the end are what the CPU
 * makes of their neighborhoods.
 * \param halo planes that a plane of the result depends on */
void
ExpectLargeVolume(cudaneuro::Context & context, const Filter & filter, std::int64_t halo);

} // namespace properties

#endif
