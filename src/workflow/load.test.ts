import fc from "fast-check";
import { expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { anyCharacter } from "../../test/support/any-character.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { type LoadedWorkflow, loadWorkflow } from "./load.ts";

const load = (
	content: string | Uint8Array,
	more: { repositoryRoot?: string } = {},
): LoadedWorkflow => loadWorkflow({ content, file: "w.yaml", directory: "/repo/sub", ...more });
const heads = (list: LoadedWorkflow["errors"]): string[] =>
	list.map(
		(each) =>
			formatDiagnostic(each)
				.replace(/^w\.yaml:/, "")
				.split("\n")[0] ?? "",
	);
const errorsOf = (content: string): string[] => heads(load(content).errors);
const warningsOf = (content: string): string[] => heads(load(content).warnings);
const hintsOf = (content: string): (string | undefined)[] =>
	load(content).errors.map(({ hint }) => hint);

/** Lines 1 to 4 of each file below; what a test adds begins on line 5. */
const AGENTS = `version: 1
agents:
  dev: { adapter: command, run: [bash, dev.sh] }
  rev: { adapter: cassette, file: rev.jsonl }
`;
const CHECKS = "checks: { t: { kind: acceptance, run: npm test } }\n";
const TASK = "tasks: { a: { agent: dev, description: x } }\n";
/** A task on line 5 with the given further keys. */
const withTask = (keys: string): string =>
	`${AGENTS}tasks: { a: { description: x, ${keys} } }\n${CHECKS}`;
/** A task whose paired_workflow, on line 6, has the given keys. */
const withPair = (keys: string): string =>
	`${AGENTS}tasks: { a: { description: x, overlays: { paired_workflow: \n  { ${keys} } } } }\n${CHECKS}`;
/** Metrics on line 6. */
const withMetric = (metric: string, task = "agent: dev"): string =>
	`${AGENTS}tasks: { a: { description: x, ${task}, overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev }, confidence_loop: { metrics: [\n  ${metric} ] } } } }\n${CHECKS}`;

const CONTRACT = `version: 1
name: rate-limiter
base: main
max_parallel: 2
setup: ["npm ci"]
setup_inputs: []
agents:
  dev:      { adapter: claude, model: sonnet, timeout: 30m, login: user }
  reviewer: { adapter: codex }
  gemini:   { adapter: acp, run: ["gemini", "--acp"] }
  arbiter:  { adapter: model, model: google/gemini-flash-latest }
  script:   { adapter: command, run: ["bash", "agent.sh"], env: [MY_TOKEN] }
  replay:   { adapter: cassette, file: cassettes/rate-limiter.jsonl }
checks:
  tests:    { kind: acceptance, run: "npm test", report: { format: junit, path: out/junit.xml }, timeout: 5m }
  lint:     { kind: lint, baseline: strict, run: "npx biome ci --reporter=sarif", report: { format: sarif } }
  audit:    { kind: security,   run: "npm audit --json" }
  boot:     { kind: readiness,  run: "node scripts/boot-check.js" }
  coverage: { kind: coverage,   run: "npm run coverage", report: { format: lcov, path: coverage/lcov.info } }
protected: ["test/**", ".github/**"]
sandbox: auto
waive: { security: "no dependencies, reviewed 2026-11" }
tie_breaker: arbiter
verifier: reviewer
verification: { timeout: 30m, attempts: 3, run_timeout: 10m, paths: ["test/**"] }
human: { enabled: true, notify: { on_created: [{ type: command, run: ["notify-send", "Sparring", "\${TASK_ID}"] }], on_t2_gate: [] } }
budget: { usd: 10, wall: 4h }
merge: { into: integration }
defaults:
  overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: reviewer } }
tasks:
  limiter:
    agent: dev
    description: Token bucket with burst and refill.
    acceptance_criteria: ["refuses the call after the burst", "refills at the configured rate"]
    context_files: [src/limiter.js]
    depends_on: []
    requires_verification: auto
    requires_human: false
    max_turns: 10
    subtasks: [{ id: core, description: ..., acceptance_criteria: [...] }]
    overlays:
      paired_workflow:
        enabled: true
        driver_agent: dev
        challenger_agent: reviewer
        role_switch: session
        checkpoints: []
        max_iterations: 5
        exit_conditions: ["pair.challenger_approved == true", "confidence_score >= 0.85"]
      confidence_loop:
        enabled: false
        mode: composite
        threshold: 0.80
        max_iterations: 5
        metrics: [{ type: llm_judge, weight: 0.5, evaluator_agent: arbiter }, { type: test_coverage, weight: 0.5 }]
        exit_conditions: ["confidence_score >= 0.80"]
      policy_gate: { enabled: true, risk_tier: T1, require_coverage: false, coverage_threshold: 0.9 }
      hil: { enabled: true }
  review:
    agent: reviewer
    formal_review: true
    depends_on: [limiter]
    description: ...
`;

thorough("the contract's example is valid", () => {
	expect(errorsOf(CONTRACT)).toEqual([]);
	expect(warningsOf(CONTRACT)).toEqual([
		"50:63 exit condition: confidence_score never has a value in this task",
		"61:5 challenger and formal reviewer are the same agent",
	]);
});

test("a small file becomes a workflow with the contract's defaults", () => {
	expect(load(AGENTS + CHECKS + TASK, { repositoryRoot: "/repo" })).toEqual({
		errors: [],
		warnings: [],
		workflow: {
			version: 1,
			name: "w",
			setup: [],
			setupInputs: [],
			setupCache: true,
			maxParallel: 2,
			agents: {
				dev: {
					adapter: "command",
					name: "dev",
					run: ["bash", "dev.sh"],
					env: [],
					timeoutMs: 1_800_000,
				},
				rev: {
					adapter: "cassette",
					name: "rev",
					file: "/repo/sub/rev.jsonl",
					env: [],
					timeoutMs: 1_800_000,
				},
			},
			checks: [{ name: "t", kind: "acceptance", run: "npm test", baseline: "new" }],
			protected: [],
			human: { enabled: true },
			merge: { into: "integration", style: "squash", message: "{title}" },
			keepRuns: 50,
			verification: { attempts: 3, runTimeoutMs: 600_000, paths: [] },
			mutation: { when: "auto", timeoutMs: 180_000 },
			tasks: [
				{
					id: "a",
					description: "x",
					acceptanceCriteria: [],
					contextFiles: [],
					dependsOn: [],
					player: "dev",
					requiresVerification: "auto",
					requiresHuman: false,
					maxTurns: 10,
					bound: 10,
					gate: true,
					gateDeclined: false,
					human: true,
				},
			],
			file: "sub/w.yaml",
		},
	});
});

test("every key that this version has arrives in the workflow", () => {
	const { workflow, errors } = load(`${AGENTS}name: my flow
base: trunk
max_parallel: 1
setup: [npm ci]
setup_inputs: [package.json]
setup_cache: false
protected: ["test/**"]
sandbox: off
waive: {}
budget: {}
human: { enabled: false, notify: { on_created: [], on_t2_gate: [] } }
merge: { into: none }
checks:
  t: { kind: acceptance, run: go test, report: { format: go-test }, timeout: 90s, baseline: tolerate, tests: ["spec/**"] }
  u: { kind: coverage, run: u, report: { format: junit, path: out/u.xml } }
tasks:
  b:
    agent: dev
    description: build
    acceptance_criteria: [works]
    context_files: [src/a b.js]
    depends_on: [a, a]
    requires_verification: false
    requires_human: true
    max_turns: 7
    overlays:
      paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev, role_switch: session, checkpoints: [], max_iterations: 3, exit_conditions: ["pair.challenger_approved == true"] }
      confidence_loop: { enabled: false }
      policy_gate: { enabled: true, risk_tier: T0, require_coverage: false, coverage_threshold: 1.0 }
      hil: { enabled: true }
  a: { agent: dev, description: first, overlays: { policy_gate: { enabled: false } }, allow: [{ path: "spec/**", change: skip, reason: slow }] }
`);
	expect(errors).toEqual([]);
	const [ofB, ofA] = workflow?.tasks ?? [];
	expect(ofB?.allow).toBeUndefined();
	expect(ofA?.allow).toEqual([{ path: "spec/**", change: "skip", reason: "slow" }]);
	expect(workflow).toMatchObject({
		name: "my flow",
		base: "trunk",
		setup: ["npm ci"],
		setupInputs: ["package.json"],
		setupCache: false,
		protected: ["test/**"],
		human: { enabled: false },
		merge: { into: "none", style: "squash", message: "{title}" },
		checks: [
			{
				report: { format: "go-test" },
				timeoutMs: 90_000,
				baseline: "tolerate",
				tests: ["spec/**"],
			},
			{ report: { format: "junit", path: "out/u.xml" } },
		],
		tasks: [
			{
				id: "b",
				acceptanceCriteria: ["works"],
				contextFiles: ["src/a b.js"],
				dependsOn: ["a"],
				player: "dev",
				pair: { challenger: "rev", maxIterations: 3 },
				requiresVerification: "false",
				requiresHuman: true,
				maxTurns: 7,
				bound: 3,
				gate: true,
				gateDeclined: false,
				human: true,
			},
			{ id: "a", gate: false, gateDeclined: true, human: false, bound: 10 },
		],
	});
	expect(workflow?.file).toBeUndefined();
});

test("defaults lie under every task: mappings merge, the task wins, lists replace", () => {
	const { workflow, errors } = load(`${AGENTS}${CHECKS}defaults:
  acceptance_criteria: [builds, lints]
  max_turns: 4
  overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } }
tasks:
  a: { description: x }
  b: { description: x, acceptance_criteria: [runs], overlays: { paired_workflow: { max_iterations: 9 } } }
  c: { description: x, agent: dev, overlays: { paired_workflow: { enabled: false } } }
`);
	expect(errors).toEqual([]);
	expect(workflow?.tasks).toMatchObject([
		{ acceptanceCriteria: ["builds", "lints"], maxTurns: 4, bound: 4, pair: { challenger: "rev" } },
		{ acceptanceCriteria: ["runs"], bound: 4, pair: { challenger: "rev", maxIterations: 9 } },
		{ player: "dev" },
	]);
	expect(workflow?.tasks[2]?.pair).toBeUndefined();
});

test("names that look like numbers keep the order of the file", () => {
	const { workflow } =
		load(`${AGENTS}checks: { z: { kind: acceptance, run: x }, 2: { kind: lint, run: x } }
tasks: { b: { agent: dev, description: x }, 10: { agent: dev, description: x }, 9: { agent: dev, description: x } }`);
	expect(workflow?.tasks.map(({ id }) => id)).toEqual(["b", "10", "9"]);
	expect(workflow?.checks.map(({ name }) => name)).toEqual(["z", "2"]);
});

test("anchors and merge keys are fine, and mistakes in them are named where they stand", () => {
	const file = (timeout: string): string => `version: 1
agents:
  dev: &dev { adapter: command, run: [sh], timeout: ${timeout} }
  rev: { <<: *dev, run: [sh, rev.sh] }
  third: *dev
${CHECKS}${TASK}`;
	expect(load(file("5m")).workflow?.agents["rev"]).toMatchObject({
		run: ["sh", "rev.sh"],
		timeoutMs: 300_000,
	});
	expect(errorsOf(file("soon"))).toEqual([
		"3:53 agents.dev.timeout must be a duration above 0 and below 25 days",
		"3:53 agents.rev.timeout must be a duration above 0 and below 25 days",
		"3:53 agents.third.timeout must be a duration above 0 and below 25 days",
	]);
});

test("a file beside the repository has no path in it", () => {
	const more = { repositoryRoot: "/repo/other" };
	expect(load(AGENTS + CHECKS + TASK, more).workflow?.file).toBeUndefined();
});

test.each([
	["an empty file", "", "1:1 the file is empty"],
	["only a comment", "# x\n", "1:1 the file is empty"],
	[
		"a list",
		"- a\n",
		"1:1 a workflow file must be a mapping with keys such as `version` and `tasks`",
	],
	["a tab", "a:\n\tb: 1\n", "2:1 tabs are not allowed as indentation"],
	["two documents", `${AGENTS}---\na: 1\n`, "5:1 the file contains more than one YAML document"],
	["a syntax error", "a: 'x\n", "2:1 YAML: Missing closing 'quote"],
	["a mapping in a line", "a: b: c\n", "1:4 a mapping cannot start in the middle of a line"],
	["a key that is a list", "? [a]\n: b\n", "1:3 a key must be a string"],
	["an alias without anchor", "a: *b\n", '1:4 no anchor "&b" before this alias'],
	["an alias in its own anchor", "a: &a [*a]\n", "1:8 an alias inside its own anchor"],
	["a merge of text", "<<: x\n", "1:1 `<<` must merge a mapping, or a list of mappings"],
	["deep nesting", `${"[".repeat(300)}${"]".repeat(300)}`, "1:201 nested too deeply"],
	["very deep nesting", "[".repeat(100_000), "1:1 nested too deeply"],
	[
		"an alias bomb",
		`a: &a [x]\nb: [${"*a,".repeat(101)}]\n`,
		"2:5 too many aliases: an anchor may be used 100 times, nested uses multiplied",
	],
	["more than 1 MiB", " ".repeat(1_048_577), "1:1 the file is larger than 1 MiB"],
])("%s is refused, and nothing else is said", (_name, content, message) => {
	const result = load(content);
	expect(heads(result.errors)).toEqual([message]);
	expect(result.workflow).toBeNull();
});

test("bytes that are not UTF-8 are refused, a byte order mark is not", () => {
	expect(heads(load(Buffer.from("a: 1\nb: \xe4", "latin1")).errors)).toEqual([
		"2:1 the file is not UTF-8",
	]);
	expect(load(Buffer.from(`\uFEFF${AGENTS}${CHECKS}${TASK}`)).errors).toEqual([]);
});

test("an unknown tag is a warning", () => {
	expect(warningsOf(`${AGENTS}${CHECKS}${TASK}name: !x y\n`)).toEqual(["7:7 unknown tag"]);
});

test.each([
	[
		"a duplicate key",
		`${AGENTS}${CHECKS}${TASK}version: 1\n`,
		'7:1 duplicate key "version", first at 1:1',
		"remove one of the two",
	],
	[
		"an unknown key",
		withTask("agnet: dev, agent: dev"),
		'5:31 unknown key "agnet"',
		'did you mean "agent"?',
	],
	[
		"an unknown key far from all",
		withTask("agent: dev, overlays: { qqqq: 1 }"),
		'5:55 unknown key "qqqq"',
		"expected one of: paired_workflow, confidence_loop, policy_gate, hil",
	],
	[
		"a missing version",
		`${AGENTS.slice(11)}${CHECKS}${TASK}`,
		"1:1 version is missing",
		"write `version: 1`",
	],
	[
		"a version as text",
		AGENTS.replace("1", '"1"') + CHECKS + TASK,
		'1:10 version must be 1, not "1"',
		"write 1 without quotes",
	],
	[
		"a missing adapter",
		`${AGENTS}  x: {}\n${CHECKS}${TASK}`,
		"5:3 agents.x.adapter is missing",
		"one of command, cassette, claude, codex, gemini, opencode, acp, model",
	],
	[
		"an unknown adapter",
		`${AGENTS}  x: { adapter: comand }\n${CHECKS}${TASK}`,
		'5:17 agents.x.adapter must be one of command, cassette, claude, codex, gemini, opencode, acp, model, not "comand"',
		'did you mean "command"?',
	],
	[
		"a missing run",
		`${AGENTS}  x: { adapter: command }\n${CHECKS}${TASK}`,
		"5:3 agents.x.run is missing",
		undefined,
	],
	[
		"run as text",
		`${AGENTS}  x: { adapter: command, run: sh x }\n${CHECKS}${TASK}`,
		'5:31 agents.x.run must be a list, not "sh x"',
		'write a list: ["sh x"]',
	],
	[
		"an empty run",
		`${AGENTS}  x: { adapter: command, run: [] }\n${CHECKS}${TASK}`,
		"5:31 agents.x.run must not be empty",
		undefined,
	],
	[
		"a run without program",
		`${AGENTS}  x: { adapter: command, run: [" "] }\n${CHECKS}${TASK}`,
		"5:31 agents.x.run must start with the name of a program",
		undefined,
	],
	[
		"a NUL in run",
		`${AGENTS}  x: { adapter: command, run: [a, "\\0"] }\n${CHECKS}${TASK}`,
		"5:35 agents.x.run[1] must not contain a NUL character",
		undefined,
	],
	[
		"a value in env",
		`${AGENTS}  x: { adapter: command, run: [a], env: ["A=b"] }\n${CHECKS}${TASK}`,
		"5:42 agents.x.env[0] must be the name of an environment variable, without a value",
		undefined,
	],
	[
		"a number as timeout",
		`${AGENTS}  x: { adapter: command, run: [a], timeout: 30 }\n${CHECKS}${TASK}`,
		"5:45 agents.x.timeout must be a duration, not 30",
		"add a unit: 30s for seconds, 30m for minutes",
	],
	[
		"a timeout that is none",
		`${AGENTS}  x: { adapter: command, run: [a], timeout: soon }\n${CHECKS}${TASK}`,
		"5:45 agents.x.timeout must be a duration above 0 and below 25 days",
		"write a number and a unit: ms, s, m, h or d, such as 90s or 30m",
	],
	[
		"yes for true",
		`${AGENTS}human: { enabled: yes }\n${CHECKS}${TASK}`,
		'5:19 human.enabled must be true or false, not "yes"',
		"write true",
	],
	[
		"off for false in a choice",
		withTask("agent: dev, requires_verification: off"),
		'5:66 tasks.a.requires_verification must be one of auto, true, false, not "off"',
		"write false",
	],
	[
		"false for off",
		`${AGENTS}sandbox: false\n${CHECKS}${TASK}`,
		"5:10 sandbox must be one of off, auto, required, not false",
		"write `off`",
	],
	[
		"an empty value",
		`${AGENTS}setup:\n${CHECKS}${TASK}`,
		"5:7 setup must be a list, not empty",
		"give it a value, or remove the key",
	],
	[
		"a number for text",
		`${AGENTS}name: 5\n${CHECKS}${TASK}`,
		"5:7 name must be a string, not 5",
		'put it in quotes: "5"',
	],
	[
		"a list for a mapping",
		`${AGENTS}human: []\n${CHECKS}${TASK}`,
		"5:8 human must be a mapping, not a list",
		undefined,
	],
	[
		"a mapping for a list",
		`${AGENTS}setup: { a: 1 }\n${CHECKS}${TASK}`,
		"5:8 setup must be a list, not a mapping",
		undefined,
	],
	[
		"a name with a line end",
		`${AGENTS}name: "a\\nb"\n${CHECKS}${TASK}`,
		"5:7 name must be a single line without control characters",
		undefined,
	],
	[
		"a base like an option",
		`${AGENTS}base: --all\n${CHECKS}${TASK}`,
		'5:7 base must not start with "-"',
		undefined,
	],
	[
		"a bound below 1",
		withTask("agent: dev, max_turns: 0"),
		"5:54 tasks.a.max_turns must be at least 1",
		undefined,
	],
	[
		"a broken bound",
		withTask("agent: dev, max_turns: 1.5"),
		"5:54 tasks.a.max_turns must be a whole number, not 1.5",
		undefined,
	],
	[
		"an iteration bound below 1",
		withPair("max_iterations: 0, enabled: true, driver_agent: dev, challenger_agent: rev"),
		"6:21 tasks.a.overlays.paired_workflow.max_iterations must be at least 1",
		undefined,
	],
	[
		"a threshold out of range",
		withTask("agent: dev, overlays: { confidence_loop: { threshold: 1.5 } }"),
		"5:85 tasks.a.overlays.confidence_loop.threshold must be at most 1",
		undefined,
	],
	[
		"a coverage threshold out of range",
		withTask("agent: dev, overlays: { policy_gate: { coverage_threshold: -1 } }"),
		"5:90 tasks.a.overlays.policy_gate.coverage_threshold must be at least 0",
		undefined,
	],
	[
		"a weight out of range",
		withMetric("{ type: lint_score, weight: 0 }"),
		"6:31 tasks.a.overlays.confidence_loop.metrics[0].weight must be above 0",
		undefined,
	],
	[
		"no exit condition",
		withPair("exit_conditions: [], enabled: true, driver_agent: dev, challenger_agent: rev"),
		"6:22 tasks.a.overlays.paired_workflow.exit_conditions must not be empty",
		undefined,
	],
	[
		"an empty command",
		`${AGENTS}checks: { t: { kind: acceptance, run: " " } }\n${TASK}`,
		"5:39 checks.t.run must not be empty",
		undefined,
	],
	[
		"a NUL in a command",
		`${AGENTS}checks: { t: { kind: acceptance, run: "a\\0" } }\n${TASK}`,
		"5:39 checks.t.run must not contain a NUL character",
		undefined,
	],
	[
		"a report outside",
		`${AGENTS}checks: { t: { kind: acceptance, run: x, report: { format: tap, path: ../x } } }\n${TASK}`,
		'5:71 "../x" must stay inside the checkout',
		undefined,
	],
	[
		"a context file outside",
		withTask("agent: dev, context_files: [/etc/passwd]"),
		'5:59 "/etc/passwd" must be relative to the repository root',
		undefined,
	],
	[
		"protected files outside",
		`${AGENTS}protected: ["src/**", "../outside/**"]\n${CHECKS}${TASK}`,
		'5:23 "../outside/**" must stay inside the checkout',
		"write the files as seen from the repository root",
	],
	[
		"an input of the setup that is no glob",
		`${AGENTS}setup_inputs: ["["]\n${CHECKS}${TASK}`,
		'5:16 "[" is not a valid glob: "[" is not closed',
		'add "]", or write \\[ for the character itself',
	],
	[
		"tests of a check that are no glob",
		`${AGENTS}checks: { t: { kind: acceptance, run: x, tests: ["src/{a,b"] } }\n${TASK}`,
		'5:50 "src/{a,b" is not a valid glob: "{" is not closed',
		'add "}", or write \\{ for the character itself',
	],
	[
		"a rule for files outside",
		withTask('agent: dev, allow: [{ path: "../[", change: delete, reason: x }]'),
		'5:59 "../[" must stay inside the checkout',
		"write the files as seen from the repository root",
	],
	[
		"a verifier's files outside",
		`${AGENTS}verification: { paths: ["../x"] }\n${CHECKS}${TASK}`,
		'5:25 "../x" must stay inside the checkout',
		"write the files as seen from the repository root",
	],
	["an unknown agent", withTask("agent: dve"), '5:38 unknown agent "dve"', 'did you mean "dev"?'],
	[
		"an inherited name as agent",
		withTask("agent: constructor"),
		'5:38 unknown agent "constructor"',
		"expected one of: dev, rev",
	],
	[
		"an unknown driver",
		withPair("driver_agent: x9, challenger_agent: rev, enabled: true"),
		'6:19 unknown agent "x9"',
		"expected one of: dev, rev",
	],
	[
		"an unknown evaluator",
		withMetric("{ type: llm_judge, evaluator_agent: arbiter }"),
		'6:39 unknown agent "arbiter"',
		"expected one of: dev, rev",
	],
	[
		"a judge without evaluator",
		withMetric("{ type: llm_judge }"),
		"6:3 llm_judge metric requires evaluator_agent to be set",
		"name an agent that has no seat in this task",
	],
	[
		"a judge that is the task's agent",
		withMetric("{ type: llm_judge, evaluator_agent: dev }"),
		"6:39 llm_judge evaluator_agent must differ from task agent",
		"name an agent that has no seat in this task (in a pair: neither of the two)",
	],
	[
		"a judge that is the challenger",
		withMetric("{ type: llm_judge, evaluator_agent: rev }"),
		"6:39 llm_judge evaluator_agent must differ from task agent",
		"name an agent that has no seat in this task (in a pair: neither of the two)",
	],
	[
		"driver equal to challenger",
		withPair("enabled: true, driver_agent: dev, challenger_agent: dev"),
		"6:57 driver_agent and challenger_agent must differ",
		"name another agent as challenger",
	],
	[
		"a pair without driver",
		withPair("enabled: true, challenger_agent: rev"),
		'5:43 paired_workflow of task "a" needs driver_agent',
		"add `driver_agent`",
	],
	[
		"a pair without challenger",
		withPair("enabled: true, driver_agent: dev"),
		'5:43 paired_workflow of task "a" needs challenger_agent',
		"add `challenger_agent`",
	],
	[
		"an agent beside another driver",
		withMetric("{ type: lint_score }", "agent: rev"),
		'5:38 agent "rev" must equal driver_agent "dev"',
		"remove `agent`: the pair defines the seats",
	],
	[
		"a task without agent",
		withTask("max_turns: 2"),
		'5:10 task "a" needs an agent',
		"add `agent` or enable paired_workflow, for it or in `defaults`",
	],
	[
		"an unknown task",
		withTask("agent: dev, depends_on: [b]"),
		'5:56 unknown task "b"',
		"expected one of: a",
	],
	[
		"a task that needs itself",
		withTask("agent: dev, depends_on: [a]"),
		"5:56 depends_on has a cycle: a -> a",
		"remove one of these dependencies",
	],
	["no tasks", AGENTS + CHECKS, "1:1 the workflow has no tasks", "add one under `tasks`"],
	[
		"an empty mapping of tasks",
		`${AGENTS}${CHECKS}tasks: {}\n`,
		"6:8 the workflow has no tasks",
		"add one under `tasks`",
	],
	[
		"tasks without value",
		`${AGENTS}${CHECKS}tasks:\n`,
		"6:7 tasks must be a mapping, not empty",
		"give it a value, or remove the key",
	],
	[
		"a task without value",
		`${AGENTS}${CHECKS}tasks:\n  a:\n`,
		"7:5 tasks.a must be a mapping, not empty",
		"give it a value, or remove the key",
	],
	[
		"a task called integration",
		`${AGENTS}${CHECKS}tasks: { Integration: { agent: dev, description: x } }\n`,
		'6:10 a task cannot be named "Integration"',
		"that name is reserved for the run itself; choose another",
	],
	[
		"a task called as the folder of the run's own repository",
		`${AGENTS}${CHECKS}tasks: { vault.git: { agent: dev, description: x } }\n`,
		'6:10 a task cannot be named "vault.git"',
		"that name is reserved for the run itself; choose another",
	],
	[
		"tasks that differ in capitals",
		`${AGENTS}${CHECKS}${TASK.trimEnd().slice(0, -1)}, A: { agent: dev, description: x } }\n`,
		'6:46 task "A" differs from "a" only in case',
		"some file systems cannot hold both branches; rename one",
	],
	[
		"an unsafe task id",
		`${AGENTS}${CHECKS}tasks: { "a/b": { agent: dev, description: x } }\n`,
		'6:10 task "a/b" may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
		undefined,
	],
	[
		"an unsafe agent name",
		`${AGENTS}  .x: { adapter: command, run: [a] }\n${CHECKS}${TASK}`,
		'5:3 agent ".x" must not start with "."',
		undefined,
	],
	[
		"an unsafe check name",
		`${AGENTS}checks: { t: { kind: acceptance, run: a }, x.lock: { kind: lint, run: a } }\n${TASK}`,
		'5:44 check "x.lock" must not end in ".lock"',
		undefined,
	],
])("%s is one error at its place, with a hint", (_name, content, message, hint) => {
	expect(errorsOf(content)).toEqual([message]);
	expect(hintsOf(content)).toEqual([hint]);
	expect(load(content).workflow).toBeNull();
});

test("a cycle is named with all its tasks, at one of its dependencies", () => {
	const tasks = ["a: { depends_on: [b]", "b: { depends_on: [c]", "c: { depends_on: [a]"];
	const file = `${AGENTS}${CHECKS}tasks:\n${tasks.map((task) => `  ${task}, agent: dev, description: x }\n`).join("")}`;
	expect(errorsOf(file)).toEqual(["7:21 depends_on has a cycle: a -> b -> c -> a"]);
});

