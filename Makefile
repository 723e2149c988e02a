# `make run` and `make test` install what is missing, build what has changed, and go. `make help` lists the rest.

PREFIX ?= /usr/local
# Arguments for the program that `run`, `test` and `bench` start.
ARGS ?=
# Passed to every `swift build` and `swift test`; .ci/run turns warnings into errors with it.
SWIFTFLAGS ?=

# The program people run has the Swift runtime linked in: it starts sooner and can be installed as one file. It is
# built in a folder of its own, where no `swift build` of other options relinks it and no `swift test` locks it.
# A trace of a crash needs the lines of the sources only; what else debuggers want to know takes a twentieth of
# the build.
RELEASE_BUILD = swift build --scratch-path .build/app -c release --product tasks \
	-Xswiftc -gline-tables-only --static-swift-stdlib \
	-Xswiftc -use-ld=lld -Xlinker "-L$(CURDIR)/$(STATIC_LIBRARIES)" $(SWIFTFLAGS)
# The C++ library that the runtime needs is linked in as well: finding its symbols takes a third of the
# instructions of a start. The linker takes the first library of a name, and there is no shared one in this
# folder.
STATIC_LIBRARIES = .build/static-libraries
TASKS = .build/app/release/tasks
TASKS_SYNC = .build/app/release/tasks-sync
TASKS_STATIC = .build/app/release/tasks-static

# The tests are built in a folder of their own, where no `swift build` of other options builds them anew. The compiler gets
# fewer and larger jobs, each of which reads the same modules and headers again, and of what debuggers want to know no more
# than for the program. SwiftPM looks for XCTest's tests in the index even where XCTest is disabled, and fails without one.
TEST_BUILD = --scratch-path .build/tests --disable-xctest \
	-Xswiftc -driver-batch-size-limit -Xswiftc 200 -Xswiftc -gline-tables-only $(SWIFTFLAGS)
TEST = Scripts/in-memory.sh swift test $(TEST_BUILD) --test-product tasksPackageTests --no-parallel

# Package.swift leaves LiveStoreSync out where libpq is missing. SwiftPM evaluates it once for each environment, and would
# not notice that libpq has been installed since.
export LIBPQ_HEADER = $(shell ls /usr/include/postgresql/libpq-fe.h /usr/include/libpq-fe.h 2> /dev/null)

# Folders too: removing a file changes only its folder.
SOURCES := Makefile Package.swift $(shell find Sources -not -name '.*')

# Where the person stood who called make: with -C, make itself has left that folder, but PWD still names it.
CALLER = $(if $(shell tr '\0' '\n' < /proc/$$PPID/cmdline | grep -E '^(-[A-Za-z]*C|--directory)'),$(PWD),$(CURDIR))

.PHONY: help run static sync test test-build golden soak soak-terminal chaos chaos-disk chaos-pages chaos-sync demo-sync sanitize fuzz lint bench bench-store bench-terminal bench-sync docs rules install deb standalone clean build-packages test-packages toolchain
.DEFAULT_GOAL := help

help:
	@echo 'make run                     build what has changed and start tasks'
	@echo 'make run ARGS="--file F"     the same, with arguments'
	@echo 'make static                  link tasks without any shared library: $(TASKS_STATIC)'
	@echo 'make sync                    build tasks-sync as well, which keeps a file the same on several machines'
	@echo 'make demo-sync               two machines side by side in tmux, which share a list, and a network to cut'
	@echo 'make test                    run the tests; ARGS="--filter NAME" for some of them, TEST_CASES=all for all cases'
	@echo 'make golden                  write the screens, Documentation/Keys.md and Documentation/Sentences.txt anew, then look at them'
	@echo 'make soak                    take a million random steps; STEPS=N for others, SEED=N to repeat a run'
	@echo 'make soak-terminal MINUTES=10  send anything at all to tasks in a terminal; SEED=N as above'
	@echo 'make chaos KILLS=20000       kill processes that share a file at any moment; SEED=N as above'
	@echo 'make chaos-disk              have every call of a session to the disk fail, and the power at every moment'
	@echo 'make chaos-pages FILES=2000   damage so many files, against each command; TEST_SEED=N repeats a run'
	@echo 'make chaos-sync ROUNDS=500   five machines in bad networks, and kills of all that carries their files; SEED=N as above'
	@echo 'make sanitize                run the tests under AddressSanitizer and ThreadSanitizer; KIND=thread for one'
	@echo 'make fuzz SECONDS_EACH=60    run the fuzzers; ARGS="dates undo" for some of them'
	@echo 'make lint                    check the formatting, the layers and the comments of the sources'
	@echo 'make bench                   run all benchmarks; QUICK=1 for a short run'
	@echo 'make bench-store             those of LiveStore; ARGS="--only NAME" for some of them'
	@echo 'make bench-terminal          those of tasks in a terminal; ARGS as above'
	@echo 'make bench-sync              those of machines and the PostgreSQL server in which they meet; ARGS as above'
	@echo 'make docs                    build the documentation of LiveStore'
	@echo 'make rules                   write Documentation/Rules.md from the names of the tests'
	@echo 'make install PREFIX=DIR      install DIR/bin/tasks, its manual page and completions (PREFIX is $(PREFIX))'
	@echo 'make deb                     make a Debian package of it, and an archive for /usr/local, in .build'
	@echo 'make standalone              build and run Examples/Standalone, a package that uses LiveStore'
	@echo 'make clean                   remove everything that was built'

