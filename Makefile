# Each goal only calls scripts and CMake presets. CONTRIBUTING.md explains the rest.
.DEFAULT_GOAL := help
.PHONY: help demo test asan tsan bench docs format lint clean

help:  ## list these goals
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo:  ## set up, build, and show jackdaw beside serial code, oneTBB and OpenMP
	scripts/setup.sh build
	scripts/demo.sh

test:  ## set up, build, and run every test: as released, then under asan, then under tsan
	scripts/setup.sh build test packaging vm
	scripts/check.sh release asan tsan

asan:  ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	scripts/setup.sh build test
	scripts/check.sh asan

tsan:  ## run the tests under ThreadSanitizer
	scripts/setup.sh build test
	scripts/check.sh tsan

bench:  ## set up, build, and measure jackdaw against other runtimes
	scripts/setup.sh build test bench
	cmake --preset release
	cmake --build --preset release --target bench_all
	bench/run

docs:  ## set up and build the API reference in build/docs/html
	scripts/setup.sh docs
	scripts/docs.sh

format:  ## format every C++ source
	scripts/setup.sh lint
	scripts/format.sh

lint:  ## check with clang-tidy, clang-format, shellcheck, line lengths and commit subjects, without changing anything
	scripts/setup.sh build test bench lint
	scripts/format.sh --check
	scripts/check-text.py
	scripts/lint.sh

clean:  ## remove everything that was built
	rm -rf build