test.each([
	["0", "must be at least 1"],
	["257", "must be at most 256"],
	["1.5", "must be a whole number, not 1.5"],
	["many", 'must be a number, not "many"'],
])("max_parallel %s is refused, with what it may be", (value, complaint) => {
	const content = `${AGENTS}max_parallel: ${value}\n${CHECKS}${TASK}`;
	expect(errorsOf(content)).toEqual([`5:15 max_parallel ${complaint}`]);
});

test.each([1, 3, 256])("max_parallel %d is what the workflow has", (value) => {
	expect(load(`${AGENTS}max_parallel: ${value}\n${CHECKS}${TASK}`).workflow?.maxParallel).toBe(
		value,
	);
});

test("without an acceptance check a warning says what follows, and no gate applies", () => {
	const none = "no acceptance check: a task of this workflow can complete only unchecked";
	expect(warningsOf(AGENTS + TASK)).toEqual([`1:1 ${none}`]);
	expect(warningsOf(`${AGENTS}checks: { l: { kind: lint, run: x } }\n${TASK}`)).toEqual([
		`5:1 ${none}`,
	]);
	expect(load(AGENTS + TASK).workflow?.tasks[0]?.gate).toBe(false);
});

test("requires_human with the human off is a warning, wherever it was switched off", () => {
	const off = "requires_human has no effect: human in the loop is off for this task";
	expect(
		warningsOf(`${withTask("agent: dev, requires_human: true")}human: { enabled: false }\n`),
	).toEqual([`5:43 ${off}`]);
	const own = "agent: dev, requires_human: true, overlays: { hil: { enabled: false } }";
	expect(warningsOf(withTask(own))).toEqual([`5:43 ${off}`]);
	expect(warningsOf(withTask("agent: dev, requires_human: true"))).toEqual([]);
});

