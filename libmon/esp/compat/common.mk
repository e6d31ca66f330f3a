# SPDX-License-Identifier: LGPL-2.1-or-later
# What the Makefiles of ESP's applications include from $(DRIVERS), with their variables, for building them
# on libmon-esp instead of ESP's libraries:
#
#	mon-socgen -o DIR/socgen/esp DESIGN.esp_config
#	make DRIVERS=$(pkg-config --variable=drivers libmon-esp) DESIGN_PATH=DIR BUILD_PATH=OUT
#
# APPNAME		the application's source without .c, the other sources are linked to it; empty: each source
#			is an application
# EXTRA_CFLAGS		for example where the accelerator's header is
# CROSS_COMPILE		prefix of the compiler
PKG_CONFIG ?= pkg-config
BUILD_PATH ?= build
LIBMON_ESP_DIR := $(shell $(PKG_CONFIG) --variable=espdir libmon-esp)

CC := $(CROSS_COMPILE)gcc
CFLAGS += $(EXTRA_CFLAGS) -O3 -Wall -DLINUX -I../include -I$(DESIGN_PATH)/socgen/esp
CFLAGS += $(shell $(PKG_CONFIG) --cflags libmon-esp)
LDFLAGS += -L$(LIBMON_ESP_DIR) -lm -lrt -lpthread -lesp -ltest -lcontig -lutils -lmonitors
LDFLAGS += $(shell $(PKG_CONFIG) --libs libmon-esp) -lm

SRCS := $(wildcard *.c)
HEADERS := $(wildcard *.h) $(wildcard ../include/*.h)
ifeq ($(APPNAME),)
EXES := $(SRCS:%.c=$(BUILD_PATH)/%.exe)
else
OBJS := $(patsubst %.c,$(BUILD_PATH)/%.o,$(filter-out $(APPNAME).c,$(SRCS)))
EXE := $(BUILD_PATH)/$(APPNAME).exe
endif

all: $(EXTRA_OBJS) $(OBJS) $(EXES) $(EXE) $(BINS) $(BIN)

$(BUILD_PATH)/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

$(BUILD_PATH)/%.exe: %.c $(OBJS) $(EXTRA_OBJS) $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $< $(OBJS) $(EXTRA_OBJS) $(LDFLAGS)

clean:
	rm -rf $(BUILD_PATH)

.PHONY: all clean
