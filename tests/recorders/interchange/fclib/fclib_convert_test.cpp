// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "common/problem/matrix_dynamics.h"
#include "common/problem/problem_builder.h"
#include "common/problem/sparse_dynamics.h"
#include "demos/scenes/scenes.h"
#include "recorders/capture/capture_info.h"
#include "recorders/interchange/fclib/fclib_export.h"
#include "recorders/interchange/fclib/fclib_file.h"
#include "recorders/interchange/fclib/fclib_import.h"
#include "tests/recorders/support/step_zoo.h"
#include "tests/support/problem_collection.h"

namespace nonsmooth {
namespace {

/// 2 x 3: (0,0) = 1, (0,2) = −2, (1,1) = 0 stored, (1,2) = 5.
const CsrMatrix kMatrix{2, 3, {0, 2, 4}, {0, 2, 1, 2}, {1, -2, 0, 5}};

const std::vector<FclibStorage> kStorages{FclibStorage::kTriplets, FclibStorage::kCompressedColumns,
                                          FclibStorage::kCompressedRows};

void ExpectSameMatrix(const CsrMatrix& a, const CsrMatrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.row_start, b.row_start);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.value, b.value);
}

/// |A₁ − A₂| and |b₁ − b₂| are below `tolerance` relative to the largest entry of A₁ and b₁.
void ExpectSameLinearPart(const Problem& first, const Problem& second, double tolerance) {
  ASSERT_EQ(first.rows(), second.rows());
  OperatorWorkspace workspace;
  const int n = first.rows();
  double scale = 0;
  double off = 0;
  std::vector<double> x(n), y1(n), y2(n);
  for (int j = 0; j < n; ++j) {
    x.assign(n, 0.0);
    x[j] = 1;
    first.dynamics().Multiply(x.data(), y1.data(), workspace);
    second.dynamics().Multiply(x.data(), y2.data(), workspace);
    for (int i = 0; i < n; ++i) {
      scale = std::max(scale, std::abs(y1[i]));
      off = std::max(off, std::abs(y1[i] - y2[i]));
    }
  }
  EXPECT_LE(off, tolerance * scale);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(first.dynamics().bias()[i], second.dynamics().bias()[i], tolerance) << "row " << i;
  }
}

/// Two contacts with μ = 0.5 and 0.25, an unsymmetric W, and one equality if asked for.
FclibProblem SmallLocal(int spacedim, bool equality, FclibStorage storage) {
  FclibProblem file;
  file.spacedim = spacedim;
  file.mu = {0.5, 0.25};
  const int rows = 2 * spacedim;
  std::vector<Triplet> entries;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      entries.push_back({i, j, i == j ? 2.0 + 0.1 * i : 0.01 * (i + 1) + 0.001 * j});
    }
    file.q.push_back(i % spacedim == 0 ? -1.0 - 0.1 * i : 0.3 * i);
  }
  file.W = FromCsr(FromTriplets("W", rows, rows, entries), storage);
  if (equality) {
    file.equalities = true;
    std::vector<Triplet> coupling;
    for (int i = 0; i < rows; ++i) coupling.push_back({i, 0, 0.1 * (i + 1)});
    file.V = FromCsr(FromTriplets("V", rows, 1, coupling), storage);
    file.R = FromCsr(FromTriplets("R", 1, 1, {{0, 0, 3.0}}), storage);
    file.s = {0.7};
  }
  return file;
}

/// A mass of 2 kg on a plane and one hung on it by a rod: 6 velocities, one contact, one equality.
FclibProblem SmallGlobal(bool equality, FclibStorage storage) {
  FclibProblem file;
  file.kind = FclibKind::kGlobal;
  file.mu = {0.3};
  std::vector<Triplet> m;
  for (int i = 0; i < 6; ++i) m.push_back({i, i, 2.0 + i});
  m.push_back({0, 1, 0.25});
  m.push_back({1, 0, 0.25});
  file.M = FromCsr(FromTriplets("M", 6, 6, m), storage);
  file.H = FromCsr(FromTriplets("H", 6, 3, {{2, 0, 1.0}, {0, 1, 1.0}, {1, 2, 1.0}, {3, 1, 0.5}}),
                   storage);
  file.f = {0.1, 0, -0.2, 0, 0.05, -0.3};
  file.w = {0.01, 0, 0};
  if (equality) {
    file.equalities = true;
    file.G = FromCsr(FromTriplets("G", 6, 1, {{2, 0, 1.0}, {5, 0, -1.0}}), storage);
    file.b = {0.02};
  }
  return file;
}