test("a formal reviewer that challenged, or may have, is a warning", () => {
	const same = "challenger and formal reviewer are the same agent";
	const file = (
		roleSwitch: string,
		reviewer: string,
		enabled = true,
	): string => `${AGENTS}${CHECKS}tasks:
  a: { description: x, agent: dev, subtasks: [{ id: s, description: y, acceptance_criteria: [z] }], overlays: { paired_workflow: { enabled: ${enabled}, driver_agent: dev, challenger_agent: rev, role_switch: ${roleSwitch} } } }
  b: { description: x, agent: dev, depends_on: [a] }
  r: { description: x, agent: ${reviewer}, formal_review: true, depends_on: [b, gone] }
`;
	expect(warningsOf(file("session", "rev"))).toEqual([`9:24 ${same}`]);
	expect(warningsOf(file("session", "dev"))).toEqual([
		`9:24 ${same.replace("challenger", "builder")}`,
	]);
	expect(warningsOf(file("subtask", "dev"))).toEqual([`9:24 ${same}`]);
	expect(warningsOf(file("session", "rev", false))).toEqual([]);
});

test("a formal reviewer that built the work, or wrote the tests for it, is a warning", () => {
	const file = (task: string, rest = "") =>
		warningsOf(`${AGENTS}${CHECKS}tasks:
  a: { description: x, ${task} }
  r: { description: x, agent: rev, formal_review: true, depends_on: [a] }
${rest}`);
	const same = (part: string) => [`8:24 ${part} and formal reviewer are the same agent`];
	expect(file("agent: rev")).toEqual(same("builder"));
	expect(file("", "defaults: { agent: rev }\n")).toEqual(same("builder"));
	expect(file("agent: dev", "verifier: rev\n")).toEqual(same("verifier"));
	expect(file("agent: dev, requires_verification: false", "verifier: rev\n")).toEqual([]);
	expect(file("agent: dev")).toEqual([]);
});

