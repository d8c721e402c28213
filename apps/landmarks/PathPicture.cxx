// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/PathPicture.h"

#include "shared/RenderWindow.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkGlyph3DMapper.h>
#include <vtkLookupTable.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>
#include <vtkTubeFilter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace
{

using Color = std::array<double, 3>;

constexpr Color templateColor{ 0.55, 0.55, 0.55 };
constexpr Color movedColor{ 0.10, 0.30, 0.75 };
constexpr Color targetColor{ 0.95, 0.55, 0.10 };

} // namespace

std::string
GetReasonForNoPicture()
{
  return GetReasonForNoWindow();
}

/** The points and paths as objects of VTK, and the hidden window in which they are drawn. */
class PathPicture::Scene
{
public:
  explicit Scene(const PointPaths & paths)
    : m_Paths(paths)
  {
    this->MeasurePoints();
    const double radius = this->RadiusOfPoints();
    this->AddPoints(this->PointsAt(m_Paths.positions, 0), radius, templateColor, 1.0);
    this->AddPoints(this->PointsAt(m_Paths.targets, 0), 1.8 * radius, targetColor, 0.35);
    m_Moved = this->AddPoints(this->PointsAt(m_Paths.positions, 0), radius, movedColor, 1.0);
    this->AddTubes(0.4 * radius);
    AddText(*m_Renderer, "template", 2, templateColor);
    AddText(*m_Renderer, "moved", 1, movedColor);
    AddText(*m_Renderer, "target", 0, targetColor);
    m_Renderer->SetBackground(1.0, 1.0, 1.0);
    m_Window->SetOffScreenRendering(1);
    m_Window->SetMultiSamples(8);
    m_Window->SetSize(width, height);
    m_Window->AddRenderer(m_Renderer);
    this->PlaceCamera();
  }

  void
  Draw(std::size_t time, const std::string & path)
  {
    m_Moved->SetPoints(this->PointsAt(m_Paths.positions, time));
    this->SetLines(time);
    WritePicture(*m_Window, path);
  }

private:
  vtkSmartPointer<vtkPoints>
  PointsAt(const std::vector<double> & positions, std::size_t time) const
  {
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetDataTypeToDouble();
    for (std::size_t i = 0; i < m_Paths.numberOfPoints; ++i)
    {
      const double * const at = positions.data() + (time * m_Paths.numberOfPoints + i) * m_Paths.dimension;
      points->InsertNextPoint(at[0], at[1], m_Paths.dimension == 3 ? at[2] : 0.0);
    }
    return points;
  }

  /** Computes the box around template, paths and targets. */
  void
  MeasurePoints()
  {
    m_Lowest.fill(std::numeric_limits<double>::max());
    m_Highest.fill(std::numeric_limits<double>::lowest());
    for (const std::vector<double> * const positions : { &m_Paths.positions, &m_Paths.targets })
    {
      for (std::size_t i = 0; i < positions->size(); ++i)
      {
        const std::size_t axis = i % m_Paths.dimension;
        m_Lowest[axis] = std::min(m_Lowest[axis], (*positions)[i]);
        m_Highest[axis] = std::max(m_Highest[axis], (*positions)[i]);
      }
    }
    if (m_Paths.dimension == 2)
    {
      m_Lowest[2] = m_Highest[2] = 0.0;
    }
  }

  double
  Diagonal() const
  {
    return std::hypot(m_Highest[0] - m_Lowest[0], m_Highest[1] - m_Lowest[1], m_Highest[2] - m_Lowest[2]);
  }

  /** Returns a radius that falls with the number of points, but stays visible. */
  double
  RadiusOfPoints() const
  {
    const double diagonal = std::max(this->Diagonal(), 1e-6);
    const double spacing = diagonal / std::sqrt(static_cast<double>(m_Paths.numberOfPoints));
    return std::clamp(0.12 * spacing, 0.0015 * diagonal, 0.012 * diagonal);
  }