/// Through a file and back.
FclibProblem Stored(const FclibProblem& problem) {
  const TemporaryDirectory folder;
  WriteFclib(folder.File("p.hdf5"), problem);
  return ReadFclib(folder.File("p.hdf5"));
}

// Each storage holds the same entries: conversion there and back gives the same matrix to the bit,
// the stored zero included.
TEST(FclibMatrix, EveryStorageHoldsTheSameMatrix) {
  for (FclibStorage storage : kStorages) {
    ExpectSameMatrix(ToCsr("test", FromCsr(kMatrix, storage)), kMatrix);
  }
}

// Triplets have columns in p and rows in i: (row 1, column 2) = 5 stands as p = 2, i = 1.
TEST(FclibMatrix, TripletsHaveColumnsInP) {
  const FclibMatrix triplets = FromCsr(kMatrix, FclibStorage::kTriplets);
  EXPECT_EQ(triplets.p, (std::vector<int>{0, 2, 1, 2}));
  EXPECT_EQ(triplets.i, (std::vector<int>{0, 0, 1, 1}));
}

// CSparse allows rows of a column in any order and entries at one place, which add up.
TEST(FclibMatrix, UnsortedAndDoubleEntriesAreAddedUp) {
  const FclibMatrix columns{2, 1, FclibStorage::kCompressedColumns, {0, 3}, {1, 0, 1}, {3, 2, 4}};
  ExpectSameMatrix(ToCsr("test", columns), CsrMatrix{2, 1, {0, 1, 2}, {0, 0}, {2, 7}});
}

TEST(FclibMatrix, InconsistentPartsAreRefused) {
  FclibMatrix matrix = FromCsr(kMatrix, FclibStorage::kCompressedRows);
  matrix.i[1] = 3;  // column 3 of 3
  EXPECT_THROW(ToCsr("test", matrix), std::invalid_argument);
  matrix = FromCsr(kMatrix, FclibStorage::kCompressedRows);
  matrix.p[1] = 5;  // beyond the entries
  EXPECT_THROW(ToCsr("test", matrix), std::invalid_argument);
  matrix = FromCsr(kMatrix, FclibStorage::kTriplets);
  matrix.x[2] = std::nan("");
  EXPECT_THROW(ToCsr("test", matrix), std::invalid_argument);
  matrix = FromCsr(kMatrix, FclibStorage::kTriplets);
  matrix.p.pop_back();
  EXPECT_THROW(ToCsr("test", matrix), std::invalid_argument);
}

// A = W, b = q, and every contact has spacedim rows, its μ and law ncp.
TEST(FclibImport, LocalProblemKeepsWAndQ) {
  for (int spacedim : {2, 3}) {
    for (FclibStorage storage : kStorages) {
      const FclibProblem file = SmallLocal(spacedim, false, storage);
      const FclibImport import = ImportFclib(Stored(file));
      ASSERT_EQ(import.problem.contacts(), 2);
      EXPECT_EQ(import.problem.dynamics().bias(), file.q);
      ExpectSameMatrix(import.problem.dynamics().Assembled(), ToCsr("W", file.W));
      const RowGroup& group = import.problem.groups()[1];
      EXPECT_EQ(group.first_row, spacedim);
      EXPECT_EQ(group.tangents, spacedim - 1);
      EXPECT_EQ(group.friction, 0.25);
      EXPECT_EQ(group.law.kind, LawKind::kNcp);
    }
  }
}

// max|W − Wᵀ| / max|W| of the small problem: entries (0,5) and (5,0) are 0.01 + 0.005 and 0.06, the
// largest is 2.5: 0.045 / 2.5 = 0.018.
TEST(FclibImport, UnsymmetricWIsSaid) {
  const FclibImport import = ImportFclib(SmallLocal(3, false, FclibStorage::kCompressedRows));
  ASSERT_EQ(import.remarks.size(), 1u);
  EXPECT_NE(import.remarks[0].find("not symmetric"), std::string::npos);
  EXPECT_NE(import.remarks[0].find("0.018"), std::string::npos) << import.remarks[0];
}

// A = [[W, V], [Vᵀ, R]], b = (q, s), the equality after the contacts.
TEST(FclibImport, EqualitiesStandBelowTheContacts) {
  const FclibProblem file = SmallLocal(3, true, FclibStorage::kCompressedColumns);
  const FclibImport import = ImportFclib(Stored(file));
  const CsrMatrix& a = import.problem.dynamics().Assembled();
  ASSERT_EQ(a.rows, 7);
  EXPECT_EQ(import.problem.groups().back().kind, GroupKind::kEquality);
  double block[49];
  import.problem.dynamics().DiagonalBlock(0, 6, block);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(a.value[a.row_start[i + 1] - 1], 0.1 * (i + 1));  // V
    EXPECT_EQ(a.value[a.row_start[6] + i], 0.1 * (i + 1));      // Vᵀ
  }
  EXPECT_EQ(import.problem.dynamics().diagonal()[6], 3.0);
  EXPECT_EQ(import.problem.dynamics().bias()[6], 0.7);
}

