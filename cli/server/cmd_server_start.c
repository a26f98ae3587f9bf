/* SPDX-License-Identifier: Apache-2.0 */
/* sepx server start: PostgreSQL in a folder, for studies. */
#include "server/server_folder.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct settings {
    struct word_list listen;
    int64_t port, connections;
    const char *certificate, *key;
    bool json;
};

#define AT(member) offsetof(struct settings, member)
#define NEW_DATA "data.new"

enum {
    PORT_FIRST = 5432,
    PORT_TRIES = 200,
    STARTS = 5,
    CONNECTIONS = 200,
    PASSWORD = 40
};

/* clang-format off */
static const struct option options[] = {
    {"listen", 0, OPTION_LIST, AT(listen), "ADDRESSES",
     .help = "addresses to listen on for other machines, such as "
             "192.168.1.7; this machine only unless given"},
    {"port", 0, OPTION_COUNT, AT(port), "N", NULL, 1, 65535,
     .help = "port to listen on; unless given, that of the last start, or a "
             "free one from 5432 on"},
    {"connections", 0, OPTION_COUNT, AT(connections), "N", NULL, 8, 20000,
     .help = "most workers and readers at once; 200 unless given"},
    {"certificate", 0, OPTION_FILE, AT(certificate), "FILE",
     .help = "encrypt with TLS: the certificate; other machines must"},
    {"key", 0, OPTION_FILE, AT(key), "FILE", .help = "its key"},
    {0},
};

static const struct example examples[] = {
    {"server start studies", "for this machine; prints the URL of its studies"},
    {"server start studies --listen 192.168.1.7 --certificate c.pem --key "
     "k.pem", "for a lab"},
    {0},
};
/* clang-format on */

/* ---- a new one ---- */

/* Letters and digits from the system's generator; false: there is none. */
static bool
draw_password(char *text)
{
    static const char letters[] = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUV"
                                  "WXYZ23456789";
    unsigned char byte[PASSWORD];
    FILE *file = fopen("/dev/urandom", "re");
    bool done = file && fread(byte, 1, PASSWORD, file) == PASSWORD;

    if (file)
        (void)fclose(file);
    for (size_t i = 0; done && i < PASSWORD; i++)
        text[i] = letters[byte[i] % (sizeof letters - 1)];
    text[PASSWORD] = '\0';
    return done;
}

static int
make_password(const struct server *server, char password[PASSWORD + 1])
{
    if (draw_password(password))
        return CLI_DONE;
    cli_say(server->command, "/dev/urandom gives no random numbers");
    return CLI_FAILED;
}

/* The password of a role, in a file as libpq wants it. */
static int
keep_password(const struct server *server, const char *role,
              const char *password)
{
    char name[32], line[PASSWORD + 32];

    (void)snprintf(name, sizeof name, "%s.pgpass", role);
    (void)snprintf(line, sizeof line, "*:*:*:%s:%s\n",
                   strcmp(role, "owner") != 0 ? role : "sepx", password);
    return server_write(server, name, line);
}

static int
fail_write(const struct server *server, const char *name)
{
    cli_say(server->command, "%s/%s: cannot be written: %s", server->folder,
            name, strerror(errno));
    return CLI_FAILED;
}

/* What a start left unfinished that was killed. */
static int
remove_half(const struct server *server)
{
    static const char *const argv[] = {"/bin/rm", "-rf", "--", NEW_DATA, NULL};
    const struct sepx_text nothing = {0};
    struct sepx_text output = {0};
    struct sepx_msg msg = {0};
    int status = CLI_DONE;
    enum sepx_err err = SEPX_OK;

    if (access(NEW_DATA, F_OK) == 0)
        err = child_run(argv, &nothing, &output, &status, &msg);
    sepx_text_release(&output);
    if (err)
        return cli_fail(server->command, err, &msg);
    return status ? fail_write(server, NEW_DATA) : CLI_DONE;
}

static int
include_settings(const struct server *server)
{
    FILE *file = fopen(NEW_DATA "/postgresql.conf", "ae");
    bool done = file && fputs("\ninclude_if_exists = 'sepx.conf'\n", file) >= 0;

    if (file)
        done = fclose(file) == 0 && done;
    return done ? CLI_DONE : fail_write(server, NEW_DATA);
}

/* The data have their name once they are whole. */
static int
initialise(const struct server *server)
{
    static const char *const words[] = {"-D",
                                        NEW_DATA,
                                        "-U",
                                        "sepx",
                                        "--pwfile=first",
                                        "-A",
                                        "scram-sha-256",
                                        "-E",
                                        "UTF8",
                                        "--locale=C",
                                        "--no-instructions",
                                        NULL};
    char password[PASSWORD + 1];
    int status = remove_half(server);

    if (!status)
        status = make_password(server, password);
    if (!status)
        status = keep_password(server, "owner", password);
    if (!status)
        status = server_write(server, "first", password);
    if (!status)
        status = server_call(server, "initdb", words, NULL);
    (void)unlink("first");
    if (!status)
        status = include_settings(server);
    if (!status && rename(NEW_DATA, "data") != 0)
        status = fail_write(server, "data");
    return status;
}

