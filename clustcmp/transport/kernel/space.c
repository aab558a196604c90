/* The memory of one problem: one block that grows when a problem is larger than those before it. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* The next part of the block. Without a block only `used` grows, which tells how large it must be. */
static void *part(char *block, size_t *used, size_t count, size_t size) {
  void *found = block ? block + *used : NULL;
  *used += (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return found;
}

#define TAKE(field, count) space->field = part(block, &used, count, sizeof *space->field)

static size_t lay_out(Space *space, char *block) {
  size_t m = space->m, n = space->n, d = space->d, width = space->width, nodes = m + n, used = 0;
  size_t larger = m > n ? m : n;
  /* The first plan looks at 16 arcs of each row at once, the search at 16 arcs of a few rows. */
  size_t candidates = LANES * (m + 2 * LANES);

  TAKE(sources, m * d);
  TAKE(sinks, n * d);
  TAKE(sinks_by_dimension, width * d);
  TAKE(supply, m);
  TAKE(demand, n);
  TAKE(costs, m * width);
  TAKE(row_part, m);
  TAKE(column_part, width);
  TAKE(first_distance, m);

  TAKE(parent, nodes);
  TAKE(thread, nodes);
  TAKE(thread_back, nodes);
  TAKE(size, nodes);
  TAKE(last, nodes);
  TAKE(slot, nodes);
  TAKE(node, nodes);
  TAKE(flow, nodes);
  TAKE(potential, nodes);

  TAKE(arc_source, nodes);
  TAKE(arc_sink, nodes);
  TAKE(arc_flow, nodes);
  TAKE(candidate_source, candidates);
  TAKE(candidate_sink, candidates);
  TAKE(candidate_cost, candidates);
  TAKE(candidate_key, candidates);

  TAKE(prices, width);
  TAKE(list_column, LANES * m);
  TAKE(list_cost, LANES * m);

  TAKE(some, nodes + 1);
  TAKE(others, 2 * nodes + 1);
  TAKE(more, candidates > 2 * nodes ? candidates : 2 * nodes);
  TAKE(masses_left, nodes);
  TAKE(numbers, 4 * larger);
  return used;
}

int reserve(Space *space, int m, int n, int d) {
  space->m = m;
  space->n = n;
  space->d = d;
  space->width = (n + LANES - 1) / LANES * LANES;
  size_t needed = lay_out(space, NULL);
  if (needed > space->bytes) {
    free(space->block);
    size_t bytes = (needed + needed / 4 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    space->block = aligned_alloc(ALIGNMENT, bytes);
    space->bytes = space->block ? bytes : 0;
    if (!space->block) return NO_MEMORY;
  }
  lay_out(space, space->block);
  return DONE;
}

void release(Space *space) {
  free(space->block);
  memset(space, 0, sizeof *space);
}
