// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Experiment_h
#define Experiment_h

#include "HeadImage.h"
#include "Options.h"
#include "Runs.h"
#include "cudaneuro/Context.h"

#include <string>
#include <vector>

/** The images of an experiment, on its device, and its registrations. */
class Experiment
{
public:
  explicit Experiment(const Options & options);

  std::vector<Run>
  RunAll();

private:
  HeadImage::Pointer
  Prepare(const std::string & path, Random & random) const;

  cudaneuro::ConstVolume
  Upload(const HeadImage * image, cudaneuro::Geometry & geometry);

  /** The known map K moves the moving image by its header alone, so that nothing is interpolated. What is found is K
   * after the map between the images as they were. */
  Run
  RunOne(int index);

  Corners
  TrueCorners(const std::vector<Run> & runs) const;

  Options                              m_Options;
  cudaneuro::Context                   m_Context;
  std::vector<cudaneuro::DeviceMemory> m_Memory;
  cudaneuro::LinearMetricImages        m_Images;
  cudaneuro::AffineMap                 m_Truth;
  Corners                              m_Corners{};
  Point                                m_Center{};
};

#endif