/* ---- how it runs ---- */

static bool
is_free(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_ANY)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int yes = 1;
    bool done = false;

    if (fd >= 0 &&
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0)
        done = bind(fd, (const struct sockaddr *)&at, sizeof at) == 0;
    if (fd >= 0)
        (void)close(fd);
    return done;
}

/* A free one from there on. */
static unsigned
choose_port(unsigned from)
{
    for (unsigned i = 0; i < PORT_TRIES; i++) {
        if (is_free(from + i))
            return from + i;
    }
    return from;
}

/* 'text' as PostgreSQL's files quote it. */
static void
print_quoted(struct out *out, const char *text)
{
    out_print(out, "'");
    for (; *text; text++)
        out_print(out, *text == '\'' ? "''" : "%c", *text);
    out_print(out, "'\n");
}

/* `files` are certificate and key from the root, or empty. */
static int
write_settings(const struct server *server, const struct settings *given,
               char files[2][PATH_MAX])
{
    struct out out = {0};
    int status;

    out_print(&out, "# written by sepx server start\n"
                    "listen_addresses = 'localhost");
    for (size_t i = 0; i < given->listen.count; i++)
        out_print(&out, ",%s", given->listen.at[i]);
    out_print(
        &out,
        "'\nport = %u\nmax_connections = %lld\n"
        "password_encryption = 'scram-sha-256'\n"
        "wal_level = replica\n"
        "logging_collector = off\n"
        "unix_socket_directories = ''\n",
        server->port,
        (long long)(given->connections > 0 ? given->connections : CONNECTIONS) +
            8);
    if (files[0][0]) {
        out_print(&out, "ssl = on\nssl_cert_file = ");
        print_quoted(&out, files[0]);
        out_print(&out, "ssl_key_file = ");
        print_quoted(&out, files[1]);
    }
    status = out.err ? CLI_FAILED
                     : server_write(server, "data/sepx.conf", out.text.at);
    out_release(&out);
    return status;
}

/* This machine, and with TLS or without, those that may reach it. */
static int
write_rules(const struct server *server, const struct settings *given)
{
    struct out out = {0};
    int status;

    out_print(&out, "host all all 127.0.0.1/32 scram-sha-256\n"
                    "host all all ::1/128 scram-sha-256\n");
    if (given->listen.count)
        out_print(&out, "%s all all all scram-sha-256\n",
                  given->certificate ? "hostssl" : "host");
    status = server_write(server, "data/pg_hba.conf", out.text.at);
    out_release(&out);
    return status;
}

static int
write_address(struct server *server, const struct settings *given)
{
    char text[320];

    (void)snprintf(server->host, sizeof server->host, "%s",
                   given->listen.count ? given->listen.at[0] : "localhost");
    if (!strcmp(server->host, "*") || !strcmp(server->host, "0.0.0.0") ||
        !strcmp(server->host, "::"))
        (void)gethostname(server->host, sizeof server->host - 1);
    (void)snprintf(text, sizeof text, "%s %u\n", server->host, server->port);
    return server_write(server, "address", text);
}

/* ---- the first time ---- */

/*
 * Roles that log in; what they may do comes with the first study. All of it
 * may have been done by a start that was killed: the last file is the sign
 * that it was not.
 */
static int
fill(const struct server *server)
{
    char port[16], password[2][PASSWORD + 1];
    const char *const words[] = {
        "-X", "-q", "-w",   "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
        port, "-U", "sepx", "-d", "postgres",        NULL};
    struct out out = {0};
    int status = make_password(server, password[0]);

    if (!status)
        status = make_password(server, password[1]);
    (void)snprintf(port, sizeof port, "%u", server->port);
    (void)setenv("PGPASSFILE", "owner.pgpass", 1);
    /* A statement that fails would be in the log, passwords and all. */
    out_print(&out,
              "SET log_min_error_statement = panic;\n"
              "SELECT 'CREATE ROLE ' || r FROM unnest(ARRAY['sepx_worker',\n"
              "  'sepx_reader', 'worker', 'reader']) r\n"
              "  WHERE to_regrole(r) IS NULL \\gexec\n"
              "GRANT sepx_worker TO worker; GRANT sepx_reader TO reader;\n"
              "ALTER ROLE worker LOGIN PASSWORD '%s';\n"
              "ALTER ROLE reader LOGIN PASSWORD '%s';\n"
              "SELECT 'CREATE DATABASE sepx' WHERE NOT EXISTS (SELECT FROM\n"
              "  pg_database WHERE datname = 'sepx') \\gexec\n",
              password[0], password[1]);
    if (!status)
        status = out.err ? CLI_FAILED
                         : server_call(server, "psql", words, &out.text);
    out_release(&out);
    if (!status)
        status = keep_password(server, "worker", password[0]);
    return status ? status : keep_password(server, "reader", password[1]);
}