// M v = H r + G l + f, u = Hᵀ v + w: A = Hᵀ M⁻¹ H and b = Hᵀ M⁻¹ f + w. The normal touches velocity
// 2 alone: a_nn = 1 / 4, b_n = −0.2 / 4 + 0.01. Row l: v_2 − v_5: a = 1/4 + 1/7.
TEST(FclibImport, GlobalProblemHasTheDelassusOperator) {
  for (FclibStorage storage : kStorages) {
    const FclibImport import = ImportFclib(Stored(SmallGlobal(true, storage)));
    EXPECT_DOUBLE_EQ(import.problem.dynamics().diagonal()[0], 0.25);
    EXPECT_DOUBLE_EQ(import.problem.dynamics().bias()[0], -0.05 + 0.01);
    EXPECT_DOUBLE_EQ(import.problem.dynamics().diagonal()[3], 0.25 + 1.0 / 7);
    EXPECT_DOUBLE_EQ(import.problem.dynamics().bias()[3], -0.2 / 4 + 0.3 / 7 + 0.02);
  }
}

TEST(FclibImport, SingularMassIsRefusedByName) {
  FclibProblem file = SmallGlobal(false, FclibStorage::kTriplets);
  file.M.x[0] = 0;  // (0,0)
  file.M.x[1] = 0;  // (0,1)
  file.M.x[2] = 0;  // (1,0)
  try {
    ImportFclib(file);
    FAIL() << "a singular M was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("not positive definite"), std::string::npos);
  }
}

// M = [2 0.5; 0.25 3] on the first two variables, the tangents act on them: row 1 is their first
// and ½ of the fourth, row 2 the second. M⁻¹ = 1/5.875 [3 -0.5; -0.25 2], so that
// W(1,1) = 3/5.875 + 0.25/5, W(1,2) = -0.5/5.875 and W(2,1) = -0.25/5.875.
TEST(FclibImport, UnsymmetricMassIsTakenAsItIs) {
  FclibProblem file = SmallGlobal(false, FclibStorage::kTriplets);
  file.M.x[1] = 0.5;  // (0,1)
  const FclibImport import = ImportFclib(file);
  double block[9];
  import.problem.dynamics().DiagonalBlock(0, 3, block);
  EXPECT_DOUBLE_EQ(block[0], 0.25);
  EXPECT_DOUBLE_EQ(block[4], 3 / 5.875 + 0.25 / 5);
  EXPECT_DOUBLE_EQ(block[5], -0.5 / 5.875);
  EXPECT_DOUBLE_EQ(block[7], -0.25 / 5.875);
}

// Wrong sizes, one at a time, are refused with the field's name.
TEST(FclibImport, SizesThatDisagreeAreRefused) {
  const auto refused = [](const FclibProblem& file) {
    EXPECT_THROW(ImportFclib(file), std::invalid_argument);
  };
  const FclibProblem local = SmallLocal(3, true, FclibStorage::kCompressedRows);
  FclibProblem bad = local;
  bad.mu.pop_back();
  refused(bad);
  bad = local;
  bad.q.push_back(0);
  refused(bad);
  bad = local;
  bad.s.push_back(0);
  refused(bad);
  bad = local;
  bad.spacedim = 4;
  refused(bad);
  bad = local;
  bad.mu[0] = -1;
  refused(bad);
  bad = local;
  bad.q[3] = std::nan("");
  refused(bad);
  const FclibProblem global = SmallGlobal(true, FclibStorage::kCompressedRows);
  bad = global;
  bad.f.pop_back();
  refused(bad);
  bad = global;
  bad.b.clear();
  refused(bad);
  bad = global;
  bad.w.pop_back();
  refused(bad);
}

// Solution and guess arrive as (r, l); zeros are placeholders.
TEST(FclibImport, SolutionsArriveAndPlaceholdersDoNot) {
  FclibProblem file = SmallLocal(2, true, FclibStorage::kCompressedRows);
  file.has_solution = true;
  file.solution.r = {1, 0.5, 0, 0};
  file.solution.u = {0, 0, 0.1, 0};
  file.solution.l = {-2};
  file.guesses.resize(1);
  file.guesses[0].r = {0, 0, 0, 0};
  file.guesses[0].u = {0, 0, 0, 0};
  file.guesses[0].l = {0};
  const FclibImport import = ImportFclib(Stored(file));
  EXPECT_EQ(import.x, (std::vector<double>{1, 0.5, 0, 0, -2}));
  EXPECT_TRUE(import.guess.empty());
  EXPECT_NE(import.remarks.back().find("/guesses/1 is all zero"), std::string::npos);
}

