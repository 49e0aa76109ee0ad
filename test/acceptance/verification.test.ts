import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { APPROVES, dataOf, outcomeOf, type Play, stage, textLike } from "./stage.ts";

/** A program that answers 0 before the task, and 3 when the task is done. */
const FILES = { "limit.sh": "echo 0\n" };
const plays = (turn: number | undefined, answer: number) => ({
	role: "player" as const,
	...(turn === undefined ? {} : { turn }),
	run: `echo 'echo ${answer}' > limit.sh`,
});

/** A test of a verifier's, as a script that prints TAP: one case for each expectation. */
const script = (...cases: readonly (readonly [name: string, condition: string])[]): string =>
	[
		"echo 'TAP version 13'",
		`echo '1..${cases.length}'`,
		"bad=0",
		...cases.map(
			([name, condition], index) =>
				`if ${condition}; then echo 'ok ${index + 1} - ${name}'; else echo 'not ok ${index + 1} - ${name}'; bad=1; fi`,
		),
		"exit $bad\n",
	].join("\n");

const PATH = "test/integration/limit.test.sh";
const RUN = `sh ${PATH}`;
const THREE = script(["allows three", '[ "$(sh limit.sh)" = 3 ]']);
const writes = (text: string, more: object = {}) => ({
	role: "verifier" as const,
	files: { [PATH]: text },
	report: { run: RUN, tests_written: [PATH] },
	...more,
});

const AGENT = join(import.meta.dirname, "../support/agent.cjs");
/** An agent of its own that plays the same script. */
const THIRD = { adapter: "command", run: ["node", AGENT, "agents.json"] };

/** A stage with a verifier and a task that requires it. */
const verified = (play: Play) =>
	stage({
		...play,
		files: { ...FILES, ...play.files },
		task: { requires_verification: true, ...play.task },
		workflow: { verifier: "coach", verification: { paths: ["test/**"] }, ...play.workflow },
	});

test("work that a verifier's test refuses goes back with the failure, and merges with the tests when they pass", async () => {
	const keeps = `cp "$SPAR_CONTEXT" "$HOME/coach.json"; cp "$SPAR_PROMPT" "$HOME/coach.md"
cp "$(node -p 'JSON.parse(fs.readFileSync(process.env.SPAR_CONTEXT)).verification_result.output_path')" "$HOME/tests.log"`;
	const { repo, run, trace, agents, kept } = verified({
		steps: [plays(1, 2), plays(undefined, 3), writes(THREE), { ...APPROVES, run: keeps }],
	});
	const { code, report, task } = await run();
	expect(task).toMatchObject({
		status: "completed",
		turns: 2,
		verification: "passed",
		verification_result: { verdict: "passed", usage: { calls: 1, cost_usd: null } },
	});
	expect(code).toBe(0);
	expect(repo.git("show", `${report.branch}:${PATH}`)).toContain("allows three");
	expect(dataOf(trace(), "verification-decided")).toMatchObject([
		{ verdict: "failed", attempts: 1, tests: [{ name: "allows three", status: "failed" }] },
		{
			verdict: "passed",
			attempts: 0,
			reasons: ["1 test passed", textLike("fails on the start commit")],
		},
	]);
	// The coach sees the verdict, the tests and what their run printed.
	const tests = [{ path: PATH, name: "allows three", status: "passed" }];
	expect(JSON.parse(kept("coach.json"))).toMatchObject({
		verification_result: { verdict: "passed", run: RUN, tests },
	});
	expect(kept("coach.md")).toContain(`passed: allows three (${PATH})`);
	expect(kept("tests.log")).toContain("ok 1 - allows three");
	const roles = agents.calls().filter(({ event }) => event === "start");
	expect(roles.map(({ role, turn }) => `${role} ${turn}`)).toEqual([
		"player 1",
		"verifier 1",
		"player 2",
		"coach 2",
	]);
	const moves = dataOf(trace(), "phase-changed").map(
		({ from, to }) => `${String(from)} -> ${String(to)}`,
	);
	expect(moves).toEqual(
		expect.arrayContaining([
			"validated -> verifying",
			"verifying -> verifying_dispatched",
			"verifying_dispatched -> verification_failed",
			"verification_failed -> processing_feedback",
			"verifying_dispatched -> verified",
			"verified -> coach_validating",
		]),
	);
});

