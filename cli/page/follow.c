/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies in memory: about 120 bytes a trial, texts left in the store. Each
 * look reads from the first trial that was not told on, at most a window of
 * them. Retried trials lie before it, so a study that runs is read from its
 * beginning from time to time.
 */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RESCAN 30.0 /* seconds between two readings of all trials */
#define REOPEN 1.0  /* and between two looks at who writes */

/* ---- words ---- */

static enum sepx_err
word_of(struct page_words *words, uint32_t *number, const char *text)
{
    *number = PAGE_NO_WORD;
    if (!text)
        return SEPX_OK;
    for (uint32_t i = 0; i < words->count; i++) {
        if (!strcmp(words->at[i], text)) {
            *number = i;
            return SEPX_OK;
        }
    }
    if (words->count == words->room) {
        uint32_t room = words->room ? 2 * words->room : 8;
        void *more = realloc(words->at, room * sizeof *words->at);

        if (!more)
            return SEPX_ENOMEM;
        words->at = more;
        words->room = room;
    }
    words->at[words->count] = strdup(text);
    if (!words->at[words->count])
        return SEPX_ENOMEM;
    *number = words->count++;
    return SEPX_OK;
}

static void
words_release(struct page_words *words)
{
    for (uint32_t i = 0; i < words->count; i++)
        free(words->at[i]);
    free(words->at);
}

/* ---- trials ---- */

static enum sepx_err
make_room(struct page_study *study, size_t count)
{
    size_t room = study->room ? study->room : 256;
    void *more;

    if (count <= study->room)
        return SEPX_OK;
    while (room < count)
        room *= 2;
    more = realloc(study->trial, room * sizeof *study->trial);
    if (!more)
        return SEPX_ENOMEM;
    study->trial = more;
    if (study_has_goals(&study->s)) {
        more = realloc(study->number,
                       room * study->s.goals->names * sizeof *study->number);
        if (!more)
            return SEPX_ENOMEM;
        study->number = more;
    }
    study->room = room;
    return SEPX_OK;
}

/* NaN where there are none. */
static void
fill_numbers(struct page_study *study, struct page_trial *trial,
             const char *text)
{
    const struct sepx_goals *goals = study->s.goals;
    double *number =
        study->number + (size_t)(trial - study->trial) * goals->names;
    struct sepx_merit merit;

    trial->barred = false;
    if (sepx_study_numbers(goals, number, text))
        return;
    sepx_goals_merit(goals, &merit, number);
    trial->barred = merit.violation > 0;
}

static enum sepx_err
fill_told(struct page_study *study, struct page_trial *trial,
          const struct sepx_told *told)
{
    enum sepx_err err;

    trial->told = true;
    trial->value = study_value(&study->s, told->value);
    trial->test = study_value(&study->s, told->test);
    trial->cost = told->cost;
    trial->seconds = told->seconds;
    trial->finished = told->finished;
    trial->elapsed = told->elapsed;
    trial->cached = told->cached;
    trial->events = 2 + 2 * told->attempt;
    if (study_has_goals(&study->s))
        fill_numbers(study, trial, told->numbers);
    err = word_of(&study->outcomes, &trial->outcome, told->outcome);
    return err ? err : word_of(&study->slots, &trial->slot, told->slot);
}

/* A trial of a damaged file may be out of order: it is left out. */
static enum sepx_err
take_entry(struct page_study *study, const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;
    struct page_trial *trial;
    enum sepx_err err;

    if (!entry->is_asked || asked->trial > study->count)
        return SEPX_OK;
    err = make_room(study, (size_t)asked->trial + 1);
    if (err)
        return err;
    trial = &study->trial[asked->trial];
    *trial = (struct page_trial){.value = NAN,
                                 .test = NAN,
                                 .cost = NAN,
                                 .seconds = NAN,
                                 .finished = NAN,
                                 .elapsed = NAN,
                                 .parent = {asked->parent[0], asked->parent[1]},
                                 .cached = -1,
                                 .outcome = PAGE_NO_WORD,
                                 .slot = PAGE_NO_WORD,
                                 .events = 1};
    if (asked->trial == study->count)
        study->count++;
    if (study_has_goals(&study->s))
        fill_numbers(study, trial, NULL);
    err = word_of(&study->ops, &trial->op, asked->op);
    if (!err && entry->is_told)
        err = fill_told(study, trial, &entry->told);
    return err;
}

