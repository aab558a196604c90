/* The plan as a spanning tree, and the pivots that change it. */
#include "kernel.h"

#include <string.h>

/* The potential of a node next to another one: on an arc of the tree the reduced cost is 0. */
static double potential_next(const Space *space, int node, int next, double potential) {
  int m = space->m;
  if (node < m) return potential - arc_cost(space, node, next - m);
  return potential + arc_cost(space, next, node - m);
}

/* The arcs of the first plan as a tree. Its root is the node with the most arcs. */
void build_tree(Space *space) {
  int m = space->m, nodes = m + space->n, arcs = nodes - 1;
  int *begin = space->some, *next = space->thread_back, *adjacent = space->others;
  memset(begin, 0, sizeof *begin * (size_t)(nodes + 1));
  for (int arc = 0; arc < arcs; arc++) {
    begin[space->arc_source[arc] + 1]++;
    begin[m + space->arc_sink[arc] + 1]++;
  }
  int root = 0;
  for (int node = 0; node < nodes; node++)
    if (begin[node + 1] > begin[root + 1]) root = node;
  for (int node = 0; node < nodes; node++) begin[node + 1] += begin[node];
  memcpy(next, begin, sizeof *next * (size_t)nodes);
  for (int arc = 0; arc < arcs; arc++) {
    adjacent[next[space->arc_source[arc]]++] = arc;
    adjacent[next[m + space->arc_sink[arc]]++] = arc;
  }

  /* Depth first; `order` lists the nodes as they are visited. */
  int *order = space->more, *stack = space->last, top = 0, count = 0;
  for (int node = 0; node < nodes; node++) space->parent[node] = -2;
  space->parent[root] = -1;
  space->potential[root] = 0.0;
  space->flow[root] = 0;
  stack[top++] = root;
  while (top) {
    int node = stack[--top];
    order[count++] = node;
    for (int p = begin[node]; p < begin[node + 1]; p++) {
      int arc = adjacent[p];
      int other = node < m ? m + space->arc_sink[arc] : space->arc_source[arc];
      if (space->parent[other] != -2) continue;
      space->parent[other] = node;
      space->flow[other] = space->arc_flow[arc];
      space->potential[other] = potential_next(space, node, other, space->potential[node]);
      stack[top++] = other;
    }
  }
  for (int node = 0; node < nodes; node++) space->size[node] = 1;
  for (int k = nodes - 1; k > 0; k--) space->size[space->parent[order[k]]] += space->size[order[k]];
  for (int k = 0; k < nodes; k++) {
    int node = order[k], after = order[k + 1 < nodes ? k + 1 : 0];
    space->thread[node] = after;
    space->thread_back[after] = node;
    space->last[node] = order[k + space->size[node] - 1];
    space->slot[node] = space->node[node] = node;
  }
  space->root = root;
}

static void move_numbers(int *array, const int *to, int *room, int count) {
  for (int k = 0; k < count; k++) room[to[k]] = array[k];
  memcpy(array, room, sizeof *array * (size_t)count);
}

static void move_slots(int *array, const int *to, int *room, int count) {
  for (int k = 0; k < count; k++) room[to[k]] = array[k] < 0 ? array[k] : to[array[k]];
  memcpy(array, room, sizeof *array * (size_t)count);
}

/* Deals out slots in the order of the tree, and computes all potentials anew: each pivot adds to some
 * of them, and rounding errors would gather. */
void renumber(Space *space) {
  int nodes = space->m + space->n;
  int *to = space->more, *room = to + nodes;
  for (int k = 0, slot = space->root; k < nodes; k++, slot = space->thread[slot]) to[slot] = k;
  move_slots(space->parent, to, room, nodes);
  move_slots(space->last, to, room, nodes);
  move_numbers(space->size, to, room, nodes);
  move_numbers(space->node, to, room, nodes);
  for (int k = 0; k < nodes; k++) space->masses_left[to[k]] = space->flow[k];
  memcpy(space->flow, space->masses_left, sizeof *space->flow * (size_t)nodes);
  for (int k = 0; k < nodes; k++) {
    space->thread[k] = k + 1 < nodes ? k + 1 : 0;
    space->thread_back[k] = k ? k - 1 : nodes - 1;
    space->slot[space->node[k]] = k;
  }
  space->root = 0;
  space->potential[0] = 0.0;
  /* A parent stands before its children. */
  for (int k = 1; k < nodes; k++) {
    int up = space->parent[k];
    space->potential[k] =
        potential_next(space, space->node[up], space->node[k], space->potential[up]);
  }
}

