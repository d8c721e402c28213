// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/PointWriting.h"

#include "atlas/AtlasInputs.h"
#include "files/images/ImageGrid.h"
#include "files/points/PointFile.h"
#include "itkCudaNeuroDetail.h"
#include "shared/FirstOf.h"
#include "shared/ProgramSupport.h"

#include <algorithm>
#include <locale>
#include <sstream>
#include <utility>

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** The processes exchange how many points of an image are left out for one reason, and the numbers of the first
 * few. */
constexpr std::size_t mostNamed = 5;
constexpr std::size_t rowLength = 1 + mostNamed;

/** The points of each image that are left out for one reason. */
class LeftOut
{
public:
  explicit LeftOut(std::size_t images)
    : m_Rows(rowLength * images, 0)
  {}

  void
  Set(std::size_t image, const std::vector<int> & numbers)
  {
    std::int64_t * const row = &m_Rows[rowLength * image];
    row[0] = static_cast<std::int64_t>(numbers.size());
    std::copy_n(numbers.begin(), std::min(mostNamed, numbers.size()), row + 1);
  }

  void
  Exchange(const Processes & processes)
  {
    processes.Sum(m_Rows);
  }

  std::int64_t
  GetNumber() const
  {
    std::int64_t sum = 0;
    for (std::size_t at = 0; at < m_Rows.size(); at += rowLength)
    {
      sum += m_Rows[at];
    }
    return sum;
  }

  /** \param what the reason, such as "outside their image" */
  void
  Warn(const Population & population, const PopulationPoints & points, const std::string & what) const
  {
    std::vector<std::string> ofImages;
    for (std::size_t image = 0; image < population.size(); ++image)
    {
      const std::int64_t * const row = &m_Rows[rowLength * image];
      const auto                 count = static_cast<std::size_t>(row[0]);
      std::string                names;
      for (std::size_t i = 0; i < std::min(mostNamed, count); ++i)
      {
        names += (i == 0 ? "" : ", ") + points.NameOf(static_cast<int>(row[1 + i]));
      }
      names += count > mostNamed ? " and " + std::to_string(count - mostNamed) + " more" : "";
      if (count > 0)
      {
        ofImages.push_back(population[image].points + " (" + names + ")");
      }
    }
    if (!ofImages.empty())
    {
      PrintWarning("points are left out, because they are " + what + ": " + FirstOf(ofImages));
    }
  }

private:
  std::vector<std::int64_t> m_Rows;
};

/** Maps the points of this process's images to the template. */
template <unsigned int VDimension>
void
SetPoints(const AtlasJob &                   job,
          const itk::ImageBase<VDimension> & grid,
          const PopulationPoints &           points,
          cudaneuro::DiffeomorphicAtlas &    atlas,
          LeftOut &                          outsideImage,
          LeftOut &                          outsideTemplate)
{
  for (const int image : atlas.GetOwnImages())
  {
    const auto index = static_cast<std::size_t>(image);
    if (points.images[index].positions.empty())
    {
      continue;
    }
    ThrowIfInterrupted();
    const PopulationImage & entry = job.GetPopulation()[index];
    const auto              ofImage = ReadGrid<VDimension>(job.GetOpened().Open(entry.path));
    const auto              initial = ReadInitialMap<VDimension>(job, grid, index);
    cudaneuro::AtlasPoints  input;
    input.name = entry.points;
    input.geometry = detail::GeometryOf<VDimension>(ofImage.GetPointer());
    input.positions = points.images[index].positions;
    input.numbers = points.images[index].numbers;
    input.transform = initial.transform;
    input.transformField = initial.GetField();
    cudaneuro::AtlasPointsResult left;
    detail::Call([&] { left = atlas.SetPoints(image, input); });
    outsideImage.Set(index, left.outsideImage);
    outsideTemplate.Set(index, left.outsideTemplate);
  }
}

std::string
TextOf(double number)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(9);
  text << number;
  return text.str();
}