/* `count`: how many trials there were. */
static enum sepx_err
read_from(struct page_study *study, size_t first, size_t *count,
          struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = sepx_store_read(
        study->s.store, &cursor, SEPX_STORE_TRIALS, (uint32_t)first, msg);

    *count = 0;
    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        err = take_entry(study, &entry);
        (*count)++;
    }
    sepx_cursor_free(cursor);
    return err;
}

/* All sums anew: a loop over memory, whatever was read. */
static void
count_trials(struct page_study *study)
{
    study->told = study->failed = study->cached = 0;
    study->events = 0;
    study->settled = study->count;
    for (size_t i = 0; i < study->count; i++) {
        const struct page_trial *trial = &study->trial[i];

        study->events += trial->events;
        study->told += trial->told;
        study->cached += trial->told && trial->cached >= 0;
        study->failed += trial->told && isnan(trial->value);
        if (!trial->told && study->settled == study->count)
            study->settled = i;
    }
}

/*
 * A store says who wrote, and with which options, when it was opened. The
 * study keeps one of its own, for its settings; we read from this one.
 */
static void
use_log(struct page_study *study, struct sepx_store *log)
{
    sepx_store_close(study->log);
    study->s.store = study->log = log;
    study->running = sepx_store_writer(log) >= 0;
}

/* ---- opening ---- */

static void
find_file(const char *path, dev_t *device, ino_t *inode)
{
    struct stat at;
    const bool is_file = !study_is_url(path) && stat(path, &at) == 0;

    *device = is_file ? at.st_dev : 0;
    *inode = is_file ? at.st_ino : 0;
}

static bool
unless_interrupted(void *context, double lower, double upper)
{
    (void)context, (void)lower, (void)upper;
    return !interrupt_seen();
}

static void
study_release(struct page_study *study)
{
    family_close(&study->family);
    words_release(&study->ops);
    words_release(&study->outcomes);
    words_release(&study->slots);
    free(study->trial);
    free(study->number);
    sepx_text_release(&study->fault);
    sepx_text_release(&study->map);
    sepx_store_close(study->log);
    study_close(&study->s);
    *study = (struct page_study){0};
}

/* All of a study into `study`, which is {0} again after a failure. */
static enum sepx_err
study_load(struct page_study *study, const char *command, const char *path,
           struct sepx_msg *msg)
{
    struct sepx_store *log = NULL;
    size_t count;
    enum sepx_err err;

    *study = (struct page_study){
        .s = {.command = command, .path = path},
        .opened = sepx_clock(),
        .scanned = sepx_clock(),
    };
    find_file(path, &study->device, &study->inode);
    err = sepx_study_open(&study->s.study, path, false, msg);
    if (!err) {
        study_opened(&study->s);
        study->family.s = &study->s;
        study->family.watch = unless_interrupted;
        err = family_open(&study->family, msg);
    }
    if (!err)
        err = sepx_store_open(&log, path, false, msg);
    if (!err) {
        use_log(study, log);
        err = read_from(study, 0, &count, msg);
    }
    if (err) {
        study_release(study);
        return err;
    }
    count_trials(study);
    return SEPX_OK;
}

/* Whether the name leads to another study than the one that was loaded. */
static bool
is_replaced(const struct page_study *study, const struct sepx_store *log)
{
    dev_t device;
    ino_t inode;

    find_file(study->s.path, &device, &inode);
    return device != study->device || inode != study->inode ||
           strcmp(sepx_store_settings(log),
                  sepx_store_settings(sepx_study_store(study->s.study))) != 0;
}

/* ---- following ---- */

/* The lock is held. False: the study had this fault before. */
static bool
set_fault(struct page *page, struct page_study *study, enum sepx_err err,
          const struct sepx_msg *msg)
{
    const char *why = msg->text[0] ? msg->text : sepx_strerror(err);
    struct sepx_text text = {0};

    /* A URL may have a secret, which its message leaves out. */
    if (strstr(why, study->s.path) || study_is_url(study->s.path)
            ? sepx_text_print(&text, "%s", why)
            : sepx_text_print(&text, "%s: %s", study->s.path, why)) {
        sepx_text_release(&text);
        return false;
    }
    if (study->fault.len && !strcmp(study->fault.at, text.at)) {
        sepx_text_release(&text);
        return false;
    }
    sepx_text_release(&study->fault);
    study->fault = text;
    study->running = false;
    page->version++;
    pthread_cond_broadcast(&page->changed);
    return true;
}

