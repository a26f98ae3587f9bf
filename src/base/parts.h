/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the optional wings add to the core's registries. The core never
 * includes a header of theirs: it only names their rows here, and a build
 * without a wing has empty lists.
 */
#ifndef SEPX_BASE_PARTS_H
#define SEPX_BASE_PARTS_H

/* clang-format off */
#if SEPX_NAS
#define SEPX__NAS_SPACES(X) X(nb101) X(nb201) X(nbnlp) X(darts)
#define SEPX__NAS_EVALUATORS(X) X(table) X(surrogate) X(mlp) X(xgb)
#define SEPX__NAS_CROSSOVERS(X) X(path)
#define SEPX__NAS_FORMATS(X) X(nb101) X(nb201) X(darts) X(nbnlp)
#else
#define SEPX__NAS_SPACES(X)
#define SEPX__NAS_EVALUATORS(X)
#define SEPX__NAS_CROSSOVERS(X)
#define SEPX__NAS_FORMATS(X)
#endif
/* clang-format on */

#endif
