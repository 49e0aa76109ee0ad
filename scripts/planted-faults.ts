/** A fault to be planted: a file below `src/`, a text that stands in it once, and what takes its place. */
export type PlantedFault = readonly [file: string, text: string, replacement: string];

const KERNEL: readonly PlantedFault[] = [
	["kernel/aside.ts", "!isAlive(Number(pid))", "true"],
	["kernel/aside.ts", "start !== OWN_START", "false"],
	["kernel/aside.ts", "(!entry.isDirectory() || folders)", "true"],
	["kernel/remove-files.ts", "	await rm(path, { recursive: true, force: true });", ""],
	["kernel/duration.ts", "return ms > 0 && ms <= MAX_MS", "return ms <= MAX_MS"],
	["kernel/money.ts", "usd >= 0.1", "usd >= 0.01"],
	["kernel/task-state.ts", 'blocked: ["pending"],', "blocked: [],"],
	["kernel/fill-template.ts", "if (value === undefined) unknown.add(name);", ""],
	["kernel/json.ts", "(a < b ? -1 : 1)", "(a < b ? 1 : -1)"],
	["masking/mark.ts", "(index % 2 === 0 ? change(part) : part)", "change(part)"],
];

const MASKING: readonly PlantedFault[] = [
	["masking/looks-secret.ts", "const TOKEN_BITS = 2.5;", "const TOKEN_BITS = 4.5;"],
	["masking/find-private-key.ts", "const LEAST_SHARE = 0.6;", "const LEAST_SHARE = 1;"],
	["masking/looks-secret.ts", "value.length < SHORTEST[standing]", "value.length < 24"],
	["masking/secret-masker.ts", "text.length > LONG_TEXT ? 2 : MOST_ROUNDS", "1"],
];

const WORKFLOW: readonly PlantedFault[] = [
	["workflow/relative-path.ts", 'normal === ".." || normal.startsWith("../")', 'normal === ".."'],
	["workflow/relative-path.ts", "/^\\.git(\\/|$)/i", "/^\\.git(\\/|$)/"],
	["workflow/order.ts", "id === task.id || !waiting.has(id)", "id !== task.id"],
	["workflow/rules-run.ts", "seated.some((name) => agents", "seated.every((name) => agents"],
];

const PROCESS: readonly PlantedFault[] = [
	["process/process-tree.ts", "this.#known.get(entry.pid) === entry.start ||", ""],
	["process/capture.ts", "this.#head += text.slice(0, room);", "this.#head += text;"],
	["process/process-table.ts", " || !(entry.start >= since)", ""],
	["process/watchdog-process.ts", "void endCall(call);", ""],
	[
		"process/watchdog-process.ts",
		"if (call === null) group.beginSoon();",
		"if (call === null) group.begin();",
	],
	["process/process-table.ts", " && Number(fields[17]) <= 1", ""],
	["process/environment.ts", "|XDG_[A-Z]+_HOME)$/", "|[A-Z]+_[A-Z_]+)$/"],
	["process/run-process.ts", "	await tree.kill();\n", ""],
	["process/run-process.ts", "await tree.ask(GRACE_MS, signal);", "{}"],
	["process/process-tree.ts", "await tree.ask(GRACE_MS);", ""],
];

