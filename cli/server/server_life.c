/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a server runs, and what one that was killed left behind. Its file
 * postmaster.pid has the number of its process, which may be that of another
 * program by now, and its shared memory, to which processes that have not
 * noticed yet are attached; a new server refuses to start beside them.
 */
#include "server/server_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <unistd.h>

#define PID_FILE "data/postmaster.pid"
#define LOG_FILE "server.log"

enum { PORT_LINE = 4, MEMORY_LINE = 7, READY_LINE = 8 };
enum { REMAINS_MS = 30000, LOOK_MS = 50, REASONS = 5 };

int
server_lock(const struct server *server)
{
    int fd = open("lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd >= 0 && flock(fd, LOCK_EX) == 0)
        return CLI_DONE;
    cli_say(server->command, "%s: cannot be locked: %s", server->folder,
            strerror(errno));
    return CLI_FAILED;
}

/* The last server, dead or alive. */
struct last {
    long process; /* -1: there was none */
    int memory;   /* -1: none yet */
    long port;
    bool ready; /* it said that it answers */
};

static struct last
read_last(void)
{
    struct last last = {.process = -1, .memory = -1};
    FILE *file = fopen(PID_FILE, "re");
    char line[PATH_MAX];

    for (int i = 1; file && fgets(line, sizeof line, file); i++) {
        const char *blank = strrchr(line, ' ');

        if (i == 1)
            last.process = strtol(line, NULL, 10);
        if (i == PORT_LINE)
            last.port = strtol(line, NULL, 10);
        if (i == MEMORY_LINE && blank)
            last.memory = (int)strtol(blank, NULL, 10);
        if (i == READY_LINE)
            last.ready = !strncmp(line, "ready", 5);
    }
    if (file)
        (void)fclose(file);
    return last;
}

/* Not one that has ended and that nobody has asked for its exit code. */
static bool
is_postgres(long process)
{
    char path[64], text[128] = "";
    const char *end;
    FILE *file;

    if (process <= 0 || (kill((pid_t)process, 0) != 0 && errno == ESRCH))
        return false;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", process);
    file = fopen(path, "re");
    if (!file)
        return true;
    if (!fgets(text, sizeof text, file))
        text[0] = '\0';
    (void)fclose(file);
    end = strrchr(text, ')');
    return end && strstr(text, "(postgres") && !strchr("ZX", end[2]);
}

bool
server_runs(const struct server *server)
{
    for (int waited = 0; waited < REMAINS_MS; waited += LOOK_MS) {
        struct last last = read_last();

        if (!is_postgres(last.process))
            return false;
        /* One that was just killed may look alive for a moment. */
        if (last.ready && server_answers(server, last.port))
            return true;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return true;
}

static bool
is_attached(int memory)
{
    struct shmid_ds about;

    return memory >= 0 && shmctl(memory, IPC_STAT, &about) == 0 &&
           about.shm_nattch > 0;
}

static void
bury(void)
{
    const struct last last = read_last();

    if (last.process <= 0)
        return;
    for (int waited = 0; is_attached(last.memory); waited += LOOK_MS) {
        if (waited >= REMAINS_MS)
            return;
        (void)poll(NULL, 0, LOOK_MS);
    }
    (void)unlink(PID_FILE);
}

/* What the server wrote to its log since then: why it ended. */
static void
say_reasons(const struct server *server, long from)
{
    FILE *file = fopen(LOG_FILE, "re");
    char line[512];
    int said = 0;

    if (!file)
        return;
    if (fseek(file, from, SEEK_SET) == 0) {
        while (said < REASONS && fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = '\0';
            if (strstr(line, "FATAL: ") || strstr(line, "could not ") ||
                strstr(line, "DETAIL: ") || strstr(line, "HINT: "))
                said++, cli_say(server->command, "%s", line);
        }
    }
    (void)fclose(file);
}

static long
log_size(void)
{
    FILE *file = fopen(LOG_FILE, "re");
    long size = 0;

    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file)
        (void)fclose(file);
    return size > 0 ? size : 0;
}

int
server_begin(const struct server *server)
{
    static const char *const words[] = {"-D",     "data", "-w",  "-s",    "-l",
                                        LOG_FILE, "-t",   "120", "start", NULL};
    long from = log_size();
    int status;

    bury();
    status = server_call(server, "pg_ctl", words, NULL);
    if (status)
        say_reasons(server, from);
    return status;
}
