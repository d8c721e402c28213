// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ParameterTable_h
#define ParameterTable_h

#include "TestImages.h"
#include "cudaneuro/EnumNames.h"
#include "itkCudaNeuroParameters.h"

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

/** Parameters of ITK's classes by the engine's descriptions. A test lists which setter belongs to which member; that
 * it keeps the value, that the class's default is the engine's, and what Print says follow. */
namespace parametertable
{

/** Sets \p value through \p set, a setter or a function of object and value, and expects it back, and that the
 * object's time goes on only when it is new. */
template <typename TObject, typename TSet, typename TGet, typename TValue>
void
ExpectSets(TObject * object, TSet set, TGet get, const TValue & value)
{
  EXPECT_FALSE(std::invoke(get, object) == value) << "the test's value is the default";
  const auto before = object->GetMTime();
  std::invoke(set, object, value);
  EXPECT_TRUE(std::invoke(get, object) == value);
  const auto after = object->GetMTime();
  EXPECT_GT(after, before);
  std::invoke(set, object, value);
  EXPECT_EQ(object->GetMTime(), after);
}

/** A member of the engine's struct, and the functions of ITK's class that belong to it. */
template <typename TParameters, typename TValue, typename TSet, typename TGet, typename TNameOf>
struct Access
{
  TValue TParameters::*member;
  const char *         name;
  TSet                 set;
  TGet                 get;
  TNameOf              nameOf;
};
template <typename TParameters, typename TValue, typename TSet, typename TGet, typename TNameOf>
Access(TValue TParameters::*, const char *, TSet, TGet, TNameOf) -> Access<TParameters, TValue, TSet, TGet, TNameOf>;

/** The row of a member of the struct \c P. */
#define CUDANEURO_PARAMETER(member, name) \
  ::parametertable::Access \
  { \
    &P::member, #name, [](auto * self, const auto & value) { self->Set##name(value); }, \
      [](const auto * self) { return self->Get##name(); }, [](const auto * self) { return self->Get##name##Name(); } \
  }

/** Another value of a number, an enumeration, a switch or a list of them, inside the range. */
template <typename TValue>
TValue
OtherValue(const TValue & value, const cudaneuro::ParameterRange & range)
{
  if constexpr (std::is_same_v<TValue, bool>)
  {
    return !value;
  }
  else if constexpr (std::is_enum_v<TValue>)
  {
    const std::vector<TValue> values = cudaneuro::ValuesOf<TValue>();
    return *std::find_if(values.rbegin(), values.rend(), [&](TValue other) { return other != value; });
  }
  else if constexpr (std::is_arithmetic_v<TValue>)
  {
    const double step = range.step > 0.0 ? range.step : 1.0;
    const double half = std::is_floating_point_v<TValue> ? 0.5 * static_cast<double>(value) : NAN;
    for (const double other :
         { half, static_cast<double>(value) + step, static_cast<double>(value) - step, range.minimum })
    {
      if (range.Contains(other) && other != static_cast<double>(value))
      {
        return static_cast<TValue>(other);
      }
    }
    ADD_FAILURE() << "the range has no other value than " << value;
    return value;
  }
  else
  {
    TValue others = value;
    for (auto & other : others)
    {
      other = OtherValue(other, range);
    }
    return others;
  }
}

/** The text of Print for a value of an image in 3D. */
template <typename TValue>
std::string
TextOf(const char * name, const TValue & value)
{
  std::ostringstream text;
  text << name << ": ";
  itk::CudaNeuroDetail::PrintParameter(text, value, 3);
  return text.str() + '\n';
}

/** Expects one parameter to begin with its default, and to be kept, returned and printed; all values of an enumeration
 * by name, and one value for all axes. */
template <typename TObject, typename TParameters, typename TAccess>
void
ExpectParameter(TObject * object, const TParameters & defaults, const TAccess & access)
{
  SCOPED_TRACE(access.name);
  const auto & value = defaults.*access.member;
  using ValueType = std::decay_t<decltype(value)>;
  using ItkType = decltype(access.get(object));
  cudaneuro::ParameterRange range;
  cudaneuro::WithParameter(access.member, [&](const auto & parameter) {
    EXPECT_STREQ(parameter.name, access.name);
    range = parameter.range;
  });
  EXPECT_TRUE(access.get(object) == itk::CudaNeuroDetail::FromEngine<ItkType>(value)) << "the default differs";
  const ValueType other = OtherValue(value, range);
  ExpectSets(object, access.set, access.get, itk::CudaNeuroDetail::FromEngine<ItkType>(other));
  EXPECT_TRUE(testimages::Contains(testimages::Printed(object), TextOf(access.name, other)));
  if constexpr (std::is_enum_v<ValueType>)
  {
    for (const ValueType each : cudaneuro::ValuesOf<ValueType>())
    {
      const std::string name = itk::CudaNeuroDetail::NameOf(each);
      access.set(object, name);
      EXPECT_EQ(access.get(object), each);
      EXPECT_EQ(access.nameOf(object), name);
    }
    EXPECT_TRUE(testimages::Contains(testimages::MessageOf([&] { access.set(object, "None of them"); }),
                                     "\"None of them\": use one of "));
  }
  else if constexpr (std::is_same_v<ValueType, std::array<double, 3>> || std::is_same_v<ValueType, std::array<int, 3>>)
  {
    access.set(object, 4);
    ValueType all;
    all.fill(4);
    EXPECT_TRUE(access.get(object) == itk::CudaNeuroDetail::FromEngine<ItkType>(all));
  }
}

/** Expects what ExpectParameter does of each row, and a row for each parameter.
 * \param defaults those of the engine that the class begins with
 * \param others names of the parameters that the class has in another form, or not at all */
template <typename TObject, typename TParameters, typename... TAccess>
void
ExpectParameters(TObject *                        object,
                 const TParameters &              defaults,
                 const std::vector<std::string> & others,
                 const TAccess &... access)
{
  (ExpectParameter(object, defaults, access), ...);
  std::vector<std::string> names{ access.name... };
  names.insert(names.end(), others.begin(), others.end());
  cudaneuro::ForEachParameter(defaults, [&](const auto & parameter, const auto &) {
    EXPECT_EQ(std::count(names.begin(), names.end(), parameter.name), 1) << parameter.name << " has no row, or two";
  });
}

} // namespace parametertable

#endif
