/* SPDX-License-Identifier: Apache-2.0 */
/* sepx: evolve attributed directed graphs. Include only this file. */
#ifndef SEPX_H
#define SEPX_H

#include "sepx/base.h"
#include "sepx/json.h"
#include "sepx/option.h"
#include "sepx/graph.h"
#include "sepx/ged.h"
#include "sepx/space.h"
#include "sepx/nb101.h"
#include "sepx/data.h"
#include "sepx/vary.h"
#include "sepx/eval.h"
#include "sepx/search.h"
#include "sepx/store.h"
#include "sepx/run.h"
#include "sepx/study.h"
#include "sepx/theory.h"
#include "sepx/report.h"

#endif