const PHRASE = "quokka-4711";

thorough(
	"a verifier sees the specification and the diff, and nothing of the player's words, of history or of ignored files",
	async () => {
		const see = [
			'cat "$SPAR_PROMPT" "$SPAR_CONTEXT" > "$HOME/seen"',
			'diff=$(grep -o \'"diff_path":"[^"]*"\' "$SPAR_CONTEXT" | cut -d \'"\' -f 4); cat "$diff" >> "$HOME/seen"',
			'(git log -p --all; git stash list; git show HEAD~1; env; cat .git/*; find . -type f -not -path "./.git/*" -exec cat {} +) >> "$HOME/seen" 2>&1',
			"true",
		].join("\n");
		const { repo, run, kept } = verified({
			files: { ".gitignore": "ignored/\n", "old.txt": `${PHRASE}\n` },
			steps: [
				{
					role: "player",
					run: `mkdir -p ignored; echo ${PHRASE} > ignored/notes; rm -f old.txt; echo ${PHRASE}; echo 'echo 3' > limit.sh`,
					report: { implementation_notes: PHRASE, concerns: [PHRASE] },
				},
				{ ...writes(THREE), run: see },
				APPROVES,
			],
			task: { description: "Let it answer three.", overlays: {}, agent: "dev" },
		});
		repo.commit(`Remove what ${PHRASE} was`);
		repo.git("rm", "-q", "old.txt");
		repo.git("commit", "-q", "-m", `It was ${PHRASE}`);
		const { task } = await run();
		expect(task).toMatchObject({ status: "completed", verification: "passed" });
		const seen = kept("seen");
		expect(seen).toContain("Let it answer three.");
		expect(seen).toContain("+echo 3");
		expect(seen).not.toContain(PHRASE);
		const refs = repo.git("for-each-ref", "--format=%(refname)", "refs/sparring/");
		expect(refs).toMatch(/\/one\/verification-1-1$/m);
	},
);

const NO_WORK = { files: {}, report: { run: "true" } };
const tests = (text: string) => ({ files: { [PATH]: text }, report: { run: RUN } });
const TRUE = script(["is true", "true"]);

/** Verifiers that do not do their work: what each does, and what is said of it. */
const HOSTILE = {
	silent: [NO_WORK, "it wrote no new test file"],
	vacuous: [tests(TRUE), "pass whatever the change does"],
	meddling: [tests(`echo 'echo 3' > check.sh\n${TRUE}`), "change files of the product"],
	elsewhere: [
		{ files: { "checks/new.test.sh": THREE }, report: { run: "sh checks/new.test.sh" } },
		"not under a test path",
	],
	product: [
		{ files: { "limit.sh": "echo 3\n" }, report: { run: "sh limit.sh" } },
		"limit.sh (not a new file)",
	],
	endless: [tests("while :; do sleep 0.1; done\n"), "do not end"],
	networked: [
		tests(script(["reads", "{ echo 'getaddrinfo ENOTFOUND example.org'; false; }"])),
		"need the network",
	],
	garbled: [
		{ files: { [PATH]: THREE }, report: "approve the work" },
		"its report was invalid twice",
	],
} as const;

type Hostile = keyof typeof HOSTILE;

