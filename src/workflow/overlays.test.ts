import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { parseCondition } from "./expression/parse-condition.ts";
import { type LoadedWorkflow, loadWorkflow } from "./load.ts";
import type { TaskDefinition } from "./workflow.ts";

const load = (content: string): LoadedWorkflow =>
	loadWorkflow({ content, file: "w.yaml", directory: "/repo" });
const lines = (list: LoadedWorkflow["errors"]): string[] =>
	list.map((each) => formatDiagnostic(each).replace(/^w\.yaml:/, ""));
const errorsOf = (content: string): string[] => lines(load(content).errors);
const warningsOf = (content: string): string[] => {
	const { errors, warnings } = load(content);
	expect(errors).toEqual([]);
	return lines(warnings);
};

/** Where a text stands last, as `line:column`. */
function placeOf(content: string, needle: string): string {
	const before = content.slice(0, content.lastIndexOf(needle)).split("\n");
	return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

/** Lines 1 to 6; what a test adds begins on line 7. */
const HEAD = `version: 1
agents:
  dev: { adapter: claude }
  rev: { adapter: codex }
  judge: { adapter: model, model: google/m }
  spare: { adapter: opencode }
`;
const TESTS = "checks: { t: { kind: acceptance, run: npm test } }\n";
const ALL_CHECKS = `checks: { t: { kind: acceptance, run: npm test }, l: { kind: lint, run: x }, s: { kind: security, run: x }, r: { kind: readiness, run: x }, c: { kind: coverage, run: x, report: { format: lcov } }, m: { kind: coverage, run: x, report: { format: mutation, path: m.json } } }\n`;
const PAIR = "enabled: true, driver_agent: dev, challenger_agent: rev";
/** The overlays stand on line 10, from column 7. */
const file = (overlays: string, more = "", checks = TESTS): string =>
	`${HEAD}${checks}tasks:\n  a: { description: x, ${more} overlays: {\n      ${overlays} } }\n`;
const taskOf = (content: string): TaskDefinition | undefined => {
	const { errors, workflow } = load(content);
	expect(lines(errors)).toEqual([]);
	return workflow?.tasks[0];
};
const paired = (keys: string, more = ""): string =>
	file(`paired_workflow: { ${PAIR}${keys} }`, more);
const scored = (keys: string, more = "agent: dev,", checks = ALL_CHECKS): string =>
	file(`confidence_loop: { enabled: true${keys} }`, more, checks);
const METRICS = ", metrics: [{ type: lint_score }]";
const SUBTASKS =
	"subtasks: [{ id: core, description: c, acceptance_criteria: [works] }, { id: edge, description: e, acceptance_criteria: [holds] }],";

thorough("everything that a task's overlays say arrives", () => {
	const overlays = `paired_workflow: { ${PAIR}, role_switch: checkpoint, checkpoints: [2, core, 2], max_iterations: 6, exit_conditions: ["pair.challenger_approved == true", "confidence_score >= 0.9"] },
      confidence_loop: { enabled: true, mode: raw, threshold: 0.9, max_iterations: 4, metrics: [{ type: llm_judge, weight: 0.5, evaluator_agent: judge }, { type: test_coverage }], exit_conditions: ["confidence_score >= 0.9"] },
      policy_gate: { risk_tier: T2, require_coverage: true, coverage_threshold: 0.75 }`;
	const { workflow, errors, warnings } = load(
		file(overlays, `acceptance_criteria: [works], ${SUBTASKS}`, ALL_CHECKS),
	);
	expect([...errors, ...warnings]).toEqual([]);
	expect(workflow?.tasks[0]).toMatchObject({
		player: "dev",
		pair: {
			challenger: "rev",
			roleSwitch: "checkpoint",
			checkpoints: [2, "core"],
			maxIterations: 6,
		},
		subtasks: [
			{ id: "core", description: "c", acceptanceCriteria: ["works"] },
			{ id: "edge", description: "e", acceptanceCriteria: ["holds"] },
		],
		exitConditions: ["pair.challenger_approved == true", "confidence_score >= 0.9"],
		confidence: {
			mode: "raw",
			threshold: 0.9,
			metrics: [
				{ type: "llm_judge", weight: 0.5, evaluator_agent: "judge" },
				{ type: "test_coverage", weight: 1 },
			],
		},
		gatePolicy: { riskTier: "T2", requireCoverage: true, coverageThreshold: 0.75 },
		bound: 4,
		maxTurns: 10,
		gate: true,
		gateDeclined: false,
	});
});

test("what is not written has its default, and overlays that are off leave nothing", () => {
	const plain = taskOf(file("", "agent: dev,"));
	for (const key of ["pair", "subtasks", "exitConditions", "confidence", "gatePolicy"] as const)
		expect(plain?.[key]).toBeUndefined();
	expect(plain?.formalReview).toBeUndefined();
	expect(taskOf(scored(METRICS))).toMatchObject({
		exitConditions: ["confidence_score >= 0.8"],
		confidence: { mode: "composite", threshold: 0.8, metrics: [{ type: "lint_score", weight: 1 }] },
	});
	expect(taskOf(paired(""))).toMatchObject({
		exitConditions: ["pair.challenger_approved == true"],
		pair: { challenger: "rev" },
	});
	expect(taskOf(paired(", role_switch: session, checkpoints: []"))?.pair).toEqual({
		challenger: "rev",
		roleSwitch: "session",
	});
	expect(
		taskOf(file("policy_gate: { require_coverage: true }", "agent: dev,"))?.gatePolicy,
	).toEqual({ riskTier: "T0", requireCoverage: true, coverageThreshold: 1 });
});

test("with both overlays the lists of conditions are joined, each condition once", () => {
	const both = (ofPair: string, ofScore: string): string =>
		file(
			`paired_workflow: { ${PAIR}${ofPair} }, confidence_loop: { enabled: true, threshold: 1, metrics: [{ type: lint_score }]${ofScore} }`,
			"",
			ALL_CHECKS,
		);
	const approved = "pair.challenger_approved == true";
	expect(taskOf(both("", ""))?.exitConditions).toEqual([approved, "confidence_score >= 1.0"]);
	expect(
		taskOf(both("", `, exit_conditions: ["${approved}", "loop.turn > 2"]`))?.exitConditions,
	).toEqual([approved, "loop.turn > 2"]);
});

test("the bound is the smallest of max_turns and the enabled overlays' max_iterations", () => {
	const bounds = (turns: number, ofPair: number, ofScore: number, isScored = true): string =>
		file(
			`paired_workflow: { ${PAIR}, max_iterations: ${ofPair} }, confidence_loop: { enabled: ${isScored}, max_iterations: ${ofScore}, metrics: [{ type: lint_score }] }`,
			`max_turns: ${turns},`,
			ALL_CHECKS,
		);
	expect(taskOf(bounds(3, 4, 5))?.bound).toBe(3);
	expect(taskOf(bounds(5, 4, 6))?.bound).toBe(4);
	expect(taskOf(bounds(5, 4, 2))?.bound).toBe(2);
	expect(taskOf(bounds(5, 4, 2, false))?.bound).toBe(4);
});

test.each([
	["1", "1.0"],
	["0", "0.0"],
	["1e-7", "1e-7"],
	["0.85", "0.85"],
])("a threshold of %s stands for a condition with a decimal", (threshold, shown) => {
	const [condition = ""] =
		taskOf(scored(`, threshold: ${threshold}${METRICS}`))?.exitConditions ?? [];
	expect(condition).toBe(`confidence_score >= ${shown}`);
	expect(parseCondition(condition).ok).toBe(true);
});

thorough("the condition that a threshold stands for can be read, whatever the threshold", () => {
	fc.assert(
		fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (threshold) => {
			const [condition = ""] =
				taskOf(scored(`, threshold: ${threshold}${METRICS}`))?.exitConditions ?? [];
			expect(parseCondition(condition).ok).toBe(true);
			expect(Number(condition.split(">=")[1])).toBe(threshold);
		}),
		{ numRuns: amount(50) },
	);
});

