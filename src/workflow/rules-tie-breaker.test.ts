import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

interface File {
	/** `NAME: { ... }` each, from line 6 on. */
	readonly agents: readonly string[];
	/** Line 1, after the version. */
	readonly tieBreaker?: string;
	/** Line 4: the tasks; default one pair of `dev` and `rev`. */
	readonly tasks?: string;
}

const PAIR =
	"overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } }";
const LIMITER = `limiter: { description: x, ${PAIR} }`;

const load = ({ agents, tieBreaker, tasks = LIMITER }: File) =>
	loadWorkflow({
		content: `version: 1
checks: { t: { kind: acceptance, run: npm test } }
${tieBreaker === undefined ? "" : `tie_breaker: ${tieBreaker}`}
tasks: { ${tasks} }
agents:
${agents.map((agent) => `  ${agent}\n`).join("")}`,
		file: "w.yaml",
		directory: "/repo",
	});

const heads = (list: ReturnType<typeof load>["warnings"]): string[] =>
	list.map((each) => formatDiagnostic(each).replace(/^w\.yaml:|\n[\s\S]*$/g, ""));
const warningsOf = (file: File): string[] => {
	const { errors, warnings } = load(file);
	expect(errors).toEqual([]);
	return heads(warnings);
};
const errorsOf = (file: File): string[] => heads(load(file).errors);

const CLAUDE = "dev: { adapter: claude }";
const CODEX = "rev: { adapter: codex }";
const FLASH = "arbiter: { adapter: model, model: google/gemini-flash-latest }";
const kin = (family: string, seat: string, arbiter = "arbiter", task = "limiter"): string =>
	`the tie-breaker ${arbiter} is of the same family (${family}) as the ${seat} of task ${task}`;

test("a tie-breaker of a third family is nothing to warn of, named or not", () => {
	expect(warningsOf({ agents: [CLAUDE, CODEX] })).toEqual([]);
	expect(warningsOf({ agents: [CLAUDE, CODEX, FLASH], tieBreaker: "arbiter" })).toEqual([]);
});

test("one of a seat's family is warned of where it is named, with the way out", () => {
	const agents = ["dev: { adapter: gemini }", CODEX, FLASH];
	const { warnings } = load({ agents, tieBreaker: "arbiter" });
	expect(warnings).toEqual([
		{
			file: "w.yaml",
			line: 3,
			column: 1,
			message: kin("google", "player dev"),
			hint: "models of one family share their mistakes; name an agent of another family",
		},
	]);
	const coach = ["rev: { adapter: model, model: google/gemini-2.5-pro }", CLAUDE, FLASH];
	expect(warningsOf({ agents: coach, tieBreaker: "arbiter" })).toEqual([
		`3:1 ${kin("google", "coach rev")}`,
	]);
});

test("the default one is warned of at the task", () => {
	const agents = ["dev: { adapter: gemini }", CODEX];
	const { warnings } = load({ agents });
	expect(heads(warnings)).toEqual([
		`4:10 ${kin("google", "player dev", "google/gemini-flash-latest")}`,
	]);
	expect(warnings[0]?.hint).toContain("`tie_breaker`");
});

test("an agent that has a seat is no third one, whatever it is", () => {
	const agents = ["dev: { adapter: command, run: [a] }", "rev: { adapter: cassette, file: f }"];
	expect(errorsOf({ agents, tieBreaker: "rev" })).toEqual([
		"3:14 the tie-breaker rev is also the coach rev of task limiter",
	]);
	expect(warningsOf({ agents: [...agents, FLASH], tieBreaker: "arbiter" })).toEqual([]);
});

test.each([
	["the verifier by name", `verifier: qa`, LIMITER, "verifier qa"],
	["its alias", `verification: { agent: qa }`, LIMITER, "verifier qa"],
	[
		"the verifier of a single agent",
		`verifier: qa`,
		"limiter: { agent: dev, description: x }",
		"verifier qa",
	],
	[
		"the player whose tests are disputed",
		`verifier: rev`,
		"limiter: { agent: qa, description: x }",
		"player qa",
	],
])("%s does not decide a dispute", (_name, more, tasks, seat) => {
	const qa = "qa: { adapter: command, run: [a] }";
	const file = { agents: [CLAUDE, CODEX, qa], tieBreaker: `qa\n${more}`, tasks };
	expect(errorsOf(file)).toEqual([
		expect.stringMatching(`the tie-breaker qa is also the ${seat} of task limiter`),
	]);
	const unverified = tasks.replace(
		"description: x",
		"description: x, requires_verification: false",
	);
	if (seat.startsWith("verifier")) expect(errorsOf({ ...file, tasks: unverified })).toEqual([]);
});

