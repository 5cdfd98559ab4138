// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "demos/papers/papers.h"

#include "demos/papers/enzenhoefer/enzenhoefer.h"
#include "demos/papers/glocker/glocker.h"
#include "demos/papers/lu_et_al/lu.h"
#include "demos/papers/mangoni/mangoni.h"
#include "demos/papers/tasora/tasora.h"

namespace nonsmooth::papers {

const std::vector<Paper>& Papers() {
  static const std::vector<Paper> papers{
      // One line a paper.
      {"glocker", "Glocker and Studer, the woodpecker toy by linear complementarity",
       ReproduceGlocker},
      {"tasora", "Tasora, a fixed-point iteration for thousands of contacts", ReproduceTasora},
      {"lu", "Lu et al., a standard interface for data analysis of solvers", ReproduceLu},
      {"enzenhoefer", "Enzenhöfer et al., a unit-consistent error measure", ReproduceEnzenhoefer},
      {"mangoni", "Mangoni and Tasora, a primal-dual interior point method", ReproduceMangoni},
  };
  return papers;
}

}  // namespace nonsmooth::papers