const GIT: readonly PlantedFault[] = [
	["git/write-tree.ts", "for (const name of [ref, ...left])", "for (const name of left)"],
	[
		"git/move-refs.ts",
		"?? null) !== move.from) return null;",
		"?? null) === undefined) return null;",
	],
	["git/move-refs.ts", "if (state.foreign.length > 0)", "if (state.foreign.length > 9)"],
	["git/swap-refs.ts", "if (blocked.length > 0) throw inTheWay(blocked);", ""],
	["process/end-group.ts", 'signalGroup(pid, "SIGKILL");', 'signalGroup(pid, "SIGTERM");'],
	["git/worktree-forward.ts", "	if (foreign.length > 0) await requireUnlocked(place);\n", ""],
	["git/worktree-forward.ts", "!== from || !(await standsAt(place, to, isConcerned))", "!== to"],
	["process/bounded-child.ts", "(): void => group.beginSoon()", "(): void => group.begin()"],
	["git/kept-children.ts", "told.bytesHeard === 0 && ", ""],
	["git/kept-children.ts", "if (waiting === null) stop();", "stop();"],
	["git/kept-children.ts", "current.signal === child.signal", "true"],
	["git/kept-children.ts", "wanted = reading.atLeast;", ""],
	["git/objects.ts", "left -= size;", ""],
	["git/changes.ts", "Math.max(0, bytes.length - last.length)", "bytes.length"],
	["git/ref-transaction.ts", "if (words !== MADE) throw unexpected(words);", ""],
	["git/strays.ts", ": tracked.files.has(name)", ": true"],
	["git/refs.ts", "found ?? (await runGit(place, objectNamed(ref)))", "found"],
	["git/run-git.ts", "core.hooksPath=/dev/null", "core.hooksPath=.git/hooks"],
];

const AGENTS: readonly PlantedFault[] = [
	["agents/circuit.ts", "[2_000, 4_000, 8_000]", "[2_000, 4_000]"],
	["agents/circuit.ts", "const FAILURES_TO_OPEN = 4;", "const FAILURES_TO_OPEN = 5;"],
	["agents/rights.ts", 'return "restricted";', 'return "write";'],
	["agents/failure-of.ts", 'if (status === 402) return "quota_exhausted";', ""],
	["agents/price.ts", "if (part === null) return null;", "if (part === null) continue;"],
	["agents/price.ts", "cache_read_tokens: cacheReadTokens ?? 0,", "cache_read_tokens: 0,"],
];

const EVIDENCE: readonly PlantedFault[] = [
	["checks/known-in-both.ts", " && !failed.has(each.id)", ""],
	["checks/known-in-both.ts", "left.set(each, count - 1);", ""],
	["wall/near/near-run.ts", "(isPython ? PYTHON : NODE)", '(isPython ? "" : NODE)'],
	["wall/canary/plain-run.ts", '	rmSync(file);\n	writeFileSync(file, "");', ""],
	["wall/integrity/left-markers.ts", "if (first === undefined) return [];", "return [];"],
	["wall/integrity/left-markers.ts", "(?::.+)?$/", "$/"],
	["setups/kept/kept-setups.ts", "found?.digest !== entry.digest", "found === null"],
	["setups/setup-key.ts", "isManifest(path) || named(path)", "isManifest(path)"],
	["checks/judge-results.ts", "if (ran === 0)", "if (ran < 0)"],
	["checks/judge-results.ts", "if (counts.failed > 0)", "if (counts.failed > 1)"],
	["formats/report-file.ts", "found.mtimeMs < since - CLOCK_TOLERANCE_MS", "found.mtimeMs < 0"],
	["checks/fault-side.ts", "workedBefore && now.started", "now.started"],
	["wall/honesty.ts", "ignored.has(file) ? []", "ignored.size > 99 ? []"],
	["checks/own-channel.ts", "return named || isWhole", "return isWhole"],
];

const REVIEW: readonly PlantedFault[] = [
	["review/finding-state.ts", 'finding.severity !== "minor" || finding.criterion !== null', "true"],
	[
		"review/ledger.ts",
		"round < MATERIALITY_ROUND || changedFiles === null",
		"changedFiles === null",
	],
	["review/effective-verdict.ts", 'missing.push("integrity")', "{}"],
	["review/stall.ts", "const REPEATS = 3;", "const REPEATS = 4;"],
	["review/pair-session.ts", "checkpoint <= turn", "checkpoint < turn"],
	["review/pair-session.ts", "if (entry.turn > (sound.at(-1)?.turn ?? 0)) sound", "sound"],
];

