# SPDX-License-Identifier: MIT

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=

# What is installed needs no Swift on the machine, and does not depend on the folder it was built in.
RELEASE = swift build -c release --static-swift-stdlib --disable-local-rpath \
    -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.' \
    -Xlinker -z -Xlinker now
# SwiftPM has an opinion on pkg-config flags that do not matter; see docs/TESTING.md.
QUIET = 2> >(grep -v '^warning: prohibited flag' >&2)

.PHONY: all deps build programs demo test bench check format install uninstall deb clean

all: build

## deps: install what is missing
deps:
	@scripts/deps

## build: the programs, as they are installed
build: deps programs

# programs: the same, where everything that they need is there.
programs:
	$(RELEASE) $(QUIET)

## demo: a real pick through the real service and the real dialog
demo: build
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX='$(CURDIR)/demo/tree' > /dev/null
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

## install: what build made, into DESTDIR and PREFIX; builds nothing, so that root can run it
install:
	@scripts/install '$(DESTDIR)' '$(PREFIX)' .build/release

## uninstall: what install put there
uninstall:
	@scripts/install --remove '$(DESTDIR)' '$(PREFIX)'

## deb: a package for the release of Debian that this machine runs, into .build/deb
deb: deps
	scripts/build-deb .build/deb

clean:
	rm -rf .build .build-asan .bench demo
