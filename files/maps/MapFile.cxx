// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/MapFile.h"

#include "files/base/Errors.h"
#include "files/base/FormatFiles.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageFormat.h"
#include "files/transforms/SpaceMatrix.h"
#include "files/transforms/TransformFile.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"

#include <tuple>

namespace cudaneuro::files
{

namespace
{

using AffineType = itk::AffineTransform<double, 3>;

AffineType::Pointer
TransformOf(const SpaceMatrix & matrix)
{
  const auto affine = AffineType::New();
  affine->SetMatrix(AffineType::MatrixType(matrix.extract(3, 3)));
  affine->SetOffset(AffineType::OutputVectorType(matrix.get_column(3).data_block()));
  return affine;
}

SpaceMatrix
MatrixOfTransform(const AffineType & affine)
{
  SpaceMatrix matrix;
  matrix.set_identity();
  matrix.update(affine.GetMatrix().GetVnlMatrix().as_ref());
  for (unsigned int row = 0; row < 3; ++row)
  {
    matrix(row, 3) = affine.GetOffset()[row];
  }
  return matrix;
}

bool
IsLta(const std::string & path, const MapFormat & format)
{
  return format.matrix == MatrixFormat::Auto && HasEnding(path, ".lta");
}

/** \throws UserError for an image that is missing, or has other axes than a matrix of 4 x 4 numbers */
void
RequireImages(const MapFormat & format)
{
  for (const auto & [name, image] : { std::tuple("--fixed", &format.fixed), std::tuple("--moving", &format.moving) })
  {
    if (!image->has_value())
    {
      throw UserError(std::string(name) + " is missing: " +
                      (format.matrix == MatrixFormat::Flirt ? "FLIRT's coordinates belong to two images"
                                                            : "an .lta tells the grids of both images"));
    }
    if ((*image)->image.dimension != 3)
    {
      throw UserError((*image)->path + " has " + std::to_string((*image)->image.dimension) +
                      " axes; matrices of 4 x 4 need 3");
    }
  }
}

/** Reads a matrix as one from fixed to moving points in LPS. */
SpaceMatrix
ReadMatrix(const std::string & path, const MapFormat & format)
{
  const SpaceMatrix own = ReadMatrixFile(path);
  const SpaceMatrix inverse = InverseOf(path, own);
  if (format.matrix == MatrixFormat::Ras)
  {
    return Flipped(own);
  }
  RequireImages(format);
  return FslToPoint(format.moving->image) * inverse * InverseOf(format.fixed->path, FslToPoint(format.fixed->image));
}

StagedFile
StageMatrix(const OutputFile & file, const AffineType & affine, const MapFormat & format, const std::string & name)
{
  const SpaceMatrix matrix = MatrixOfTransform(affine);
  return file.Stage([&](const std::string & path) {
    if (format.matrix == MatrixFormat::Ras)
    {
      WriteMatrixFile(path, Flipped(matrix));
    }
    else if (format.matrix == MatrixFormat::Flirt)
    {
      WriteMatrixFile(path,
                      InverseOf(format.fixed->path, FslToPoint(format.fixed->image)) * InverseOf(name, matrix) *
                        FslToPoint(format.moving->image));
    }
    else
    {
      WriteLta(path, matrix, *format.moving, *format.fixed);
    }
  });
}

/** Returns a map in the form that a transform file can hold: Matlab's hold one transform. */
template <unsigned int VDimension>
typename MapType<VDimension>::ConstPointer
AsWritten(const std::string & path, const MapType<VDimension> & map)
{
  const auto one = Flattened<VDimension>(map);
  const bool isSeveral = dynamic_cast<const itk::CompositeTransform<double, VDimension> *>(one.GetPointer()) != nullptr;
  const auto affine = isSeveral && HasEnding(path, ".mat") ? AsAffine<VDimension>(map) : nullptr;
  return affine.IsNotNull() ? typename MapType<VDimension>::ConstPointer(affine) : one;
}

} // namespace

unsigned int
AxesOfMap(const std::string & path, const MapFormat & format, const ReadingOptions & reading)
{
  if (format.matrix != MatrixFormat::Auto)
  {
    return 3;
  }
  if (!IsImageName(path))
  {
    return AxesOfTransforms(path);
  }
  const OpenedImage image = OpenAnyImage(path, reading);
  // NIfTI has a field's vectors along the fifth axis; a field of two axes has a third axis of one voxel.
  const bool isFlat =
    image.components == 2 || (image.components == 1 && image.size.size() > 2 && image.size.back() == 2);
  return isFlat || image.dimension == 2 ? 2 : 3;
}

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ReadMapFile(const std::string &    path,
            const MapFormat &      format,
            const ReadingOptions & reading,
            const std::string &    what)
{
  if constexpr (VDimension == 3)
  {
    if (format.matrix != MatrixFormat::Auto)
    {
      return TransformOf(ReadMatrix(path, format)).GetPointer();
    }
  }
  return ReadTransforms<VDimension>({ path }, reading, what);
}

bool
NeedsImages(const std::string & path, const MapFormat & format)
{
  return format.matrix == MatrixFormat::Flirt || IsLta(path, format);
}

void
CheckMapEnding(const std::string & path)
{
  if (IsImageName(path))
  {
    CheckOutputFormat(path);
  }
  else
  {
    CheckTransformFormat(path, TransformParts::One);
  }
}

void
CheckMapFormat(const std::string & path, const MapFormat & format)
{
  if (NeedsImages(path, format))
  {
    RequireImages(format);
  }
  else if (format.matrix == MatrixFormat::Auto)
  {
    CheckMapEnding(path);
  }
}

template <unsigned int VDimension>
std::string
DescribeMapFile(const std::string & path, const MapType<VDimension> & map, const MapFormat & format)
{
  return format.matrix == MatrixFormat::Flirt ? "matrix of FLIRT"
         : format.matrix == MatrixFormat::Ras ? "matrix between points in RAS"
         : IsLta(path, format)                ? "transform of FreeSurfer"
         : IsImageName(path)                  ? "displacement field"
                                              : AsWritten<VDimension>(path, map)->GetNameOfClass();
}

template <unsigned int VDimension>
StagedFile
StageMapFile(const OutputFile &          file,
             const MapType<VDimension> & map,
             const MapFormat &           format,
             const MapGrid<VDimension> & given,
             const MapComputing &        computing,
             const std::string &         name)
{
  const std::string & path = file.GetPath();
  CheckMapFormat(path, format);
  if (format.matrix != MatrixFormat::Auto || IsLta(path, format))
  {
    const auto affine = AsAffine<VDimension>(map);
    if (VDimension != 3 || affine.IsNull())
    {
      throw UserError(
        "cannot write " + path + ": " + name +
        (VDimension != 3 ? " has 2 axes, and a matrix of 4 x 4 has 3" : " is not linear, and a matrix of 4 x 4 is"));
    }
    if constexpr (VDimension == 3)
    {
      return StageMatrix(file, dynamic_cast<const AffineType &>(*affine), format, name);
    }
  }
  if (IsImageName(path))
  {
    const auto grid = GridFor<VDimension>({ &map }, given);
    const auto field = DisplacementsOf<VDimension>(map, *grid.grid, computing);
    field->SetMetaDataDictionary(grid.metadata);
    return StageImage<itk::Vector<float, VDimension>, VDimension>(file, field.GetPointer());
  }
  const auto written = AsWritten<VDimension>(path, map);
  if (!written->IsLinear())
  {
    CheckTransformFormat(path);
  }
  return StageTransform<VDimension>(file, written);
}

#define INSTANTIATE(VDimension) \
  template MapType<VDimension>::Pointer ReadMapFile<VDimension>( \
    const std::string &, const MapFormat &, const ReadingOptions &, const std::string &); \
  template std::string DescribeMapFile<VDimension>( \
    const std::string &, const MapType<VDimension> &, const MapFormat &); \
  template StagedFile StageMapFile<VDimension>(const OutputFile &, \
                                               const MapType<VDimension> &, \
                                               const MapFormat &, \
                                               const MapGrid<VDimension> &, \
                                               const MapComputing &, \
                                               const std::string &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