const CONFLICT: readonly PlantedFault[] = [
	[
		"conflict/conflict.ts",
		"conflict.finding === finding).length + 1",
		"conflict.finding === finding).length",
	],
	[
		"conflict/conflict-resolution-engine.ts",
		"if (first.verdict !== second.verdict)",
		"if (first === second)",
	],
];

const CONFIDENCE: readonly PlantedFault[] = [
	["confidence/score-of.ts", "Number.isFinite(value) && value > 0", "Number.isFinite(value)"],
	["confidence/calibration-of.ts", "const spread = Z ** 2 / count;", "const spread = Z / count;"],
	["confidence/metric.ts", "if (claims.length === 0) return NO_CRITERIA;", ""],
];

const GATE: readonly PlantedFault[] = [
	[
		"gate/gate-rules.ts",
		'if (facts.riskTier === "T2" || configured)',
		'if (facts.riskTier === "T2")',
	],
	["gate/gate-rules.ts", 'if (verdict === "passed")', 'if (verdict !== "failed")'],
	["gate/gate-rules.ts", "filter((item) => item.tree === facts.tree)", "filter(() => true)"],
	["gate/gate-rules.ts", 'return reason === "" ? null', "return waive[kind] === undefined ? null"],
];

const HUMAN: readonly PlantedFault[] = [
	["human/validate-answer.ts", "usd > 0 && usd <= MOST_USD", "usd <= MOST_USD"],
	["human/validate-answer.ts", "take !== undefined && directive !== undefined", "take === null"],
	["human/choices.ts", '= ["continue"];', '= ["continue", "directive"];'],
];

const STORE: readonly PlantedFault[] = [
	["store/queries/records.ts", "AND check_name = ? ", "AND ? <> '' "],
	["store/queries/leases.ts", 'if (row?.["epoch"] !== epoch) throw leaseLost(fence);', ""],
	["store/queries/leases.ts", "now - held.beat <= DEAD_AFTER_MS", "true"],
	["store/mask-writes.ts", "{ ...write, result: maskAllButNames(masker, write.result) }", "write"],
	["store/spending.ts", "(one ?? other) : one + other", "null : one + other"],
];

const MERGE: readonly PlantedFault[] = [
	[
		"merge/land.ts",
		"if (await landing.isTested(tip)) return null;",
		'if (tip !== "") return null;',
	],
	["merge/land.ts", "if (!forecast.clean) {", "if (forecast.clean === null) {"],
	[
		"merge/land.ts",
		"const isLanded = await isAncestor(vault, tip, base);",
		'const isLanded = tip === "";',
	],
];

const COMMITS: readonly PlantedFault[] = [
	["git/message.ts", "SPEAKS.test(line)", 'line === ""'],
	[
		"git/user-commit.ts",
		"if (!isSame(by, await userIdentity(vault.repository, env))) {",
		"if (by === null) {",
	],
	["git/snapshot.ts", "empty ? parent : await", "await"],
	[
		"landing/archive-work.ts",
		"mergedCommit ?? (flags.includes(ALREADY_DONE) ? startCommit : null)",
		"mergedCommit",
	],
	["drive/sound-state.ts", " && !(await isOnBranch(ground, task))", ""],
];

