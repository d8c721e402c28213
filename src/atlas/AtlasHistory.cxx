// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasHistory.h"

#include "cudaneuro/Error.h"

#include <clocale>
#include <cstdlib>
#include <locale>
#include <sstream>

namespace cudaneuro
{

namespace
{

/** Hexadecimal digits keep all bits, whatever the locale. strtod reads them, and NaN, which operator>> does not read,
 * but it expects the decimal point of the program's locale. */
void
Put(std::ostream & text, double value)
{
  text << ' ' << std::hexfloat << value;
}

double
Get(std::istream & text)
{
  std::string word;
  text >> word;
  const std::string point = std::localeconv()->decimal_point;
  const std::size_t place = word.find('.');
  const std::string local = place == std::string::npos ? word : word.replace(place, 1, point);
  char *            end = nullptr;
  const double      value = std::strtod(local.c_str(), &end);
  if (local.empty() || *end != '\0')
  {
    throw Error("Resume", "the checkpoint's course of the run has \"" + local + "\" for a number");
  }
  return value;
}

} // namespace

std::string
WriteHistory(const AtlasResult & result)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << result.iterations.size() << ' ' << result.drifts.size() << ' ' << result.numberOfShortenedSteps << '\n';
  for (const AtlasIteration & iteration : result.iterations)
  {
    text << iteration.level << ' ' << iteration.iteration << ' ' << iteration.numberOfShortenedSteps << ' '
         << iteration.imageEnergies.size() << ' ' << iteration.channelEnergies.size();
    for (const double value : { iteration.energy, iteration.minimumJacobian, iteration.entropy })
    {
      Put(text, value);
    }
    for (const auto * const energies : { &iteration.imageEnergies, &iteration.channelEnergies })
    {
      for (const double energy : *energies)
      {
        Put(text, energy);
      }
    }
    text << '\n';
  }
  for (const AtlasDrift & drift : result.drifts)
  {
    text << drift.level << ' ' << drift.iteration;
    for (const double value : { drift.rootMeanSquare,
                                drift.maximum,
                                drift.rotationDegrees,
                                drift.translation[0],
                                drift.translation[1],
                                drift.translation[2] })
    {
      Put(text, value);
    }
    text << '\n';
  }
  return text.str();
}

void
ReadHistory(const std::string & text, AtlasResult & result)
{
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  std::size_t iterations = 0;
  std::size_t drifts = 0;
  stream >> iterations >> drifts >> result.numberOfShortenedSteps;
  for (std::size_t i = 0; i < iterations && stream; ++i)
  {
    AtlasIteration iteration;
    std::size_t    images = 0;
    std::size_t    channels = 0;
    stream >> iteration.level >> iteration.iteration >> iteration.numberOfShortenedSteps >> images >> channels;
    iteration.energy = Get(stream);
    iteration.minimumJacobian = Get(stream);
    iteration.entropy = Get(stream);
    for (std::size_t k = 0; k < images && stream; ++k)
    {
      iteration.imageEnergies.push_back(Get(stream));
    }
    for (std::size_t k = 0; k < channels && stream; ++k)
    {
      iteration.channelEnergies.push_back(Get(stream));
    }
    result.iterations.push_back(std::move(iteration));
  }
  for (std::size_t i = 0; i < drifts && stream; ++i)
  {
    AtlasDrift drift;
    stream >> drift.level >> drift.iteration;
    drift.rootMeanSquare = Get(stream);
    drift.maximum = Get(stream);
    drift.rotationDegrees = Get(stream);
    for (double & component : drift.translation)
    {
      component = Get(stream);
    }
    result.drifts.push_back(drift);
  }
  if (!stream)
  {
    throw Error("Resume", "the checkpoint's course of the run ends early");
  }
}

} // namespace cudaneuro
