// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNearestNeighbors.h"

#include "core/ParameterChecks.h"

namespace itk
{
namespace
{

cudaneuro::ConstVectors
EngineVectors(const DeviceVectors<float> * vectors)
{
  return { vectors->GetDevicePointer(),
           static_cast<std::int64_t>(vectors->GetNumberOfVectors()),
           vectors->GetMemorySpace() };
}

} // namespace

CudaNearestNeighbors::CudaNearestNeighbors()
{
  this->SetNumberOfRequiredInputs(1);
  this->SetNumberOfRequiredOutputs(2);
  for (DataObjectPointerArraySizeType output = 0; output < 2; ++output)
  {
    this->SetNthOutput(output, CudaNearestNeighbors::MakeOutput(output));
  }
}

auto
CudaNearestNeighbors::MakeOutput(DataObjectPointerArraySizeType index) -> DataObjectPointer
{
  return index == 0 ? DataObjectPointer(IndicesType::New()) : DataObjectPointer(VectorsType::New());
}

void
CudaNearestNeighbors::SetPoints(const VectorsType * points)
{
  // Inputs are const here, but not in ProcessObject.
  this->SetNthInput(0, const_cast<VectorsType *>(points));
}

auto
CudaNearestNeighbors::GetPoints() const -> const VectorsType *
{
  return dynamic_cast<const VectorsType *>(this->GetInput(0));
}

void
CudaNearestNeighbors::SetQueries(const VectorsType * queries)
{
  this->SetNthInput(1, const_cast<VectorsType *>(queries));
}

auto
CudaNearestNeighbors::GetQueries() const -> const VectorsType *
{
  return dynamic_cast<const VectorsType *>(this->GetInput(1));
}

auto
CudaNearestNeighbors::GetIndices() -> IndicesType *
{
  return dynamic_cast<IndicesType *>(this->GetOutput(0));
}

auto
CudaNearestNeighbors::GetSquaredDistances() -> VectorsType *
{
  return dynamic_cast<VectorsType *>(this->GetOutput(1));
}

const ComputeDevice *
CudaNearestNeighbors::GetDeviceOfInputs() const
{
  const VectorsType * const points = this->GetPoints();
  return points != nullptr && points->GetComputeDevice().IsCuda() ? &points->GetComputeDevice() : nullptr;
}

void
CudaNearestNeighbors::VerifyPreconditions() const
{
  Superclass::VerifyPreconditions();
  if (this->GetPoints() == nullptr)
  {
    itkExceptionMacro("There are no points: call SetPoints");
  }
  // The outputs are allocated before the engine checks the parameters.
  cudaneuro::NearestNeighborsParameters parameters = m_Parameters;
  parameters.dimension = 1; // which is not known yet
  CudaNeuroDetail::Call([&] { cudaneuro::RequireParameters(parameters); });
}

/** The superclass would copy information from input to output, and report that the outputs are missing. */
void
CudaNearestNeighbors::GenerateOutputInformation()
{}

void
CudaNearestNeighbors::VerifyVectors(const char * name, const VectorsType * vectors) const
{
  const ComputeDevice & device = vectors->GetComputeDevice();
  if (device.IsCuda() && device != this->GetComputeDevice())
  {
    itkExceptionMacro("The " << name << " are on device " << device << " and the search computes on "
                             << this->GetComputeDevice());
  }
  if (vectors->GetNumberOfComponents() != this->GetPoints()->GetNumberOfComponents())
  {
    itkExceptionMacro("The " << name << " have " << vectors->GetNumberOfComponents() << " components, and the points "
                             << this->GetPoints()->GetNumberOfComponents());
  }
}

void
CudaNearestNeighbors::GenerateData()
{
  const VectorsType * const points = this->GetPoints();
  const VectorsType * const queries = this->GetQueries() != nullptr ? this->GetQueries() : points;
  this->VerifyVectors("points", points);
  this->VerifyVectors("queries", queries);
  cudaneuro::NearestNeighborsParameters parameters = m_Parameters;
  parameters.dimension = static_cast<int>(points->GetNumberOfComponents());
  IndicesType * const indices = this->GetIndices();
  VectorsType * const squaredDistances = this->GetSquaredDistances();
  indices->SetComputeDevice(points->GetComputeDevice());
  indices->Allocate(queries->GetNumberOfVectors(), this->GetNumberOfNeighbors());
  squaredDistances->SetComputeDevice(points->GetComputeDevice());
  squaredDistances->Allocate(queries->GetNumberOfVectors(), this->GetNumberOfNeighbors());
  this->RunOnDevice([&](cudaneuro::Context & context) {
    cudaneuro::FindNearestNeighbors(
      context,
      parameters,
      EngineVectors(queries),
      EngineVectors(points),
      { indices->GetDevicePointer(), squaredDistances->GetDevicePointer(), indices->GetMemorySpace() });
  });
}

void
CudaNearestNeighbors::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 0, { "Dimension" });
}

} // namespace itk
