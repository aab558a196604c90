/* One problem whose plan and potentials are wanted, not only its value. */
#include "kernel.h"

#include <string.h>

/* The optimal plan between m sources and n sinks, at least two of each, whose masses have the same
 * sum. Arcs without a flow are left out; there is room for m + n of them. The potentials of the sinks
 * are such that distance - potential of the source - potential of the sink is 0 on the arcs. Returns
 * the number of arcs, or what went wrong, which is below 0. */
int transport_plan(int d, int m, const double *sources, const int64_t *supply, int n,
                   const double *sinks, const int64_t *demand, double *potentials,
                   int32_t *arc_source, int32_t *arc_sink, int64_t *arc_flow) {
  Space space;
  double value;
  memset(&space, 0, sizeof space);
  int status = reserve(&space, m, n, d), count = 0;
  if (status == DONE) {
    memcpy(space.sources, sources, sizeof *sources * (size_t)m * (size_t)d);
    memcpy(space.sinks, sinks, sizeof *sinks * (size_t)n * (size_t)d);
    status = solve(&space, supply, demand, NULL, NULL, &value);
  }
  if (status == DONE) {
    int shift = bits_below(&space);
    int64_t half = (int64_t)1 << (shift - 1);
    for (int j = 0; j < n; j++)
      potentials[j] = space.column_part[j] - space.potential[space.slot[m + j]];
    for (int k = 0; k < m + n; k++) {
      if (space.parent[k] < 0) continue;
      int node = space.node[k], up = space.node[space.parent[k]];
      int64_t flow = (space.flow[k] + half) >> shift;
      if (!flow) continue;
      arc_source[count] = node < up ? node : up;
      arc_sink[count] = (node < up ? up : node) - m;
      arc_flow[count++] = flow;
    }
  }
  release(&space);
  return status == DONE ? count : status;
}
