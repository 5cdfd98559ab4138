// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "chrono_plugin/variable_reader.h"

#include <cmath>
#include <typeinfo>

#include "chrono/solver/ChSystemDescriptor.h"
#include "chrono/solver/ChVariablesBodyOwnMass.h"
#include "chrono_plugin/prefetch-inl.h"
#include "chrono_plugin/variable_reader-inl.h"

namespace nonsmooth::chrono {
inline namespace NONSMOOTH_CHRONO_ALIGNMENT {
namespace {

using ::chrono::ChVariables;
using ::chrono::ChVariablesBody;

/// Relative size at which an entry of an inverse mass counts as rounding.
constexpr double kRounding = 1e-14;

/// Variables further on, and of some before them the vector that `vector_of` names.
template <class VectorOf>
void FetchVariables(const std::vector<ChVariables*>& all, std::size_t i, std::size_t size,
                    VectorOf&& vector_of) {
  if (i + kFetchVariables < all.size()) Fetch(all[i + kFetchVariables], size);
  if (i + kFetchVectors < all.size()) __builtin_prefetch(vector_of(*all[i + kFetchVectors]));
}

void ReadBody(ChVariablesBody& variables, double scale, Body& body) {
  body.inverse_mass.fill(scale / variables.GetBodyMass());
  const ::chrono::ChMatrix33<>& inertia = variables.GetBodyInvInertia();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) body.inverse_inertia[3 * i + j] = scale * inertia(i, j);
  }
  body.velocity.fill(0);
  std::copy_n(variables.Force().data(), VariableReader::kBodySize, body.applied_impulse.begin());
}

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0,
                                  VariableReader::kBodySize, VariableReader::kBodySize>;

SmallMatrix InverseMass(const ChVariables& variables) {
  const auto size = static_cast<Eigen::Index>(variables.GetDOF());
  SmallMatrix inverse(size, size);
  ::chrono::ChVectorDynamic<> unit(size), column(size);
  for (Eigen::Index k = 0; k < size; ++k) {
    unit.setZero();
    unit(k) = 1;
    variables.ComputeMassInverseTimesVector(column, unit);
    inverse.col(k) = column;
  }
  return inverse;
}

/// Whether nothing couples the first three velocities, with each other or with the others.
bool FirstThreeAreFree(const SmallMatrix& inverse) {
  for (Eigen::Index i = 0; i < inverse.rows(); ++i) {
    for (Eigen::Index j = 0; j < inverse.cols(); ++j) {
      if (i != j && std::min(i, j) < 3 && inverse(i, j) != 0) return false;
    }
  }
  return true;
}

}  // namespace

void VariableReader::Collect(::chrono::ChSystemDescriptor& descriptor) {
  all_.clear();
  velocities_ = 0;
  only_bodies_ = true;
  const std::type_info* body_type = nullptr;  // the last that has turned out to be a body's
  const std::vector<ChVariables*>& all = descriptor.GetVariables();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + kFetchVariables < all.size()) Fetch(all[i + kFetchVariables], sizeof(ChVariables));
    ChVariables* variables = all[i];
    if (!variables->IsActive()) continue;
    // As the descriptor numbers them; an item may have been switched since it did.
    variables->SetOffset(velocities_);
    velocities_ += static_cast<int>(variables->GetDOF());
    if (only_bodies_ && &typeid(*variables) != body_type) {
      only_bodies_ = dynamic_cast<ChVariablesBody*>(variables) != nullptr;
      body_type = &typeid(*variables);
    }
    all_.push_back(variables);
  }
  if (only_bodies_) return;
  index_.assign(velocities_, -1);
  first_component_.assign(all_.size(), 0);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i]->GetDOF() > 0) index_[all_[i]->GetOffset()] = static_cast<int>(i);
  }
}

bool VariableReader::ReadBodies(double mass_factor, std::vector<Body>& bodies) {
  const double scale = 1 / mass_factor;
  bodies.resize(all_.size());
  for (std::size_t i = 0; i < all_.size(); ++i) {
    FetchVariables(all_, i, sizeof(::chrono::ChVariablesBodyOwnMass),
                   [](ChVariables& ahead) { return ahead.Force().data(); });
    ChVariablesBody* body = only_bodies_ ? static_cast<ChVariablesBody*>(all_[i])
                                         : dynamic_cast<ChVariablesBody*>(all_[i]);
    if (body != nullptr) {
      ReadBody(*body, scale, bodies[i]);
    } else if (!ReadOther(static_cast<int>(i), scale, bodies[i])) {
      return false;
    }
  }
  return true;
}

bool VariableReader::ReadOther(int i, double scale, Body& body) {
  ChVariables& variables = *all_[i];
  const auto size = static_cast<int>(variables.GetDOF());
  if (size > kBodySize) return false;
  const SmallMatrix inverse = InverseMass(variables);
  if (!inverse.allFinite()) return false;
  if (!inverse.isApprox(inverse.transpose(), kRounding)) return false;
  int first = 0;
  if (!FirstThreeAreFree(inverse)) {
    if (size > 3) return false;
    first = 3;
  }
  first_component_[i] = static_cast<unsigned char>(first);
  body = Body();
  for (int k = 0; k < size; ++k) {
    const int component = first + k;
    body.applied_impulse[component] = variables.Force()(k);
    if (component < 3) {
      body.inverse_mass[component] = scale * inverse(k, k);
      continue;
    }
    for (int l = 0; l < size; ++l) {
      if (first + l < 3) continue;
      body.inverse_inertia[3 * (component - 3) + first + l - 3] = scale * inverse(k, l);
    }
  }
  return true;
}

int VariableReader::FirstVelocity(int i, bool packed) const {
  if (!packed) return static_cast<int>(all_[i]->GetOffset());
  return kBodySize * i + (only_bodies_ ? 0 : first_component_[i]);
}

void VariableReader::ReadStates(bool packed, std::vector<double>& v) const {
  v.assign(packed ? kBodySize * all_.size() : velocities_, 0.0);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const ::chrono::ChVectorRef state = all_[i]->State();
    std::copy_n(state.data(), state.size(), v.begin() + FirstVelocity(static_cast<int>(i), packed));
  }
}

void VariableReader::WriteStates(bool packed, const std::vector<double>& v) const {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    FetchVariables(all_, i, sizeof(ChVariables),
                   [](ChVariables& ahead) { return ahead.State().data(); });
    ::chrono::ChVectorRef state = all_[i]->State();
    std::copy_n(v.begin() + FirstVelocity(static_cast<int>(i), packed), state.size(), state.data());
  }
}

}  // namespace NONSMOOTH_CHRONO_ALIGNMENT
}  // namespace nonsmooth::chrono
