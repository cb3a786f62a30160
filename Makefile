# SPDX-License-Identifier: MIT

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=

bindir = $(PREFIX)/bin
libexecdir = $(PREFIX)/libexec
datadir = $(PREFIX)/share
unitdir = $(PREFIX)/lib/systemd/user
app = org.freedesktop.portal.PhotoPicker

# What is installed needs no Swift on the machine.
RELEASE = swift build -c release --static-swift-stdlib
# SwiftPM has an opinion on pkg-config flags that do not matter; see docs/TESTING.md.
QUIET = 2> >(grep -v '^warning: prohibited flag' >&2)

.PHONY: all deps build demo test bench check format install uninstall clean

all: build

## deps: install what is missing
deps:
	@scripts/deps

## build: the programs, as they are installed
build: deps
	$(RELEASE) $(QUIET)

## demo: a real pick through the real service and the real dialog
demo: build
	@$(MAKE) --no-print-directory install-only DESTDIR= PREFIX='$(CURDIR)/demo/tree' > /dev/null
	@scripts/demo '$(CURDIR)/demo'

## test: the whole suite
test: deps check
	scripts/test

## bench: figures beside those of others, and .bench/results.json
bench: build
	scripts/bench

## check: what needs no build: the form of the source
check:
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks
	scripts/translations --check

## format: bring the source into form
format:
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks

## install: into DESTDIR and PREFIX
install: build install-only

.PHONY: install-only
install-only:
	@scripts/install '$(DESTDIR)' '$(PREFIX)' "$$($(RELEASE) --show-bin-path $(QUIET))"

## uninstall: what install put there
uninstall:
	@scripts/install --remove '$(DESTDIR)' '$(PREFIX)'

clean:
	rm -rf .build .build-asan .bench demo
