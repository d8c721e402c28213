// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroFiles_h
#define itkCudaNeuroFiles_h

#include "itkDataObject.h"

#include <string>
#include <vector>

namespace itk
{

/** \class CudaNeuroFiles
 * \brief Reads and writes images, for the Python package itk_cudaneuro.
 *
 * Pixel types have the names of the package itk, such as "UC" for unsigned char. Errors are exceptions with the
 * messages of the library of files.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuroFiles
{
public:
  /** Reads an image of 2 or 3 axes with one number a voxel.
   * \param pixelTypes the first one that equals the type of the file is used, or else the last one
   * \param place "sform" or "qform": which matrix of a NIfTI header is used where it has both
   * \param volume the volume of a series, from 0 on, or -1 for a file that is not a series */
  static SmartPointer<DataObject>
  ReadImage(const std::string &              path,
            const std::vector<std::string> & pixelTypes,
            const std::string &              place,
            long                             volume);

  /** Reads whole numbers without loss.
   * \param pixelTypes the type of the file is used if it is listed, or else the first one that represents all labels */
  static SmartPointer<DataObject>
  ReadLabels(const std::string &              path,
             const std::vector<std::string> & pixelTypes,
             const std::string &              place,
             long                             volume);

  /** Reads displacements in mm along LPS, as an image of vectors of float. */
  static SmartPointer<DataObject>
  ReadDisplacementField(const std::string & path, const std::string & place);

  /** Writes an image of any type of numbers, or of vectors of float or double.
   * \param like null, or the image whose header data beside the grid and the type are written */
  static void
  WriteImage(const std::string & path, const DataObject * image, const DataObject * like);

  /** Reads the grid of an image, without its voxels. Its object name is the path, and it has the file's dictionary. */
  static SmartPointer<DataObject>
  ReadGrid(const std::string & path, const std::string & place);

  /** Returns the warnings about files since the last call. */
  static std::vector<std::string>
  TakeWarnings();
};

} // namespace itk

#endif
