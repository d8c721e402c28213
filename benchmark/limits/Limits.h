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
  /** Bytes read plus bytes written when copying within the memory of the device (of the host, for the CPU). */
  double copyBytes = 0.0;
  /** Fused multiply-adds in float: the rate at which float instructions are issued. */
  double fma = 0.0;
  /** Exponentials in float, by the instruction ex2.approx.f32. */
  double ex2 = 0.0;
  /** Bytes over PCIe in one direction at a time, from and to page-locked host memory. */
  double hostToDeviceBytes = 0.0;
  double deviceToHostBytes = 0.0;
};

/** Measures all limits of a CUDA device, which takes half a second.
 * \throws Error, OutOfMemoryError */
Limits
MeasureCudaLimits(const Device & device);

/** Measures the copy rate of host memory with all cores. */
Limits
MeasureHostLimits();

} // namespace cudaneuro::benchmark

#endif
