// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DenoisingFilterTests_h
#define DenoisingFilterTests_h

#include "DeviceTest.h"
#include "FilterChecks.h"
#include "MaskChecks.h"

/** The tests that every denoising filter has, for a fixture of that name derived from DeviceTest, and for another of
 * the name and OnCuda. */
#define CUDANEURO_DENOISING_FILTER_TESTS(fixture, traits) \
  TEST_P(fixture, AcceptsAllPixelTypesIn2D) \
  { \
    filterchecks::CheckAllPixelTypes<traits, 2>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, AcceptsAllPixelTypesIn3D) \
  { \
    filterchecks::CheckAllPixelTypes<traits, 3>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, KeepsGeometry) \
  { \
    filterchecks::CheckGeometry<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, HonorsMask) \
  { \
    filterchecks::CheckMask<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, RejectsMaskOfOtherGeometry) \
  { \
    filterchecks::CheckMaskOfOtherGeometry<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, KeepsWhatIsNotFinite) \
  { \
    filterchecks::CheckNotFinite<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, SaturatesAndRounds) \
  { \
    filterchecks::CheckAllSaturations<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, TakesAndGivesDeviceImages) \
  { \
    filterchecks::CheckDeviceImages<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, RejectsBadInput) \
  { \
    filterchecks::CheckBadInput<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, ReportsProgressAndStops) \
  { \
    filterchecks::CheckProgressAndAbort<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture, ReusesMemory) \
  { \
    filterchecks::CheckSecondUpdate<traits>(itk::ComputeDevice(GetParam())); \
  } \
  CUDANEURO_TEST_ON_ALL_DEVICES(fixture); \
  TEST_P(fixture##OnCuda, AgreesWithCpu) \
  { \
    filterchecks::CheckAgainstCpu<traits>(itk::ComputeDevice(GetParam())); \
  } \
  TEST_P(fixture##OnCuda, WorksInSlabs) \
  { \
    filterchecks::CheckSlabs<traits>(itk::ComputeDevice(GetParam())); \
  } \
  CUDANEURO_TEST_ON_CUDA(fixture##OnCuda)

#endif