  vtkSmartPointer<vtkPolyData>
  AddPoints(const vtkSmartPointer<vtkPoints> & points, double radius, const Color & color, double opacity)
  {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points);
    vtkNew<vtkSphereSource> sphere;
    sphere->SetRadius(radius);
    sphere->SetThetaResolution(12);
    sphere->SetPhiResolution(12);
    vtkNew<vtkGlyph3DMapper> mapper;
    mapper->SetInputData(data);
    mapper->SetSourceConnection(sphere->GetOutputPort());
    mapper->ScalingOff();
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(color[0], color[1], color[2]);
    actor->GetProperty()->SetOpacity(opacity);
    m_Renderer->AddActor(actor);
    return data;
  }

  /** Adds the paths, from light to dark with time. */
  void
  AddTubes(double radius)
  {
    vtkNew<vtkLookupTable> colors;
    colors->SetHueRange(0.55, 0.65);
    colors->SetSaturationRange(0.3, 0.9);
    colors->SetValueRange(0.95, 0.7);
    colors->Build();
    vtkNew<vtkTubeFilter> tubes;
    tubes->SetInputData(m_Lines);
    tubes->SetRadius(radius);
    tubes->SetNumberOfSides(8);
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputConnection(tubes->GetOutputPort());
    mapper->SetLookupTable(colors);
    mapper->SetScalarRange(0.0, 1.0);
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    m_Renderer->AddActor(actor);
  }

  /** Sets the paths up to a time; at time 0 there are none. */
  void
  SetLines(std::size_t time)
  {
    const double           steps = static_cast<double>(std::max<std::size_t>(1, m_Paths.GetNumberOfTimes() - 1));
    vtkNew<vtkPoints>      points;
    vtkNew<vtkDoubleArray> times;
    vtkNew<vtkCellArray>   lines;
    points->SetDataTypeToDouble();
    for (std::size_t i = 0; i < m_Paths.numberOfPoints && time > 0; ++i)
    {
      lines->InsertNextCell(static_cast<int>(time + 1));
      for (std::size_t at = 0; at <= time; ++at)
      {
        const double * const position =
          m_Paths.positions.data() + (at * m_Paths.numberOfPoints + i) * m_Paths.dimension;
        lines->InsertCellPoint(
          points->InsertNextPoint(position[0], position[1], m_Paths.dimension == 3 ? position[2] : 0.0));
        times->InsertNextValue(static_cast<double>(at) / steps);
      }
    }
    m_Lines->SetPoints(points);
    m_Lines->SetLines(lines);
    m_Lines->GetPointData()->SetScalars(times);
    m_Lines->Modified();
  }

  /** Looks along the axis of smallest extent of the points, in 3D a little from the side. */
  void
  PlaceCamera()
  {
    std::array<double, 3> extent{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      extent[axis] = m_Highest[axis] - m_Lowest[axis];
    }
    const auto   depth = static_cast<std::size_t>(std::min_element(extent.begin(), extent.end()) - extent.begin());
    const auto   view = m_Paths.dimension == 2 ? 2 : depth;
    const auto   up = view == 2 ? std::size_t{ 1 } : std::size_t{ 2 };
    const double tilt = m_Paths.dimension == 3 ? 0.3 : 0.0;

    std::array<double, 3> focus{};
    std::array<double, 3> position{};
    std::array<double, 3> upward{};
    const double          distance = 2.0 * std::max(this->Diagonal(), 1e-6);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      focus[axis] = 0.5 * (m_Lowest[axis] + m_Highest[axis]);
      position[axis] = focus[axis] + distance * (axis == view ? 1.0 : axis == up ? 0.7 * tilt : tilt);
    }
    upward[up] = 1.0;
    vtkCamera & camera = *m_Renderer->GetActiveCamera();
    camera.ParallelProjectionOn();
    camera.SetFocalPoint(focus.data());
    camera.SetPosition(position.data());
    camera.SetViewUp(upward.data());
    camera.SetParallelScale(this->HalfHeight(camera));
    m_Renderer->ResetCameraClippingRange(
      m_Lowest[0], m_Highest[0], m_Lowest[1], m_Highest[1], m_Lowest[2], m_Highest[2]);
  }

  /** Returns half the height of the view, in mm, which shows all points with some margin. */
  double
  HalfHeight(vtkCamera & camera) const
  {
    vtkMatrix4x4 * const view = camera.GetViewTransformMatrix();
    double               half = 1e-6;
    for (const std::vector<double> * const positions : { &m_Paths.positions, &m_Paths.targets })
    {
      for (std::size_t i = 0; i < positions->size(); i += m_Paths.dimension)
      {
        const double z = m_Paths.dimension == 3 ? (*positions)[i + 2] : 0.0;
        const double point[4] = { (*positions)[i], (*positions)[i + 1], z, 1.0 };
        double       seen[4];
        view->MultiplyPoint(point, seen);
        half = std::max({ half, std::abs(seen[1]), std::abs(seen[0]) * height / width });
      }
    }
    constexpr double room = 1.12;
    return room * half;
  }

  static constexpr int width = 1200;
  static constexpr int height = 900;

  const PointPaths &           m_Paths;
  std::array<double, 3>        m_Lowest{};
  std::array<double, 3>        m_Highest{};
  vtkNew<vtkRenderer>          m_Renderer;
  vtkNew<vtkRenderWindow>      m_Window;
  vtkNew<vtkPolyData>          m_Lines;
  vtkSmartPointer<vtkPolyData> m_Moved;
};

PathPicture::PathPicture(const PointPaths & paths)
  : m_Scene(std::make_unique<Scene>(paths))
{}

PathPicture::~PathPicture() = default;

void
PathPicture::Draw(std::size_t time, const std::string & path)
{
  m_Scene->Draw(time, path);
}
