/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All cells of NAS-Bench-101. First the shapes: edge sets that are their own
 * canonical order if all operations are alike. Then, for each shape, its
 * labellings with distinct codes, and their hashes; shapes are independent,
 * so threads share them out. Cells of two shapes are never isomorphic.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "nas/nb101/nb101_internal.h"

#define NODES SEPX_NB101_NODES
#define LABELLINGS 243 /* of 5 inner nodes */

struct entry {
    unsigned char hash[16];
    uint32_t code;
};

struct sepx_nb101_cells {
    uint32_t n, count[NODES + 1];
    unsigned char (*hash)[16]; /* by row, as `code` */
    uint32_t *code;
    uint32_t *sorted, *row; /* codes in ascending order, and where they are */
};

/* ---- progress ---- */

enum { ALL = 1000, LISTING = 200 }; /* parts of the work, as measured */

struct follow {
    bool (*progress)(void *context, size_t done, size_t total); /* or NULL */
    void *context;
    pthread_mutex_t lock; /* of `progress` and `shapes` */
    size_t shapes;        /* expanded */
};

static SEPX_CHECKED enum sepx_err
tell(const struct follow *follow, size_t done)
{
    bool more =
        !follow->progress || follow->progress(follow->context, done, ALL);

    return more ? SEPX_OK : SEPX_ESTOPPED;
}

/* ---- shapes ---- */

struct shapes {
    struct sepx_nb101_cell *at;
    size_t n, room;
};

static bool
is_shape(uint32_t edges, unsigned n)
{
    struct sepx_nb101_cell cell = {.edges = edges, .nodes = (uint8_t)n};

    if (!sepx_nb101_cell_valid(&cell))
        return false;
    sepx_nb101_cell_canon(&cell);
    return cell.edges == edges;
}

static enum sepx_err
list_shapes(struct shapes *shapes, const struct follow *follow)
{
    enum sepx_err err = SEPX_OK;

    for (unsigned n = 2; n <= NODES; n++) {
        uint32_t end = 1u << sepx_nb101_bit(0, n);

        for (uint32_t edges = 0; edges < end && !err; edges++) {
            if (n == NODES && edges % (end / LISTING) == 0)
                err = tell(follow, edges / (end / LISTING));
            if (err || !is_shape(edges, n))
                continue;
            err = sepx__grow((void **)&shapes->at, &shapes->room, shapes->n + 1,
                             sizeof(*shapes->at));
            if (!err)
                shapes->at[shapes->n++] = (struct sepx_nb101_cell){
                    .edges = edges, .nodes = (uint8_t)n};
        }
    }
    return err;
}

/* ---- labellings ---- */

struct labelling {
    struct sepx_nb101_cell cell; /* in the shape's order */
    uint32_t code;
};

static int
compare_labellings(const void *a, const void *b)
{
    const struct labelling *x = a, *y = b;

    return (x->code > y->code) - (x->code < y->code);
}

/* One labelling for each code. */
static unsigned
label_shape(struct labelling *to, const struct sepx_nb101_cell *shape)
{
    unsigned count = 1, kept = 1;

    for (unsigned i = 2; i < shape->nodes; i++)
        count *= 3;
    for (unsigned k = 0; k < count; k++) {
        struct sepx_nb101_cell cell = *shape;

        for (unsigned i = 1, rest = k; rest; i++, rest /= 3)
            cell.op[i] = (uint8_t)(rest % 3);
        to[k].cell = cell;
        sepx_nb101_cell_canon(&cell);
        to[k].code = sepx_nb101_cell_code(&cell);
    }
    qsort(to, count, sizeof(*to), compare_labellings);
    for (unsigned k = 1; k < count; k++)
        if (to[k].code != to[k - 1].code)
            to[kept++] = to[k];
    return kept;
}

struct task {
    const struct sepx_nb101_cell *shape;
    struct entry *entry; /* LABELLINGS for each shape */
    uint32_t *count;
    size_t shapes;
    struct follow *follow;
};