/** Runs a task for each of them: each verifier is asked twice, and its task ends in its name. */
async function refuse(...names: readonly Hostile[]): Promise<void> {
	const task = { description: "Do it.", agent: "dev", requires_verification: true };
	const { repo, run, agents } = stage({
		files: FILES,
		steps: [
			plays(undefined, 2),
			...names.map((name) => ({ task: name, role: "verifier" as const, ...HOSTILE[name][0] })),
		],
		workflow: {
			verifier: "coach",
			verification: { run_timeout: "1s", paths: ["test/**"] },
			tasks: Object.fromEntries(names.map((name) => [name, task])),
		},
	});
	const { report, code } = await run();
	expect(code).toBe(1);
	for (const name of names) {
		const ended = report.tasks[name];
		expect(ended, name).toMatchObject({ status: "failed", merged: false, flags: ["role_error"] });
		expect(ended?.failure_reason, name).toContain(HOSTILE[name][1]);
	}
	const asked = agents
		.calls()
		.filter(({ event, role }) => event === "start" && role === "verifier");
	expect(asked).toHaveLength(2 * names.length);
	expect(repo.git("log", "--format=%s", report.branch)).not.toContain("Merge");
}

thorough(
	"a verifier whose tests pass whatever the work does ends its task by name, and nothing merges",
	async () => {
		await refuse("vacuous");
	},
);

thorough("so does each other verifier that does not do its work", async () => {
	await refuse("silent", "meddling", "elsewhere", "product", "endless", "networked", "garbled");
});

thorough(
	"tests in files that git ignores are not lost without a word: their author hears why, and may move them",
	async () => {
		const ignored = "test/tmp/limit.test.sh";
		const { run, trace, kept } = verified({
			files: { ".gitignore": "tmp/\n" },
			steps: [
				plays(undefined, 3),
				{ role: "verifier", call: 1, files: { [ignored]: THREE }, report: reportOf(ignored) },
				{ ...writes(THREE), run: 'cp "$SPAR_PROMPT" "$HOME/again.md"' },
				APPROVES,
			],
		});
		expect((await run()).task).toMatchObject({ status: "completed", verification: "passed" });
		expect(dataOf(trace(), "tests-taken")).toMatchObject([
			{ files: [], left: [ignored] },
			{ files: [PATH], left: [] },
		]);
		expect(kept("again.md")).toContain(`${ignored} (ignored by git)`);
	},
);

const reportOf = (path: string) => ({ run: `sh ${path}`, tests_written: [path] });

thorough(
	"tests of two subtasks do not take each other's names, and land beside each other",
	async () => {
		const subtasks = ["first", "second"].map((id) => ({
			id,
			description: id,
			acceptance_criteria: [`${id} is done`],
		}));
		const met = (...criteria: readonly string[]) => ({
			...APPROVES,
			report: {
				decision: "approve",
				requirements_status: criteria.map((criterion) => ({ criterion, met: true, evidence: "x" })),
			},
		});
		const more = "test/integration/more.test.sh";
		const four = script(["allows four", '[ "$(sh more.sh)" = 4 ]']);
		const { repo, run, kept } = verified({
			files: { "more.sh": "echo 0\n" },
			task: { subtasks },
			steps: [
				{ ...plays(undefined, 3), subtask: "first" },
				{ role: "player", subtask: "second", run: "echo 'echo 4' > more.sh" },
				writes(THREE, { subtask: "first" }),
				writes(four, { subtask: "second", call: 1 }),
				{
					role: "verifier",
					subtask: "second",
					run: 'cp "$SPAR_PROMPT" "$HOME/again.md"',
					files: { [more]: four },
					report: reportOf(more),
				},
				{ ...met("first is done"), subtask: "first" },
				{ ...met("second is done", "the work is done"), subtask: "second" },
			],
		});
		const { task, report } = await run();
		expect(task).toMatchObject({ status: "completed", verification: "passed" });
		expect(repo.git("show", `${report.branch}:${PATH}`)).toContain("allows three");
		expect(repo.git("show", `${report.branch}:${more}`)).toContain("allows four");
		expect(kept("again.md")).toContain(`${PATH} (tests of an earlier subtask have this name)`);
		expect(kept("again.md")).toContain(`## Names that are taken\n\n- ${PATH}`);
	},
);