/* ---- starting ---- */

static bool
has_options(const struct settings *given)
{
    return given->listen.count || given->port > 0 || given->connections > 0 ||
           given->certificate;
}

static int
configure(struct server *server, const struct settings *given,
          char files[2][PATH_MAX])
{
    int status = write_settings(server, given, files);

    if (!status)
        status = write_rules(server, given);
    return status ? status : write_address(server, given);
}

/* A port that was free may be taken by the time that the server wants it. */
static int
start_anew(struct server *server, const struct settings *given,
           char files[2][PATH_MAX])
{
    unsigned from = server->port ? server->port : PORT_FIRST;
    int status = CLI_FAILED;

    for (int i = 0; i < STARTS && status; i++) {
        server->port =
            given->port > 0 ? (unsigned)given->port : choose_port(from);
        status = configure(server, given, files);
        if (status)
            return status;
        status = server_begin(server);
        if (given->port > 0 || is_free(server->port))
            break;
        from = server->port + 1;
    }
    return status;
}

/* As the last time: workers know its address. */
static int
start_again(const struct server *server)
{
    if (is_free(server->port))
        return server_begin(server);
    cli_say(server->command,
            "port %u, on which workers know this server, is used by another "
            "program; end that, or choose another with --port",
            server->port);
    return CLI_FAILED;
}

static int
begin(struct server *server, const struct settings *given,
      char files[2][PATH_MAX])
{
    bool again = server->there && access("address", F_OK) == 0;
    int status = CLI_DONE;

    if (again)
        status = server_read(server);
    if (!status && !server->there)
        status = initialise(server);
    if (!status)
        status = again && !has_options(given)
                     ? start_again(server)
                     : start_anew(server, given, files);
    return status;
}

/* One that runs stays as it is. */
static int
keep(struct server *server, const struct settings *given)
{
    if (!has_options(given))
        return server_read(server);
    cli_say(server->command,
            "%s runs already; 'sepx server stop %s' first, then start it with "
            "these options",
            server->folder, server->folder);
    return CLI_FAILED;
}

/* Words that end up in a file of settings between quotes. */
static int
check_addresses(const struct settings *given)
{
    for (size_t i = 0; i < given->listen.count; i++) {
        const char *word = given->listen.at[i];

        if (!*word || strpbrk(word, "'\\ \t\n"))
            return cli_usage("server start",
                             "--listen takes addresses or names of this "
                             "machine, not '%s'",
                             word);
    }
    return CLI_DONE;
}

static int
find_files(const struct settings *given, char files[2][PATH_MAX])
{
    const char *const name[2] = {given->certificate, given->key};

    if (!given->certificate != !given->key)
        return cli_usage("server start", "--certificate and --key belong "
                                         "together");
    for (int i = 0; i < 2 && name[i]; i++) {
        if (!realpath(name[i], files[i])) {
            cli_say("server start", "%s: %s", name[i], strerror(errno));
            return CLI_NOINPUT;
        }
    }
    return CLI_DONE;
}

static int
run(const struct call *call)
{
    const struct settings *given = call->settings;
    char files[2][PATH_MAX] = {"", ""};
    struct server server;
    struct out out = {0};
    int status = find_files(given, files);

    if (!status)
        status = check_addresses(given);
    if (!status)
        status = server_open(&server, "server start", call->operand[0], true);
    if (!status)
        status = server_lock(&server);
    if (status)
        return status;
    /* Another start may have made it while this one waited. */
    server.there = access("data/PG_VERSION", F_OK) == 0;
    status = server.there && server_runs(&server)
                 ? keep(&server, given)
                 : begin(&server, given, files);
    if (!status && access("reader.pgpass", F_OK) != 0)
        status = fill(&server);
    if (!status) {
        server_print_url(&out, &server, "owner", NULL);
        status = out_flush(&out);
    }
    out_release(&out);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] FOLDER", NULL};

const struct command command_server_start = {
    .name = "server start",
    .group = GROUP_STUDIES,
    .summary = "run a PostgreSQL server for studies, in a folder",
    COMMAND_PARTS,
    .about =
        "Makes a PostgreSQL server in FOLDER if there is none, starts it, and "
        "prints the URL of its database; add &study=NAME for a study. It runs "
        "as the user who starts it, needs no root, and keeps running after the "
        "command has ended. Started by root, it becomes the owner of FOLDER.\n"
        "\n"
        "Started again, it listens where it did, and with the certificate "
        "that it had; options replace all those of the last start.\n"
        "\n"
        "Passwords are drawn at random and lie in FOLDER as owner.pgpass, "
        "worker.pgpass and reader.pgpass, readable by the owner alone; copy "
        "one of them to each machine that will work or look. Without "
        "--listen, only this machine reaches the server. PostgreSQL comes "
        "from Debian's package 'postgresql'.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