static SEPX_CHECKED enum sepx_err
tell_shape(const struct task *task)
{
    struct follow *follow = task->follow;
    enum sepx_err err;

    pthread_mutex_lock(&follow->lock);
    err = tell(follow,
               LISTING + (ALL - LISTING) * follow->shapes++ / task->shapes);
    pthread_mutex_unlock(&follow->lock);
    return err;
}

static enum sepx_err
expand_shape(void *context, unsigned worker, size_t index)
{
    const struct task *task = context;
    struct entry *entry = task->entry + index * LABELLINGS;
    struct labelling made[LABELLINGS];
    unsigned count = label_shape(made, &task->shape[index]);

    (void)worker;
    for (unsigned k = 0; k < count; k += SEPX__MD5_LANES) {
        struct sepx_nb101_cell cell[SEPX__MD5_LANES];
        unsigned char hash[SEPX__MD5_LANES][16];
        unsigned n = 0;

        for (; n < SEPX__MD5_LANES && k + n < count; n++)
            cell[n] = made[k + n].cell;
        sepx__nb101_hashes(hash, cell, n);
        for (unsigned i = 0; i < n; i++) {
            memcpy(entry[k + i].hash, hash[i], sizeof(hash[i]));
            entry[k + i].code = made[k + i].code;
        }
    }
    task->count[index] = count;
    return tell_shape(task);
}

/* ---- the list ---- */

static int
compare_hashes(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return memcmp(x->hash, y->hash, sizeof(x->hash));
}

/* Rows that a shape leaves open are closed up. */
static uint32_t
close_up(struct entry *entry, const uint32_t *count, size_t shapes)
{
    uint32_t n = 0;

    for (size_t i = 0; i < shapes; i++) {
        memmove(entry + n, entry + i * LABELLINGS, count[i] * sizeof(*entry));
        n += count[i];
    }
    return n;
}

