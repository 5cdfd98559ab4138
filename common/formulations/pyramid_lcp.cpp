// SPDX-FileCopyrightText: 2026 The Nonsmooth authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/formulations/pyramid_lcp.h"

#include "common/util/check.h"

namespace nonsmooth {

LcpMap PyramidLcp(const FeasibleSet& set, int disc_facets) {
  Require(disc_facets >= kFewestFacets, "pyramid LCP: disc_facets = ", disc_facets, " is below ",
          kFewestFacets);
  LcpMapBuilder builder(set);
  const std::vector<RowGroup>& groups = set.problem().groups();
  for (int g = 0; g < static_cast<int>(groups.size()); ++g) {
    const GroupSet& shape = set.group(g);
    if (groups[g].kind != GroupKind::kContact || shape.frozen) {
      builder.AddRowwise(g);
      continue;
    }
    const bool rowwise = shape.shape == GroupSet::Shape::kRows;
    const bool polygon = shape.parts > 0 && shape.part[0].facets > 0;
    // A contact under `pyramid` without a polygon has one tangent at most, where all cones agree.
    Require(rowwise || polygon || (shape.shifted && groups[g].tangents < 2), "pyramid LCP: group ",
            g, " is under a law with a round cone; expected box, coupled_box or pyramid");
    const int normal = builder.AddNormal(g);
    for (int k = 0; k < shape.parts; ++k) {
      const FrictionPart& part = shape.part[k];
      const int first = groups[g].first_row + part.offset;
      if (rowwise) {
        for (int i = 0; i < part.size; ++i) {
          builder.AddFacets(first + i, 1, 2, part.coefficient, normal);
        }
      } else {
        const int facets = part.facets > 0 ? part.facets : disc_facets;
        builder.AddFacets(first, part.size, facets, part.coefficient, normal);
      }
    }
  }
  return builder.Build();
}

}  // namespace nonsmooth