test("fallbacks count, of the tie-breaker and of the seats", () => {
	const spare = "spare: { adapter: command, run: [a] }";
	const leaning = "dev: { adapter: claude, fallback: spare }";
	expect(errorsOf({ agents: [leaning, CODEX, spare], tieBreaker: "spare" })).toEqual([
		"3:14 the tie-breaker spare is also the player dev (through its fallback spare) of task limiter",
	]);
	// The family of an agent does not hide that its fallback is the tie-breaker itself.
	const twin = "spare: { adapter: claude }";
	expect(errorsOf({ agents: [leaning, CODEX, twin], tieBreaker: "spare" })).toHaveLength(1);
	const arbiter = "arbiter: { adapter: gemini, fallback: other }";
	const other = "other: { adapter: opencode, model: openai/gpt-5 }";
	expect(warningsOf({ agents: [CLAUDE, CODEX, arbiter, other], tieBreaker: "arbiter" })).toEqual([
		`3:1 ${kin("openai", "coach rev", "arbiter (through its fallback other)")}`,
	]);
});

test("each agent is warned of once, however many tasks it sits in", () => {
	const many = Array.from({ length: 50 }, (_, i) => `t${i}: { description: x, ${PAIR} }`).join();
	const agents = ["dev: { adapter: gemini }", "rev: { adapter: gemini }", FLASH];
	expect(warningsOf({ agents, tieBreaker: "arbiter", tasks: many })).toEqual(
		[
			`3:1 ${kin("google", "coach rev", "arbiter", "t0")}`,
			`3:1 ${kin("google", "player dev", "arbiter", "t0")}`,
		]
			.sort()
			.reverse(),
	);
});

test("without a pair nobody disagrees, and nothing is warned of", () => {
	const agents = ["dev: { adapter: gemini }", "rev: { adapter: gemini }", FLASH];
	const off = PAIR.replace("enabled: true", "enabled: false");
	for (const tieBreaker of [undefined, "arbiter"])
		expect(
			warningsOf({
				agents,
				...(tieBreaker === undefined ? {} : { tieBreaker }),
				tasks: `a: { agent: dev, description: x }, b: { agent: dev, description: x, ${off} }`,
			}),
		).toEqual([]);
});

test.each([
	["a slip of the finger", "arbitre", 'did you mean "arbiter"?'],
	["a name of the language's own", "toString", "expected one of: dev, rev, arbiter"],
	[
		"the default by its own name",
		"google/gemini-flash-latest",
		"remove `tie_breaker`, since this model is the default; or define an agent with `adapter: model` and `model: google/gemini-flash-latest`, and name that",
	],
	[
		"another model's name",
		"openai/gpt-5",
		"define an agent with `adapter: model` and `model: openai/gpt-5`, and name that",
	],
	["a path, which no model's name is", "agents/arbiter", "expected one of: dev, rev, arbiter"],
])("%s is an unknown agent at its place, and no second complaint", (_name, tieBreaker, hint) => {
	const { workflow, errors, warnings } = load({ agents: [CLAUDE, CODEX, FLASH], tieBreaker });
	expect(workflow).toBeNull();
	expect(errors).toEqual([
		{
			file: "w.yaml",
			line: 3,
			column: 14,
			message: `unknown agent "${tieBreaker}"`,
			hint,
		},
	]);
	expect(warnings).toEqual([]);
});

test.each(["7", "[arbiter]", "{ a: b }", "''", "null"])(
	"%s is no name, said once",
	(tieBreaker) => {
		const { workflow, errors } = load({ agents: [CLAUDE, CODEX, FLASH], tieBreaker });
		expect(workflow).toBeNull();
		expect(errors).toHaveLength(1);
	},
);

test("a hostile name stays one line", () => {
	const evil = '"a\\e[2J\\nb": { adapter: gemini }';
	const tasks = `t: { description: x, ${PAIR.replace("dev,", '"a\\e[2J\\nb",')} }`;
	for (const { message } of load({ agents: [evil, CODEX], tasks }).warnings)
		expect(message).not.toMatch(/\p{Cc}/u);
});