// Import, export, file, import: the same problem bit for bit, whatever the storage.
TEST(FclibExport, WhatWasImportedIsExportedToTheBit) {
  std::vector<FclibProblem> files;
  for (FclibStorage storage : kStorages) {
    for (bool equality : {false, true}) {
      files.push_back(SmallLocal(2, equality, storage));
      files.push_back(SmallLocal(3, equality, storage));
      files.push_back(SmallGlobal(equality, storage));
    }
  }
  for (const FclibProblem& file : files) {
    const Problem problem = ImportFclib(file).problem;
    for (FclibStorage storage : kStorages) {
      const FclibExport exported = ExportFclib(problem, file.kind, storage);
      EXPECT_TRUE(exported.remarks.empty());
      EXPECT_EQ(ProblemChecksum(ImportFclib(Stored(exported.problem)).problem),
                ProblemChecksum(problem));
    }
  }
}

// A pile of bodies, all in ncp: A and b survive both kinds of file; for the global one M is
// inverted, so to rounding.
TEST(FclibExport, TwoBodyProblemsSurviveBothKinds) {
  const Problem pile = SpherePile(40);
  const FclibExport local = ExportFclib(pile, FclibKind::kLocal, FclibStorage::kCompressedRows);
  ExpectSameLinearPart(pile, ImportFclib(Stored(local.problem)).problem, 1e-13);
  const FclibExport global = ExportFclib(pile, FclibKind::kGlobal, FclibStorage::kTriplets);
  ExpectSameLinearPart(pile, ImportFclib(Stored(global.problem)).problem, 1e-10);
}

// Joints become equalities behind the contacts; the order of rows is in the export.
TEST(FclibExport, JointsBecomeEqualities) {
  const Problem chain = Chain(3, 2.0);
  const FclibExport exported = ExportFclib(chain, FclibKind::kGlobal, FclibStorage::kTriplets);
  EXPECT_TRUE(exported.problem.equalities);
  EXPECT_EQ(static_cast<int>(exported.equality_row.size()), chain.rows() - 3 * chain.contacts());
  const Problem back = ImportFclib(Stored(exported.problem)).problem;
  EXPECT_EQ(back.rows(), chain.rows());
  ASSERT_EQ(chain.contacts(), 0);
  ExpectSameLinearPart(chain, back, 1e-10);
}

/// A sphere of 2 kg on fixed ground with compliance 0.125 in the normal row.
Problem CompliantSphere(const ContactMaterial& material) {
  ProblemBuilder builder;
  const int ball = builder.AddSphere(2, 0.5, {0, 0, -0.1});
  ContactPoint point;
  point.body_b = ball;
  point.lever_b = {0, 0, -0.5};
  point.normal = {0, 0, 1};
  point.compliance = 0.125;
  builder.AddContact(point, material);
  return builder.Build();
}

// Compliance: a_nn = 1/m + c = 0.5 + 0.125, folded into W, or by one more velocity of mass 1/c = 8.
TEST(FclibExport, ComplianceIsKept) {
  ContactMaterial material;
  material.friction = 0.5;
  const Problem problem = CompliantSphere(material);
  const FclibExport local = ExportFclib(problem, FclibKind::kLocal, FclibStorage::kCompressedRows);
  EXPECT_EQ(ImportFclib(local.problem).problem.dynamics().diagonal()[0], 0.625);
  const FclibExport global = ExportFclib(problem, FclibKind::kGlobal, FclibStorage::kTriplets);
  EXPECT_EQ(global.problem.M.rows, 7);
  EXPECT_EQ(global.problem.M.x.back(), 8.0);
  EXPECT_DOUBLE_EQ(ImportFclib(global.problem).problem.dynamics().diagonal()[0], 0.625);
  bool said = false;
  for (const std::string& remark : global.remarks) {
    said = said || remark.find("virtual") != std::string::npos;
  }
  EXPECT_TRUE(said);

  // The virtual velocity is c x: 0.125 · 4.
  Solution solution;
  solution.x = {4, 0, 0};
  solution.w = {1, 2, 3};
  solution.v = {1, 2, 3, 4, 5, 6};
  const FclibSolution stored = global.SolutionOf(solution);
  EXPECT_EQ(stored.v, (std::vector<double>{1, 2, 3, 4, 5, 6, 0.5}));
  EXPECT_EQ(stored.r, solution.x);
  EXPECT_EQ(stored.u, solution.w);
}