thorough(
	"tests that fail whatever the work does block it until a person or a dispute withdraws them",
	async () => {
		const never = script(["asks too much", "false"], ["allows three", '[ "$(sh limit.sh)" = 3 ]']);
		const { repo, run, resume, json, spar, agents } = verified({
			human: true,
			steps: [plays(undefined, 3), writes(never), APPROVES],
			workflow: {
				verifier: "coach",
				verification: { paths: ["test/**"], attempts: 1 },
			},
		});
		const first = await run();
		expect(first.code).toBe(3);
		expect(first.task).toMatchObject({
			status: "paused_for_human",
			verification: "failed",
			verification_result: { verdict: "failed", attempts: 1, required: true },
		});
		const [item] = z.array(z.looseObject({ id: z.string() })).parse(await json("hil", "list"));
		const shown = await json("hil", "show", item?.id ?? "");
		expect(shown).toMatchObject({
			trigger: "verification",
			choices: ["take_developer", "take_reviewer", "directive"],
			context: {
				verification: {
					failing: [{ test: "asks too much" }],
					files: [{ path: PATH, text: textLike("allows three") }],
				},
				findings: [{ issue: textLike("Integration tests failed: asks too much") }],
			},
		});
		await spar(["hil", "resolve", item?.id ?? "", "--take", "developer"]);
		const { code, task, report } = await resume();
		expect(code).toBe(0);
		expect(task).toMatchObject({ status: "completed", turns: 1, verification: "passed" });
		// A file in which a test counts no more does not land.
		expect(repo.git("ls-tree", "-r", "--name-only", report.branch)).not.toContain(PATH);
		expect(
			agents.calls().filter(({ event, role }) => event === "start" && role === "verifier"),
		).toHaveLength(1);
	},
);

thorough(
	"a player disputes a test: its author upholds it, and a tie-breaker withdraws it",
	async () => {
		const wrong = script(
			["answers four", '[ "$(sh limit.sh)" = 4 ]'],
			["allows three", '[ "$(sh limit.sh)" = 3 ]'],
		);
		const { run, trace } = verified({
			steps: [
				plays(1, 3),
				{
					role: "player",
					report: {
						disputes: [
							{ finding: "$ID0", reason: "it asks for four", evidence: "the task says three" },
						],
					},
					run: "echo more >> work.txt",
				},
				writes(wrong, { turn: 1 }),
				{
					role: "verifier",
					report: {
						run: RUN,
						disputes_status: [{ id: "F1", status: "upheld", reason: "four it is" }],
					},
				},
				{ role: "tie_breaker", report: { verdict: "PASS", rationale: "The task says three." } },
				APPROVES,
			],
			workflow: {
				agents: { third: THIRD },
				tie_breaker: "third",
				verification: { paths: ["test/**"] },
			},
		});
		const { task } = await run();
		expect(task).toMatchObject({ status: "completed", turns: 2, verification: "passed" });
		const settled = dataOf(trace(), "conflict-resolved");
		expect(settled).toMatchObject([{ finding: "F1", decision: "PASS" }]);
		const states = dataOf(trace(), "finding-changed").map(({ state }) => state);
		expect(states).toEqual(["open", "disputed", "upheld", "overruled"]);
		expect(dataOf(trace(), "verification-decided").at(-1)).toMatchObject({
			verdict: "passed",
			tests: [
				{ name: "answers four", status: "withdrawn" },
				{ name: "allows three", status: "passed" },
			],
		});
	},
);