test("a gate that asks for more than T0 applies also without an acceptance check", () => {
	const gate = (keys: string): TaskDefinition | undefined =>
		taskOf(file(`policy_gate: { ${keys} }`, "agent: dev,", ""));
	expect(gate("risk_tier: T1")?.gate).toBe(true);
	expect(gate("require_coverage: true")?.gate).toBe(true);
	expect(gate("risk_tier: T0")?.gate).toBe(false);
	const declined = gate("risk_tier: T0, require_coverage: false, enabled: false");
	expect(declined).toMatchObject({ gate: false, gateDeclined: true });
	expect(declined?.gatePolicy).toBeUndefined();
});

describe("a gate that is off and asked for at once is refused, where the task says it", () => {
	const OFF = "enabled: false";
	const own = (keys: string): string => file(`policy_gate: { ${keys} }`, "agent: dev,");
	const below = (keys: string, content: string): string =>
		`${content}defaults: { overlays: { policy_gate: { ${keys} } } }\n`;
	const orTier = "remove `enabled: false`, or the tier";
	test.each([
		["T1", own(`${OFF}, risk_tier: T1`), "10:31", "risk_tier: T1 asks", orTier],
		["T2", own(`risk_tier: T2, ${OFF}`), "10:46", "risk_tier: T2 asks", orTier],
		[
			"coverage",
			own(`${OFF}, require_coverage: true`),
			...(["10:31", "require_coverage: true asks"] as const),
			"remove `enabled: false`, or `require_coverage`",
		],
		[
			"both",
			own(`${OFF}, require_coverage: true, risk_tier: T2`),
			...(["10:31", "risk_tier: T2 and require_coverage: true ask"] as const),
			"remove `enabled: false`, or the tier and `require_coverage`",
		],
		[
			"off in the task, a tier in defaults",
			below("risk_tier: T2", own(OFF)),
			...(["10:31", "risk_tier: T2 asks"] as const),
			"remove `enabled: false`, or set `risk_tier: T0`, for the task",
		],
		[
			"off in defaults, a tier in the task",
			below(OFF, own("risk_tier: T2")),
			...(["10:33", "risk_tier: T2 asks"] as const),
			"set `enabled: true`, or set `risk_tier: T0`, for the task",
		],
		[
			"both in defaults, once for all tasks",
			below(`${OFF}, risk_tier: T1`, `${own("")}  b: { agent: dev, description: y }\n`),
			...(["12:49", "risk_tier: T1 asks", orTier] as const),
		],
	])("%s", (_what, content, place, asks, hint) => {
		expect(errorsOf(content)).toEqual([
			`${place} policy_gate is off, but ${asks} for one\n    ${hint}`,
		]);
	});

	test("a task may take back what defaults say", () => {
		expect(taskOf(below("risk_tier: T2", own(`${OFF}, risk_tier: T0`)))?.gate).toBe(false);
		expect(taskOf(below(OFF, own("enabled: true, risk_tier: T2")))?.gate).toBe(true);
	});

	test("a formal review has no gate, whatever defaults say", () => {
		const review = "  r: { agent: rev, description: y, depends_on: [a], formal_review: true }\n";
		const content = below(`${OFF}, risk_tier: T2`, `${own("enabled: true")}${review}`);
		expect(errorsOf(content)).toEqual([]);
	});
});