test("a formal review cannot have overlay from defaults", () => {
	const file = `${AGENTS}${CHECKS}defaults: { overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } } }
tasks: { r: { description: x, agent: rev, formal_review: true, depends_on: [a] }, a: { description: x } }
`;
	const { workflow, errors } = load(file);
	expect(errors).toEqual([]);
	expect(workflow?.tasks[0]).toMatchObject({ player: "rev", formalReview: true, gate: false });
	expect(workflow?.tasks[0]?.pair).toBeUndefined();
});

test("hostile keys and values stay one line in a message", () => {
	const [error] = errorsOf(`${AGENTS}${CHECKS}${TASK}"a\\n\\e[2J": 1\n`);
	expect(error).toBe('7:1 unknown key "a\\n\\u001b[2J"');
	expect(errorsOf(`${AGENTS}${CHECKS}tasks: { "x\\ny": 5 }\n`)).toEqual([
		'6:10 task "x\\ny" may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
		'6:18 tasks."x\\ny" must be a mapping, not 5',
	]);
});

test("objects that pretend to be text break nothing", () => {
	const trap = "{ toString: 1, valueOf: 2, __proto__: { a: 1 } }";
	const file = `version: ${trap}\nsandbox: ${trap}\nmax_parallel: ${trap}\nname: !!merge x\nagents: { ? __proto__ : ${trap} }\nchecks: { t: { kind: ${trap}, run: ${trap}, report: { format: ${trap} } } }\ntasks: { a: { overlays: { policy_gate: { risk_tier: ${trap} } } } }\n`;
	expect(load(file).errors.length).toBeGreaterThan(5);
});

