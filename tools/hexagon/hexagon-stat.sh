#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# hexagon-stat: monctl stat --preset profile under a name of its own.
exec "$(dirname "$0")/monctl" stat --preset profile "$@"