run: $(TASKS)
	@tasks="$(CURDIR)/$(TASKS)"; cd "$(CALLER)" && exec "$$tasks" $(ARGS)

$(TASKS): $(SOURCES) | toolchain build-packages $(STATIC_LIBRARIES)
	@$(RELEASE_BUILD)
	@# swift build leaves the file alone when the change made no difference to it; say that it is up to date.
	@touch $@

# One file that runs wherever there is Linux on such a processor. What is compiled for the other program is
# linked once more. The C library is part of it, so that it loads none that is made for the system's: libical,
# for iCalendar, and FriBidi, for texts from right to left.
static: $(TASKS_STATIC)

$(TASKS_STATIC): $(TASKS)
	@swiftc -static-executable -emit-executable -module-name tasks -use-ld=lld -o $@ \
		-Xlinker --gc-sections -Xlinker --defsym -Xlinker main=TasksTUI_main -L $(STATIC_LIBRARIES) \
		@.build/app/release/tasks.product/Objects.LinkFileList
	@! readelf --program-headers $@ | grep -q INTERP
	@$@ --version

# Without a static library there, the folder is empty, and the shared one is taken.
$(STATIC_LIBRARIES): | toolchain
	@mkdir -p $@
	@library=$$(clang -print-file-name=libstdc++.a); [ ! -f "$$library" ] || ln -sf "$$library" $@

# Beside tasks, which starts it: what carries a file to other machines, and alone needs PostgreSQL's library.
sync: $(TASKS) $(TASKS_SYNC)

$(TASKS_SYNC): $(SOURCES) | toolchain $(STATIC_LIBRARIES)
	@Scripts/ensure-packages.sh sync
	@$(subst --product tasks,--product tasks-sync,$(RELEASE_BUILD))
	@touch $@

demo-sync: sync
	@Scripts/demo-sync.sh $(TASKS)

test: toolchain test-packages
	@Tests/Scripts/ensure-packages-tests.sh
ifeq ($(ARGS),)
	swift build $(TEST_BUILD) --product tasksPackageTests
	@Scripts/in-memory.sh Scripts/test-in-parts.sh $(CURDIR)/.build/tests/debug/tasksPackageTests.xctest
else
	$(TEST) $(ARGS)
endif

# The benchmarks, too, which no test needs.
test-build: toolchain test-packages
	swift build $(TEST_BUILD)
	swift build $(TEST_BUILD) --product tasksPackageTests

# Renewed screens are reviewed like code: git diff shows which, cat shows each in its colours. The table of keys is
# made here too.
golden: toolchain test-packages
	TASKS_GOLDEN=renew $(TEST) --filter 'GoldenScreenTests|SyncScreenPictureTests|KeyLegendTests'
	@Scripts/sentences.py --write
	@git status --short Tests/TasksTUITests/Golden/Screens Documentation/Keys.md

soak: toolchain test-packages
	LIVESTORE_STEPS=$(or $(STEPS),1000000) $(if $(SEED),TEST_SEED=$(SEED)) \
		$(TEST) --filter SoakTests $(ARGS)

soak-terminal: toolchain test-packages
	TASKS_SOAK_SECONDS=$$(($(or $(MINUTES),10) * 60)) $(if $(SEED),TEST_SEED=$(SEED)) \
		$(TEST) --filter RandomTerminalTests $(ARGS)

# What the tests do with a sample; SEED=N repeats what is chosen at random besides.
chaos-disk: toolchain test-packages
	CHAOS_DISK=all TEST_CASES=all TASKS_TEST_PATIENCE=600 $(if $(SEED),TEST_SEED=$(SEED)) \
		$(TEST) \
		--filter 'FailingDiskTests|FullDiskTests|PowerLossTests' $(ARGS)

chaos: toolchain test-packages
	TEST_CASES=all LIVESTORE_KILLS=$(or $(KILLS),20000) $(if $(SEED),TEST_SEED=$(SEED)) \
		$(TEST) --filter 'ChaosTests|ContentionTests' $(ARGS)

# With the program as people run it: thousands of files take long with one for debugging.
chaos-pages: $(TASKS) test-packages
	TASKS_DAMAGED_FILES=$(or $(FILES),2000) TASKS_PROGRAM=$(CURDIR)/$(TASKS) \
		$(TEST) --filter DamagedFilesTests $(ARGS)

