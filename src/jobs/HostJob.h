// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_HostJob_h
#define cudaneuro_jobs_HostJob_h

#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

namespace cudaneuro::cpu
{

/** The volumes of a computation on the CPU, and the shares of the progress that their conversions take. */
class HostJob
{
public:
  /** Converts the inputs. Inputs and \p output may be absent.
   * \throws OutOfMemoryError, Aborted */
  HostJob(Context & context, const Grid & grid, std::initializer_list<ConstVolume> inputs, const Volume & output)
    : m_Context(context)
  {
    const Context::ProgressRange range(context, 0.0, beginOfComputation);
    Context::ProgressSteps       progress(context);
    for (const ConstVolume & input : inputs)
    {
      progress.UpTo(static_cast<double>(m_Inputs.size() + 1) / static_cast<double>(inputs.size()));
      m_Inputs.emplace_back(context, grid, input);
    }
    const auto isOutput = [&](const ConstVolume & input) { return input.data && input.data == output.data; };
    const bool isInPlace = std::any_of(inputs.begin(), inputs.end(), isOutput);
    m_Output.emplace(context, grid, output, isInPlace ? output.data : nullptr);
  }

  /** Returns an input as float; null if it is absent. */
  const float *
  Input(std::size_t i) const
  {
    return m_Inputs[i].Data();
  }

  /** Returns where the output is written as float; null if there is no output volume. */
  float *
  Output() const
  {
    return m_Output->Data();
  }

  /** Returns the range of progress of the computation, which the caller holds while computing. */
  Context::ProgressRange
  ComputationProgress()
  {
    return { m_Context, beginOfComputation, endOfComputation };
  }

  /** Converts the output.
   * \throws Aborted */
  void
  Finish()
  {
    {
      const Context::ProgressRange range(m_Context, endOfComputation, 1.0);
      m_Output->Finish();
    }
    m_Context.ReportProgress(1.0);
  }

private:
  /** The approximate limits of the computation in the whole progress; the remainder is for conversions. */
  static constexpr double beginOfComputation = 0.02;
  static constexpr double endOfComputation = 0.98;

  Context &                  m_Context;
  std::vector<FloatInput>    m_Inputs;
  std::optional<FloatOutput> m_Output;
};

/** Runs an image filter on the CPU: compute(input, mask or null, output) on float volumes. */
template <typename TCompute>
void
RunHostJob(Context &           context,
           const Grid &        grid,
           const ConstVolume & input,
           const ConstVolume & mask,
           const Volume &      output,
           const TCompute &    compute)
{
  HostJob job(context, grid, { input }, output);
  {
    const Context::ProgressRange range = job.ComputationProgress();
    compute(job.Input(0), static_cast<const unsigned char *>(mask.data), job.Output());
  }
  job.Finish();
}

} // namespace cudaneuro::cpu

#endif
