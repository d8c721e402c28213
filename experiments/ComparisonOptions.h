// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ComparisonOptions_h
#define ComparisonOptions_h

#include "cudaneuro/Device.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/SyntheticSurfaces.h"

#include <cstdlib>
#include <exception>
#include <iostream>
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

/** The options of a command line, which are pairs of name and value: those above, and those of a comparison's own,
 * which \p takeOwn(options, name, value) takes.
 * \throws InvalidParameterError for a name that neither takes */
template <typename TOptions, typename TTakeOwn>
TOptions
ParseOptions(int argc, char * argv[], const TTakeOwn & takeOwn)
{
  TOptions options;
  for (int i = 1; i + 1 < argc; i += 2)
  {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (!takeOwn(options, name, value) && !TakeOption(options, name, value))
    {
      throw cudaneuro::InvalidParameterError("Unknown option " + name);
    }
  }
  return options;
}

/** What main returns: runs a comparison with the options of the command line, and says what it throws. */
template <typename TOptions, typename TTakeOwn, typename TRun>
int
RunComparison(int argc, char * argv[], const TTakeOwn & takeOwn, const TRun & run)
{
  try
  {
    run(ParseOptions<TOptions>(argc, argv, takeOwn));
    return EXIT_SUCCESS;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}

#endif