static void
report_fault(struct page *page, struct page_study *study, enum sepx_err err,
             const struct sepx_msg *msg)
{
    if (set_fault(page, study, err, msg))
        cli_say(page->command, "%s", study->fault.at);
}

/*
 * Anew, without the lock while it is read. The old one stays as it is while a
 * map is made of it, and after a failure.
 */
static void
reload(struct page *page, struct page_study *study)
{
    struct page_study fresh, old;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    if (study->mapping)
        return;
    pthread_mutex_unlock(&page->lock);
    err = study_load(&fresh, page->command, study->s.path, &msg);
    pthread_mutex_lock(&page->lock);
    if (err) {
        report_fault(page, study, err, &msg);
    } else if (study->mapping) {
        study_release(&fresh);
    } else {
        old = *study;
        *study = fresh;
        study->family.s = &study->s;
        study_release(&old);
        page->version++;
        pthread_cond_broadcast(&page->changed);
    }
}

/*
 * The lock is held. `replaced`: the log lacks the last trial that was settled,
 * so it is another one.
 */
static enum sepx_err
read_news(struct page_study *study, bool all, bool *changed, bool *replaced,
          struct sepx_msg *msg)
{
    const uint64_t events = study->events;
    const size_t first = all || !study->settled ? 0 : study->settled - 1;
    size_t read;
    enum sepx_err err = read_from(study, first, &read, msg);

    if (all)
        study->scanned = sepx_clock();
    if (err)
        return err;
    *replaced = study->settled > 0 && read == 0;
    count_trials(study);
    *changed |= study->events != events;
    return SEPX_OK;
}

/* The lock is held, except while the store is opened. */
static void
study_follow(struct page *page, struct page_study *study)
{
    const bool due = sepx_clock() - study->opened > REOPEN;
    const bool running = study->running;
    bool changed = false, replaced = false, all;
    struct sepx_store *log = NULL;
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_OK;

    if (due)
        study->opened = sepx_clock();
    if (study->fault.len) {
        if (due)
            reload(page, study);
        return;
    }
    if (due) {
        pthread_mutex_unlock(&page->lock);
        err = sepx_store_open(&log, study->s.path, false, &msg);
        replaced = !err && is_replaced(study, log);
        pthread_mutex_lock(&page->lock);
    }
    if (log && !replaced) {
        use_log(study, log);
        changed = study->running != running;
    } else {
        sepx_store_close(log);
    }
    all =
        running && (!study->running || sepx_clock() - study->scanned > RESCAN);
    if (!err && !replaced)
        err = read_news(study, all, &changed, &replaced, &msg);
    if (err)
        report_fault(page, study, err, &msg);
    else if (replaced)
        reload(page, study);
    if (changed) {
        page->version++;
        pthread_cond_broadcast(&page->changed);
    }
}

void
page_follow(struct page *page)
{
    pthread_mutex_lock(&page->lock);
    for (size_t i = 0; i < page->count; i++)
        study_follow(page, &page->study[i]);
    pthread_mutex_unlock(&page->lock);
}

/* ---- the best ---- */

bool
page_better(const struct page_study *study, double a, double b)
{
    if (isnan(a) || isnan(b))
        return !isnan(a) && isnan(b);
    return study->s.maximize ? a > b : a < b;
}

double
page_score(const struct page_trial *trial)
{
    return trial->barred ? NAN : trial->value;
}

const struct page_trial *
page_best(const struct page_study *study)
{
    const struct page_trial *best = NULL;

    for (size_t i = 0; i < study->count; i++) {
        const struct page_trial *trial = &study->trial[i];

        if (!isnan(page_score(trial)) &&
            (!best || page_better(study, trial->value, best->value)))
            best = trial;
    }
    return best;
}

