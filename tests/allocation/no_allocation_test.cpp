// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "common/solve/driver.h"
#include "common/solver/warm_start.h"
#include "demos/scenes/scenes.h"
#include "tests/support/print.h"
#include "tests/support/problem_collection.h"

// Every allocation of this process is counted, operator new as well as what Eigen takes by malloc.
// The address sanitizer, which owns malloc, has hooks for it; otherwise glibc lets a program
// replace malloc and call the library's own by another name.
namespace {
long allocations = 0;
}  // namespace

#ifdef __SANITIZE_ADDRESS__
// As in sanitizer/allocator_interface.h, which GCC does not install.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*,
                                                                           std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
void OnMalloc(const volatile void* /*address*/, std::size_t /*size*/) { ++allocations; }
void OnFree(const volatile void* /*address*/) {}
const int hooked = __sanitizer_install_malloc_and_free_hooks(OnMalloc, OnFree);
}  // namespace
#else
extern "C" {
// glibc's own names.
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  ++allocations;
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++allocations;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
}
#endif

namespace nonsmooth {
namespace {

// The counter counts: one each for new, malloc and aligned memory.
TEST(AllocationCount, SeesNewAndMalloc) {
  const long before = allocations;
  auto* number = new double(1);
  void* block = std::malloc(16);
  void* aligned = std::aligned_alloc(64, 64);
  // Read, or the compiler leaves the pairs out.
  EXPECT_TRUE(number != nullptr && block != nullptr && aligned != nullptr);
  EXPECT_EQ(allocations - before, 3);
  delete number;
  std::free(block);
  std::free(aligned);
}

class NoAllocation : public testing::TestWithParam<const SolverInfo*> {
 protected:
  /// Solves `first`, then counts the allocations of solving it again and of solving `second`,
  /// another problem of equal size.
  void ExpectNone(const Problem& first, const Problem& second, bool with_history) {
    // Assembling A, if the solver asks for it, belongs to the making of the problem.
    ASSERT_EQ(first.dynamics().Assembled().rows, second.dynamics().Assembled().rows);
    for (LawKind kind : GetParam()->laws) {
      Driver driver(GetParam()->name);
      SolveOptions options;
      options.law = {kind, kind == LawKind::kPyramid ? 8 : 0};
      options.max_iterations = 60;
      options.history = with_history;
      const std::vector<double> start(first.rows(), 0.1);
      Solution solution;
      Result result;
      driver.Solve(first, options, &start, solution, result);
      ASSERT_GT(result.iterations, 5);
      const long before = allocations;
      driver.Solve(first, options, &start, solution, result);
      EXPECT_EQ(allocations - before, 0) << ToString(kind) << ", the same problem";
      driver.Solve(second, options, &start, solution, result);
      EXPECT_EQ(allocations - before, 0) << ToString(kind) << ", another one of equal size";
    }
  }
};

// One driver solves step after step: from the second problem of equal size on it allocates nothing.
TEST_P(NoAllocation, InASecondSolveOfPackedBodies) {
  const Problem first = SpherePile(60, 1);
  const Problem second = SpherePile(60, 2);
  ExpectNone(first, second, false);
  ExpectNone(first, second, true);
}

TEST_P(NoAllocation, InASecondSolveOfAMatrix) {
  ExpectNone(AsMatrix(SpherePile(60, 1)), AsMatrix(SpherePile(60, 2)), false);
}

TEST_P(NoAllocation, InASecondSolveOfASparseSystem) {
  ExpectNone(AsSparse(SpherePile(60, 1)), AsSparse(SpherePile(60, 2)), false);
}

// Islands take each other's memory, one after the other.
TEST(NoAllocationIslands, InASecondSolveBySweeps) {
  const Problem problem = Towers(5, 2);
  for (const char* name : {"psor", "nncg"}) {
    Driver driver(name);
    SolveOptions options;
    options.max_iterations = 20;
    const std::vector<double> start(problem.rows(), 0.01);
    Solution solution;
    Result result;
    driver.Solve(problem, options, &start, solution, result);
    ASSERT_EQ(result.islands, 5);
    const long before = allocations;
    driver.Solve(problem, options, &start, solution, result);
    EXPECT_EQ(allocations - before, 0) << name;
  }
}

// Rows of trees reach as many joints as it happens: the same problem, not one of equal size.
TEST_P(NoAllocation, InASecondSolveOfTrees) {
  const Problem trees = AsTrees(SpherePile(60, 1), 2);
  ExpectNone(trees, trees, false);
}

/// Solvers that cannot do without, and why.
struct Allocates {
  const char* solver;
  const char* reason;
};

constexpr Allocates kAllocates[] = {
    {"admm", "Eigen's factorisations take memory for their factors each time"},
    {"lemke", "makes its LCP anew, whose size follows from bounds and friction"},
    {"murty", "Newton's systems under coupled_box change their size from step to step"},
    {"dantzig", "as murty"},
    {"bpp", "as murty, and a sparse factor takes memory each time"},
    {"alart_curnier", "contacts that couple other bodies than before are ordered anew"},
    {"fischer_newton", "likewise"},
    {"minmap_newton", "likewise"},
    {"ip", "analyses the pattern of a sparse matrix in every preparation"},
    {"exact", "likewise; see InASecondExactSolveOfAnEqualPattern"},
    {"auto", "as exact"},
};

std::vector<const SolverInfo*> Registered() {
  std::vector<const SolverInfo*> infos;
  for (const SolverInfo& info : Solvers()) {
    const bool allocates =
        std::any_of(std::begin(kAllocates), std::end(kAllocates),
                    [&](const Allocates& known) { return known.solver == info.name; });
    if (!allocates) infos.push_back(&info);
  }
  return infos;
}

INSTANTIATE_TEST_SUITE_P(Registry, NoAllocation, testing::ValuesIn(Registered()),
                         [](const auto& test) { return std::string(test.param->name); });

// Where the pattern has stayed `exact` allocates nothing, in every form and under every law; nor
// does `auto`, whether it takes it or not.
TEST(NoAllocationExact, InASecondExactSolveOfAnEqualPattern) {
  const Problem pile = SpherePile(60, 1);
  for (const char* solver : {"exact", "auto"}) {
    for (const Problem& problem : {pile, AsMatrix(pile), AsSparse(pile), RollingSphere(1)}) {
      for (const char* law : {"box", "coupled_box", "pyramid:8", "ccp", "ncp"}) {
        for (const int iterations : {20, 1000}) {
          Driver driver(solver);
          SolveOptions options;
          options.law = ParseLaw(law);
          options.max_iterations = iterations;
          Solution solution;
          Result result;
          ASSERT_EQ(problem.dynamics().Assembled().rows, problem.rows());
          driver.Solve(problem, options, nullptr, solution, result);
          const long before = allocations;
          driver.Solve(problem, options, nullptr, solution, result);
          EXPECT_EQ(allocations - before, 0) << solver << " " << law << " " << iterations;
        }
      }
    }
  }
}

// Storing and loading a second time reuses all memory.
TEST(NoAllocationWarmStart, InASecondRoundOfEqualSize) {
  const Problem problem = SpherePile(60, 1);
  const std::vector<double> x(problem.rows(), 0.1);
  std::vector<double> x0;
  WarmStart cache;
  cache.Store(problem, x);
  ASSERT_GE(cache.Load(problem, x0), 60);
  const long before = allocations;
  cache.Store(problem, x);
  cache.Load(problem, x0);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace nonsmooth