# Five machines with people at them, a PostgreSQL of their own, and networks that fail.
chaos-sync: toolchain test-packages
	LIVESTORE_ROUNDS=$(or $(ROUNDS),500) $(if $(SEED),TEST_SEED=$(SEED)) \
		$(TEST) --filter SyncChaosTests $(ARGS)

# An hour; each builds everything anew.
sanitize: toolchain test-packages
	for kind in $(or $(KIND),address thread); do Scripts/sanitize.sh $$kind $(ARGS) || exit; done

fuzz: toolchain test-packages
	SECONDS_EACH=$(or $(SECONDS_EACH),60) Scripts/fuzz.sh $(ARGS)

lint: toolchain
	@Tests/Scripts/layers-tests.py --quiet
	@Scripts/layers.py
	@Scripts/columns.py
	@Scripts/comments.py
	@Tests/Scripts/snippets-tests.py --quiet
	@Scripts/snippets.py
	swift format lint --strict --parallel --recursive $(wildcard Sources Tests Benchmarks Examples Fuzzing) Package.swift

BENCH_OPTIONS = $(if $(QUICK),--quick --svg .build/benchmarks,--svg Documentation/benchmarks) $(ARGS)

bench: bench-store bench-terminal

bench-store: toolchain build-packages
	swift run -c release $(SWIFTFLAGS) LiveStoreBenchmarks $(BENCH_OPTIONS)

# Measures the program as people run it.
bench-terminal: $(TASKS)
	swift build -c release $(SWIFTFLAGS) --product TasksFloor
	swift run -c release $(SWIFTFLAGS) TasksBenchmarks $(TASKS) $(BENCH_OPTIONS)

# On loopback, with a server of its own in a temporary folder.
bench-sync: toolchain test-packages
	swift run -c release $(SWIFTFLAGS) SyncBenchmarks $(BENCH_OPTIONS)

docs: toolchain test-packages
	@Scripts/documentation.sh

rules: test-packages
	@Scripts/rules.py

install: $(TASKS)
	@tasks="$(CURDIR)/$(TASKS)"; cd "$(CALLER)" && install -d "$(DESTDIR)$(PREFIX)/bin" \
		&& install -s -m 755 "$$tasks" "$(DESTDIR)$(PREFIX)/bin/tasks" \
		&& share="$(DESTDIR)$(PREFIX)/share" \
		&& { [ ! -x "$(CURDIR)/$(TASKS_SYNC)" ] \
			|| { install -s -m 755 "$(CURDIR)/$(TASKS_SYNC)" "$(DESTDIR)$(PREFIX)/bin/tasks-sync" \
			&& install -d "$$share/systemd/user" \
			&& sed 's|@BIN@|$(abspath $(PREFIX))/bin|' "$(CURDIR)/Scripts/tasks-sync.service" \
				> "$$share/systemd/user/tasks-sync.service"; }; } \
		&& install -d "$$share/systemd/user" \
		&& sed 's|@BIN@|$(abspath $(PREFIX))/bin|' "$(CURDIR)/Scripts/tasks-due.service" \
			> "$$share/systemd/user/tasks-due.service" \
		&& install -m 644 "$(CURDIR)/Scripts/tasks-due.timer" "$$share/systemd/user/tasks-due.timer" \
		&& install -d "$$share/man/man1" "$$share/bash-completion/completions" \
			"$$share/fish/vendor_completions.d" "$$share/zsh/site-functions" \
		&& "$$tasks" --man > "$$share/man/man1/tasks.1" \
		&& "$$tasks" --completion bash > "$$share/bash-completion/completions/tasks" \
		&& "$$tasks" --completion fish > "$$share/fish/vendor_completions.d/tasks.fish" \
		&& "$$tasks" --completion zsh > "$$share/zsh/site-functions/_tasks" \
		&& echo "Installed $(DESTDIR)$(PREFIX)/bin/tasks, its manual page and completions"

deb: $(TASKS)
	@Scripts/deb.sh $(TASKS)

# In a folder of its own, and in less than a minute of processor time: it needs LiveStore alone.
standalone: toolchain build-packages
	@Scripts/standalone.sh $(SWIFTFLAGS)

clean:
	rm -rf .build

build-packages:
	@Scripts/ensure-packages.sh build

test-packages:
	@Scripts/ensure-packages.sh build test
	@Scripts/ensure-packages.sh sync \
		|| echo 'Without them everything is built and tested but LiveStoreSync, which carries a file to other machines.' >&2

toolchain:
	@command -v swift > /dev/null || { \
		echo "Swift 6 or newer is needed to build tasks, and there is no swift on the PATH: https://www.swift.org/install" >&2; \
		exit 1; }
