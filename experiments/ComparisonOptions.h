// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ComparisonOptions_h
#define ComparisonOptions_h

#include "cudaneuro/Device.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

/** What the comparisons of denoised shapes are told. */
struct ComparisonOptions
{
  cudaneuro::Device                      device;
  double                                 size = 12.0;
  std::vector<cudaneuro::SyntheticShape> shapes = cudaneuro::ValuesOf<cudaneuro::SyntheticShape>();
};

/** Takes --device cpu|cuda, --sizes X or --shapes NAME,...
 * \return whether it is one of them */
inline bool
TakeOption(ComparisonOptions & options, const std::string & name, const std::string & value)
{
  if (name == "--device")
  {
    options.device = value == "cpu" ? cudaneuro::Device{} : cudaneuro::Device{ 0 };
  }
  else if (name == "--sizes")
  {
    options.size = std::atof(value.c_str());
  }
  else if (name == "--shapes")
  {
    options.shapes.clear();
    std::istringstream list(value);
    for (std::string shape; std::getline(list, shape, ',');)
    {
      options.shapes.emplace_back();
      FromName(shape, options.shapes.back());
    }
  }
  else
  {
    return false;
  }
  return true;
}

#endif