test("waivers and notifications arrive", () => {
	const { workflow, errors } = load(
		`${HEAD}${TESTS}waive: { security: no dependencies, verification: a demo }
human: { notify: { on_created: [{ type: command, run: [say, "\${TASK_ID}: \${REASON}"] }], on_t2_gate: [{ type: webhook, url: "https://x.example/\${KEY}", headers: { authorization: "Bearer \${TOKEN}" } }, { type: webhook, url: "http://127.0.0.1:1" }] } }
tasks: { a: { agent: dev, description: x } }
`,
	);
	expect(errors).toEqual([]);
	expect(workflow?.waive).toEqual({ security: "no dependencies", verification: "a demo" });
	expect(workflow?.human).toEqual({
		enabled: true,
		notify: {
			onCreated: [{ type: "command", run: ["say", `\${TASK_ID}: \${REASON}`] }],
			onT2Gate: [
				{
					type: "webhook",
					url: `https://x.example/\${KEY}`,
					headers: { authorization: `Bearer \${TOKEN}` },
				},
				{ type: "webhook", url: "http://127.0.0.1:1" },
			],
		},
	});
});

test("notifications of the end arrive, and know other names than those of questions", () => {
	const withEnd = (word: string) =>
		load(`${HEAD}${TESTS}human: { notify: { on_end: [{ type: command, run: [say, "${word}"] }] } }
tasks: { a: { agent: dev, description: x } }
`);
	const run = ["say", `\${RUN_ID} of \${WORKFLOW}: \${STATUS}`];
	expect(withEnd(run[1] ?? "").workflow?.human.notify).toEqual({
		onCreated: [],
		onT2Gate: [],
		onEnd: [{ type: "command", run }],
	});
	expect(withEnd(`\${TASK_ID}`).errors.map(({ message }) => message)).toEqual([
		`unknown placeholder "\${TASK_ID}"`,
	]);
});

const APART = "name an agent that has no seat in this task (in a pair: neither of the two)";

