/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getdents64 */
#include "program/entries.h"

#include <dirent.h>
#include <string.h>

const char *
sepx__entries_next(struct sepx__entries *entries)
{
    for (;;) {
        const struct dirent64 *entry;

        if (entries->at == entries->len) {
            entries->at = 0;
            entries->len = getdents64(entries->folder, entries->room.byte,
                                      sizeof entries->room);
            if (entries->len <= 0) {
                entries->len = 0;
                return NULL;
            }
        }
        entry = (const void *)(entries->room.byte + entries->at);
        entries->at += entry->d_reclen;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    }
}
