// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/error/error_report.h"
#include "demos/harness/world.h"
#include "demos/papers/paper_output.h"

namespace nonsmooth::papers {

/// A. Enzenhöfer, A. Peiret, M. Teichmann, J. Kövecses, "A unit-consistent error measure for mixed
/// linear complementarity problems in multibody dynamics with contact". All of it; its parts below.
void ReproduceEnzenhoefer(PaperOutput& output);

/// The rod on two contacts, Eq. 23: A, b in SI units.
struct Rod {
  std::array<double, 4> a{};  ///< row-major [1/kg]
  std::array<double, 2> b{};  ///< [m/s]
};
Rod StatedRod();   ///< of the m, l, T and h that the paper states
Rod PrintedRod();  ///< A = I and b that fit the numbers it prints

/// The pivot x₁ = 0, w₂ = 0, with every measure of it.
struct RodPivot {
  std::array<double, 2> x{};  ///< [N s]
  std::array<double, 2> w{};  ///< [m/s]
  ErrorReport errors;
  ErrorDetail detail;
};

/// In units of `kilogram` and `metre`: 1000 and 1000 are gram and millimetre.
RodPivot MeasureRodPivot(const Rod& rod, double kilogram = 1, double metre = 1);

/// Case study: both rods under all measures, in two systems of units.
void EnzenhoeferRod(PaperOutput& output);

/// δe of one row, Eq. 20, at (x, w) with bounds and a = 1 [1/kg].
double RowEnergyError(double lower, double upper, double x, double w);

/// Figs. 1 and 2.
void EnzenhoeferIsolines(PaperOutput& output);

/// The wall of Fig. 4, standing: its rows overlap by micrometres, since boxes that only just touch
/// are no contact for Bullet.
demo::World StandingWall();

/// The three measures after every iteration of every step, [iteration][step].
struct WallErrors {
  std::vector<std::vector<double>> energy;  ///< [J]
  std::vector<std::vector<double>> natural;
  std::vector<std::vector<double>> fischer_burmeister;
};

/// Figs. 4 and 5: `steps` of the wall captured with `bpp`, each solved by 100 Gauss–Seidel
/// iterations from zero.
WallErrors EnzenhoeferWall(PaperOutput& output, int steps);

/// Discussion: the wall with `bpp` stopped after 2 to 20 pivots, from zero and from the last step's
/// impulses, returning the iterate of least error or the last one.
void EnzenhoeferSelection(PaperOutput& output);

}  // namespace nonsmooth::papers
