// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroPointFile_h
#define itkCudaNeuroPointFile_h

#include "vnl/vnl_vector.h"

#include <memory>
#include <string>
#include <vector>

namespace cudaneuro::files
{
struct PointData;
}

namespace itk
{

/** \class CudaNeuroPointFile
 * \brief Reads and writes points or a mesh with all data of a file, for the Python package itk_cudaneuro.
 *
 * Positions are in mm, along LPS. Copies share their data.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuroPointFile
{
public:
  /** Makes an object without points. */
  CudaNeuroPointFile();

  static CudaNeuroPointFile
  Read(const std::string & path);

  void
  Write(const std::string & path) const;

  /** Returns a copy that shares nothing. */
  CudaNeuroPointFile
  Clone() const;

  unsigned int
  GetDimension() const;

  /** The positions, point after point. */
  vnl_vector<double>
  GetCoordinates() const;
  void
  SetCoordinates(const vnl_vector<double> & coordinates, unsigned int dimension);

  /** A name of each point, or none. */
  std::vector<std::string>
  GetLabels() const;
  void
  SetLabels(const std::vector<std::string> & labels);

  /** Further columns of the file: a name, and one text for each point. */
  std::vector<std::string>
  GetColumnNames() const;
  std::vector<std::string>
  GetColumn(const std::string & name) const;
  /** Sets a column, or adds it. */
  void
  SetColumn(const std::string & name, const std::vector<std::string> & values);
  void
  RemoveColumn(const std::string & name);

  /** Three point indices for each triangle, from 0. Polygons of more points are cut from their first point. */
  vnl_vector<double>
  GetTriangles() const;
  /** Replaces all cells by triangles. */
  void
  SetTriangles(const vnl_vector<double> & points);

private:
  std::shared_ptr<cudaneuro::files::PointData> m_Data;
};

} // namespace itk

#endif
