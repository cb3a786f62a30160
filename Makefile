# SPDX-License-Identifier: MIT

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=

# Installed programs need no Swift runtime, and do not depend on the folder they were built in.
RELEASE = swift build -c release --static-swift-stdlib --disable-local-rpath \
    -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
    -Xlinker -z -Xlinker now
# SwiftPM warns about harmless pkg-config flags; see docs/TESTING.md.
QUIET = 2> >(grep -v '^warning: prohibited flag' >&2)

.PHONY: all deps build programs demo screenshots test bench check format install uninstall deb clean

all: build

## deps: install missing packages
deps:
	@scripts/deps

## build: build the programs as they are installed
build: deps programs

# programs: the same, without installing packages.
programs:
	$(RELEASE) $(QUIET)

## demo: make a real pick through the real service and the real dialog
demo: build
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX='$(CURDIR)/demo/tree' > /dev/null
	@scripts/demo '$(CURDIR)/demo'

## screenshots: save a picture of each page of the window in each appearance in demo/screenshots
screenshots: build
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX='$(CURDIR)/demo/tree' > /dev/null
	@scripts/screenshots '$(CURDIR)/demo'

## test: run the whole suite
test: deps check
	scripts/test

## bench: compare speed and memory with peers; writes .bench/results.json
bench: build
	scripts/bench

## check: check the formatting and the translations
check:
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks
	scripts/translations --check

## format: format the source
format:
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks

## install: install what build made into DESTDIR and PREFIX, without building
install:
	@scripts/install '$(DESTDIR)' '$(PREFIX)' .build/release

## uninstall: remove what install installed
uninstall:
	@scripts/install --remove '$(DESTDIR)' '$(PREFIX)'

## deb: build a package for this machine's release of Debian in .build/deb
deb: deps
	scripts/build-deb .build/deb

clean:
	rm -rf .build .build-asan .bench demo