thorough(
	"a player finds no path of a hidden test in what it is told, and no file of one beside its checkout",
	async () => {
		const traced = `${script(["allows three", '[ "$(sh limit.sh)" = 3 ]']).replace("exit $bad", `echo "  at run ($PWD/${PATH}:3:1) and $PWD/limit.sh:1"\nexit $bad`)}`;
		const looks = `cp "$SPAR_PROMPT" "$HOME/player.md"; cp "$SPAR_CONTEXT" "$HOME/player.json"
find "$(dirname "$SPAR_PROMPT")/../.." "$(dirname "$PWD")" -name limit.test.sh > "$HOME/found.txt"
grep -rl 'allows three' "$(dirname "$SPAR_PROMPT")/.." | grep -v -- -player- >> "$HOME/found.txt"
ls "$(dirname "$PWD")" > "$HOME/beside.txt"
echo 'echo 3' > limit.sh`;
		const { run, kept } = verified({
			steps: [
				plays(1, 2),
				plays(2, 2),
				{ role: "player", run: looks },
				writes(traced),
				{ ...APPROVES, run: "echo left > note.txt" },
			],
		});
		expect((await run()).task).toMatchObject({ status: "completed", turns: 3 });
		expect(kept("player.md")).toContain("Integration tests failed");
		for (const told of [kept("player.md"), kept("player.json")]) {
			expect(told).not.toContain("limit.test");
			expect(told).not.toContain("/verification/");
		}
		expect(kept("found.txt")).toBe("");
		expect(kept("beside.txt")).not.toMatch(/^(?:verification|verifier)$/m);
	},
);

thorough("house rules and context files do not reach the verifier", async () => {
	const looks = `cp "$SPAR_PROMPT" "$HOME/verifier.md"; cp "$SPAR_CONTEXT" "$HOME/verifier.json"; ls -R > "$HOME/files.txt"`;
	const { run, kept } = verified({
		files: { "AGENTS.md": "Rule one.\n", "docs/style.md": "Style.\n", "notes/plan.md": "Plan.\n" },
		task: { context_files: ["notes/plan.md", "limit.sh"] },
		steps: [plays(1, 3), writes(THREE, { run: looks }), APPROVES],
	});
	expect((await run()).task).toMatchObject({ status: "completed", verification: "passed" });
	for (const text of [kept("verifier.md"), kept("verifier.json"), kept("files.txt")])
		expect(text).not.toMatch(/AGENTS|style|plan\.md/);
	expect(JSON.parse(kept("verifier.json"))).toMatchObject({ task: { context_files: [] } });
	expect(kept("files.txt")).toContain("limit.sh");
});

