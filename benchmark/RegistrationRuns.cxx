// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "RegistrationRuns.h"

#include "RegistrationCases.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace cudaneuro::benchmark
{

namespace
{

/** The context and images of one size, made when first needed, by rows that may fail. */
class PairOfSize
{
public:
  PairOfSize(const Device & device, const Size & size)
    : m_Device(device)
    , m_Size(size)
  {}

  Context &
  GetContext()
  {
    if (!m_Context)
    {
      m_Context.emplace(m_Device);
    }
    return *m_Context;
  }
  const Size &
  GetSize() const
  {
    return m_Size;
  }
  const RegistrationPair &
  Get()
  {
    if (!m_Pair)
    {
      m_Pair = MakeRegistrationPair(this->GetContext(), m_Size);
    }
    return *m_Pair;
  }

private:
  Device                          m_Device;
  std::optional<Context>          m_Context;
  Size                            m_Size;
  std::optional<RegistrationPair> m_Pair;
};

/** Whether Register() accepts volumes of that size. */
bool
IsRegistered(const Size & size)
{
  constexpr double tooManyVoxels = 2147483648.0;
  return size[0] > 1 && size[1] > 1 && VoxelsOf(size) < tooManyVoxels;
}

std::vector<Size>
RegisteredOf(const std::vector<Size> & sizes)
{
  std::vector<Size> registered;
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(registered), IsRegistered);
  return registered;
}

void
TimeCases(const Settings &                      settings,
          const Limits &                        limits,
          const std::vector<RegistrationCase> & cases,
          PairOfSize &                          pair)
{
  for (const RegistrationCase & oneCase : cases)
  {
    RunRow(settings, oneCase.name, pair.GetSize(), [&] {
      const double bytes = oneCase.bytesPerVoxel * VoxelsOf(pair.GetSize());
      const Floor  floor = bytes > 0.0 ? Floor{ "copy rate", 1000.0 * bytes / limits.copyBytes } : Floor();
      const double milliseconds = oneCase.time(settings.repetition, pair.GetContext(), pair.Get());
      settings.report({ oneCase.name, pair.GetSize(), milliseconds, floor, {} });
    });
  }
}

void
MeasureMemory(const Settings & settings, PairOfSize & pair)
{
  for (const RegistrationMemoryCase & oneCase : RegistrationMemoryCases())
  {
    if (settings.device.IsCuda())
    {
      RunRow(settings, oneCase.name, pair.GetSize(), [&] {
        const std::size_t bytes = oneCase.bytes(pair.GetContext(), pair.Get());
        settings.reportMemory({ oneCase.name, pair.GetSize(), bytes });
      });
    }
  }
}

} // namespace

void
RunRegistrations(const Settings & settings, const Limits & limits)
{
  const RegistrationSettings & registration = settings.registration;
  for (const Size & size : RegisteredOf(registration.unbiasedSizes))
  {
    PairOfSize pair(settings.device, size);
    TimeCases(settings, limits, UnbiasedCases(settings.device, registration.iterations), pair);
    MeasureMemory(settings, pair);
  }
  for (const Size & size : RegisteredOf(registration.greedySizes))
  {
    PairOfSize pair(settings.device, size);
    TimeCases(settings, limits, GreedyCases(settings.device, registration.iterations), pair);
  }
}

} // namespace cudaneuro::benchmark