const LOOP: readonly PlantedFault[] = [
	["loop/refused-merge.ts", "!changed.has(path) && ", ""],
	[
		"loop/refused-merge.ts",
		"new RegExp(before + RegExp.escape(path)",
		"new RegExp(RegExp.escape(path)",
	],
	[
		"loop/nodes/validate-structure.ts",
		"[...compared.violations, ...undecided]",
		"compared.violations",
	],
	["loop/refused-merge.ts", "		conflictLeft(log, { commit, paths: unmarked }),\n", ""],
	["loop/graph/run-task.ts", "!waiting || record.humanItem === null", "!waiting"],
	[
		"loop/graph/run-task.ts",
		"if (await isAnswered(context)) await goOn(context, checkpointer, inputFor);",
		"",
	],
	[
		"loop/edges.ts",
		"	if (state.turnCount >= state.maxTurns)",
		"	if (state.turnCount > state.maxTurns)",
	],
	["loop/edges.ts", 'if (state.refused) return { kind: "gate_failed" };', ""],
	["loop/admission/budget.ts", "const WARN_AT = 0.8;", "const WARN_AT = 0.95;"],
	["loop/admission/budget.ts", "spent >= limit - SLACK_USD", "spent > limit + 1"],
	["loop/records/task-reader.ts", "(finding.subtask ?? null) === subtask", "true"],
	["loop/decide-turn.ts", "items.every((", "items.some(("],
	["loop/nodes/await-human.ts", 'choice === "take_developer" ? "PASS" : "FAIL"', '"PASS"'],
	["loop/present-task.ts", 'if (facts.workflow.merge.into === "none")', "if (facts === null)"],
	["loop/assembled-tree.ts", "cold.tree === tree || cold.key === key", "cold.tree !== ''"],
	["loop/nodes/coach-turn.ts", "mergesNext(facts) && short.length === 0", "mergesNext(facts)"],
	["judge/prepare-checkout.ts", "kept.tree !== null && kept.tree !== wanted", "kept.tree === ''"],
	[
		"loop/nodes/merge.ts",
		"const isOwn = made && stored.commit !== stored.tip;",
		"const isOwn = made;",
	],
	["loop/nodes/merge.ts", "isSquash ? [tip] : [tip, work]", "[tip, work]"],
	["loop/records/turn-claims.ts", "audit.inARow < FALSE_REPORTS", "audit.inARow <= FALSE_REPORTS"],
	["verification/suite.ts", "!run.notLoaded.includes(id)", 'id !== ""'],
	["loop/commits.ts", 'if (outcome === "answered") roles', "roles"],
	["loop/graph/task-nodes.ts", "if (!task.requiresHuman)", "if (task.requiresHuman)"],
	["loop/records/findings.ts", " || paused === true", ""],
	["loop/decide-turn.ts", "subtask !== null && !subtask.isLast", "subtask !== null"],
];

/** Many tasks at once: the queue, its limits, and what is stored of it. */
const TOGETHER: readonly PlantedFault[] = [
	["merge/merge-queue.ts", "if (entry.alone || at >= QUEUE_DEPTH) return null;", ""],
	["merge/merge-queue.ts", "return place === -1 || place < at;", "return false;"],
	["merge/merge-queue.ts", "if (entry.hasLanded) return this.release(entry.task);", ""],
	["loop/admission/reservations.ts", "if (free <= SLACK_USD) return false;", ""],
	[
		"loop/admission/reservations.ts",
		"need === null ? !inFlight.includes(null)",
		"need === null ? true",
	],
	["schedule/run-schedule.ts", "while (taken.has(slot)) slot += 1;", ""],
	["schedule/run-schedule.ts", "!this.#stopped.has(task.taskId) &&", ""],
	["schedule/run-schedule.ts", "for (const error of this.#stopped.values()) throw error;", ""],
	["schedule/readiness.ts", 'phase === "merging" ? 0 : 1', 'phase === "merging" ? 1 : 0'],
	["places/portable-records.ts", 'name.startsWith("..") || isAbsolute(name) ? path : name', "path"],
	["places/task-refs.ts", "			await task.requireLease();\n			// Unless", "			// Unless"],
	["store/folder/blobs.ts", "constants.O_RDONLY | constants.O_NOFOLLOW", "constants.O_RDONLY"],
	["kernel/blobs.ts", 'part !== "" && part !== "." && part !== ".."', 'part !== ""'],
];

