// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilterPoints_hxx
#define itkCudaDiffeomorphicAtlasFilterPoints_hxx

// The part of CudaDiffeomorphicAtlasFilter that takes points of the images, and carries them to the template.

#include "itkCudaDiffeomorphicAtlasFilter.h"
#include "itkCudaNeuroPointsAndLabels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace itk
{

namespace CudaNeuroDetail
{

/** Sets the list of an image among those of all images; an empty list removes it.
 * \returns whether the list has changed */
template <typename TList>
bool
ChangesList(std::map<unsigned int, TList> & lists, unsigned int image, const TList & list)
{
  const auto found = lists.find(image);
  if (found == lists.end() ? list.empty() : found->second == list)
  {
    return false;
  }
  lists.erase(image);
  if (!list.empty())
  {
    lists[image] = list;
  }
  return true;
}

/** Returns the list of an image; empty where it has none. */
template <typename TList>
const TList &
ListOfImage(const std::map<unsigned int, TList> & lists, unsigned int image)
{
  static const TList none;
  const auto         found = lists.find(image);
  return found == lists.end() ? none : found->second;
}

} // namespace CudaNeuroDetail

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetPoints(
  unsigned int image, const RealVectorType & coordinates)
{
  if (CudaNeuroDetail::ChangesList(m_Points, image, coordinates))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetPoints(unsigned int image) const
  -> const RealVectorType &
{
  return CudaNeuroDetail::ListOfImage(m_Points, image);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetPointNumbers(
  unsigned int image, const UnsignedVectorType & numbers)
{
  if (CudaNeuroDetail::ChangesList(m_PointNumbers, image, numbers))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetPointNumbers(unsigned int image) const
  -> const UnsignedVectorType &
{
  return CudaNeuroDetail::ListOfImage(m_PointNumbers, image);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasPoints
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakePoints(unsigned int image) const
{
  const std::string      name = "the points of image " + std::to_string(image);
  cudaneuro::AtlasPoints points;
  points.name = std::to_string(image); // the engine's messages add what it is
  points.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput(image));
  points.positions = CudaNeuroDetail::PointsOf<ImageDimension>(this, name.c_str(), this->GetPoints(image));
  for (const unsigned int number : this->GetPointNumbers(image))
  {
    if (number > static_cast<unsigned int>(cudaneuro::largestPointNumber))
    {
      itkExceptionMacro("A number of " << name << " is " << number << "; it must be up to "
                                       << cudaneuro::largestPointNumber);
    }
    points.numbers.push_back(static_cast<int>(number));
  }
  return points;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyPoints(unsigned int image) const
{
  cudaneuro::AtlasPoints points = this->MakePoints(image);
  const std::size_t      numbers = points.numbers.size();
  if (numbers > 0 && numbers != points.positions.size())
  {
    itkExceptionMacro("There are " << numbers << " numbers of points of image " << image << ", and "
                                   << points.positions.size() << " points");
  }
  std::sort(points.numbers.begin(), points.numbers.end());
  const auto twice = std::adjacent_find(points.numbers.begin(), points.numbers.end());
  if (twice != points.numbers.end())
  {
    itkExceptionMacro("The number of two points of image " << image << " is " << *twice << "; it must be that of one");
  }
  for (const double coordinate : this->GetPoints(image))
  {
    if (!std::isfinite(coordinate))
    {
      itkExceptionMacro("A coordinate of the points of image " << image << " is " << coordinate
                                                               << "; it must be finite");
    }
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WritePoints(
  cudaneuro::Context & context, cudaneuro::DiffeomorphicAtlas & atlas)
{
  std::size_t count = 0;
  for (const auto & [image, coordinates] : m_Points)
  {
    const InitialMap       initial = this->MakeInitialMap(context, image);
    cudaneuro::AtlasPoints points = this->MakePoints(image);
    points.transform = initial.transform;
    points.transformField = initial.field;
    for (const int number : points.numbers)
    {
      count = std::max(count, static_cast<std::size_t>(number) + 1);
    }
    count = points.numbers.empty() ? std::max(count, points.positions.size()) : count;
    this->WarnOfPoints(image, atlas.SetPoints(static_cast<int>(image), points));
  }
  this->m_Result.points = atlas.GetPoints();
  // The engine omits the last points if no image keeps them.
  cudaneuro::AtlasPoint none;
  none.position.fill(std::numeric_limits<double>::quiet_NaN());
  none.covariance.fill(std::numeric_limits<double>::quiet_NaN());
  this->m_Result.points.resize(std::max(count, this->m_Result.points.size()), none);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WarnOfPoints(
  unsigned int image, const cudaneuro::AtlasPointsResult & left) const
{
  if (!left.outsideImage.empty())
  {
    itkWarningMacro("Points of image " << image << " that are outside its grid are left out: "
                                       << CudaNeuroDetail::ListOf(left.outsideImage));
  }
  if (!left.outsideTemplate.empty())
  {
    itkWarningMacro("Points of image " << image << " to which its map leads from no point of the template's grid are "
                                       << "left out: " << CudaNeuroDetail::ListOf(left.outsideTemplate));
  }
}

} // namespace itk

#endif
