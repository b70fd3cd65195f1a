# Thin: what is behind each goal is a script or a CMake preset. CONTRIBUTING.md tells the rest.
.DEFAULT_GOAL := help
.PHONY: help demo test asan tsan bench format lint clean

help:  ## this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo:  ## set up, build, and show jackdaw beside serial code, oneTBB and OpenMP
	scripts/setup.sh build
	scripts/demo.sh

test:  ## set up, build, and run every test: as released, then under asan, then under tsan
	scripts/setup.sh build test packaging vm
	scripts/check.sh release asan tsan

asan:  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	scripts/setup.sh build test
	scripts/check.sh asan

tsan:  ## the tests under ThreadSanitizer
	scripts/setup.sh build test
	scripts/check.sh tsan

bench:  ## set up, build, and measure jackdaw against other runtimes
	scripts/setup.sh build test bench
	cmake --preset release
	cmake --build --preset release --target bench_all
	bench/run

format:  ## bring every C++ source into the project's format
	scripts/setup.sh lint
	scripts/format.sh

lint:  ## clang-tidy, the format, line lengths, commit subjects and shell scripts, without changing anything
	scripts/setup.sh build test bench lint
	scripts/format.sh --check
	scripts/check-text.py
	scripts/lint.sh

clean:  ## remove everything that was built
	rm -rf build
