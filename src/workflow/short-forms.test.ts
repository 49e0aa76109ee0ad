import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { setKeys } from "./edit-text.ts";
import { type LoadedWorkflow, loadWorkflow } from "./load.ts";
import { parseTaskFile } from "./task-file.ts";

const load = (content: string): LoadedWorkflow =>
	loadWorkflow({ content, file: "w.yaml", directory: "/repo" });

const errorsOf = (content: string): string[] => load(content).errors.map(formatDiagnostic);

const PAIR =
	"overlays: { paired_workflow: { enabled: true, driver_agent: claude, challenger_agent: codex } }";

/** The long form of the same two agents. */
const AGENTS = "agents: { claude: { adapter: claude }, codex: { adapter: codex } }\n";

describe("a short form loads to what its long form loads to", () => {
	test.each<[string, string, string]>([
		[
			"player and coach seat a task",
			"player: claude\ncoach: codex\ntasks: { a: { description: x } }\n",
			`${AGENTS}tasks: { a: { description: x, ${PAIR} } }\n`,
		],
		[
			"and so they would do in defaults",
			"player: claude\ncoach: codex\ntasks: { a: { description: x }, b: { description: y } }\n",
			`${AGENTS}defaults: { ${PAIR} }\ntasks: { a: { description: x }, b: { description: y } }\n`,
		],
		[
			"a player alone is a single agent",
			"player: claude\ntasks: { a: { description: x } }\n",
			"agents: { claude: { adapter: claude } }\ntasks: { a: { description: x, agent: claude } }\n",
		],
		[
			"as is one beside no coach",
			"player: claude\ncoach: none\ntasks: { a: { description: x } }\n",
			"agents: { claude: { adapter: claude } }\ntasks: { a: { description: x, agent: claude } }\n",
		],
		[
			"a check is a command, a task a text",
			"player: claude\nchecks: { t: npm test }\ntasks: { 2: two, a: one }\n",
			"agents: { claude: { adapter: claude } }\nchecks: { t: { kind: acceptance, run: npm test } }\ntasks: { 2: { description: two, agent: claude }, a: { description: one, agent: claude } }\n",
		],
		[
			"a name among the agents is that agent",
			"agents: { claude: { adapter: claude, model: m } }\nplayer: claude\ntasks: { a: x }\n",
			"agents: { claude: { adapter: claude, model: m } }\ntasks: { a: { description: x, agent: claude } }\n",
		],
		[
			"a task has seats of its own",
			"player: claude\ncoach: codex\ntasks: { a: { description: x, player: gemini }, b: { description: x, coach: none }, c: { description: x, coach: gemini } }\n",
			`agents: { claude: { adapter: claude }, codex: { adapter: codex }, gemini: { adapter: gemini } }
tasks:
  a: { description: x, overlays: { paired_workflow: { enabled: true, driver_agent: gemini, challenger_agent: codex } } }
  b: { description: x, agent: claude }
  c: { description: x, overlays: { paired_workflow: { enabled: true, driver_agent: claude, challenger_agent: gemini } } }
`,
		],
		[
			"an agent of the long form is the player of its task",
			`${AGENTS}player: claude\ncoach: codex\ntasks: { a: { description: x, agent: claude }, b: x }\n`,
			`${AGENTS}tasks: { a: { description: x, ${PAIR} }, b: { description: x, ${PAIR} } }\n`,
		],
		[
			"a pair that is written or switched off stays",
			`${AGENTS}player: codex\ncoach: codex\ntasks: { a: { description: x, ${PAIR} }, b: { description: x, overlays: { paired_workflow: { enabled: false } } } }\n`,
			`${AGENTS}tasks: { a: { description: x, ${PAIR} }, b: { description: x, agent: codex } }\n`,
		],
		[
			"other keys of a pair join the seats",
			"player: claude\ncoach: codex\ndefaults: { overlays: { paired_workflow: { max_iterations: 3 } } }\ntasks: { a: { description: x, overlays: { hil: { enabled: false } } } }\n",
			`${AGENTS}tasks: { a: { description: x, overlays: { hil: { enabled: false }, paired_workflow: { enabled: true, driver_agent: claude, challenger_agent: codex, max_iterations: 3 } } } }\n`,
		],
		[
			"seats of a task come before those of defaults",
			`${AGENTS}defaults: { ${PAIR} }\ntasks: { a: { description: x, coach: none }, b: { description: x, player: codex, coach: claude } }\n`,
			`${AGENTS}tasks: { a: { description: x, agent: claude }, b: { description: x, overlays: { paired_workflow: { enabled: true, driver_agent: codex, challenger_agent: claude } } } }\n`,
		],
		[
			"a formal review is the coach's, unless it names another",
			"player: claude\ncoach: codex\ntasks: { a: x, b: { description: y, formal_review: true, depends_on: [a] }, c: { description: y, formal_review: true, depends_on: [a], coach: gemini } }\n",
			`agents: { claude: { adapter: claude }, codex: { adapter: codex }, gemini: { adapter: gemini } }\ntasks: { a: { description: x, ${PAIR} }, b: { description: y, agent: codex, formal_review: true, depends_on: [a] }, c: { description: y, agent: gemini, formal_review: true, depends_on: [a] } }\n`,
		],
	])("%s", (_name, short, long) => {
		const expected = load(`version: 1\n${long}`).workflow;
		const { workflow, errors } = load(`version: 1\n${short}`);
		expect(errors).toEqual([]);
		expect(workflow?.tasks).toEqual(expected?.tasks);
		expect(workflow?.agents).toEqual(expected?.agents);
		expect(workflow?.checks).toEqual(expected?.checks);
	});

	const NAME = fc.constantFrom("claude", "codex", "gemini");
	const seat = fc.option(NAME, { nil: undefined });
	const coach = fc.option(fc.oneof(NAME, fc.constant("none")), { nil: undefined });

	thorough("for any seats of file and task", () => {
		const seats = fc.record({ player: NAME, coach, own: fc.record({ player: seat, coach }) });
		fc.assert(
			fc.property(seats, fc.boolean(), ({ own, ...file }, isText) => {
				const said = Object.values(own).some((each) => each !== undefined);
				const task = isText && !said ? "x" : { description: "x", ...own };
				const driver = own.player ?? file.player;
				const judge = own.coach ?? file.coach ?? "none";
				fc.pre(driver !== judge);
				const overlays = {
					paired_workflow: { enabled: true, driver_agent: driver, challenger_agent: judge },
				};
				const long = judge === "none" ? { agent: driver } : { overlays };
				const short = load(JSON.stringify({ version: 1, ...file, tasks: { a: task } }));
				const agents = Object.fromEntries(
					["claude", "codex", "gemini"].map((name) => [name, { adapter: name }]),
				);
				const tasks = { a: { description: "x", ...long } };
				const { workflow } = load(JSON.stringify({ version: 1, agents, tasks }));
				expect(short.errors).toEqual([]);
				expect(short.workflow?.tasks).toEqual(workflow?.tasks);
				for (const name of [driver, judge].filter((each) => each !== "none"))
					expect(short.workflow?.agents[name]).toEqual(workflow?.agents[name]);
			}),
		);
	});
});

