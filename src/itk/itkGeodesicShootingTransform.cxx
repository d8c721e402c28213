// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkGeodesicShootingTransform.h"

#include "core/ParameterChecks.h"
#include "itkObjectFactoryBase.h"
#include "itkVersion.h"

#include <array>
#include <cmath>
#include <utility>

namespace itk
{

namespace
{

/** Creates transforms by the names in files. Readers ask all object factories. ITK's own TransformFactory is in a
 * module on which this one does not depend. */
class GeodesicShootingTransformFactory : public ObjectFactoryBase
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(GeodesicShootingTransformFactory);

  using Self = GeodesicShootingTransformFactory;
  using Superclass = ObjectFactoryBase;
  using Pointer = SmartPointer<Self>;

  itkFactorylessNewMacro(Self);
  itkOverrideGetNameOfClassMacro(GeodesicShootingTransformFactory);

  const char *
  GetITKSourceVersion() const override
  {
    return ITK_SOURCE_VERSION;
  }
  const char *
  GetDescription() const override
  {
    return "Geodesic shooting transforms of the module CudaNeuro";
  }

protected:
  GeodesicShootingTransformFactory()
  {
    this->AddTransform<double, 2>();
    this->AddTransform<double, 3>();
    this->AddTransform<float, 2>();
    this->AddTransform<float, 3>();
  }
  ~GeodesicShootingTransformFactory() override = default;

private:
  template <typename TParametersValueType, unsigned int VDimension>
  void
  AddTransform()
  {
    using TransformType = GeodesicShootingTransform<TParametersValueType, VDimension>;
    const std::string name = TransformType::New()->GetTransformTypeAsString();
    this->RegisterOverride(name.c_str(), name.c_str(), name.c_str(), true, CreateObjectFunction<TransformType>::New());
  }
};

/** The number of sums over all pairs of points in a time step of each integrator. */
constexpr std::array<std::pair<cudaneuro::ShootingIntegrator, int>, 3> orders{
  { { cudaneuro::ShootingIntegrator::Euler, 1 },
    { cudaneuro::ShootingIntegrator::Heun, 2 },
    { cudaneuro::ShootingIntegrator::RungeKutta4, 4 } }
};

/** Checks the values of the transform's layout that are not coordinates. */
void
RequireSettings(const std::vector<double> & parameters)
{
  using P = cudaneuro::GeodesicShootingParameters;
  const double direction = parameters[6];
  cudaneuro::WithParameter(
    &P::sigma, [&](const auto & sigma) { cudaneuro::RequireInRange(sigma.name, parameters[3], sigma.range); });
  cudaneuro::WithParameter(&P::numberOfTimeSteps, [&](const auto & steps) {
    cudaneuro::RequireInRange(
      steps.name, parameters[4], cudaneuro::InSteps(steps.range.minimum, steps.range.maximum, 1.0));
  });
  CudaNeuroDetail::IntegratorOfOrder(parameters[5]);
  if (direction != 0.0 && direction != 1.0)
  {
    cudaneuro::ThrowInvalid("the direction", direction, "0, forward, or 1, backward");
  }
}

/** Checks that there are parameters, that they have this layout, and that their number is right. */
void
RequireSize(unsigned int dimension, const std::vector<double> & parameters)
{
  constexpr std::size_t settings = 7;
  if (parameters.size() < settings)
  {
    cudaneuro::ThrowInvalid(
      "the number of fixed parameters", parameters.size(), "at least " + std::to_string(settings));
  }
  if (parameters[0] != 1.0)
  {
    cudaneuro::ThrowInvalid("the version of the layout of the fixed parameters", parameters[0], "1");
  }
  if (parameters[1] != dimension)
  {
    cudaneuro::ThrowInvalid("the dimension", parameters[1], std::to_string(dimension));
  }
  const std::size_t coordinates = parameters.size() - settings;
  if (coordinates % dimension != 0)
  {
    cudaneuro::ThrowInvalid("the number of coordinates of the points", coordinates, "a multiple of the dimension");
  }
  if (parameters[2] * dimension != static_cast<double>(coordinates))
  {
    cudaneuro::ThrowInvalid("the number of points", parameters[2], std::to_string(coordinates / dimension));
  }
}

} // namespace

namespace CudaNeuroDetail
{

bool
RegisterTransforms()
{
  static const bool isRegistered = ObjectFactoryBase::RegisterFactory(GeodesicShootingTransformFactory::New());
  return isRegistered;
}

int
OrderOf(cudaneuro::ShootingIntegrator integrator)
{
  for (const auto & [value, order] : orders)
  {
    if (value == integrator)
    {
      return order;
    }
  }
  itkGenericExceptionMacro("Unknown integrator " << integrator);
}

cudaneuro::ShootingIntegrator
IntegratorOfOrder(double order)
{
  for (const auto & [value, orderOfValue] : orders)
  {
    if (orderOfValue == order)
    {
      return value;
    }
  }
  itkGenericExceptionMacro("the order of the integrator is " << order
                                                             << "; it must be 1 (Euler), 2 (Heun) or 4 (RungeKutta4)");
}

void
RequireFinite(const std::string & kind, unsigned int dimension, const double * numbers, std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    if (!std::isfinite(numbers[i]))
    {
      itkGenericExceptionMacro("the " << kind << " of point " << i / dimension << " is not finite: its component "
                                      << i % dimension << " is " << numbers[i]);
    }
  }
}

void
RequireTransformLayout(unsigned int dimension, const std::vector<double> & fixedParameters)
{
  Call([&] {
    RequireSize(dimension, fixedParameters);
    RequireSettings(fixedParameters);
  });
  RequireFinite("position", dimension, fixedParameters.data() + 7, fixedParameters.size() - 7);
}

std::shared_ptr<const cudaneuro::GeodesicFlow>
MakeFlow(const cudaneuro::GeodesicShootingParameters & parameters,
         unsigned int                                  dimension,
         const std::vector<double> &                   positions,
         const std::vector<double> &                   momenta)
{
  std::shared_ptr<const cudaneuro::GeodesicFlow> flow;
  Call([&] {
    cudaneuro::Context context{ cudaneuro::Device() };
    flow = std::make_shared<cudaneuro::GeodesicFlow>(context,
                                                     parameters,
                                                     static_cast<int>(dimension),
                                                     static_cast<std::int64_t>(positions.size() / dimension),
                                                     positions.data(),
                                                     momenta.data());
  });
  return flow;
}

#ifndef CUDANEURO_REGISTER_LATER
namespace
{
/** Registers transforms for programs that link the library without including its headers. */
[[maybe_unused]] const bool isRegisteredByLibrary = RegisterTransforms();
} // namespace
#endif

} // namespace CudaNeuroDetail

} // namespace itk
