/* Exact optimal transport between clouds of points with the Euclidean distance.
 *
 * A network simplex for m sources and n sinks. What makes it quick:
 *   - Masses are whole numbers, changed a little so that no two partial sums agree: every pivot moves
 *     mass, nothing cycles, and flows need no tolerance.
 *   - From each distance a number of its row and one of its column is subtracted. That changes no
 *     optimal plan, and what is left is so small that single precision suffices to look for arcs.
 *   - Arcs are priced row by row, 16 columns at once; what enters is checked in double precision.
 *   - At the end every arc that single precision cannot tell from an improvement is computed in
 *     double precision. Only when none improves the plan, the plan is optimal.
 *
 * All sums have a fixed order and multiplications are not fused with additions, so that every
 * instruction set gives the same bits.
 *
 *   space.c     the memory of one problem, used again for the next
 *   costs.c     distances less what is subtracted from rows and columns; searching them for arcs
 *   start.c     a first plan
 *   tree.c      the plan as a spanning tree: pivots and potentials
 *   simplex.c   one problem: search, proof, value
 *   pairs.c     all pairs of clusters
 *   plan.c      one problem with its plan and its potentials
 *   cells.c     potentials that hold for all points of cells, for lower bounds
 */
#ifndef CLUSTCMP_KERNEL_H
#define CLUSTCMP_KERNEL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Columns that are searched at once. The lanes are part of the result: do not change them by machine. */
enum { LANES = 16 };

/* For x86 the compiler makes several versions of a function and chooses one at run time. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(ONE_INSTRUCTION_SET)
#define FOR_EACH_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_MACHINE
#endif

/* What a call returns. */
enum { DONE = 0, NO_MEMORY = -1, TOO_MUCH_MASS = -2, NO_PLAN = -3 };

/* A cost above all others, and the most that a cost of an arc can be. */
#define UNREACHABLE 3e38f
#define REACHABLE 1e37f

typedef struct {
  int m, n, d; /* sources, sinks, dimensions */
  int width;   /* columns of a row in memory: n, filled up to whole lanes */

  /* The problem. Sinks are kept point by point, and dimension by dimension for the lanes. */
  double *sources, *sinks, *sinks_by_dimension;
  int64_t *supply, *demand; /* whole masses, changed so that no two partial sums agree */
  float *costs;             /* (m, width): distance - row_part - column_part */
  double *row_part, *column_part, *first_distance;

  /* The plan: a tree of all nodes, sources 0 .. m-1 and sinks m .. m+n-1. A node is kept in a slot;
   * from time to time slots are dealt out in the order of the tree, so that walks run through memory.
   * `thread` visits a node, then all below it; `last` is the last one below. `flow` is that of the
   * arc to the parent. Potentials of sinks are negative, so that a whole subtree moves by one number:
   * the reduced cost of an arc is cost - potential[source] + potential[sink]. */
  int root;
  int *parent, *thread, *thread_back, *size, *last;
  int *slot, *node;
  int64_t *flow;
  double *potential;

  /* Arcs of the first plan, and arcs that may enter. */
  int *arc_source, *arc_sink;
  int64_t *arc_flow;
  int n_candidates;
  int *candidate_source, *candidate_sink;
  double *candidate_cost;
  float *candidate_key;

  /* Potentials of the sinks in single precision, and for each row the 16 best arcs. */
  float *prices;
  int *list_column;
  float *list_cost;

  /* Room for the moment. */
  int *some, *others, *more;
  int64_t *masses_left;
  double *numbers;

  void *block;
  size_t bytes;
} Space;

/* space.c */
int reserve(Space *space, int m, int n, int d);
void release(Space *space);

/* costs.c */
double center_costs(Space *space);
int best_of_lanes(const float *costs, const float *prices, int width, float below, int *columns,
                  float *keys);
int all_below(const float *costs, const float *prices, int width, float below, int *columns, int most);
unsigned list_below(const int *columns, const float *costs, const float *prices, float below);

static inline double distance(const Space *space, int source, int sink) {
  const double *x = space->sources + (size_t)source * space->d;
  const double *y = space->sinks + (size_t)sink * space->d;
  double sum = 0.0;
  for (int k = 0; k < space->d; k++) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(sum);
}

/* The cost of an arc in double precision. */
static inline double arc_cost(const Space *space, int source, int sink) {
  return distance(space, source, sink) - space->row_part[source] - space->column_part[sink];
}

static inline float *row_of(const Space *space, int source) {
  return space->costs + (size_t)source * space->width;
}

/* start.c */
int start_plan(Space *space);

/* tree.c */
void build_tree(Space *space);
void renumber(Space *space);
void pivot(Space *space, int source, int sink, double reduced_cost);

/* The reduced cost of an arc between two slots. */
static inline double reduced_cost(const Space *space, int source, int sink, double cost) {
  return cost - space->potential[source] + space->potential[sink];
}

/* simplex.c */
int bits_below(const Space *space);
int solve(Space *space, const int64_t *supply, const int64_t *demand, const double *supply_shares,
          const double *demand_shares, double *value);

#endif
