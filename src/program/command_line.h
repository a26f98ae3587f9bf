/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines: their arguments, and the program that the first one names. */
#ifndef SEPX_PROGRAM_COMMAND_LINE_H
#define SEPX_PROGRAM_COMMAND_LINE_H

#include "base/internal.h"

/*
 * The arguments of "PROGRAM ARG...", ended by NULL, in one block: release it
 * with sepx__free(). Blanks separate arguments; '...' and "..." keep blanks,
 * and a backslash keeps the next character (not within '...'). Fails with
 * SEPX_EINVAL if there is no argument or a quote is open.
 */
SEPX_CHECKED enum sepx_err sepx__argv_split(char ***argv, const char *text,
                                            struct sepx_msg *msg);
/*
 * SEPX_ENOINPUT if the words start an interpreter (python, perl, ruby, Rscript)
 * with a file that does not exist. In doubt, such as behind an option with an
 * argument, SEPX_OK.
 */
SEPX_CHECKED enum sepx_err sepx__script_check(char *const *argv,
                                              struct sepx_msg *msg);
/*
 * The file of a program, by its path or by $PATH; release it with
 * sepx__free(). Fails with SEPX_ENOINPUT if there is none, with SEPX_EINVAL
 * if it cannot be run.
 */
SEPX_CHECKED enum sepx_err sepx__program_find(char **found, const char *name,
                                              struct sepx_msg *msg);

#endif
