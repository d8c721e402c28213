// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LabelTermOnDevice_h
#define LabelTermOnDevice_h

#include "ReferenceLabelTerm.h"
#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "registration/labels/LabelTerm.h"

#include <cstring>

/** The label term of a problem, computed on a device. */
namespace labelterm
{

using namespace cudaneuro;
using reference::LabelProblem;

using FloatField = std::array<std::vector<float>, 3>;

/** What the term adds to a force, or how it changes it. */
struct TermResult
{
  std::array<FloatField, 2> forces; // of the map to the moving and of that to the fixed labels
  double                    energy = -1.0;
};

struct TermSetting
{
  double               weight = 1.0;
  std::array<float, 3> descentScale{ 1.0f, 1.0f, 1.0f };
  /** What the force is before. */
  float forceBefore = 0.0f;
  bool  isRunning = true;
};

/** The buffers of a problem on a device. */
class TermOnDevice
{
public:
  TermOnDevice(Context & context, const LabelProblem & problem, const TermSetting & setting)
    : m_Context(context)
    , m_Setting(setting)
    , m_Extent{ problem.size[0], problem.size[1], problem.size[2] }
    , m_Voxels(NumberOfVoxels(m_Extent))
    , m_IsSymmetric(problem.IsSymmetric())
    , m_ToMoving(context, m_Voxels)
    , m_ToFixed(context, m_Voxels)
    , m_Memory(context, { m_Extent, m_ToMoving.View(), m_IsSymmetric ? m_ToFixed.View() : SoAField(), 1, true, {} })
    , m_Energy(context.Allocate(sizeof(double)))
    , m_Uploaded(context)
  {
    const std::vector<float> weights(problem.weights.begin(), problem.weights.end());
    m_Term.labels = {
      m_Extent,
      m_Uploaded.Upload(problem.fixed),
      m_Uploaded.Upload(problem.moving),
      { m_Uploaded.Upload(weights), static_cast<int>(weights.size()), static_cast<float>(problem.beyond) }
    };
    m_Term.bothMove = m_IsSymmetric;
    m_Term.weight = setting.weight;
    m_Term.descentScale = setting.descentScale;
    this->Start(0, problem.toMoving, m_ToMoving.View());
    if (m_IsSymmetric)
    {
      this->Start(1, problem.toFixed, m_ToFixed.View());
    }
    this->Write(std::vector<double>{ -1.0 }, m_Energy.Data());
    StepState state;
    state.isRunning = setting.isRunning ? 1 : 0;
    std::vector<unsigned char> bytes(sizeof(state));
    std::memcpy(bytes.data(), &state, sizeof(state));
    this->Write(bytes, m_Memory.GetBuffers().state);
  }

  void
  Run()
  {
    const StepBuffers * const toFixed = m_IsSymmetric ? &m_Memory.GetBuffers(1) : nullptr;
    const auto                run = [&](const auto & make, const auto & enqueue) {
      enqueue(*make(m_Context, m_Term), m_Memory.GetBuffers(0), toFixed, static_cast<double *>(m_Energy.Data()));
    };
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        return run(gpu::MakeLabelPlan, gpu::EnqueueLabelForce);
      }
    }
    run(cpu::MakeLabelPlan, cpu::EnqueueLabelForce);
  }

  TermResult
  Read()
  {
    TermResult result;
    for (std::size_t side = 0; side < (m_IsSymmetric ? 2 : 1); ++side)
    {
      const SoAField & force = m_Memory.GetBuffers(side).force;
      result.forces[side] = { this->Read<float>(force.x, m_Voxels),
                              this->Read<float>(force.y, m_Voxels),
                              this->Read<float>(force.z, m_Voxels) };
    }
    result.energy = this->Read<double>(m_Energy.Data(), 1).front();
    return result;
  }

private:
  static void
  StartOn(Context & context, const StepBuffers & buffers)
  {
    CUDANEURO_DISPATCH(context, StartSteps(context, buffers));
  }

  void
  Start(std::size_t side, const std::array<std::vector<double>, 3> & displacement, const SoAField & to)
  {
    float * const components[] = { to.x, to.y, to.z };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      this->Write(std::vector<float>(displacement[axis].begin(), displacement[axis].end()), components[axis]);
    }
    const StepBuffers & buffers = m_Memory.GetBuffers(side);
    StartOn(m_Context, buffers);
    for (float * const component : { buffers.force.x, buffers.force.y, buffers.force.z })
    {
      this->Write(std::vector<float>(static_cast<std::size_t>(m_Voxels), m_Setting.forceBefore), component);
    }
  }

  template <typename T>
  void
  Write(const std::vector<T> & values, void * to)
  {
    CopyVolume(m_Context,
               testvolumes::MakeGrid({ static_cast<std::int64_t>(values.size()), 1, 1 }),
               ConstView(values),
               { to, PixelTypeOf<T>::value, MemorySpaceOf(m_Context) });
  }

  template <typename T>
  std::vector<T>
  Read(const void * from, std::int64_t count)
  {
    std::vector<T> values(static_cast<std::size_t>(count));
    CopyVolume(m_Context,
               testvolumes::MakeGrid({ count, 1, 1 }),
               { from, PixelTypeOf<T>::value, MemorySpaceOf(m_Context) },
               View(values));
    return values;
  }

  Context &       m_Context;
  TermSetting     m_Setting;
  Extent          m_Extent;
  std::int64_t    m_Voxels;
  bool            m_IsSymmetric;
  SoAFieldMemory  m_ToMoving;
  SoAFieldMemory  m_ToFixed;
  StepMemory      m_Memory;
  DeviceMemory    m_Energy;
  UploadedVolumes m_Uploaded;
  LabelTerm       m_Term;
};

inline TermResult
RunTerm(Context & context, const LabelProblem & problem, const TermSetting & setting = {})
{
  TermResult result;
  RunDeviceJob(context, [&] {
    TermOnDevice term(context, problem, setting);
    term.Run();
    result = term.Read();
  });
  return result;
}

} // namespace labelterm

#endif
