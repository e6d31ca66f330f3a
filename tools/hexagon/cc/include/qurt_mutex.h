/* SPDX-License-Identifier: MIT */
#include <qurt.h>