/* Along the way up from a slot to `join` the flow falls and rises in turn. */
static void shift_flow(Space *space, int slot, int join, int64_t amount) {
  for (int64_t change = -amount; slot != join; slot = space->parent[slot], change = -change)
    space->flow[slot] += change;
}

static void link(Space *space, int before, int after) {
  space->thread[before] = after;
  space->thread_back[after] = before;
}

/* Takes the subtree of `leaving` off the thread, and off the sizes up to `join`. */
static void cut(Space *space, int leaving, int join) {
  int up = space->parent[leaving], size = space->size[leaving], end = space->last[leaving];
  int before = space->thread_back[leaving];
  link(space, before, space->thread[end]);
  for (int slot = up; slot >= 0 && space->last[slot] == end; slot = space->parent[slot])
    space->last[slot] = before;
  for (int slot = up; slot != join; slot = space->parent[slot]) space->size[slot] -= size;
}

/* Makes `root` the root of the subtree that `leaving` was the root of, and hangs it below `to`.
 * On the way from `root` to `leaving` parents become children. Returns the last slot of the thread. */
static int turn_over(Space *space, int root, int leaving, int to, int64_t flow_of_root) {
  int *parent = space->parent, *thread = space->thread, *back = space->thread_back;
  int *size = space->size, *last = space->last;
  int64_t *flow = space->flow;
  int whole = size[leaving], child = root, up = parent[root];
  /* What the child had as the root of its old subtree. */
  int before = back[child], end = last[child], after = thread[end], old_size = size[child];
  int64_t old_flow = flow[child];
  int tail = end;
  parent[root] = to;
  flow[root] = flow_of_root;
  size[root] = whole;
  while (child != leaving) {
    int next_up = parent[up], next_before = back[up], next_end = last[up], next_size = size[up];
    int64_t next_flow = flow[up];
    int next_after = after, new_end = before;
    if (next_end != end) {
      /* Others follow the child below its old parent: close the gap that the child leaves. */
      next_after = thread[next_end];
      link(space, before, after);
      new_end = next_end;
    }
    link(space, tail, up);
    tail = new_end;
    parent[up] = child;
    flow[up] = old_flow;
    size[up] = whole - old_size;
    child = up;
    up = next_up;
    before = next_before;
    end = next_end;
    after = next_after;
    old_size = next_size;
    old_flow = next_flow;
  }
  for (int slot = leaving; slot != to; slot = parent[slot]) last[slot] = tail;
  return tail;
}

/* Adds the subtree of `root`, whose thread ends at `tail`, to the thread and the sizes above it. */
static void hang(Space *space, int root, int tail, int to, int join) {
  int after = space->thread[to], size = space->size[root];
  link(space, to, root);
  link(space, tail, after);
  for (int slot = to; slot >= 0 && space->last[slot] == to; slot = space->parent[slot])
    space->last[slot] = tail;
  for (int slot = to; slot != join; slot = space->parent[slot]) space->size[slot] += size;
}

/* Changes the potentials of a subtree, or those of all others by the opposite if they are fewer. */
static void shift_potentials(Space *space, int root, int tail, double change) {
  int nodes = space->m + space->n, size = space->size[root], slot = root, count = size;
  if (2 * size > nodes) {
    slot = space->thread[tail];
    count = nodes - size;
    change = -change;
  }
  for (; count > 0; count--, slot = space->thread[slot]) space->potential[slot] += change;
}

/* The arc from a source to a sink enters the plan, and the first one of its cycle that runs empty
 * leaves. Both are given by their slots; the reduced cost is below 0. */
void pivot(Space *space, int source, int sink, double reduced) {
  int a = source, b = sink, leaving = -1, below_sink = 0, falls_a = 1, falls_b = 1;
  int64_t amount = INT64_MAX;
  while (a != b) {
    /* Along each side of the cycle every second arc loses flow. */
    if (space->size[a] < space->size[b]) {
      if (falls_a && space->flow[a] < amount) {
        amount = space->flow[a];
        leaving = a;
        below_sink = 0;
      }
      falls_a = !falls_a;
      a = space->parent[a];
    } else {
      if (falls_b && space->flow[b] < amount) {
        amount = space->flow[b];
        leaving = b;
        below_sink = 1;
      }
      falls_b = !falls_b;
      b = space->parent[b];
    }
  }
  int join = a, root = below_sink ? sink : source, to = below_sink ? source : sink;
  shift_flow(space, source, join, amount);
  shift_flow(space, sink, join, amount);
  cut(space, leaving, join);
  int tail = turn_over(space, root, leaving, to, amount);
  hang(space, root, tail, to, join);
  shift_potentials(space, root, tail, below_sink ? -reduced : reduced);
}