test.each([
	[
		"llm_judge requires a separate evaluator agent",
		scored(", metrics: [{ type: llm_judge }]"),
		"{ type: llm_judge",
		"llm_judge metric requires evaluator_agent to be set\n    name an agent that has no seat in this task",
	],
	[
		"llm_judge evaluator must differ from task agent",
		scored(", metrics: [{ type: llm_judge, evaluator_agent: dev }]"),
		"dev }]",
		`llm_judge evaluator_agent must differ from task agent\n    ${APART}`,
	],
	[
		"a challenger as judge",
		file(
			`paired_workflow: { ${PAIR} }, confidence_loop: { metrics: [{ type: llm_judge, evaluator_agent: rev }] }`,
		),
		"rev }]",
		`llm_judge evaluator_agent must differ from task agent\n    ${APART}`,
	],
	[
		"a judge whose fallback is the player",
		scored(", metrics: [{ type: llm_judge, evaluator_agent: j2 }]").replace(
			"\nchecks",
			"\n  j2: { adapter: codex, fallback: dev }\nchecks",
		),
		"j2 }]",
		'llm_judge evaluator_agent must differ from task agent\n    through fallbacks "dev" could both do the work and judge it; name an agent with other fallbacks',
	],
	[
		"a fallback that a seat and the judge share",
		scored(", metrics: [{ type: llm_judge, evaluator_agent: judge }]")
			.replace("google/m", "google/m, fallback: spare")
			.replace("adapter: claude", "adapter: claude, fallback: spare"),
		"judge }]",
		'llm_judge evaluator_agent must differ from task agent\n    through fallbacks "spare" could both do the work and judge it; name an agent with other fallbacks',
	],
	[
		"an unknown evaluator",
		scored(", metrics: [{ type: llm_judge, evaluator_agent: jduge }]"),
		"jduge",
		'unknown agent "jduge"\n    did you mean "judge"?',
	],
	[
		"a confidence loop without metrics",
		scored(""),
		"confidence_loop",
		'confidence_loop of task "a" needs metrics\n    add one, such as `metrics: [{ type: test_coverage }]`',
	],
	[
		"a score that is compared with a whole number",
		paired(', exit_conditions: ["confidence_score == 1"]'),
		'1"]',
		"exit condition: == compares two values of one type; these are a number with decimals and a whole number\n    write 1.0",
	],
	[
		"an order of a score and a whole number",
		paired(', exit_conditions: ["confidence_score >= 1"]'),
		'1"]',
		"exit condition: >= compares two values of one type; these are a number with decimals and a whole number\n    write 1.0",
	],
	[
		"an unknown variable",
		scored(`${METRICS}, exit_conditions: [loop.turn > 2 && loop.trun > 2]`),
		"loop.trun",
		'exit condition: unknown variable "loop.trun"\n    did you mean "loop.turn"?',
	],
	[
		"a condition that does not parse, in single quotation marks",
		paired(", exit_conditions: ['loop.turn >']"),
		"'] }",
		"exit condition: the expression is incomplete",
	],
	[
		"a condition that is not boolean",
		paired(", exit_conditions: [loop.turn]"),
		"loop.turn",
		"exit condition: a condition must be true or false; this is a whole number\n    compare it, such as with >=",
	],
	[
		"a function call",
		paired(", exit_conditions: [size(loop.turn) > 2]"),
		"size(",
		'exit condition: conditions cannot call functions: "size"\n    compare the variable itself; one without a value is unknown, and makes no condition hold',
	],
	[
		"two subtasks of one id",
		file("", `agent: dev, ${SUBTASKS.replace("edge", "core")}`),
		"core, description: e",
		'duplicate subtask id "core"\n    rename one of the two',
	],
	[
		"subtasks that differ in capitals",
		file("", `agent: dev, ${SUBTASKS.replace("edge", "Core")}`),
		"Core",
		'subtask "Core" differs from "core" only in case\n    rename one of the two',
	],
	[
		"an unsafe subtask id",
		file("", `agent: dev, ${SUBTASKS.replace("edge", "../x")}`),
		"../x",
		'subtask "../x" may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
	],
	[
		"no subtasks",
		file("", "agent: dev, subtasks: [],"),
		"[],",
		"tasks.a.subtasks must not be empty",
	],
	[
		"a subtask without criteria",
		file("", "agent: dev, subtasks: [{ id: core, description: c }],"),
		"{ id: core",
		"tasks.a.subtasks[0].acceptance_criteria is missing",
	],
	[
		"checkpoint without checkpoints",
		paired(", role_switch: checkpoint"),
		"checkpoint }",
		"role_switch: checkpoint requires checkpoints\n    add `checkpoints` with numbers of turns or ids of subtasks, such as [2, core]",
	],
	[
		"checkpoints without checkpoint",
		paired(", checkpoints: [2]"),
		"checkpoints: [2]",
		"checkpoints require role_switch: checkpoint\n    write `role_switch: checkpoint`, or remove `checkpoints`",
	],
	[
		"a checkpoint below turn 1",
		paired(", role_switch: checkpoint, checkpoints: [0]"),
		"0] }",
		"tasks.a.overlays.paired_workflow.checkpoints[0] must be at least 1",
	],
	[
		"a checkpoint that names no subtask",
		paired(", role_switch: checkpoint, checkpoints: [coer]", SUBTASKS),
		"coer",
		'unknown subtask "coer"\n    did you mean "core"?',
	],
	[
		"a checkpoint that names a subtask of a task without any",
		paired(", role_switch: checkpoint, checkpoints: [core]"),
		"core] }",
		'unknown subtask "core"\n    the task has no subtasks; use a turn number',
	],
	[
		"a turn in quotation marks",
		paired(', role_switch: checkpoint, checkpoints: ["2"]'),
		'"2"',
		'unknown subtask "2"\n    for a turn number write 2 without quotes',
	],
	[
		"a report of lines for tests",
		`${file("", "agent: dev,", "")}checks: { t: { kind: acceptance, run: x, report: { format: lcov } } }\n`,
		"lcov",
		'report format "lcov" is for kind coverage, not acceptance\n    a check of kind acceptance can use: junit, trx, tap, ctrf, node-test, vitest, jest, pytest, go-test, exit',
	],
	[
		"a report of problems for coverage",
		file(
			"",
			"agent: dev,",
			TESTS.replace(" } }", " }, c: { kind: coverage, run: x, report: { format: sarif } } }"),
		),
		"sarif",
		'report format "sarif" is for kind lint or security, not coverage\n    a check of kind coverage can use: junit, trx, tap, ctrf, node-test, vitest, jest, pytest, go-test, exit, lcov, cobertura, clover, jacoco, istanbul, gocover, coverage.py, mutation',
	],
])("%s is one error at its place", (_name, content, needle, message) => {
	expect(errorsOf(content)).toEqual([`${placeOf(content, needle)} ${message}`]);
});

