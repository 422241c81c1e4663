# The few commands that people type. `make demo` shows what the service does, `make test` runs every test.
#
# Both first install what is missing (scripts/setup says what, before it does). Set CARGO_TARGET_DIR to keep builds
# somewhere else than in ./target.

SHELL := /bin/bash
CARGO_TARGET_DIR ?= $(CURDIR)/target
export CARGO_TARGET_DIR
# Software Vulkan wants a folder of its own to name; most services and containers have none.
export XDG_RUNTIME_DIR ?= /tmp

.PHONY: demo serve release test dashboard bench gpu-check judge oracles pictures kinds memory uploads throughput soak conformance fuzz lint fmt setup-demo setup-test

## Run the main job on the bundled site, then serve the dashboard until Ctrl-C.
demo: setup-demo dashboard
	cargo build --package pentimento
	$(CARGO_TARGET_DIR)/debug/pentimento demo $(DEMO_FLAGS)

## Run the service with its embedded defaults.
serve: setup-demo dashboard
	cargo run --package pentimento -- serve

## Build the program to deploy, with the dashboard inside, and `pentimento-diff`, into $(CARGO_TARGET_DIR)/release.
release: setup-demo dashboard
	cargo build --release --package pentimento

## Run every test: units, GPU against CPU, HTTP on both databases, the dashboard in Chromium.
test: setup-test dashboard
	scripts/with-postgres cargo test --workspace --no-fail-fast

## Build the dashboard into dashboard/dist, as it is embedded into the program.
dashboard:
	cargo run --quiet --package xtask -- dashboard --release

## Measure ours beside other tools and write docs/benchmarks.md: `make bench BENCH_FLAGS="--rounds 3"`.
bench: release
	cargo build --release --package pentimento-compute --features stage-bench --examples
	@mkdir -p $(CARGO_TARGET_DIR)/bench
	set -o pipefail; bench="cargo bench --package pentimento-compute --features stage-bench --bench compare --"; \
		{ RAYON_NUM_THREADS=1 $$bench memory stages && $$bench --skip memory --skip stages; } | tee $(CARGO_TARGET_DIR)/bench/stages.txt
	cargo run --quiet --package xtask -- bench --stages $(CARGO_TARGET_DIR)/bench/stages.txt $(BENCH_FLAGS)

## Capture the held-out half of the mutation corpus and say how many planted changes were found; JUDGE_FLAGS="--half development --list".
judge: setup-demo
	cargo run --quiet --package pentimento --example judge -- $(JUDGE_FLAGS)

## Set the comparisons' figures beside those of pixelmatch, scikit-image and apted; needs the network once.
oracles:
	tests/oracles/run

## Capture, compare and draw the pages of docs/comparison.md anew, and print the figures that stand beside them.
pictures: setup-demo
	docs/comparison/draw

## Change single elements of the demo site in Chromium, six ways each, and say what the comparison tells of each change.
kinds: setup-test
	cargo build --package pentimento --bin pentimento-diff
	node tests/playwright/kinds.mjs "$$(scripts/browser)" $(CARGO_TARGET_DIR)/debug/pentimento-diff

## Measure the most memory that comparing a page of 30,000 rows takes; fails beyond 300 MB (62,000 rows: 330).
memory:
	cargo run --quiet --package pentimento-compute --example peak_memory

## Upload 2,000 pages from 16 clients at once and say how long it took and how much memory; debug builds are slower.
uploads:
	cargo test --package pentimento --test it -- --ignored --nocapture two_thousand_pages_measured

## Capture a site made to flake 200 times, naively and by the service, and the demo site 400 times; SOAK_FLAGS="--runs 5".
soak: setup-demo
	cargo run --quiet --package pentimento --example soak -- $(SOAK_FLAGS)

## Capture 1,000 pages with the real program and say how fast and at what cost (docs/capturing.md); THROUGHPUT_FLAGS="--pages 200 --heavy".
throughput: release
	cargo run --quiet --package pentimento --example throughput -- --program $(CARGO_TARGET_DIR)/release/pentimento $(THROUGHPUT_FLAGS)

## Hold the running service against its OpenAPI document with schemathesis, on both databases; needs the network once.
conformance: setup-test
	tests/conformance/run $(CONFORMANCE_FLAGS)

## Feed the comparisons damaged and made-up files, FUZZ_SECONDS for each target; needs nightly Rust and cargo-fuzz.
FUZZ_SECONDS ?= 600
fuzz:
	cd fuzz && for target in png pairs strips mask document; do mkdir -p corpus/$$target; \
		CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/fuzz cargo +nightly fuzz run $$target corpus/$$target $$(ls -d seeds/$$target 2>/dev/null) -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=2048 -len_control=0 || exit 1; \
	done

## Build the program that checks a graphics card, into $(CARGO_TARGET_DIR)/release, and run it (docs/gpu.md).
gpu-check:
	cargo build --release --package pentimento-compute --bin pentimento-gpu-check
	$(CARGO_TARGET_DIR)/release/pentimento-gpu-check $(GPU_CHECK_FLAGS)

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- --deny warnings
	cargo clippy --package pentimento-compute --features stage-bench --all-targets -- --deny warnings

fmt:
	cargo fmt --all

setup-demo:
	@scripts/setup demo

setup-test:
	@scripts/setup test
