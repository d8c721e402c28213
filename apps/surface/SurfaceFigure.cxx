// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceFigure.h"

#include "shared/RenderWindow.h"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkScalarBarActor.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <array>

namespace
{

using Color = std::array<double, 3>;

constexpr Color surfaceColor{ 0.86, 0.82, 0.74 };
constexpr Color textColor{ 0.15, 0.15, 0.15 };
constexpr int   side = 800;
constexpr int   parts = 3;

/** Makes colors from white to dark red, monotonic in brightness. */
vtkSmartPointer<vtkLookupTable>
MakeColors(double largest)
{
  constexpr int count = 256;
  // White, yellow, orange, dark red.
  constexpr std::array<Color, 4> stops{
    { { 0.97, 0.97, 0.95 }, { 0.99, 0.85, 0.46 }, { 0.92, 0.40, 0.13 }, { 0.40, 0.00, 0.13 } }
  };
  auto colors = vtkSmartPointer<vtkLookupTable>::New();
  colors->SetNumberOfTableValues(count);
  colors->SetRange(0.0, largest);
  for (int i = 0; i < count; ++i)
  {
    const double at = 3.0 * i / (count - 1);
    const auto   stop = static_cast<std::size_t>(std::min(at, 2.0));
    const double part = at - static_cast<double>(stop);
    Color        color;
    for (std::size_t channel = 0; channel < 3; ++channel)
    {
      color[channel] = (1.0 - part) * stops[stop][channel] + part * stops[stop + 1][channel];
    }
    colors->SetTableValue(i, color[0], color[1], color[2]);
  }
  return colors;
}

/** Makes part number 0, 1 or 2 of the window. */
vtkSmartPointer<vtkRenderer>
AddPart(vtkRenderWindow & window, int number, const std::string & title)
{
  auto renderer = vtkSmartPointer<vtkRenderer>::New();
  renderer->SetBackground(1.0, 1.0, 1.0);
  renderer->SetViewport(static_cast<double>(number) / parts, 0.0, static_cast<double>(number + 1) / parts, 1.0);
  AddText(*renderer, title, 0, textColor);
  window.AddRenderer(renderer);
  return renderer;
}

vtkSmartPointer<vtkPolyDataMapper>
AddSurface(vtkRenderer & renderer, vtkPolyData * surface)
{
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputData(surface);
  mapper->ScalarVisibilityOff();
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(surfaceColor[0], surfaceColor[1], surfaceColor[2]);
  // Smooth shading would hide noise.
  actor->GetProperty()->SetInterpolationToFlat();
  renderer.AddActor(actor);
  return mapper;
}

void
ColorByDistance(vtkRenderer & renderer, vtkPolyDataMapper & mapper, vtkPolyData & surface)
{
  double range[2];
  surface.GetPointData()->GetArray("Distance")->GetRange(range);
  const auto colors = MakeColors(std::max(range[1], 1e-12));
  mapper.ScalarVisibilityOn();
  mapper.SetScalarModeToUsePointFieldData();
  mapper.SelectColorArray("Distance");
  mapper.SetLookupTable(colors);
  mapper.UseLookupTableScalarRangeOn();
  vtkNew<vtkScalarBarActor> bar;
  bar->SetLookupTable(colors);
  bar->SetTitle("mm");
  bar->SetNumberOfLabels(5);
  bar->SetLabelFormat("%.2g");
  bar->UnconstrainedFontSizeOn();
  bar->SetPosition(0.87, 0.2);
  bar->SetWidth(0.1);
  bar->SetHeight(0.6);
  for (vtkTextProperty * const text : { bar->GetTitleTextProperty(), bar->GetLabelTextProperty() })
  {
    text->SetColor(textColor[0], textColor[1], textColor[2]);
    text->SetFontSize(18);
    text->BoldOff();
    text->ShadowOff();
    text->ItalicOff();
  }
  renderer.AddActor2D(bar);
}

/** Looks from the left, front and above, in LPS. */
void
PlaceCamera(vtkRenderer & renderer)
{
  vtkCamera & camera = *renderer.GetActiveCamera();
  camera.ParallelProjectionOn();
  camera.SetFocalPoint(0.0, 0.0, 0.0);
  camera.SetPosition(0.8, -1.0, 0.6);
  camera.SetViewUp(0.0, 0.0, 1.0);
  renderer.ResetCamera();
  constexpr double closer = 1.3;
  camera.Zoom(closer);
}

} // namespace

void
DrawSurfaceFigure(vtkPolyData * before, vtkPolyData * after, const std::string & path)
{
  const vtkNew<vtkRenderWindow> window;
  window->SetOffScreenRendering(1);
  window->SetMultiSamples(8);
  window->SetSize(parts * side, side);
  const auto first = AddPart(*window, 0, "before");
  const auto second = AddPart(*window, 1, "after");
  const auto third = AddPart(*window, 2, "distance of after from before");
  AddSurface(*first, before);
  AddSurface(*second, after);
  ColorByDistance(*third, *AddSurface(*third, after), *after);
  PlaceCamera(*first);
  second->SetActiveCamera(first->GetActiveCamera());
  third->SetActiveCamera(first->GetActiveCamera());
  for (vtkRenderer * const renderer : { first.Get(), second.Get(), third.Get() })
  {
    renderer->ResetCameraClippingRange();
  }
  WritePicture(*window, path);
}
