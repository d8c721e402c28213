// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Moves a series as a user's program does: MoveSeriesFile INPUT OUTPUT REFERENCE INTERPOLATION BACKGROUND TYPE MAP
// [TRANSFORM...] A hyphen is no type, no map, or a transform that is null. Files of transforms are read as the program
// reads them, but for INVERSE:FILE.
#include "files/base/Errors.h"
#include "files/maps/MapFile.h"
#include "files/maps/MoveSeries.h"
#include "itkImageIOBase.h"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace cudaneuro::files;

namespace
{

MapType<3>::ConstPointer
Read(const std::string & name)
{
  const std::string inverse = "INVERSE:";
  if (name.rfind(inverse, 0) == 0)
  {
    return InvertMap<3>(*ReadMapFile<3>(name.substr(inverse.size()))).GetPointer();
  }
  return name == "-" ? nullptr : ReadMapFile<3>(name).GetPointer();
}

void
Move(const std::vector<std::string> & words)
{
  SeriesOptions options;
  cudaneuro::FromName(words.at(3), options.interpolation);
  options.background = std::stod(words.at(4));
  if (words.at(5) != "-")
  {
    options.outputType = itk::ImageIOBase::GetComponentTypeFromString(words.at(5));
  }
  options.computing.numberOfThreads = 3;
  double last = 0.0;
  options.computing.watch = [&last](const std::string &) { return [&last](double fraction) { last = fraction; }; };
  std::vector<MapType<3>::ConstPointer> transforms;
  for (std::size_t i = 7; i < words.size(); ++i)
  {
    transforms.push_back(Read(words[i]));
  }
  MoveSeries(words.at(0), words.at(1), words.at(2), Read(words.at(6)), transforms, options);
  if (last != 1.0)
  {
    throw UserError("the last progress is " + std::to_string(last));
  }
}

} // namespace

int
main(int argc, char ** argv)
{
  try
  {
    Move(std::vector<std::string>(argv + 1, argv + argc));
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