const withHead = (keys: string): string =>
	`${HEAD}${keys}\n${TESTS}tasks: { a: { agent: dev, description: x } }\n`;
const notify = (entry: string): string => withHead(`human: { notify: { on_created: [${entry}] } }`);
const ADDRESS = "for example https://hooks.example.org/; write a secret part as a placeholder";

test.each([
	[
		"a waiver without reason",
		withHead('waive: { lint: " " }'),
		'" " }',
		"waive.lint must not be empty",
	],
	[
		"a waiver of acceptance",
		withHead("waive: { acceptance: we trust it }"),
		"acceptance: we",
		"acceptance cannot be waived\n    nothing merges without tests that ran and passed",
	],
	[
		"a waiver of the signature",
		withHead("waive: { sign_off: nobody has time }"),
		"sign_off",
		"sign_off cannot be waived\n    tier T2 requires a person's signature; choose T1 for a task without one",
	],
	[
		"a waiver of something else",
		withHead("waive: { securty: x }"),
		"securty",
		'unknown key "securty"\n    did you mean "security"?',
	],
	[
		"a placeholder as program",
		notify(`{ type: command, run: ["x\${TASK_ID}"] }`),
		`\${TASK_ID}`,
		"the program of a notification cannot contain a placeholder\n    write its name; placeholders are for the arguments",
	],
	[
		"an unknown placeholder",
		notify(`{ type: command, run: [say, "\${REASON} \${TASKID}"] }`),
		`\${TASKID}`,
		`unknown placeholder "\${TASKID}"\n    did you mean "TASK_ID"?`,
	],
	[
		"an address without encryption",
		notify('{ type: webhook, url: "http://hooks.example.org/x" }'),
		'"http:',
		`the address must use https, or http on this machine\n    ${ADDRESS}`,
	],
	[
		"such an address with a placeholder behind the host",
		notify(`{ type: webhook, url: "http://hooks.example.org/\${KEY}" }`),
		'"http:',
		`the address must use https, or http on this machine\n    ${ADDRESS}`,
	],
	[
		"a password in an address",
		notify('{ type: webhook, url: "https://me:pw@hooks.example.org/" }'),
		'"https:',
		`the address contains a user name or password; use a header\n    ${ADDRESS}`,
	],
	[
		"an address that is none",
		notify("{ type: webhook, url: hooks }"),
		"hooks }",
		`the address is not a URL\n    ${ADDRESS}`,
	],
	[
		"a header that the connection sets",
		notify(`{ type: webhook, url: "\${HOOK}", headers: { Host: x } }`),
		"Host",
		'the header "Host" cannot be set\n    name a valid header that the connection does not set itself',
	],
])("%s is refused at its place", (_name, content, needle, message) => {
	expect(errorsOf(content)).toEqual([`${placeOf(content, needle)} ${message}`]);
});

test("an address that its placeholders decide is checked when it is used", () => {
	for (const url of [`\${HOOK}`, `https://\${HOST}/x`, `http://\${HOST}`])
		expect(errorsOf(notify(`{ type: webhook, url: "${url}" }`))).toEqual([]);
});