static int
compare_codes(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void
sort_codes(struct sepx_nb101_cells *cells, uint64_t *room)
{
    for (uint32_t i = 0; i < cells->n; i++)
        room[i] = (uint64_t)cells->code[i] << 32 | i;
    qsort(room, cells->n, sizeof(*room), compare_codes);
    for (uint32_t i = 0; i < cells->n; i++) {
        cells->sorted[i] = (uint32_t)(room[i] >> 32);
        cells->row[i] = (uint32_t)room[i];
    }
}

static void
fill(struct sepx_nb101_cells *cells, struct entry *entry)
{
    qsort(entry, cells->n, sizeof(*entry), compare_hashes);
    for (uint32_t i = 0; i < cells->n; i++) {
        memcpy(cells->hash[i], entry[i].hash, sizeof(*cells->hash));
        cells->code[i] = entry[i].code;
        cells->count[entry[i].code >> 29]++;
    }
    cells->count[0] = cells->n;
}

/* All memory is had before the work begins. */
static enum sepx_err
expand(struct sepx_nb101_cells *cells, const struct shapes *shapes,
       unsigned threads, struct follow *follow)
{
    struct task task = {
        .shape = shapes->at,
        .shapes = shapes->n,
        .follow = follow,
        .entry = sepx__calloc(shapes->n * LABELLINGS, sizeof(*task.entry)),
        .count = sepx__calloc(shapes->n, sizeof(*task.count))};
    uint64_t *room = sepx__calloc(cells->n, sizeof(*room));
    enum sepx_err err =
        task.entry && task.count && room ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx_parallel(threads, shapes->n, expand_shape, &task);
    if (err)
        goto done;
    cells->n = close_up(task.entry, task.count, shapes->n);
    fill(cells, task.entry);
    sort_codes(cells, room);
done:
    sepx__free(task.entry);
    sepx__free(task.count);
    sepx__free(room);
    return err;
}

static struct sepx_nb101_cells *
make_room(void)
{
    struct sepx_nb101_cells *cells = sepx__calloc(1, sizeof(*cells));
    size_t n = SEPX_NB101_CELLS;

    if (!cells)
        return NULL;
    cells->n = SEPX_NB101_CELLS;
    cells->hash = sepx__calloc(n, sizeof(*cells->hash));
    cells->code = sepx__calloc(n, sizeof(*cells->code));
    cells->sorted = sepx__calloc(n, sizeof(*cells->sorted));
    cells->row = sepx__calloc(n, sizeof(*cells->row));
    if (cells->hash && cells->code && cells->sorted && cells->row)
        return cells;
    sepx_nb101_cells_free(cells);
    return NULL;
}

enum sepx_err
sepx_nb101_cells_new(struct sepx_nb101_cells **cells, unsigned threads,
                     bool (*progress)(void *context, size_t done, size_t total),
                     void *context)
{
    struct follow follow = {.progress = progress, .context = context};
    struct shapes shapes = {0};
    enum sepx_err err;

    *cells = NULL;
    if (pthread_mutex_init(&follow.lock, NULL))
        return SEPX_ENOMEM;
    *cells = make_room();
    err = *cells ? list_shapes(&shapes, &follow) : SEPX_ENOMEM;
    if (!err)
        err = expand(*cells, &shapes, threads, &follow);
    pthread_mutex_destroy(&follow.lock);
    if (err) {
        sepx_nb101_cells_free(*cells);
        *cells = NULL;
    }
    sepx__free(shapes.at);
    return err;
}

void
sepx_nb101_cells_free(struct sepx_nb101_cells *cells)
{
    if (!cells)
        return;
    sepx__free(cells->hash);
    sepx__free(cells->code);
    sepx__free(cells->sorted);
    sepx__free(cells->row);
    sepx__free(cells);
}

/* ---- reading it ---- */

uint32_t
sepx_nb101_cells_count(const struct sepx_nb101_cells *cells, unsigned nodes)
{
    return nodes <= NODES ? cells->count[nodes] : 0;
}

void
sepx_nb101_cells_get(const struct sepx_nb101_cells *cells,
                     struct sepx_nb101_cell *cell, uint32_t row)
{
    (void)sepx_nb101_cell_decode(cell, cells->code[row]);
}

const unsigned char *
sepx_nb101_cells_hash(const struct sepx_nb101_cells *cells, uint32_t row)
{
    return cells->hash[row];
}

int32_t
sepx_nb101_cells_find(const struct sepx_nb101_cells *cells,
                      const struct sepx_nb101_cell *cell)
{
    size_t at;

    if (!sepx__find_u32(cells->sorted, cells->n, sepx_nb101_cell_code(cell),
                        &at))
        return -1;
    return (int32_t)cells->row[at];
}

static int
compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 16);
}

int32_t
sepx_nb101_cells_find_hash(const struct sepx_nb101_cells *cells,
                           const unsigned char hash[16])
{
    const unsigned char(*found)[16] =
        bsearch(hash, cells->hash, cells->n, sizeof(*found), compare_bytes);

    return found ? (int32_t)(found - (const unsigned char(*)[16])cells->hash)
                 : -1;
}

enum sepx_err
sepx_nb101_cells_row(const struct sepx_nb101_cells *cells, uint32_t *row,
                     const struct sepx_space *space,
                     const struct sepx_graph *graph, struct sepx_msg *msg)
{
    struct sepx_nb101_cell cell;
    enum sepx_err err = sepx_nb101_cell_of(&cell, space, graph, msg);
    int32_t found;

    if (err)
        return err;
    found = sepx_nb101_cells_find(cells, &cell);
    if (found < 0)
        return sepx_fail(msg, SEPX_ENOTFOUND, "not a cell of the benchmark");
    *row = (uint32_t)found;
    return SEPX_OK;
}