enum sepx_err
page_front(const struct page_study *study, size_t **trial, size_t *count)
{
    const struct sepx_goals *goals = study->s.goals;
    struct sepx_merit *merit = calloc(study->count + 1, sizeof *merit);
    size_t *of = calloc(study->count + 1, sizeof *of);
    size_t n = 0;

    *count = 0;
    *trial = calloc(study->count + 1, sizeof **trial);
    if (!merit || !of || !*trial) {
        free(merit);
        free(of);
        free(*trial);
        *trial = NULL;
        return SEPX_ENOMEM;
    }
    for (size_t i = 0; i < study->count && study->number; i++) {
        if (isnan(study->trial[i].value) || study->trial[i].cached >= 0)
            continue;
        sepx_goals_merit(goals, &merit[n], study->number + i * goals->names);
        of[n++] = i;
    }
    *count = sepx_front_find(*trial, merit, n);
    for (size_t i = 0; i < *count; i++)
        (*trial)[i] = of[(*trial)[i]];
    free(merit);
    free(of);
    return SEPX_OK;
}

struct ranked {
    double value; /* smaller is better */
    uint32_t trial;
    uint8_t tier; /* 0: on the front of several objectives, 2: barred */
};

static int
by_value(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->tier != b->tier)
        return a->tier < b->tier ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->trial > b->trial) - (a->trial < b->trial);
}

/* Of `n` ranked trials, those on the front go to the first tier. */
static enum sepx_err
raise_front(const struct page_study *study, struct ranked *ranked, size_t n)
{
    size_t *front = NULL, count = 0;
    bool *on = calloc(study->count + 1, sizeof *on);
    enum sepx_err err = on ? page_front(study, &front, &count) : SEPX_ENOMEM;

    for (size_t i = 0; i < count; i++)
        on[front[i]] = true;
    for (size_t i = 0; i < n && !err; i++) {
        if (on[ranked[i].trial])
            ranked[i].tier = 0;
    }
    free(front);
    free(on);
    return err;
}

enum sepx_err
page_rank(const struct page_study *study, uint32_t **trial, size_t *count)
{
    struct ranked *ranked = malloc((study->count + 1) * sizeof *ranked);
    enum sepx_err err = SEPX_OK;
    size_t n = 0;

    *count = 0;
    *trial = malloc((study->count + 1) * sizeof **trial);
    if (!ranked || !*trial)
        err = SEPX_ENOMEM;
    for (size_t i = 0; i < study->count && !err; i++) {
        const struct page_trial *at = &study->trial[i];

        if (at->cached < 0 && !isnan(at->value))
            ranked[n++] = (struct ranked){study_value(&study->s, at->value),
                                          (uint32_t)i, at->barred ? 2 : 1};
    }
    if (!err && study->s.goals->objectives > 1)
        err = raise_front(study, ranked, n);
    if (err) {
        free(ranked);
        free(*trial);
        *trial = NULL;
        return err;
    }
    qsort(ranked, n, sizeof *ranked, by_value);
    for (size_t i = 0; i < n; i++)
        (*trial)[i] = ranked[i].trial;
    *count = n;
    free(ranked);
    return SEPX_OK;
}

int
page_open(struct page *page, const char *command, char *const *path,
          size_t count, bool all)
{
    int status = CLI_DONE;
    size_t readable = 0;

    *page = (struct page){.command = command, .version = 1};
    pthread_mutex_init(&page->lock, NULL);
    pthread_cond_init(&page->changed, NULL);
    page->study = calloc(count + 1, sizeof *page->study);
    if (!page->study)
        return cli_fail(command, SEPX_ENOMEM, NULL);
    for (size_t i = 0; i < count; i++) {
        struct page_study *study = &page->study[page->count++];
        struct sepx_msg msg = {0};
        enum sepx_err err = study_load(study, command, path[i], &msg);

        readable += !err;
        if (!err)
            continue;
        status = cli_fail(command, err, &msg);
        if (all || sepx_store_check_name(path[i], NULL))
            return status;
        study->s = (struct study){.command = command, .path = path[i]};
        (void)set_fault(page, study, err, &msg);
    }
    return readable ? CLI_DONE : status;
}

void
page_close(struct page *page)
{
    for (size_t i = 0; i < page->count; i++)
        study_release(&page->study[i]);
    free(page->study);
    pthread_cond_destroy(&page->changed);
    pthread_mutex_destroy(&page->lock);
}