test("values of the wrong type are said once, and no rule trips over them", () => {
	const trap = "{ toString: 1 }";
	const content = `${HEAD}waive: [1]
human: { notify: { on_created: [1, { type: command, run: 5 }, { type: webhook, url: ${trap}, headers: [1] }], on_t2_gate: x } }
checks: { t: { kind: acceptance, run: x, report: { format: ${trap} } }, u: { kind: ${trap}, run: x, report: { format: lcov } } }
tasks: { a: { agent: dev, description: x, subtasks: [5, { id: ${trap} }], formal_review: ${trap}, overlays: { paired_workflow: { ${PAIR}, role_switch: 5, checkpoints: [${trap}, 1.5], exit_conditions: [5, ${trap}] }, confidence_loop: { enabled: true, threshold: x, metrics: [5, { type: ${trap} }, { type: x, evaluator_agent: 7 }] }, policy_gate: { enabled: 1, risk_tier: ${trap}, require_coverage: 3 } } } }
`;
	expect(load(content).errors.length).toBeGreaterThan(15);
});

const review = (keys: string): string =>
	`${HEAD}${TESTS}tasks:\n  a: { agent: dev, description: x }\n  r: { agent: rev, formal_review: true, description: x${keys} }\n`;

test("a formal review is a task whose agent judges", () => {
	const { workflow, errors } = load(
		review(", depends_on: [a], overlays: { hil: { enabled: false } }"),
	);
	expect(errors).toEqual([]);
	expect(workflow?.tasks[1]).toMatchObject({
		id: "r",
		player: "rev",
		formalReview: true,
		dependsOn: ["a"],
		gate: false,
		gateDeclined: false,
		human: false,
	});
});

const NO_PART = "remove it: a formal review changes no files";

test.each([
	[
		"nothing to review",
		"",
		'10:20 formal review "r" needs depends_on\n    list the tasks whose merged result it reviews',
	],
	[
		"an empty list",
		", depends_on: []",
		'10:20 formal review "r" needs depends_on\n    list the tasks whose merged result it reviews',
	],
	[
		"a gate",
		", depends_on: [a], overlays: { policy_gate: { risk_tier: T1 } }",
		`10:86 a formal review cannot have policy_gate\n    ${NO_PART}`,
	],
	[
		"a score",
		", depends_on: [a], overlays: { confidence_loop: { enabled: true, metrics: [{ type: lint_score }] } }",
		`10:86 a formal review cannot have confidence_loop\n    ${NO_PART}`,
	],
	[
		"subtasks",
		`, depends_on: [a], ${SUBTASKS.slice(0, -1)}`,
		`10:74 a formal review cannot have subtasks\n    ${NO_PART}`,
	],
	[
		"a checklist",
		", depends_on: [a], checklist: [{ item: log, run: x }]",
		`10:74 a formal review cannot have checklist\n    ${NO_PART}`,
	],
])("a formal review with %s is refused", (_name, keys, message) => {
	expect(errorsOf(review(keys))).toEqual([message]);
});

test("a formal review with a pair is refused, with one that is off it is not", () => {
	const pair = (enabled: boolean): string =>
		review(
			`, depends_on: [a], overlays: { paired_workflow: { enabled: ${enabled}, driver_agent: rev, challenger_agent: dev } }`,
		);
	expect(errorsOf(pair(true))).toEqual([
		`10:86 a formal review cannot have paired_workflow\n    ${NO_PART}`,
	]);
	expect(errorsOf(pair(false))).toEqual([]);
});

const without = (kind: string, waiver = kind): string =>
	`add a check with \`kind: ${kind}\`, or waive it: \`waive: { ${waiver}: "the reason" }\``;

test("a gate that no player can pass is a warning", () => {
	const gate = (keys: string, more = "agent: dev,", checks = TESTS): string =>
		file(`policy_gate: { ${keys} }`, more, checks);
	const cannot = (tier: string, kind: string): string =>
		`10:22 a gate of tier ${tier} cannot pass: there is no ${kind} check\n    ${without(kind)}`;
	expect(warningsOf(gate("risk_tier: T0"))).toEqual([]);
	expect(warningsOf(gate("risk_tier: T1"))).toEqual([
		cannot("T1", "lint"),
		cannot("T1", "security"),
	]);
	expect(warningsOf(gate("risk_tier: T2"))).toEqual(
		["lint", "security", "readiness"].map((kind) => cannot("T2", kind)),
	);
	expect(warningsOf(`${gate("risk_tier: T1")}waive: { lint: none, security: none }\n`)).toEqual([]);
	expect(warningsOf(gate("risk_tier: T2", "agent: dev,", ALL_CHECKS))).toEqual([]);
	expect(warningsOf(gate("risk_tier: T0, enabled: false"))).toEqual([]);
	expect(warningsOf(gate("enabled: true", "agent: dev,", ""))).toContain(
		"9:7 this gate cannot pass: there is no acceptance check\n    add a check with `kind: acceptance` that runs your tests",
	);
});