void ExpectRefused(const Problem& problem, FclibKind kind, const std::string& what) {
  try {
    ExportFclib(problem, kind, FclibStorage::kTriplets);
    FAIL() << "exported, expected a refusal about '" << what << "'";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(FclibExport, WhatFclibCannotSayIsRefusedByName) {
  ContactMaterial material;
  material.friction = 0.5;
  material.law = {LawKind::kBox, 0};
  ExpectRefused(CompliantSphere(material), FclibKind::kLocal, "frozen friction bounds");
  material.law = {LawKind::kNcp, 0};
  material.spinning_friction = 0.1;
  ExpectRefused(CompliantSphere(material), FclibKind::kLocal, "spinning friction");
  material.spinning_friction = 0;
  material.rolling_friction = 0.1;
  ExpectRefused(CompliantSphere(material), FclibKind::kGlobal, "rolling friction");
  ExpectRefused(Motor(10, 1), FclibKind::kLocal, "bounded rows");
  ExpectRefused(AsMatrix(BoxStack(1)), FclibKind::kGlobal, "only A and b");
}

// Other laws are the same rows under another reading; FCLIB has one reading, and that is said.
TEST(FclibExport, OtherLawsAndIdentitiesAreSaid) {
  ContactMaterial material;
  material.law = {LawKind::kCcp, 0};
  material.key = 7;
  const FclibExport exported =
      ExportFclib(CompliantSphere(material), FclibKind::kLocal, FclibStorage::kTriplets);
  ASSERT_EQ(exported.remarks.size(), 2u);
  EXPECT_NE(exported.remarks[0].find("ccp"), std::string::npos);
  EXPECT_NE(exported.remarks[1].find("identities"), std::string::npos);
}

// A frictionless contact beside one with two tangents gets two rows of zeros, on which no impulse
// does anything: r and u are zero there.
TEST(FclibExport, ContactsWithFewerTangentsArePadded) {
  std::vector<RowGroup> groups(2);
  groups[0].kind = GroupKind::kContact;
  groups[0].size = 1;
  groups[1].kind = GroupKind::kContact;
  groups[1].first_row = 1;
  groups[1].size = 3;
  groups[1].tangents = 2;
  groups[1].friction = 0.4;
  std::vector<Triplet> entries;
  for (int i = 0; i < 4; ++i) entries.push_back({i, i, 1.0 + i});
  const Problem problem(std::make_shared<MatrixDynamics>(FromTriplets("A", 4, 4, entries),
                                                         std::vector<double>{-1, -2, 3, 4}),
                        groups, std::vector<double>(4), std::vector<double>(4));
  const FclibExport exported = ExportFclib(problem, FclibKind::kLocal, FclibStorage::kTriplets);
  EXPECT_EQ(exported.problem.spacedim, 3);
  EXPECT_EQ(exported.problem.q, (std::vector<double>{-1, 0, 0, -2, 3, 4}));
  EXPECT_EQ(exported.problem.mu, (std::vector<double>{0, 0.4}));
  Solution solution;
  solution.x = {1, 2, 3, 4};
  solution.w = {5, 6, 7, 8};
  EXPECT_EQ(exported.SolutionOf(solution).r, (std::vector<double>{1, 0, 0, 2, 3, 4}));
  EXPECT_EQ(exported.SolutionOf(solution).u, (std::vector<double>{5, 0, 0, 6, 7, 8}));
}

// A conveyor of infinite mass moves at 3 m/s: its velocity is part of u, not of v.
TEST(FclibExport, VelocitiesOfFixedBodiesGoIntoW) {
  ProblemBuilder builder;
  const int belt = builder.AddSphere(0, 1, {});
  const int ball = builder.AddSphere(2, 0.5, {0, 0, -0.1});
  builder.body(belt).velocity = {3, 0, 0, 0, 0, 0};
  ContactPoint point;
  point.body_a = belt;
  point.body_b = ball;
  point.lever_b = {0, 0, -0.5};
  point.normal = {0, 0, 1};
  builder.AddContact(point, ContactMaterial());
  const Problem problem = builder.Build();
  const FclibExport exported = ExportFclib(problem, FclibKind::kGlobal, FclibStorage::kTriplets);
  EXPECT_EQ(exported.problem.M.rows, 6);
  ExpectSameLinearPart(problem, ImportFclib(exported.problem).problem, 1e-15);
}

}  // namespace
}  // namespace nonsmooth
