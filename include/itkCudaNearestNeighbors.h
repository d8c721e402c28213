// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNearestNeighbors_h
#define itkCudaNearestNeighbors_h

#include "CudaNeuroExport.h"
#include "cudaneuro/NearestNeighbors.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroProcess.h"
#include "itkDeviceVectors.h"

namespace itk
{

/** \class CudaNearestNeighbors
 * \brief Finds the nearest of all vectors to each vector, exactly, on a CUDA device or the CPU.
 *
 * Points are ordered by their squared Euclidean distance to a query in double precision, and by their index where it is
 * equal: the result is that of comparing all pairs, and the same on every device.
 *
 * \par Inputs
 * Vectors of 1 to 512 components, which are finite and 1e15 or less in magnitude: points, and queries, which are the
 * points themselves unless they are set.
 *
 * \par Outputs
 * For each query the indices of its nearest points, nearest first, and their squared distances; -1 and infinity where
 * there are fewer points. They are on the CUDA device of the points, or else in host memory.
 *
 * \par Errors
 * An ExceptionObject names the value and the limit: no points, vectors of different lengths or on different CUDA
 * devices, components out of range, parameters out of range. AbortGenerateData ends an update with ProcessAborted.
 *
 * \code
 * auto search = itk::CudaNearestNeighbors::New();
 * search->SetPoints(vectors);
 * search->SetNumberOfNeighbors(96);
 * search->ExcludeSelfOn();
 * search->Update();
 * auto indices = search->GetIndices();
 * \endcode
 *
 * \ingroup CudaNeuro
 */
class CudaNeuro_EXPORT CudaNearestNeighbors : public CudaNeuroProcess<ProcessObject>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNearestNeighbors);

  using Self = CudaNearestNeighbors;
  using Superclass = CudaNeuroProcess<ProcessObject>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaNearestNeighbors);

  using VectorsType = DeviceVectors<float>;
  using IndicesType = DeviceVectors<int>;

  /** The vectors among which neighbors are searched. */
  void
  SetPoints(const VectorsType * points);
  const VectorsType *
  GetPoints() const;

  /** The vectors whose neighbors are searched; by default the points. */
  void
  SetQueries(const VectorsType * queries);
  const VectorsType *
  GetQueries() const;

  /** Number of neighbors of each query, 1 to 128; 1 by default. */
  itkCudaNeuroParameterMacro(NumberOfNeighbors, unsigned int, numberOfNeighbors);

  /** Exclude the point with the query's own index; off by default. */
  itkCudaNeuroBooleanParameterMacro(ExcludeSelf, excludeSelf);

  /** The indices of the neighbors: a vector for each query. */
  IndicesType *
  GetIndices();

  /** The squared distances of the neighbors: a vector for each query. */
  VectorsType *
  GetSquaredDistances();

protected:
  CudaNearestNeighbors();
  ~CudaNearestNeighbors() override = default;

  using Superclass::MakeOutput;
  DataObjectPointer
  MakeOutput(DataObjectPointerArraySizeType index) override;

  const ComputeDevice *
  GetDeviceOfInputs() const override;
  void
  VerifyPreconditions() const override;
  void
  GenerateOutputInformation() override;
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  void
  VerifyVectors(const char * name, const VectorsType * vectors) const;

  /** The engine's parameters; the dimension comes from the vectors. */
  cudaneuro::NearestNeighborsParameters m_Parameters;
};

} // namespace itk

#endif
