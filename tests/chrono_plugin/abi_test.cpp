// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
// Chrono is mostly compiled with -march=native, the core is not, and both use Eigen: what goes from
// one to the other has to look the same to both. A small executable, so that every run can have it
// with AddressSanitizer and UndefinedBehaviorSanitizer, which see what is aligned or freed wrongly.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdio>

#include "chrono/physics/ChLoadContainer.h"
#include "chrono/physics/ChLoadsBody.h"
#include "chrono_plugin/recording_solver.h"
#include "recorders/capture/capture_reader.h"
#include "support/layout-inl.h"
#include "support/scene.h"

namespace nonsmooth::test {
namespace {

// Every type of ours that crosses has one size and alignment on both sides, and none is aligned
// more strictly than new and malloc() promise, which Eigen's fixed vectors would be.
TEST(ChronoAbi, TypesThatCrossLookTheSameToBothSides) {
  const std::vector<Layout> here = Layouts(), there = PlainLayouts();
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_STREQ(here[i].type, there[i].type);
    EXPECT_EQ(here[i].size, there[i].size) << here[i].type;
    EXPECT_EQ(here[i].alignment, there[i].alignment) << here[i].type;
    EXPECT_LE(here[i].alignment, alignof(std::max_align_t)) << here[i].type;
  }
}

// The headers of the core bring no Eigen along; and the two sides differ in their flags where
// Chrono is compiled for this processor, or the test above would compare nothing.
TEST(ChronoAbi, TheOtherSideIsCompiledWithoutChronosFlags) {
  EXPECT_FALSE(PlainSeesEigen());
#ifdef __AVX__
  EXPECT_FALSE(PlainHasAvx());
  EXPECT_GT(EIGEN_MAX_ALIGN_BYTES, 16);
#endif
}

/// A ball on the ground, one of 2 kg, and one on a bushing if `sparse`.
void Fill(Scene& scene, bool sparse) {
  auto ground = scene.Ground();
  scene.Sphere(0.1, 2.0, ChVector3d(0, 0, 0.1));
  if (!sparse) return;
  auto held = scene.Point(1.0, 0.1, ChVector3d(0, 2, 1));
  auto loads = chrono_types::make_shared<::chrono::ChLoadContainer>();
  loads->Add(chrono_types::make_shared<::chrono::ChLoadBodyBodyBushingSpherical>(
      held, ground, ::chrono::ChFramed(ChVector3d(0, 2, 1)), ChVector3d(3e3, 3e3, 3e3),
      ChVector3d(30, 30, 30)));
  scene.system.Add(loads);
}

// Chrono's vectors go to solvers of all kinds that use Eigen of their own, dense and sparse, and
// back: after a tenth of a second at rest the ground carries m g, in both forms of the problem.
TEST(ChronoAbi, SolversWithEigenOfTheirOwnSolveChronosProblems) {
  for (const char* solver : {"psor", "nsgs", "ip", "auto"}) {
    for (const bool sparse : {false, true}) {
      Scene scene(Converged("ccp", solver), 1e-2);
      Fill(scene, sparse);
      scene.Run(0.1);
      EXPECT_EQ(scene.solver->fallbacks(), 0) << solver << ": " << scene.solver->trouble();
      EXPECT_EQ(scene.solver->extractor().packed(), !sparse);
      ASSERT_EQ(scene.solver->problem().contacts(), 1);
      EXPECT_NEAR(scene.solver->solution().x[0], 2.0 * kGravity * 1e-2, 1e-4) << solver;
    }
  }
}

// The recorder's thread and file see what Chrono's side has written: velocities in the file follow
// from its problem and impulses.
TEST(ChronoAbi, ARecordingCrossesUnharmed) {
  const std::string path = testing::TempDir() + "chrono_abi.h5";
  Scene scene(Converged(), 1e-2);
  Fill(scene, /*sparse=*/false);
  auto recorder = std::make_shared<Recorder>(path, chrono::MakeCaptureInfo("abi"));
  scene.system.SetSolver(
      chrono_types::make_shared<chrono::RecordingSolver>(scene.system, scene.solver, recorder));
  scene.Run(0.1);
  recorder->Close();
  EXPECT_TRUE(recorder->status().trouble.empty()) << recorder->status().trouble;
  const CaptureReader reader(path);
  ASSERT_EQ(reader.steps(), 10);
  const CapturedStep step = reader.Read(9);
  ASSERT_EQ(step.problem.contacts(), 1);
  std::vector<double> w(step.x.size()), v(step.v.size());
  OperatorWorkspace workspace;
  step.problem.dynamics().Evaluate(step.x.data(), w.data(), v.data(), workspace);
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], step.v[i], 1e-12);
  EXPECT_NEAR(step.x[0], 2.0 * kGravity * 1e-2, 1e-4);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace nonsmooth::test
