/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of `sepx bench ged`, for people and as JSON. */
#include "bench_ged_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the machine ---- */

static void
find_processor(char *name, size_t room)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    snprintf(name, room, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(name, room, "%s", colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* ---- text ---- */

/* A time with a unit, three digits. */
static void
print_time(struct out *out, int width, double seconds, const char *before)
{
    static const struct {
        double size;
        const char *name;
    } unit[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    char text[32] = "-";
    size_t i = 0;

    while (i < 3 && seconds < unit[i].size)
        i++;
    if (!isnan(seconds))
        snprintf(text, sizeof text, "%s%.3g %s", before, seconds / unit[i].size,
                 unit[i].name);
    out_print(out, "  %*s", width, text);
}

/* Three digits, with commas: 1,230,000. */
static void
format_ratio(char text[32], double ratio)
{
    double step = pow(10, floor(log10(ratio)) - 2);
    uint64_t whole = (uint64_t)(round(ratio / step) * step);
    uint64_t millions = whole / 1000000, thousands = whole / 1000 % 1000;

    if (millions)
        snprintf(text, 32, "%" PRIu64 ",%03" PRIu64 ",%03" PRIu64 " x",
                 millions, thousands, whole % 1000);
    else if (thousands)
        snprintf(text, 32, "%" PRIu64 ",%03" PRIu64 " x", thousands,
                 whole % 1000);
    else
        snprintf(text, 32, "%.3g x", ratio);
}

static void
print_ratio(struct out *out, int width, double slow, double fast, bool least)
{
    char number[32] = "-", text[40];

    if (!isnan(slow))
        format_ratio(number, slow / fast);
    snprintf(text, sizeof text, "%s%s", least ? "> " : "", number);
    out_print(out, "  %*s", width, text);
}

static void
print_distances(struct out *out, const struct distance_table *table)
{
    out_print(out, "\n%s\nGED  %10s  %10s  %12s  %10s  %13s  %8s  %7s\n",
              table->title, "sepx batch", "sepx one", "without SIMD",
              "networkx", "ratio", "BMao (*)", "ratio");
    for (unsigned i = 0; i < table->most; i++) {
        const struct distance_row *row = &table->row[i];

        out_print(out, "%3u", row->distance);
        print_time(out, 10, row->batch, "");
        print_time(out, 10, row->run, "");
        print_time(out, 12, row->plain, "");
        print_time(out, 10, row->networkx, row->timed_out ? "> " : "");
        print_ratio(out, 13, row->networkx, row->run, row->timed_out);
        print_time(out, 8, row->reported, "");
        print_ratio(out, 7, row->reported, row->run, false);
        out_print(out, "\n");
    }
    out_print(out, "Unrelated pairs in one stream:\n   ");
    print_time(out, 10, table->mixed, "");
    out_print(out, "  in a batch, ends pinned, graphs prepared\n   ");
    print_time(out, 10, table->free, "");
    out_print(out, "  the same, nothing pinned\n   ");
    print_time(out, 10, table->single, "");
    out_print(out, "  ends pinned, graphs new, a call for each pair\n");
}

static void
print_sizes(struct out *out, const struct size_table *table)
{
    out_print(out, "\n%s\nnodes  exact    median   slowest      bounds\n",
              table->title);
    for (size_t i = 0; table->sizes[i]; i++) {
        const struct size_row *row = &table->row[i];

        out_print(out, "%5u  %2u/%-2u", row->nodes, row->solved, row->pairs);
        print_time(out, 8, row->seconds, "");
        print_time(out, 8, row->slowest, "");
        out_print(out, "  %4.4g..%.4g\n", row->lower, row->upper);
    }
}

void
ged_report_text(struct bench *bench)
{
    struct out *out = &bench->out;
    char processor[128];

    find_processor(processor, sizeof processor);
    out_print(out,
              "sepx %s, exact graph edit distance; seed %lld\n"
              "machine: %s, %u processors\ncompiler: %s\nflags: %s\npeer: %s\n",
              SEPX_VERSION, (long long)bench->settings->seed, processor,
              sepx_processors(), SEPX_COMPILER, SEPX_FLAGS,
              bench->networkx.answer ? bench->networkx.version
                                     : "networkx was not measured");
    print_distances(out, &bench->distance[0]);
    print_distances(out, &bench->distance[1]);
    out_print(out, "(*) AStar+-BMao, the best open exact peer: reported on "
                   "another machine\n    (2 cores, x86-64 with AVX2), not "
                   "measured here. Ratios are to 'sepx one'.\n");
    if (bench->disagree)
        out_print(out, "networkx has another distance on %u pairs.\n",
                  bench->disagree);
    print_sizes(out, &bench->size[0]);
    print_sizes(out, &bench->size[1]);
    ged_real_print(bench, out);
}

/* ---- JSON ---- */

static void
put_distances(struct sepx_json_writer *w, const struct distance_table *table)
{
    const struct {
        const char *name;
        double seconds;
    } streams[] = {{"mixed_batch_us", table->mixed},
                   {"free_batch_us", table->free},
                   {"single_us", table->single}};

    for (int i = 0; i < 3; i++) {
        char key[48];

        snprintf(key, sizeof key, "%s_%s", table->key, streams[i].name);
        sepx_json_add_number(w, key, streams[i].seconds * 1e6);
    }
    sepx_json_key(w, table->key);
    sepx_json_open(w, '[');
    for (unsigned i = 0; i < table->most; i++) {
        const struct distance_row *row = &table->row[i];

        sepx_json_open(w, '{');
        sepx_json_add_number(w, "ged", row->distance);
        sepx_json_add_number(w, "batch_us", row->batch * 1e6);
        sepx_json_add_number(w, "run_us", row->run * 1e6);
        sepx_json_add_number(w, "plain_us", row->plain * 1e6);
        sepx_json_add_number(w, "networkx_us", row->networkx * 1e6);
        sepx_json_add_bool(w, "networkx_timed_out", row->timed_out);
        sepx_json_add_number(w, "bmao_reported_us", row->reported * 1e6);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

static void
put_sizes(struct sepx_json_writer *w, const struct size_table *table)
{
    sepx_json_key(w, table->key);
    sepx_json_open(w, '[');
    for (size_t i = 0; table->sizes[i]; i++) {
        const struct size_row *row = &table->row[i];

        sepx_json_open(w, '{');
        sepx_json_add_number(w, "nodes", row->nodes);
        sepx_json_add_number(w, "pairs", row->pairs);
        sepx_json_add_number(w, "exact", row->solved);
        sepx_json_add_number(w, "median_us", row->seconds * 1e6);
        sepx_json_add_number(w, "slowest_us", row->slowest * 1e6);
        sepx_json_add_number(w, "lower", row->lower);
        sepx_json_add_number(w, "upper", row->upper);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

void
ged_report_json(struct bench *bench)
{
    struct sepx_json_writer w;
    char processor[128];

    find_processor(processor, sizeof processor);
    sepx_json_begin(&w, &bench->out.text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "benchmark", "ged");
    sepx_json_add_string(&w, "version", SEPX_VERSION);
    sepx_json_add_number(&w, "seed", (double)bench->settings->seed);
    sepx_json_add_string(&w, "machine", processor);
    sepx_json_add_number(&w, "processors", sepx_processors());
    sepx_json_add_string(&w, "compiler", SEPX_COMPILER);
    sepx_json_add_string(&w, "flags", SEPX_FLAGS);
    sepx_json_add_string(
        &w, "peer", bench->networkx.answer ? bench->networkx.version : NULL);
    sepx_json_add_number(&w, "networkx_disagrees", bench->disagree);
    for (int i = 0; i < 2; i++)
        put_distances(&w, &bench->distance[i]);
    for (int i = 0; i < 2; i++)
        put_sizes(&w, &bench->size[i]);
    ged_real_json(bench, &w);
    sepx_json_close(&w, '}');
    if (!bench->out.err)
        bench->out.err = sepx_json_done(&w);
    out_print(&bench->out, "\n");
}
