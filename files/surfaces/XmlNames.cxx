// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/XmlNames.h"

#include "files/base/Text.h"
#include "files/base/Xml.h"

#include <nlohmann/json.hpp>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace cudaneuro::files
{

namespace
{

bool
IsUtf8(const std::string & text)
{
  try
  {
    nlohmann::json(text).dump(); // which refuses other text
    return true;
  }
  catch (const nlohmann::json::type_error &)
  {
    return false;
  }
}

/** \throws std::runtime_error for a name that XML cannot have, or not in one line */
std::string
EscapedName(const std::string & name)
{
  const bool hasControls = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20; });
  if (hasControls || !IsUtf8(name))
  {
    throw std::runtime_error("the name of an array, \"" + Printable(name) +
                             "\", has characters that .vtp files do not have in names; .vtk files have them");
  }
  return EscapedXml(name);
}

/** The array itself where nothing is to be escaped. */
vtkSmartPointer<vtkAbstractArray>
WithEscapedNames(vtkAbstractArray * array)
{
  const std::string        name = array->GetName() == nullptr ? "" : array->GetName();
  const std::string        escaped = EscapedName(name);
  std::vector<std::string> components;
  bool                     isChanged = escaped != name;
  for (int i = 0; array->HasAComponentName() && i < array->GetNumberOfComponents(); ++i)
  {
    const std::string component = array->GetComponentName(i) == nullptr ? "" : array->GetComponentName(i);
    components.push_back(EscapedName(component));
    isChanged = isChanged || components.back() != component;
  }
  if (!isChanged)
  {
    return array;
  }
  auto made = vtkSmartPointer<vtkAbstractArray>::Take(array->NewInstance());
  if (auto * const numbers = vtkDataArray::SafeDownCast(made))
  {
    numbers->ShallowCopy(vtkDataArray::SafeDownCast(array));
  }
  else
  {
    made->DeepCopy(array);
  }
  made->SetName(escaped.c_str());
  for (std::size_t i = 0; i < components.size(); ++i)
  {
    made->SetComponentName(static_cast<vtkIdType>(i), components[i].c_str());
  }
  return made;
}

void
EscapeNamesOf(vtkFieldData & fields)
{
  const auto made = vtkSmartPointer<vtkFieldData>::Take(fields.NewInstance());
  for (int i = 0; i < fields.GetNumberOfArrays(); ++i)
  {
    made->AddArray(WithEscapedNames(fields.GetAbstractArray(i)));
  }
  if (auto * const attributes = vtkDataSetAttributes::SafeDownCast(&fields))
  {
    int places[vtkDataSetAttributes::NUM_ATTRIBUTES];
    attributes->GetAttributeIndices(places);
    for (int kind = 0; kind < vtkDataSetAttributes::NUM_ATTRIBUTES; ++kind)
    {
      if (places[kind] >= 0)
      {
        vtkDataSetAttributes::SafeDownCast(made)->SetActiveAttribute(places[kind], kind);
      }
    }
  }
  fields.ShallowCopy(made);
}

} // namespace

void
EscapeNames(vtkPolyData & surface)
{
  EscapeNamesOf(*surface.GetPointData());
  EscapeNamesOf(*surface.GetCellData());
  EscapeNamesOf(*surface.GetFieldData());
}

} // namespace cudaneuro::files
