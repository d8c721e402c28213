// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroMeshProcess_h
#define itkCudaNeuroMeshProcess_h

#include "itkCudaNeuroProcess.h"
#include "itkCudaNeuroSurfaces.h"

#include <vector>

namespace itk
{

/** \class CudaNeuroMeshProcess
 * \brief Base of this module's process objects that take a mesh, or points and the triangles between them, by their own
 * functions.
 *
 * \tparam TInputMesh Mesh or QuadEdgeMesh; or PointSet or DevicePointSet, where SetTriangles sets how points are
 * joined.
 * \tparam TSuperclass a process object.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputMesh, typename TSuperclass = ProcessObject>
class ITK_TEMPLATE_EXPORT CudaNeuroMeshProcess : public CudaNeuroProcess<TSuperclass>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNeuroMeshProcess);

  using Self = CudaNeuroMeshProcess;
  using Superclass = CudaNeuroProcess<TSuperclass>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(CudaNeuroMeshProcess);

  using InputMeshType = TInputMesh;
  using TriangleVectorType = std::vector<unsigned int>;

  /** The mesh or the points, with coordinates in mm. */
  using Superclass::SetInput;
  void
  SetInput(const InputMeshType * mesh)
  {
    this->ProcessObject::SetNthInput(0, const_cast<InputMeshType *>(mesh));
  }
  const InputMeshType *
  GetInput() const
  {
    return static_cast<const InputMeshType *>(this->ProcessObject::GetInput(0));
  }

  /** The triangles of points without cells: three point indices, from 0, for each, in one sense of rotation. */
  void
  SetTriangles(const TriangleVectorType & triangles)
  {
    if (triangles != m_Triangles)
    {
      m_Triangles = triangles;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(Triangles, TriangleVectorType);

protected:
  CudaNeuroMeshProcess() { this->SetNumberOfRequiredInputs(1); }
  ~CudaNeuroMeshProcess() override = default;

  const ComputeDevice *
  GetDeviceOfInputs() const override
  {
    const InputMeshType * const mesh = this->GetInput();
    return mesh != nullptr ? CudaNeuroDetail::DeviceOf(mesh) : nullptr;
  }

  /** The triangles of the input. */
  CudaNeuroDetail::Triangles
  GetInputTriangles(cudaneuro::Context & context) const
  {
    if constexpr (CudaNeuroDetail::HasCells<TInputMesh>)
    {
      return CudaNeuroDetail::TrianglesOf(context, this->GetInput());
    }
    else
    {
      return CudaNeuroDetail::TrianglesOf(CudaNeuroDetail::PositionsOf(context, this->GetInput()), m_Triangles);
    }
  }

  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "Triangles: " << m_Triangles.size() / 3 << std::endl;
  }

private:
  TriangleVectorType m_Triangles;
};

} // namespace itk

#endif