thorough("any text, any bytes and any mapping of known keys give a result", () => {
	const leaf = fc.oneof(
		fc.string(),
		fc.integer(),
		fc.boolean(),
		fc.constant(null),
		fc.constantFrom("dev", "a", "30m", "T1"),
	);
	const key = fc.constantFrom(
		"version",
		"agents",
		"checks",
		"tasks",
		"defaults",
		"overlays",
		"paired_workflow",
		"enabled",
		"a",
		"driver_agent",
		"depends_on",
		"report",
		"format",
		"human",
		"notify",
		"metrics",
		"confidence_loop",
		"adapter",
		"run",
		"timeout",
		"__proto__",
		"constructor",
		"policy_gate",
		"formal_review",
		"agent",
	);
	const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
		tree: fc.oneof(leaf, fc.array(tie("tree"), { maxLength: 3 }), fc.dictionary(key, tie("tree"))),
	}));
	const symbol = fc.constantFrom(
		"a",
		":",
		" ",
		"\n",
		"-",
		"&a",
		"*a",
		"<<",
		"{",
		"}",
		"[",
		"]",
		",",
		"?",
		"!",
		"'",
		'"',
		"|",
		"\t",
		"#",
		"---",
		"tasks",
		"version: 1",
	);
	const contents = fc.oneof(
		fc.string({ unit: anyCharacter }),
		fc.uint8Array(),
		fc.array(symbol).map((parts) => parts.join("")),
		fc.dictionary(key, tree).map((value) => JSON.stringify(value)),
	);
	fc.assert(
		fc.property(contents, (content) => {
			const { workflow, errors } = load(content);
			expect(workflow === null).toBe(errors.length > 0);
			for (const { line, column } of errors) expect(Math.min(line, column)).toBeGreaterThan(0);
		}),
		{ numRuns: amount(1_000, 25) },
	);
});

test.each([
	["a kind of change that does not exist", "{ path: x, change: move, reason: y }"],
	["a change without a reason", "{ path: x, change: edit }"],
	["a blank reason", '{ path: x, change: edit, reason: " " }'],
	["a change of no path", '{ path: "", change: edit, reason: y }'],
])("%s is an error in allow", (_what, entry) => {
	const task = `tasks:\n  a: { agent: dev, description: x, allow: [${entry}] }\n`;
	const { workflow, errors } = load(`${AGENTS}${task}`);
	expect(workflow).toBeNull();
	expect(errors).toHaveLength(1);
	expect(errors[0]?.line).toBeGreaterThan(1);
});