/** Returns the table of points that have a position, with a column for each further number. */
PointData
TableOf(const TemplatePoints & points, unsigned int dimension)
{
  const std::string axes = "xyz";
  PointData         table;
  table.dimension = dimension;
  table.columns = { { "number", {} }, { "images", {} }, { "spread_mm", {} } };
  for (std::size_t row = 0; row < dimension; ++row)
  {
    for (std::size_t column = row; column < dimension; ++column)
    {
      table.columns.push_back({ std::string("covariance_") + axes[row] + axes[column] + "_mm2", {} });
    }
  }
  for (std::size_t number = 0; number < points.points.size(); ++number)
  {
    const cudaneuro::AtlasPoint & point = points.points[number];
    if (point.numberOfImages == 0)
    {
      continue;
    }
    table.coordinates.insert(table.coordinates.end(), point.position.begin(), point.position.begin() + dimension);
    if (!points.labels.empty())
    {
      table.labels.push_back(points.labels[number]);
    }
    auto to = table.columns.begin();
    (to++)->values.push_back(std::to_string(number));
    (to++)->values.push_back(std::to_string(point.numberOfImages));
    (to++)->values.push_back(TextOf(point.GetSpread()));
    for (std::size_t row = 0; row < dimension; ++row)
    {
      for (std::size_t column = row; column < dimension; ++column)
      {
        (to++)->values.push_back(TextOf(point.covariance[3 * row + column]));
      }
    }
  }
  return table;
}

} // namespace

template <unsigned int VDimension>
TemplatePoints
CarryPoints(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const PopulationPoints &           points,
            cudaneuro::DiffeomorphicAtlas &    atlas)
{
  TemplatePoints result;
  if (points.numberOfPoints == 0)
  {
    return result;
  }
  const Population & population = job.GetPopulation();
  LeftOut            outsideImage(population.size());
  LeftOut            outsideTemplate(population.size());
  SetPoints<VDimension>(job, grid, points, atlas, outsideImage, outsideTemplate);
  outsideImage.Exchange(job.GetProcesses());
  outsideTemplate.Exchange(job.GetProcesses());
  detail::Call([&] { result.points = atlas.GetPoints(); });
  result.points.resize(points.numberOfPoints); // GetPoints may omit the last points, if no image has them
  result.labels = points.labels;
  result.numberOfImages = static_cast<std::size_t>(std::count_if(
    points.images.begin(), points.images.end(), [](const ImagePoints & image) { return !image.positions.empty(); }));
  result.numberLeftOut = outsideImage.GetNumber() + outsideTemplate.GetNumber();
  if (job.GetProcesses().IsFirst())
  {
    outsideImage.Warn(population, points, "outside their image");
    outsideTemplate.Warn(population, points, "where no point of the template's grid is mapped to");
  }
  return result;
}

PointWriting::PointWriting(AtlasJob & job, TemplatePoints points)
  : m_Job(job)
  , m_Points(std::move(points))
{
  if (m_Points.points.empty() || !job.GetProcesses().IsFirst())
  {
    return;
  }
  const unsigned int dimension = job.GetOpened().Open(job.GetGridPath()).dimension;
  m_Files.Start(
    [this, dimension] { return StagePointFile(*m_Job.GetFolder().GetPoints(), TableOf(m_Points, dimension)); });
}

void
PointWriting::Commit()
{
  if (m_Points.points.empty() || !m_Job.GetProcesses().IsFirst())
  {
    return;
  }
  m_Files.Commit();
  std::vector<double> spreads;
  std::size_t         count = 0;
  for (const cudaneuro::AtlasPoint & point : m_Points.points)
  {
    count += point.numberOfImages > 0 ? 1 : 0;
    if (point.numberOfImages > 1)
    {
      spreads.push_back(point.GetSpread());
    }
  }
  AtlasReport & report = m_Job.GetReport();
  report.Set("/points/number", count);
  report.Set("/points/images", m_Points.numberOfImages);
  report.Set("/points/left_out", m_Points.numberLeftOut);
  if (!spreads.empty())
  {
    double sum = 0.0;
    for (const double spread : spreads)
    {
      sum += spread;
    }
    report.Set("/points/mean_spread_mm", sum / static_cast<double>(spreads.size()));
    report.Set("/points/maximum_spread_mm", *std::max_element(spreads.begin(), spreads.end()));
  }
  report.Set("/outputs/points", m_Job.GetFolder().GetPoints()->GetPath());
}

template TemplatePoints
CarryPoints(AtlasJob &, const itk::ImageBase<2> &, const PopulationPoints &, cudaneuro::DiffeomorphicAtlas &);
template TemplatePoints
CarryPoints(AtlasJob &, const itk::ImageBase<3> &, const PopulationPoints &, cudaneuro::DiffeomorphicAtlas &);
