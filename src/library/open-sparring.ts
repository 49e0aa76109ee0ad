import { findRoot } from "../places/find-root.ts";
import { gitHost } from "../places/places.ts";
import { requireFields, requireOptions, requireShape, SHAPES, type Shape } from "./arguments.ts";
import { type LibraryOptions, Opened } from "./opened.ts";
import { runStream } from "./run-stream.ts";
import type { Sparring } from "./sparring.ts";
import { given } from "./verbs/fields.ts";
import { VERBS, type VerbMethods } from "./verbs/table.ts";
import type { AnyVerb } from "./verbs/verb.ts";
import { RUN_FIELDS } from "./verbs/work.ts";

/**
 * Opens Sparring on the repository that a directory belongs to. Nothing is created by opening; heavy parts (git,
 * the workflow's schema, LangGraph) are loaded by the methods that need them.
 *
 * @throws Fault `not-a-repository`, and `usage` for options that are missing or of another type
 * @example `const sparring = await openSparring({ directory: ".", env: process.env })`
 */
export async function openSparring(options: LibraryOptions): Promise<Sparring> {
	requireLibraryOptions(options);
	const root = findRoot(options.directory);
	if (root !== undefined) return openedAt(options, root);
	// Git explains best what is wrong: a bare repository, no repository, no directory.
	const { openRepository } = await import("../git/repository.ts");
	const repository = await openRepository(options.directory, gitHost(options.env));
	return openedAt(options, repository.root);
}

const ENVIRONMENT: Shape = { ...SHAPES.object, expected: "an object such as process.env" };
const AGENT: Shape = {
	expected: "an agent, an object with a method call and with handsIn",
	fits: (value) =>
		SHAPES.object.fits(value) &&
		SHAPES.callback.fits(Reflect.get(Object(value), "call")) &&
		SHAPES.text.fits(Reflect.get(Object(value), "handsIn")),
};

const LIBRARY_OPTIONS = {
	directory: { kind: "text", isNeeded: true },
	env: { kind: "any" },
	readOnly: given("flag"),
	onWorkflow: given("callback"),
	agents: given("object"),
} as const satisfies Record<keyof LibraryOptions, object>;

function requireLibraryOptions(options: LibraryOptions): void {
	const call = "openSparring";
	requireOptions(call, LIBRARY_OPTIONS, options);
	requireShape(call, "env", options.env, ENVIRONMENT);
	for (const [name, agent] of Object.entries(options.agents ?? {}))
		requireShape(call, `agents.${name}`, agent, AGENT);
}

const OF_TASKS = { ...RUN_FIELDS, source: given("source"), featureId: given("text") };
const { fields: OF_RUN } = VERBS.run;
const { fields: OF_RESUMING } = VERBS.resume;

function openedAt(options: LibraryOptions, root: string): Sparring {
	const own = new Opened(options, root, openSparring);
	const methods = verbMethods(own);
	const { run, resume: resumeRun } = methods;
	const runs = { run, resume: resumeRun };
	const resume = async (...[asked, ofTask = {}]: Parameters<Sparring["resume"]>) => {
		if (typeof asked !== "string") return await resumeRun(asked);
		requireOptions("resume", OF_RESUMING, ofTask);
		ofTask.signal?.throwIfAborted();
		return (await import("./task-runs.ts")).resumeTask(own, runs, asked, ofTask);
	};
	return {
		root,
		...methods,
		// By the type of its first argument, as the interface has it.
		resume: resume as Sparring["resume"],
		load: async (source) => {
			requireOptions("load", { source: { kind: "source", isNeeded: true } }, { source });
			return await own.load(source);
		},
		runTask: async (taskId, wanted = {}) => {
			requireShape("runTask", "taskId", taskId, SHAPES.text);
			requireOptions("runTask", OF_TASKS, wanted);
			wanted.signal?.throwIfAborted();
			return (await import("./task-runs.ts")).runTask(own, runs, taskId, wanted);
		},
		runParallel: async (taskIds, wanted = {}) => {
			requireShape("runParallel", "taskIds", taskIds, SHAPES.texts);
			requireOptions("runParallel", OF_TASKS, wanted);
			wanted.signal?.throwIfAborted();
			return (await import("./task-runs.ts")).runParallel(own, runs, taskIds, wanted);
		},
		stream: (asked) => {
			try {
				requireOptions("stream", "source" in Object(asked) ? OF_RUN : OF_RESUMING, asked);
			} catch (error) {
				// As any other reason for which a run cannot begin.
				return runStream(() => Promise.reject(error), {});
			}
			const begin = (told: object) =>
				"source" in asked ? run({ ...asked, ...told }) : resumeRun({ ...asked, ...told });
			return runStream(begin, asked);
		},
		loadState: async (task) => {
			requireShape("loadState", "taskId", task, SHAPES.text);
			const records = await own.records();
			return records === null ? null : (await import("./load-state.ts")).loadState(records, task);
		},
		readLog: async (log, from) => {
			const { readLog } = await import("./task-logs.ts");
			return readLog((await own.openStore()).blobs, log, from);
		},
		lastSaid: async (runId, taskIds) => {
			const { saidInRun } = await import("./task-logs.ts");
			return saidInRun(await own.existing(), runId, taskIds);
		},
		itemVersion: async (id) => {
			const { findItem, versionOf } = await import("./answer-item.ts");
			const { records } = await own.existing();
			return versionOf(records, await findItem(records, id));
		},
		close: () => own.close(),
	};
}

/** Arguments of a call by the names of the fields. @throws Fault `usage` for a value of another type */
function givenBy(call: string, { fields, places }: AnyVerb, args: readonly unknown[]): object {
	const named = places.filter((name) => name in fields);
	const { [named.length]: options = named.length < places.length ? undefined : {} } = args;
	requireShape(call, "options", options, SHAPES.object);
	const byPlace = named.map((name, at) => [name, args[at]] as const);
	const given: object = Object.assign({}, options, Object.fromEntries(byPlace));
	requireFields(call, fields, given);
	return given;
}

/** The library's methods, each made of its verb. One that takes a signal is aborted when Sparring is closed. */
function verbMethods(own: Opened): VerbMethods {
	const methods = Object.entries<AnyVerb>(VERBS).map(([name, verb]) => [
		name,
		async (...args: readonly unknown[]) => {
			const given = givenBy(name, verb, args);
			// As the verb's own fields have it.
			const work = async (values: object) => await verb.run(own, values as never);
			return await ("signal" in verb.fields ? own.during(given, work) : work(given));
		},
	]);
	// One method for each name of the table, each by its verb.
	return Object.fromEntries(methods) as VerbMethods;
}
