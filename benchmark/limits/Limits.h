// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Limits_h
#define Limits_h

#include "cudaneuro/Device.h"

namespace cudaneuro::benchmark
{

/** Measured limits of the machine, per second; 0 where not measured. */
struct Limits
{
  /** Bytes read plus bytes written when copying within the memory of the device (of the host, on the CPU). */
  double copyBytes = 0.0;
  /** Fused multiply-adds in float: the rate at which float instructions are issued. */
  double fma = 0.0;
  /** ex2.approx.f32 */
  double ex2 = 0.0;
  /** Bytes over PCIe in one direction alone, page-locked host memory. */
  double hostToDeviceBytes = 0.0;
  double deviceToHostBytes = 0.0;
};

/** Measures all limits of a CUDA device: half a second.
 * \throws Error, OutOfMemoryError */
Limits
MeasureCudaLimits(const Device & device);

/** Measures the copy rate of host memory with all cores. */
Limits
MeasureHostLimits();

} // namespace cudaneuro::benchmark

#endif
