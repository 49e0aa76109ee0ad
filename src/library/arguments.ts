import type { ResumeOptions, RunOptions, Supervision } from "../drive/run-options.ts";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import type { LandOptions } from "../landing/land-run.ts";
import type { WorkflowSource } from "../places/load-source.ts";
import type { CheckOptions } from "../verdict/check-bench.ts";
import type { LibraryOptions, RunTaskOptions, RunTasksOptions, Sparring } from "./sparring.ts";

/** Shape of an argument. Types do not reach a program in JavaScript, and what it passes is checked here alone. */
export interface Shape {
	readonly expected: string;
	readonly fits: (value: unknown) => boolean;
}

// For each option, so that a new option cannot go without.
type Shapes<Options> = { readonly [Key in keyof Options]-?: Shape };

export const TEXT: Shape = { expected: "a string", fits: (value) => typeof value === "string" };
export const NUMBER: Shape = { expected: "a number", fits: (value) => typeof value === "number" };
export const TRUTH: Shape = {
	expected: "true or false",
	fits: (value) => typeof value === "boolean",
};
const CALLBACK: Shape = { expected: "a function", fits: (value) => typeof value === "function" };
export const TEXTS: Shape = {
	expected: "an array of strings",
	fits: (value) => Array.isArray(value) && value.every(TEXT.fits),
};
export const OBJECT: Shape = {
	expected: "an object",
	fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const MILLISECONDS: Shape = {
	expected: "a number above 0",
	fits: (value) => typeof value === "number" && value > 0,
};
const SIGNAL: Shape = {
	expected: "an AbortSignal",
	fits: (value) => value instanceof AbortSignal,
};
const ENVIRONMENT: Shape = { ...OBJECT, expected: "an object such as process.env" };
const AGENT: Shape = {
	expected: "an agent, an object with a method call and with handsIn",
	fits: (value) =>
		OBJECT.fits(value) && CALLBACK.fits(field(value, "call")) && TEXT.fits(field(value, "handsIn")),
};

export const optional = ({ expected, fits }: Shape): Shape => ({
	expected,
	fits: (value) => value === undefined || fits(value),
});

const SUPERVISION: Shapes<Supervision> = {
	onEvent: optional(CALLBACK),
	onHistory: optional(CALLBACK),
	onNotice: optional(CALLBACK),
	onPreflight: optional(CALLBACK),
	signal: optional(SIGNAL),
	onStopped: optional(CALLBACK),
};

const RESUME: Shapes<ResumeOptions> = {
	...SUPERVISION,
	runId: optional(TEXT),
	maxTurns: optional(NUMBER),
	maxParallel: optional(NUMBER),
	player: optional(TEXT),
	coach: optional(TEXT),
	model: optional(TEXT),
	anyway: optional(TRUTH),
};

const TASKS: Shapes<RunTasksOptions> = {
	...SUPERVISION,
	source: optional(OBJECT),
	maxTurns: optional(NUMBER),
	maxParallel: optional(NUMBER),
	recordFile: optional(TEXT),
	anyway: optional(TRUTH),
};

const RUN: Shapes<RunOptions> = {
	...TASKS,
	source: OBJECT,
	taskIds: optional(TEXTS),
	detach: optional(TRUTH),
};

const RUN_TASK: Shapes<RunTaskOptions> = { ...TASKS, featureId: optional(TEXT) };

const LAND: Shapes<LandOptions> = { ...SUPERVISION, runId: optional(TEXT) };

const PROPOSE: Shapes<Parameters<Sparring["propose"]>[0]> = { ...LAND, remote: optional(TEXT) };

const CHECK: Shapes<CheckOptions> = {
	rev: optional(TEXT),
	branch: optional(TEXT),
	committed: optional(TRUTH),
	since: optional(OBJECT),
	base: optional(TEXT),
	staged: optional(TRUTH),
	index: optional(TEXT),
	pr: optional(TEXT),
	command: optional(TEXT),
	setup: optional({
		expected: "a text or false",
		fits: (value) => value === false || typeof value === "string",
	}),
	exitCode: optional(TRUTH),
	timeoutMs: optional(MILLISECONDS),
	allow: optional({ expected: "an array of allowances", fits: Array.isArray }),
	keepAllowed: optional(TRUTH),
	anyway: optional(TRUTH),
	quick: optional(TRUTH),
	task: optional(TEXT),
	criteria: optional(TEXTS),
	coach: optional(TEXT),
	verifier: optional(TEXT),
	signal: optional(SIGNAL),
	onNotice: optional(CALLBACK),
	onStep: optional(CALLBACK),
};

const OPEN: Shapes<LibraryOptions> = {
	directory: TEXT,
	env: ENVIRONMENT,
	readOnly: optional(TRUTH),
	onWorkflow: optional(CALLBACK),
	agents: optional(OBJECT),
};

const SOURCES: Readonly<Record<RunOptions["source"]["kind"], Readonly<Record<string, Shape>>>> = {
	file: { path: optional(TEXT) },
	"task-file": { path: TEXT },
	words: {
		description: TEXT,
		criteria: TEXTS,
		id: optional(TEXT),
		shot: optional(OBJECT),
		starter: optional(TEXT),
	},
	value: { value: OBJECT },
	loaded: { workflow: OBJECT },
};

const KIND: Shape = {
	expected: `one of ${Object.keys(SOURCES).map(quote).join(", ")}`,
	fits: (value) => typeof value === "string" && Object.hasOwn(SOURCES, value),
};

export function requireSource(call: string, source: WorkflowSource | RunOptions["source"]): void {
	requireShape(call, "source", source, OBJECT);
	requireShape(call, "source.kind", field(source, "kind"), KIND);
	requireFields(call, source, SOURCES[source.kind], "source.");
}

const OPTIONS = {
	run: RUN,
	plan: RUN,
	runTask: RUN_TASK,
	runParallel: RUN_TASK,
	resume: RESUME,
	land: LAND,
	propose: PROPOSE,
	check: CHECK,
	openSparring: OPEN,
} as const;

function shapesOf(call: Call, options: unknown): Readonly<Record<string, Shape>> {
	if (call !== "stream") return OPTIONS[call];
	return "source" in Object(options) ? RUN : RESUME;
}

type Call = keyof typeof OPTIONS | "stream";

/** Checks the arguments of a call; `stream` does what `run` does where a source is named, else what `resume` does. */
export function requireOptions(call: Call, options: unknown): void {
	requireShape(call, "options", options, OBJECT);
	const shapes = shapesOf(call, options);
	requireFields(call, options, shapes, "");
	const source = field(options, "source");
	// An object, as its shape has it.
	if ("source" in shapes && source !== undefined) requireSource(call, source as WorkflowSource);
	const agents = (call === "openSparring" ? field(options, "agents") : null) ?? {};
	for (const [name, agent] of Object.entries(agents))
		requireShape(call, `agents.${name}`, agent, AGENT);
}

function requireFields(
	call: string,
	value: unknown,
	shapes: Readonly<Record<string, Shape>>,
	prefix: string,
): void {
	for (const [name, shape] of Object.entries(shapes))
		requireShape(call, `${prefix}${name}`, field(value, name), shape);
}

export function requireShape(call: string, name: string, value: unknown, shape: Shape): void {
	if (shape.fits(value)) return;
	throw new Fault(`${name} of ${call} must be ${shape.expected}, not ${described(value)}`, {
		code: "usage",
		hint: "See docs/user-guide/library.md for what each call takes.",
	});
}

export const field = (value: unknown, name: string): unknown =>
	typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function described(value: unknown): string {
	if (value === undefined || value === null) return String(value);
	if (Array.isArray(value)) return "an array";
	if (typeof value === "string") return `the string ${quote(value)}`;
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