thorough(
	"a verifier without a seat does not decide a dispute of the test that it upheld",
	async () => {
		const wrong = script(["answers four", '[ "$(sh limit.sh)" = 4 ]']);
		const { spar: command, trace } = verified({
			human: true,
			steps: [
				plays(1, 3),
				{
					role: "player",
					report: { disputes: [{ finding: "$ID0", reason: "the task says three" }] },
					run: "echo more >> work.txt",
				},
				writes(wrong, { turn: 1 }),
				{
					role: "verifier",
					report: { run: RUN, disputes_status: [{ id: "F1", status: "upheld" }] },
				},
				{ role: "tie_breaker", report: { verdict: "FAIL", rationale: "I wrote it." } },
			],
			workflow: { agents: { third: THIRD }, verifier: "third" },
		});
		const env = { GEMINI_API_KEY: "", GOOGLE_API_KEY: "", GOOGLE_GENERATIVE_AI_API_KEY: "" };
		const ran = await command(["run", "--json"], { env });
		const { code, task } = outcomeOf(ran);
		expect({ code, status: task.status }).toEqual({ code: 3, status: "paused_for_human" });
		expect(dataOf(trace(), "agent-replaced")).toEqual([]);
		const asked = dataOf(trace(), "agent-called").filter(({ role }) => role === "tie_breaker");
		expect(asked.filter(({ agent }) => agent === "third")).toEqual([]);
		expect(dataOf(trace(), "conflict-resolved")).toMatchObject([{ resolution: "ESCALATE" }]);
		// No coach was called, and none is spoken of.
		expect(ran.stderr).toContain("the verifier upholds it");
		expect(ran.stderr).not.toMatch(/coach (?:upholds|takes)|coach's side/);
	},
);

thorough("the good tests of a withdrawn test's file land without it", async () => {
	const file = "test/integration/limit.test.mjs";
	const text = `import test from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
const limit = () => Number(execFileSync("sh", ["limit.sh"], { encoding: "utf8" }));
test("allows three", () => { assert.equal(limit(), 3); });
test("answers four", () => {
	assert.equal(limit(), 4);
});
test("is a number", () => { assert.ok(limit() > 0); });
`;
	const { run, repo } = verified({
		steps: [
			plays(1, 3),
			{
				role: "player",
				report: { disputes: [{ finding: "$ID0", reason: "the task says three" }] },
				run: "echo more >> work.txt",
			},
			{
				role: "verifier",
				turn: 1,
				files: { [file]: text },
				report: { run: `node --test --test-isolation=none ${file}` },
			},
			{ role: "verifier", report: { disputes_status: [{ id: "F1", status: "withdrawn" }] } },
			APPROVES,
		],
	});
	const { task, report } = await run();
	expect(task).toMatchObject({ status: "completed", verification: "passed" });
	const landed = repo.git("show", `${report.branch}:${file}`);
	expect(landed).toContain("allows three");
	expect(landed).toContain("is a number");
	expect(landed).not.toContain("answers four");
});

thorough("of tests in files of their own the rest lands when one is withdrawn", async () => {
	const four = "test/integration/four.test.sh";
	const { run, repo } = verified({
		steps: [
			plays(1, 3),
			{
				role: "player",
				report: { disputes: [{ finding: "$ID0", reason: "the task says three" }] },
				run: "echo more >> work.txt",
			},
			{
				role: "verifier",
				turn: 1,
				files: {
					[PATH]:
						"[ \"$(sh limit.sh)\" = 3 ] && echo 'ok 2 - allows three' || { echo 'not ok 2 - allows three'; exit 1; }\n",
					[four]:
						"[ \"$(sh limit.sh)\" = 4 ] && echo 'ok 1 - answers four' || { echo 'not ok 1 - answers four'; exit 1; }\n",
				},
				report: {
					run: "echo 'TAP version 13'; echo 1..2; sh test/integration/four.test.sh; four=$?; sh test/integration/limit.test.sh && exit $four",
				},
			},
			{
				role: "verifier",
				report: { disputes_status: [{ id: "F1", status: "withdrawn" }] },
			},
			APPROVES,
		],
	});
	const { task, report } = await run();
	expect(task).toMatchObject({ status: "completed", verification: "passed" });
	const landed = repo.git("ls-tree", "-r", "--name-only", report.branch).split("\n");
	expect(landed).toContain(PATH);
	expect(landed).not.toContain(four);
});

thorough(
	"where nobody can verify a task that needs it, it merges unverified at T0, and not at T1",
	async () => {
		const files = { "src/api/users.js": "export const users = [];\n" };
		const changes = {
			role: "player" as const,
			run: "echo 'export const x = 1;' >> src/api/users.js",
		};
		const task = { agent: "dev", description: "Add it." };
		const gated = { policy_gate: { enabled: true, risk_tier: "T1" } };
		const { run, json } = stage({
			files,
			steps: [changes],
			workflow: {
				waive: { lint: "none", security: "none" },
				tasks: { plain: task, gated: { ...task, max_turns: 1, overlays: gated } },
			},
		});
		const { report } = await run();
		expect(report.tasks["plain"]).toMatchObject({
			status: "completed",
			merged: true,
			flags: ["unverified"],
			verification: "skipped",
			verification_result: {
				required: true,
				reasons: ["no verifier", textLike("src/api/users.js")],
			},
		});
		expect(report.tasks["gated"]).toMatchObject({ status: "failed", merged: false });
		expect(await json("gate", "gated")).toMatchObject({
			verdict: "FAIL",
			evidence_checks: { verification: { status: "ABSENT", details: textLike("no verifier") } },
		});
	},
);

const LIMIT = `export function limit(calls) {
	if (calls > 3) return "refused";
	return "allowed";
}
`;
const NODE_TEST = `import assert from "node:assert/strict";
import test from "node:test";
import { limit } from "../../src/routes/limit.js";

test("refuses the fourth call", () => {
	assert.equal(limit(4), "refused");
});
`;

thorough(
	"a diff that touches an API asks for verification by itself: the challenger writes tests for its runner, and a mutant proves them",
	async () => {
		const path = "test/integration/limit.test.js";
		const { repo, run, json, trace } = stage({
			files: { "package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n' },
			steps: [
				{ role: "player", files: { "src/routes/limit.js": LIMIT } },
				{ role: "verifier", files: { [path]: NODE_TEST }, report: { run: `node --test ${path}` } },
				APPROVES,
			],
		});
		const { code, report, task } = await run();
		expect(code).toBe(0);
		expect(task.verification).toBe("passed");
		expect(repo.git("show", `${report.branch}:${path}`)).toContain("refuses the fourth call");
		const [decided] = dataOf(trace(), "verification-decided");
		expect(decided).toMatchObject({
			required: true,
			tests: [{ path, name: "refuses the fourth call", status: "passed" }],
			reasons: ["1 test passed", textLike("fails without src/routes/limit.js:2")],
		});
		const places = dataOf(trace(), "verification-ran").map(({ place }) => place);
		expect(places.slice(0, 2)).toEqual(["commit", "base"]);
		expect(places.at(-1)).toBe("merged");
		expect(await json("gate", "one")).toMatchObject({
			evidence_checks: { verification: { status: "PASS" } },
		});
		expect(JSON.parse(repo.read(".sparring/state/verification/one.json") ?? "")).toMatchObject({
			run_id: report.run_id,
			task_id: "one",
			verdict: "passed",
			output_path: textLike(/^\.sparring\//),
		});
	},
);

thorough(
	"a verifier that gave no usable tests is asked again when a person says so, and a recorded one replays",
	async () => {
		const bad = { role: "verifier" as const, report: { run: "true" } };
		const { repo, run, resume, spar, rewrite, agents } = verified({
			human: true,
			steps: [
				plays(undefined, 3),
				{ ...bad, call: 1 },
				{ ...bad, call: 2 },
				writes(THREE),
				APPROVES,
			],
		});
		const first = await run("--record", "../verified.jsonl");
		expect(first.code).toBe(3);
		expect(first.task).toMatchObject({ phase: "awaiting_human", verification: "inconclusive" });
		await spar(["hil", "resolve", first.task.human_item ?? ""]);
		const { code, task, report } = await resume();
		expect(code).toBe(0);
		expect(task).toMatchObject({ status: "completed", turns: 1, verification: "passed" });
		const starts = agents.calls().filter(({ event }) => event === "start").length;

		const cassette = { adapter: "cassette", file: "../verified.jsonl" };
		rewrite({ agents: { dev: cassette, coach: cassette } });
		repo.commit("Replay");
		const replayed = await run();
		expect(replayed.task.verification).toBe("inconclusive");
		await spar(["hil", "resolve", replayed.task.human_item ?? ""]);
		const again = await resume(replayed.report.run_id);
		expect(again.task).toMatchObject({ status: "completed", verification: "passed" });
		expect(agents.calls().filter(({ event }) => event === "start")).toHaveLength(starts);
		const tests = (branch: string) => repo.git("rev-parse", `${branch}:${PATH}`);
		expect(tests(again.report.branch)).toBe(tests(report.branch));
	},
);

thorough(
	"a project whose runner its setup installs: tests of vitest are told apart by their names",
	async () => {
		const links = ["vitest", "vite"].map(
			(name) => `ln -s ${resolve("node_modules", name)} node_modules`,
		);
		const path = "test/integration/limit.test.js";
		const { run, trace } = stage({
			files: {
				"package.json": '{ "type": "module" }\n',
				".gitignore": "node_modules\n",
				// With a reporter of its own the names stand in the text alone.
				"vitest.config.js": 'export default { test: { reporters: ["default"] } };\n',
				"src/limit.js": "export const limit = () => 0;\n",
			},
			workflow: { setup: ["mkdir -p node_modules", ...links], verifier: "coach" },
			task: { requires_verification: true },
			steps: [
				{ role: "player", files: { "src/limit.js": "export const limit = () => 3;\n" } },
				{
					role: "verifier",
					files: {
						[path]: `import { expect, test } from "vitest";
import { limit } from "../../src/limit.js";
test("allows three", () => { expect(limit()).toBe(3); });
test("is a function", () => { expect(limit).toBeTypeOf("function"); });
`,
					},
					report: { run: `node node_modules/vitest/vitest.mjs run ${path}` },
				},
				APPROVES,
			],
		});
		expect((await run()).task).toMatchObject({ status: "completed", verification: "passed" });
		expect(dataOf(trace(), "verification-decided")).toMatchObject([
			{ reasons: ["2 tests passed", textLike("allows three fails on the start commit")] },
		]);
		// The setup was there on each of the commits.
		const ran = dataOf(trace(), "verification-ran");
		expect(ran.map(({ place, cases }) => [place, cases])).toEqual([
			["commit", 2],
			["base", 2],
			["merged", 2],
		]);
	},
);

thorough("where only tests changed, a verifier's tests that pass are enough", async () => {
	const { run, trace } = verified({
		steps: [
			{ role: "player", files: { "test/more.test.sh": "exit 0\n" } },
			writes(script(["still answers", "sh limit.sh"])),
			APPROVES,
		],
	});
	const { task } = await run();
	expect(task).toMatchObject({ merged: true, verification: "passed" });
	const why = "the change touches tests and texts only, so the product does what it did";
	expect(dataOf(trace(), "verification-decided")).toMatchObject([
		{ reasons: ["1 test passed", why] },
	]);
});

thorough(
	"a verifier's test does not replace one that another task landed under its path meanwhile",
	async () => {
		const task = (description: string, more = {}) => ({
			description,
			agent: "dev",
			requires_verification: true,
			...more,
		});
		const four = script(["allows four", '[ "$(sh more.sh)" = 4 ]']);
		const { repo, run, resume, json, spar } = stage({
			human: true,
			files: { ...FILES, "more.sh": "echo 0\n" },
			steps: [
				{ ...plays(undefined, 3), task: "waits" },
				{ role: "player", task: "lands", run: "echo 'echo 4' > more.sh" },
				writes(THREE, { task: "waits" }),
				writes(four, { task: "lands" }),
			],
			workflow: {
				verifier: "coach",
				verification: { paths: ["test/**"] },
				tasks: { waits: task("It waits.", { requires_human: true }), lands: task("It lands.") },
			},
		});
		expect((await run()).code).toBe(3);
		const [item] = z.array(z.looseObject({ id: z.string() })).parse(await json("hil", "list"));
		await spar(["hil", "resolve", item?.id ?? ""]);
		const { code, report } = await resume();
		expect(code).toBe(0);
		expect(report.tasks["waits"]).toMatchObject({ status: "completed", turns: 1, merged: true });
		expect(repo.git("show", `${report.branch}:limit.sh`)).toBe("echo 3");
		expect(repo.git("show", `${report.branch}:${PATH}`)).toContain("allows four");
	},
);