test("a required coverage that nobody can show is a warning", () => {
	const required = "policy_gate: { require_coverage: true }";
	expect(warningsOf(file(required, "agent: dev,"))).toEqual([
		"10:22 require_coverage cannot be met: without a coach nobody reports which criteria are met\n    enable `paired_workflow`, or remove `require_coverage`",
	]);
	const withPair = `${required}, paired_workflow: { ${PAIR} }`;
	expect(warningsOf(file(withPair))).toEqual([
		"10:22 require_coverage cannot be met: the task has no acceptance criteria\n    add `acceptance_criteria`, or remove `require_coverage`",
	]);
	expect(warningsOf(file(withPair, "acceptance_criteria: [works],"))).toEqual([]);
	expect(warningsOf(file(withPair, SUBTASKS))).toEqual([]);
	expect(
		warningsOf(`${file(required, "agent: dev,")}waive: { requirement_coverage: a demo }\n`),
	).toEqual([]);
});

test("a signature that nobody is asked for is a warning", () => {
	const content = file(
		"policy_gate: { risk_tier: T2 }, hil: { enabled: false }",
		"agent: dev,",
		ALL_CHECKS,
	);
	const unsigned =
		"10:22 a task of tier T2 cannot be signed: human in the loop is off for this task\n    set `overlays.hil.enabled: true` for the task, or `human.enabled: true`";
	expect(warningsOf(content)).toEqual([unsigned]);
	expect(
		warningsOf(`${content.replace(", hil: { enabled: false }", "")}human: { enabled: false }\n`),
	).toEqual([unsigned]);
	expect(
		warningsOf(`${content.replace("enabled: false", "enabled: true")}human: { enabled: false }\n`),
	).toEqual([]);
});

test("a metric that can have no value is a warning", () => {
	const types = [
		"test_coverage",
		"lint_score",
		"security_score",
		"mutation_score",
		"checklist_completion",
		"requirement_coverage",
	];
	const metrics = `, metrics: [${types.map((type) => `{ type: ${type} }`).join(", ")}]`;
	const content = scored(metrics, "agent: dev,", TESTS);
	const said = warningsOf(`${content}mutation: { when: never }\n`).map((line) =>
		line.replace(/^\S+ |\n[\s\S]*$/g, ""),
	);
	expect(warningsOf(content).join()).not.toContain("mutation_score");
	expect(said).toEqual([
		"test_coverage counts as 0.0: there is no coverage check with a report such as lcov",
		"lint_score counts as 0.0: there is no lint check",
		"security_score counts as 0.0: there is no security check",
		"mutation_score counts as 0.0: there is no coverage check with `report: { format: mutation }`, and no mutants are run",
		"checklist_completion counts as 0.0: the task has no acceptance criteria",
		"requirement_coverage counts as 0.0: the task has no acceptance criteria",
	]);
	const all = `paired_workflow: { ${PAIR} }, confidence_loop: { enabled: true${metrics} }`;
	expect(warningsOf(file(all, "acceptance_criteria: [works],", ALL_CHECKS))).toEqual([]);
	const noLines = TESTS.replace(
		" } }",
		" }, c: { kind: coverage, run: x, report: { format: junit } }, l: { kind: lint, run: x } }",
	);
	expect(
		warningsOf(scored(", metrics: [{ type: test_coverage }]", "agent: dev,", noLines)),
	).toHaveLength(1);
	expect(warningsOf(scored(", metrics: [{ type: lint_score, evaluator_agent: judge }]"))).toEqual([
		"10:71 evaluator_agent has no effect: lint_score is computed, not judged\n    remove it",
	]);
});

test("the warning about a metric without a value says what to add", () => {
	const asked = (more: string, checks = TESTS, judge = "") =>
		warningsOf(
			scored(
				`, metrics: [{ type: checklist_completion }, { type: requirement_coverage }${judge}]`,
				`agent: dev, ${more}`,
				checks,
			),
		).map((line) => line.replace(/^\S+ /, ""));
	const nobody = "neither a coach nor an evaluator says which criteria are met";
	const way = "add an `llm_judge` metric, or enable `paired_workflow`; or remove the metric";
	const criteria = "acceptance_criteria: [works],";
	const checklist = "checklist: [{ item: log, run: x }],";
	const judge = ", { type: llm_judge, evaluator_agent: judge }";
	expect(asked(criteria)).toEqual([
		`checklist_completion counts as 0.0: ${nobody}\n    add a \`checklist\` to the task, or ${way}`,
		`requirement_coverage counts as 0.0: ${nobody}\n    ${way}`,
	]);
	expect(asked(`${criteria} ${checklist}`)).toEqual([
		`requirement_coverage counts as 0.0: ${nobody}\n    ${way}`,
	]);
	expect(asked(criteria, TESTS, judge)).toEqual([]);
	expect(asked("", TESTS, judge)).toHaveLength(2);
	const silent = TESTS.replace("run: npm test", "run: npm test, report: { format: exit }");
	for (const checks of [silent, "checks: { l: { kind: lint, run: x } }\n"])
		expect(asked(criteria, checks, judge).join("\n")).toContain(
			"requirement_coverage counts as 0.0: no acceptance check names its test cases\n    add a check with `kind: acceptance` and a report such as",
		);
});

