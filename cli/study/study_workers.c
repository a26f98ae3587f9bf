/* SPDX-License-Identifier: Apache-2.0 */
/* The workers of a study on a server, as `status` shows them. */
#include "study/study_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40, HOSTS = 64, NAME_ROOM = 64 };

/* What one host did, all its workers together. */
struct host {
    char name[NAME_ROOM];
    int64_t told, failed;
};

struct table {
    struct out *out;
    struct sepx_json_writer *w; /* NULL: for a person */
    int64_t last;               /* worker of the row before */
    uint32_t live, late, left, rows;
    bool failed;
    double worked, waited;
    struct host host[HOSTS];
    size_t n_hosts;
};

static struct host *
host_of(struct table *table, const char *name)
{
    for (size_t i = 0; i < table->n_hosts; i++) {
        if (!strncmp(table->host[i].name, name, sizeof table->host->name - 1))
            return &table->host[i];
    }
    if (table->n_hosts == HOSTS)
        return NULL;
    (void)snprintf(table->host[table->n_hosts].name, sizeof table->host->name,
                   "%s", name);
    return &table->host[table->n_hosts++];
}

/* Whoever may write to the database chose the name: it stays in its line. */
static const char *
one_line(char text[NAME_ROOM], const char *name)
{
    (void)snprintf(text, NAME_ROOM, "%s", name);
    for (char *at = text; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    }
    return text;
}

/* Once for each worker, however many trials it has. */
static void
count(struct table *table, const struct sepx_store_worker *worker)
{
    struct host *host = host_of(table, worker->host);

    table->live += !worker->left && !worker->late;
    table->late += !worker->left && worker->late;
    table->left += worker->left;
    table->failed |= worker->failed > 0;
    table->worked += worker->worked;
    table->waited += worker->waited;
    if (host) {
        host->told += worker->told;
        host->failed += worker->failed;
    }
}

static void
print_row(struct table *table, const struct sepx_store_worker *worker)
{
    struct out *out = table->out;
    char host[NAME_ROOM], slot[NAME_ROOM];

    if (worker->left || ++table->rows > SHOWN)
        return;
    if (table->rows == 1)
        out_print(out, "\n%-20s %-10s %8s %10s  %s\n", "worker", "slot",
                  "trial", "since", "last sign of life");
    out_print(out, "%-20s %-10s ", one_line(host, worker->host),
              one_line(slot, worker->slot ? worker->slot : "-"));
    if (worker->trial < 0)
        out_print(out, "%8s %10s", "-", "-");
    else
        out_print(out, "%8lld %8.0f s", (long long)worker->trial,
                  worker->seconds);
    out_print(out, "  %.0f s ago%s\n", worker->seen,
              worker->late ? ", not heard any more" : "");
}

static void
put_row(struct sepx_json_writer *w, const struct sepx_store_worker *worker)
{
    sepx_json_open(w, '{');
    sepx_json_key(w, "host");
    sepx_json_put_string(w, worker->host);
    sepx_json_key(w, "pid");
    sepx_json_put_integer(w, worker->pid);
    sepx_json_key(w, "state");
    sepx_json_put_string(w, worker->left   ? "left"
                            : worker->late ? "late"
                                           : "live");
    sepx_json_key(w, "slot");
    if (worker->slot)
        sepx_json_put_string(w, worker->slot);
    else
        sepx_json_put_null(w);
    sepx_json_key(w, "trial");
    if (worker->trial < 0)
        sepx_json_put_null(w);
    else
        sepx_json_put_integer(w, worker->trial);
    sepx_json_key(w, "seconds");
    sepx_json_put_number(w, worker->seconds);
    sepx_json_key(w, "seen");
    sepx_json_put_number(w, worker->seen);
    sepx_json_key(w, "told");
    sepx_json_put_integer(w, worker->told);
    sepx_json_key(w, "failed");
    sepx_json_put_integer(w, worker->failed);
    sepx_json_close(w, '}');
}

static void
take(void *context, const struct sepx_store_worker *worker)
{
    struct table *table = context;

    if (worker->id != table->last)
        count(table, worker);
    table->last = worker->id;
    if (table->w)
        put_row(table->w, worker);
    else
        print_row(table, worker);
}

static double
waiting(const struct table *table)
{
    double all = table->worked + table->waited;

    return all > 0 ? table->waited / all : 0;
}

/* Of the whole study, while at least one worker was at work. */
static double
hourly(const struct sepx_study_summary *sum)
{
    uint32_t evaluated = sum->told - sum->cached - sum->imported;

    return sum->elapsed > 0 ? 3600 * evaluated / sum->elapsed : 0;
}

static void
print_totals(struct out *out, const struct table *table,
             const struct sepx_study_summary *sum)
{
    char name[NAME_ROOM];

    if (table->rows > SHOWN)
        out_print(out, "and %u more\n", table->rows - SHOWN);
    out_print(out, "\nworkers   %u live, ", table->live);
    if (table->late)
        out_print(out, "%u not heard any more, ", table->late);
    out_print(out, "%u left; waiting %.0f %% of their time", table->left,
              100 * waiting(table));
    if (hourly(sum) > 0)
        out_print(out, "; %.*f results an hour", hourly(sum) < 10, hourly(sum));
    out_print(out, "\n");
    for (size_t i = 0; i < table->n_hosts && table->failed; i++) {
        const struct host *host = &table->host[i];

        if (host->failed)
            out_print(out, "failures  %s: %lld; results told: %lld\n",
                      one_line(name, host->name), (long long)host->failed,
                      (long long)host->told);
    }
}

/* *table is NULL, without an error, if only one process can work. */
static enum sepx_err
table_new(struct table **table, const struct study *s)
{
    *table = NULL;
    if (!sepx_store_shared(s->store))
        return SEPX_OK;
    *table = calloc(1, sizeof **table);
    if (!*table)
        return SEPX_ENOMEM;
    (*table)->last = -1;
    return SEPX_OK;
}

enum sepx_err
study_print_workers(struct out *out, const struct study *s,
                    const struct sepx_study_summary *sum, struct sepx_msg *msg)
{
    struct table *table;
    enum sepx_err err = table_new(&table, s);

    if (!table)
        return err;
    table->out = out;
    err = sepx_store_workers(s->store, take, table, msg);
    if (!err)
        print_totals(out, table, sum);
    free(table);
    return err;
}

enum sepx_err
study_put_workers(struct sepx_json_writer *w, const struct study *s,
                  const struct sepx_study_summary *sum, struct sepx_msg *msg)
{
    struct table *table;
    enum sepx_err err = table_new(&table, s);

    if (!table)
        return err;
    table->w = w;
    sepx_json_key(w, "workers");
    sepx_json_open(w, '[');
    err = sepx_store_workers(s->store, take, table, msg);
    sepx_json_close(w, ']');
    sepx_json_key(w, "waiting");
    sepx_json_put_number(w, waiting(table));
    sepx_json_add_number(w, "hourly", hourly(sum));
    free(table);
    return err;
}
