// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_HostJob_h
#define cudaneuro_jobs_HostJob_h

#include "jobs/ConvertCpu.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace cudaneuro::cpu
{

/** Gives a CPU computation its volumes as float: those that are float are used where they are, others through a
 * converted copy. So is an output that is an input, too. */
class HostJob
{
public:
  /** Converts the inputs. \p output may be absent.
   * \throws OutOfMemoryError, Aborted */
  HostJob(Context & context, const Grid & grid, std::initializer_list<ConstVolume> inputs, const Volume & output)
    : m_Context(context)
    , m_NumberOfVoxels(grid.NumberOfVoxels())
    , m_OutputVolume(output)
  {
    const Context::ProgressRange range(context, 0.0, beginOfComputation);
    for (const ConstVolume & input : inputs)
    {
      this->AddInput(input);
    }
    m_Output = static_cast<float *>(output.data);
    m_CopiesOutput = output.data && (output.type != PixelType::Float || this->IsInput(m_Output));
    if (m_CopiesOutput)
    {
      m_Output = this->AllocateFloats();
    }
  }

  const float *
  Input(std::size_t i) const
  {
    return m_Inputs[i];
  }

  /** Null where there is no output volume. */
  float *
  Output() const
  {
    return m_Output;
  }

  /** To be held while computing. */
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
    if (m_CopiesOutput)
    {
      const Context::ProgressRange range(m_Context, endOfComputation, 1.0);
      Convert(m_Context, m_NumberOfVoxels, m_Output, PixelType::Float, m_OutputVolume.data, m_OutputVolume.type);
    }
    m_Context.ReportProgress(1.0);
  }

private:
  /** Shares of the whole that conversions take, roughly. */
  static constexpr double beginOfComputation = 0.02;
  static constexpr double endOfComputation = 0.98;

  float *
  AllocateFloats()
  {
    m_Copies.push_back(m_Context.Allocate(static_cast<std::size_t>(m_NumberOfVoxels) * sizeof(float)));
    return static_cast<float *>(m_Copies.back().Data());
  }

  bool
  IsInput(const float * data) const
  {
    return std::find(m_Inputs.begin(), m_Inputs.end(), data) != m_Inputs.end();
  }

  void
  AddInput(const ConstVolume & input)
  {
    if (input.type == PixelType::Float)
    {
      m_Inputs.push_back(static_cast<const float *>(input.data));
      return;
    }
    float * copy = this->AllocateFloats();
    // Several inputs share the range: without one of its own, the second would report less than the first.
    const Context::ProgressRange range(m_Context, m_Inputs.empty() ? 0.0 : 0.5, m_Inputs.empty() ? 0.5 : 1.0);
    Convert(m_Context, m_NumberOfVoxels, input.data, input.type, copy, PixelType::Float);
    m_Inputs.push_back(copy);
  }

  Context &                  m_Context;
  std::int64_t               m_NumberOfVoxels;
  Volume                     m_OutputVolume;
  std::vector<DeviceMemory>  m_Copies;
  std::vector<const float *> m_Inputs;
  float *                    m_Output = nullptr;
  bool                       m_CopiesOutput = false;
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
