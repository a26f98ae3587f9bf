/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /proc/PID/task/TID/children lists the children of each thread: one small
 * read, however many processes the machine has. A kernel without
 * CONFIG_PROC_CHILDREN shows none.
 */
#include "program/process_tree.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program/entries.h"

struct list {
    pid_t *pid;
    size_t count, most;
};

static void
list_add(struct list *list, long pid)
{
    if (pid > 0 && list->count < list->most)
        list->pid[list->count++] = (pid_t)pid;
}

/* Numbers apart by blanks; one may be cut by the end of a piece. */
static void
add_numbers(struct list *list, int fd)
{
    char piece[1024];
    long number = 0;
    ssize_t n;

    while ((n = read(fd, piece, sizeof piece)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (piece[i] >= '0' && piece[i] <= '9') {
                number = number * 10 + (piece[i] - '0');
                continue;
            }
            list_add(list, number);
            number = 0;
        }
    }
    list_add(list, number);
}

static void
add_children_of(struct list *list, pid_t pid, const char *task)
{
    char path[320];
    int fd;

    snprintf(path, sizeof path, "/proc/%ld/task/%s/children", (long)pid, task);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    add_numbers(list, fd);
    close(fd);
}

static void
add_children(struct list *list, pid_t pid)
{
    struct sepx__entries tasks = {0};
    const char *task;
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    tasks.folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (tasks.folder < 0)
        return;
    while ((task = sepx__entries_next(&tasks)) != NULL)
        add_children_of(list, pid, task);
    close(tasks.folder);
}

size_t
sepx__tree_list(pid_t root, pid_t *pids, size_t most)
{
    struct list list = {pids, 0, most};

    add_children(&list, root);
    for (size_t i = 0; i < list.count; i++)
        add_children(&list, list.pid[i]);
    return list.count;
}

/* What a file of /proc/PID holds; false if the process is gone. */
static bool
read_proc(char *text, size_t size, pid_t pid, const char *file)
{
    char path[64];
    ssize_t n = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    n = read(fd, text, size - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static uint64_t
resident(pid_t pid)
{
    char text[256];
    unsigned long long pages;

    if (!read_proc(text, sizeof text, pid, "statm") ||
        sscanf(text, "%*u %llu", &pages) != 1)
        return 0;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t
kilobytes(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? strtoull(at + strlen(name), NULL, 10) * 1024 : 0;
}

/* Shared pages divided among those who share them; slower to ask for. */
static uint64_t
proportional(pid_t pid)
{
    char text[2048];

    if (!read_proc(text, sizeof text, pid, "smaps_rollup"))
        return resident(pid);
    return kilobytes(text, "\nPss:") + kilobytes(text, "\nSwapPss:");
}

uint64_t
sepx__tree_memory(const pid_t *pids, size_t count, uint64_t limit)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += resident(pids[i]);
    if (sum <= limit)
        return sum;
    sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += proportional(pids[i]);
    return sum;
}