test("the coach plans unless another agent is named", () => {
	const file = "version: 1\nplayer: claude\ncoach: codex\n";
	const place = { file: "w.yaml", directory: "/repo", mayLackTasks: true };
	expect(loadWorkflow({ content: file, ...place }).workflow?.planner).toBe("codex");
	const alone = loadWorkflow({ content: "version: 1\nplayer: claude\ncoach: none\n", ...place });
	expect(alone.workflow?.planner).toBe("claude");
});

describe("errors of short forms are at their places", () => {
	test.each<[string, string, readonly string[]]>([
		[
			"an unknown name, once",
			"player: cluade\ncoach: codex\ntasks: { a: x, b: y }",
			['w.yaml:2:9 unknown agent "cluade"\n    did you mean "claude"?'],
		],
		[
			"an unknown name in a task",
			"player: claude\ntasks:\n  a: { description: x, coach: codx }",
			['w.yaml:4:31 unknown agent "codx"\n    did you mean "codex"?'],
		],
		[
			"one agent in both seats",
			"player: claude\ncoach: claude\ntasks: { a: x }",
			[
				"w.yaml:3:8 player and coach must differ\n    name another agent as coach; a second one of the same kind needs an entry: `agents: { reviewer: { adapter: claude } }`",
			],
		],
		[
			"a key that the short form stands for",
			`${AGENTS}tasks:\n  a: { description: x, agent: codex, player: claude }`,
			[
				'w.yaml:4:46 player "claude" contradicts the other keys of the task, which name "codex"\n    they are about the same seat: remove one of them',
			],
		],
		[
			"a pair that names another coach",
			`${AGENTS}tasks:\n  a: { description: x, coach: none, ${PAIR} }`,
			[
				'w.yaml:4:31 coach "none" contradicts the other keys of the task, which name "codex"\n    they are about the same seat: remove one of them',
			],
		],
		[
			"a player of a formal review",
			"player: claude\ncoach: codex\ntasks:\n  a: x\n  b: { description: y, formal_review: true, depends_on: [a], player: claude }",
			[
				"w.yaml:6:62 a formal review cannot have player\n    remove it: a formal review changes no files",
			],
		],
		[
			"a coach without a player",
			"coach: codex\ntasks:\n  a: x",
			[
				'w.yaml:4:3 paired_workflow of task "a" needs driver_agent\n    add `driver_agent`, or name a `player`',
			],
		],
		[
			"texts that are empty",
			'player: claude\nchecks:\n  t: ""\ntasks:\n  a: " "',
			[
				"w.yaml:4:6 checks.t.run must not be empty",
				"w.yaml:6:6 tasks.a.description must not be empty",
			],
		],
		[
			"values of another type",
			"player: 3\ncoach: [codex]\nagents: 1\nchecks: { t: 5 }\ntasks: { a: 7 }",
			[
				'w.yaml:2:9 player must be a string, not 3\n    put it in quotes: "3"',
				"w.yaml:3:8 coach must be a string, not a list",
				"w.yaml:4:9 agents must be a mapping, not 1",
				"w.yaml:5:14 checks.t must be a mapping, not 5",
				"w.yaml:6:13 tasks.a must be a mapping, not 7",
			],
		],
		[
			"overlays that are none",
			"player: claude\ncoach: codex\ntasks:\n  a: { description: x, overlays: 1 }\n  b: { description: x, overlays: { paired_workflow: 2 } }",
			[
				"w.yaml:5:34 tasks.a.overlays must be a mapping, not 1",
				"w.yaml:6:53 tasks.b.overlays.paired_workflow must be a mapping, not 2",
			],
		],
	])("%s", (_name, text, expected) => {
		expect(errorsOf(`version: 1\n${text}\n`)).toEqual(expected);
	});

	test("also where the task is a Markdown file", () => {
		const onlyTask = parseTaskFile("---\ncoach: codx\n---\nDo it.\n", "task.md");
		const content = "version: 1\nplayer: claude\n";
		const { errors } = loadWorkflow({ content, file: "w.yaml", directory: "/repo", onlyTask });
		expect(errors.map(formatDiagnostic)).toEqual([
			'task.md:2:8 unknown agent "codx"\n    did you mean "codex"?',
		]);
	});
});

describe("a task that is a text gets keys in place", () => {
	const FLAG = { requires_verification: true, verification_by: "person" };
	const KEYS = 'requires_verification: true, verification_by: "person" }';
	test.each([
		[
			"plain",
			"tasks:\n  a: Fix it # why\n  b: y\n",
			`tasks:\n  a: { description: "Fix it", ${KEYS} # why\n  b: y\n`,
		],
		[
			"quoted",
			'tasks: { a: "x, y", b: z }\n',
			`tasks: { a: { description: "x, y", ${KEYS}, b: z }\n`,
		],
		[
			"of several lines",
			"tasks:\n  a: |\n    x\n\n    y\n  b: z\n",
			`tasks:\n  a: { description: "x\\n\\ny\\n", ${KEYS}\n  b: z\n`,
		],
	])("%s", (_name, text, expected) => {
		expect(setKeys(text, "a", FLAG)).toBe(expected);
	});

	test("unless others share it", () => {
		expect(setKeys("tasks:\n  a: &x one\n  b: *x\n", "a", FLAG)).toBeNull();
		expect(setKeys("tasks:\n  a: &x one\n  b: *x\n", "b", FLAG)).toBeNull();
	});
});