describe("a checklist", () => {
	const counted = ", metrics: [{ type: checklist_completion }]";

	test("is read with its timeout; one from defaults is replaced, and reaches no formal review", () => {
		const items = '[{ item: "CHANGELOG names it", run: "grep -q limiter CHANGELOG.md" }]';
		expect(taskOf(scored(counted, `agent: dev, checklist: ${items},`))?.checklist).toEqual([
			{ item: "CHANGELOG names it", run: "grep -q limiter CHANGELOG.md", timeoutMs: 600_000 },
		]);
		const defaults = "defaults: { checklist: [{ item: log, run: x, timeout: 30s }] }\n";
		const { workflow, errors } = load(`${defaults}${review(", depends_on: [a]")}`);
		expect(errors).toEqual([]);
		expect(workflow?.tasks.map(({ checklist }) => checklist)).toEqual([
			[{ item: "log", run: "x", timeoutMs: 30_000 }],
			undefined,
		]);
		const none = `${defaults}${scored(METRICS, "agent: dev, checklist: [],")}`;
		expect(taskOf(none)?.checklist).toEqual([]);
	});

	test.each([
		["without a command", "[{ item: log }]", "run"],
		["without a text", '[{ item: " ", run: x }]', "must not be empty"],
		["with a text of two lines", '[{ item: "a\\nb", run: x }]', "single line"],
		["with an unknown key", "[{ item: log, run: x, tiemout: 3s }]", "timeout"],
		["with a timeout of nothing", "[{ item: log, run: x, timeout: 0s }]", "above 0"],
		["that is no list", "log", "checklist"],
	])("%s is refused", (_name, items, message) => {
		const [error = "", ...more] = errorsOf(scored(counted, `agent: dev, checklist: ${items},`));
		expect(error).toContain(message);
		expect(more).toEqual([]);
	});

	test("that no score counts is a warning", () => {
		const idle = "the checklist is run and shown, but no score counts it";
		const items = "agent: dev, checklist: [{ item: log, run: x }],";
		expect(warningsOf(scored(METRICS, items)).join()).toContain(idle);
		expect(warningsOf(scored(`${counted}`, items))).toEqual([]);
	});
});

test("a condition about what has no value in the task is a warning", () => {
	const idle = (content: string): string[] =>
		warningsOf(content).map((line) => line.replace(/^\S+ exit condition: /, ""));
	const never = (name: string, way: string): string =>
		`${name} never has a value in this task\n    ${way}`;
	const conditions =
		'["!(pair.challenger_approved == true) || pair.iteration in [1, 2]", "metrics.lint_score >= 0.5 && metrics.llm_judge > 0.5 || gate.verdict == \'PASS\'", "2 < loop.turn"]';
	expect(
		idle(scored(`${METRICS}, exit_conditions: ${conditions}`, "agent: dev,", ALL_CHECKS)),
	).toEqual([
		never("pair.challenger_approved", "enable `paired_workflow`"),
		never("pair.iteration", "enable `paired_workflow`"),
		never("metrics.llm_judge", "add a metric of type llm_judge"),
	]);
	const noGate = file(
		`paired_workflow: { ${PAIR}, exit_conditions: ["gate.verdict == 'PASS'", "metrics.lint_score > 0.5"] }, policy_gate: { enabled: false }`,
	);
	expect(idle(noGate)).toEqual([
		never("gate.verdict", "a gate applies only if there is an acceptance check"),
		never("metrics.lint_score", "enable `confidence_loop`"),
	]);
});

test("seats that never swap although they shall are a warning", () => {
	expect(warningsOf(paired(", role_switch: subtask"))).toEqual([
		'10:83 role_switch: subtask has no effect: task "a" has no subtasks\n    add `subtasks`, or swap at `checkpoints`',
	]);
	expect(warningsOf(paired(", role_switch: subtask", SUBTASKS))).toEqual([]);
});
