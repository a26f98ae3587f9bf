/* SPDX-License-Identifier: Apache-2.0 */
/* The version of these headers; VERSIONING.md says what it promises. */
#ifndef SEPX_VERSION_H
#define SEPX_VERSION_H

#define SEPX_VERSION_MAJOR 0
#define SEPX_VERSION_MINOR 2
#define SEPX_VERSION_PATCH 0
#define SEPX_VERSION "0.2.0"

#endif
