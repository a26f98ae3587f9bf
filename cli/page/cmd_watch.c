/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study watch: a live page of studies, in a browser. */
#include "page/server.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct settings {
    const char *listen;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"listen", 0, OPTION_TEXT, AT(listen), "ADDRESS", "127.0.0.1",
     .help = "where to serve: ADDRESS, ADDRESS:PORT, or unix:PATH; any free "
             "port unless given"},
    {0},
};

static const struct example examples[] = {
    {"study watch digits.study", "prints a URL to open, until Ctrl-C"},
    {"study watch a.study b.study c.study", "several, to be compared"},
    {"study watch --listen 127.0.0.1:8080 digits.study",
     "behind 'ssh -L 8080:127.0.0.1:8080 HOST' for a study elsewhere"},
    {0},
};
/* clang-format on */

#define LOOK_NS 250000000L /* between two looks at the log */

static void
warn_open(const struct server *server)
{
    if (server_is_open(server))
        cli_say("study watch",
                "other machines can reach this address, and the page is not "
                "encrypted; 'ssh -L' and 127.0.0.1 are safer (see 'sepx help "
                "study watch')");
    if (server_is_wildcard(server))
        cli_say("study watch",
                "on another machine, replace the address in the URL by the "
                "name of this one");
}

static void
follow_until_interrupt(struct page *page)
{
    const struct timespec nap = {.tv_nsec = LOOK_NS};

    while (!interrupt_seen()) {
        (void)nanosleep(&nap, NULL);
        page_follow(page);
    }
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct server *server = NULL;
    struct sepx_msg msg = {0};
    struct out out = {0};
    struct page page;
    int status =
        page_open(&page, "study watch", call->operand, call->n_operands, false);

    if (!status) {
        enum sepx_err err =
            server_start(&server, &page, settings->listen, &msg);

        if (err)
            status = cli_fail("study watch", err, &msg);
    }
    if (!status) {
        interrupt_catch();
        out_print(&out, "%s\n", server_url(server));
        status = out_flush(&out);
        warn_open(server);
    }
    if (!status)
        follow_until_interrupt(&page);
    server_stop(server);
    page_close(&page);
    out_release(&out);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY...", NULL};

const struct command command_study_watch = {
    .name = "study watch",
    .group = GROUP_STUDIES,
    .summary = "show studies on a live page in a browser",
    COMMAND_PARTS,
    .about =
        "Serves a page of one or several studies on this machine and prints "
        "its URL first; open it in a browser. The page follows studies that "
        "run: history, front, gallery, lineage, a map by edit distances, "
        "operators, trials, workers, and a comparison of several studies. "
        "Ctrl-C ends it with exit code 0; studies are only read. A study that "
        "cannot be read is named with the reason, on the page and on standard "
        "error; the others are still shown, and so is that one when it can be "
        "read again.\n\n"
        "The URL has a token that the browser keeps in a cookie; without it "
        "nothing is shown. The address is 127.0.0.1 unless --listen says "
        "otherwise. For a study on another machine, run this there and 'ssh -L "
        "8080:127.0.0.1:8080 HOST' here: the connection is then encrypted. The "
        "local port may be any; replace the one in the URL by it. At one "
        "address the server answers only requests for it, localhost, "
        "127.0.0.1 and [::1]; at 0.0.0.0 or [::], requests for any name. "
        "unix:PATH serves on a socket that only its owner may use.",
    .least_operands = 1,
    .most_operands = 64,
    .settings_size = sizeof(struct settings),
};