const SCHEDULE: readonly PlantedFault[] = [
	["schedule/run-schedule.ts", "this.#requireMoved(before);", ""],
	["schedule/readiness.ts", "view.merges && !view.reviews.has(id)", "view.merges"],
	["schedule/readiness.ts", 'view.answered.has(task.humanItem) ? "ready"', 'view.merges ? "ready"'],
	["schedule/readiness.ts", 'if (statuses.includes("cancelled")) return "cancelled";', ""],
	["schedule/readiness.ts", 'item?.status === "RESOLVED" || item', "item"],
];

const APP: readonly PlantedFault[] = [
	["landing/cold-check.ts", "now === undefined ? before : knownInBoth(before, now)", "before"],
	["landing/cold-check.ts", "knownInBoth(before, now)", "now"],
	["judge/check-suite.ts", "start === ground.run.baseCommit ? 0 : 1", "0"],
	["landing/land-run.ts", "strange.length === 0 && ", ""],
	["drive/drive-run.ts", "	await removeLeftFiles(places, repository, run.runId);\n", ""],
	["drive/cancel-run.ts", "			await removeLeftFiles(places, repository, runId);\n", ""],
	["drive/leftovers.ts", "			{ directory: places.stateDir },\n", ""],
	["drive/leftovers.ts", "	await removeUnfinishedObjects(repository);\n", ""],
	["library/answer-item.ts", "masker.mask(valid.directive)", "valid.directive"],
	[
		"drive/resume-run.ts",
		'status === "failed" && turns >= maxTurns',
		'status === "failed" && turns > maxTurns',
	],
	[
		"landing/prune-runs.ts",
		"if (unmerged.length === 0) return null;",
		"if (unmerged.length > -1) return null;",
	],
	["drive/cancel-run.ts", "if (open.length > 1) {", "if (open.length > 9) {"],
	["places/find-run.ts", "if (others.length > 0) {", "if (others.length > 9) {"],
	["places/places.ts", "if (isInside(root, parent) ||", "if (root === null ||"],
	["drive/committer.ts", "if (passed <= 0) return;", ""],
	[
		"landing/land-run.ts",
		"if (!tasks.some(({ merged }) => merged)) {",
		"if (tasks.length === 0) {",
	],
	["drive/trace-file.ts", 'if (event.type !== "agent-called") continue;', ""],
];

const CLI: readonly PlantedFault[] = [
	["cli/terminal/exit-code.ts", "return EXIT.waiting;", "return EXIT.failed;"],
	["cli/terminal/option-values.ts", "/^[1-9]\\d{0,6}$/", "/^\\d{1,7}$/"],
	[
		"kernel/visible-text.ts",
		'"\\t" ? character : escapeCharacter(character)',
		'"\\t" ? character : character',
	],
	["cli/terminal/next-steps.ts", "merged.length === 0 || landed", "merged.length === 0"],
	["cli/run-cli.ts", "error instanceof Fault ? wrongUsage(words) : EXIT.bug", "EXIT.failed"],
	["cli/terminal/wrap-line.ts", "{ hard: true, trim: false }", "{ hard: true }"],
	["places/known-ids.ts", "return keys.filter(isSafe);", "return keys;"],
	["cli/process-shell.ts", "(text) => maskPrinted(masker, text);", "(text) => text;"],
	[
		"cli/terminal/supervise-run.ts",
		"if (report === null) return EXIT.interrupted;",
		"if (report === null) return 0;",
	],
];

/** By room, in the order the data flows. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
	...KERNEL,
	...MASKING,
	...WORKFLOW,
	...PROCESS,
	...GIT,
	...AGENTS,
	...EVIDENCE,
	...REVIEW,
	...CONFLICT,
	...CONFIDENCE,
	...GATE,
	...HUMAN,
	...STORE,
	...MERGE,
	...COMMITS,
	...LOOP,
	...TOGETHER,
	...SCHEDULE,
	...APP,
	...CLI,
];
