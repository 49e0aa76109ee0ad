import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Agent, Fault, openSparring } from "../../src/index.ts";
import { stage, WORKS } from "./stage.ts";

/** What a program in JavaScript can pass, whatever the types say. */
const wrong = (value: unknown): never => value as never;

async function opened() {
	const { repo } = stage({ steps: [WORKS] });
	const { root: directory, env } = repo;
	const sparring = await openSparring({ directory, env });
	onTestFinished(() => sparring.close());
	return { directory, env, sparring };
}

/** How a call rejects, as its code and message. */
async function refusal(call: () => unknown): Promise<string> {
	try {
		await call();
	} catch (error) {
		return error instanceof Fault ? `${error.code}: ${error.message}` : String(error);
	}
	return "no refusal";
}

test("a wrong argument is a fault that names it, its type and what is expected, and no run is made", async () => {
	const { sparring, directory } = await opened();
	const source = { kind: "file" } as const;
	const calls: readonly (readonly [() => unknown, string])[] = [
		[() => sparring.runTask(wrong(undefined)), "taskId of runTask must be a string, not undefined"],
		[() => sparring.runTask(wrong(5)), "taskId of runTask must be a string, not the number 5"],
		[
			() => sparring.runTask("one", { signal: wrong(5) }),
			"signal of runTask must be an AbortSignal, not the number 5",
		],
		[
			() => sparring.runTask("one", { onEvent: wrong(5) }),
			"onEvent of runTask must be a function, not the number 5",
		],
		[
			() => sparring.runTask("one", { maxTurns: wrong("3") }),
			'maxTurns of runTask must be a whole number, 1 or more, not the string "3"',
		],
		[
			() => sparring.runTask("one", { featureId: wrong(5) }),
			"featureId of runTask must be a string, not the number 5",
		],
		[() => sparring.runTask("one", wrong(null)), "options of runTask must be an object, not null"],
		[
			() => sparring.runParallel(wrong("one")),
			'taskIds of runParallel must be an array of strings, not the string "one"',
		],
		[
			() => sparring.runParallel(["one"], { signal: wrong({}) }),
			"signal of runParallel must be an AbortSignal, not an object",
		],
		[() => sparring.run(wrong(undefined)), "options of run must be an object, not undefined"],
		[() => sparring.run(wrong({})), "source of run must be an object, not undefined"],
		[
			() => sparring.run({ source, taskIds: wrong("one") }),
			'taskIds of run must be an array of strings, not the string "one"',
		],
		[
			() => sparring.run({ source, onEvent: wrong([]) }),
			"onEvent of run must be a function, not an array",
		],
		[
			() => sparring.plan({ source, maxTurns: wrong("3") }),
			"maxTurns of plan must be a whole number",
		],
		[() => sparring.resume(wrong(undefined)), "options of resume must be an object, not undefined"],
		[() => sparring.resume("one", { signal: wrong(5) }), "signal of resume must be an AbortSignal"],
		[
			() => sparring.resume({ runId: wrong(5) }),
			"runId of resume must be a string, not the number 5",
		],
		[() => sparring.land({ signal: wrong(5) }), "signal of land must be an AbortSignal"],
		[() => sparring.propose({ remote: wrong(5) }), "remote of propose must be a string"],
		[() => sparring.propose(wrong(null)), "options of propose must be an object, not null"],
		[
			() => sparring.diff("one", { turn: wrong("2") }),
			"turn of diff must be a whole number, 1 or more, not the string",
		],
		...[0, 1.5, Number.NaN, 1001].map(
			(count) =>
				[
					() => sparring.checkHistory({ count }),
					`count of checkHistory must be a whole number from 1 to 1000, not the number ${count}`,
				] as const,
		),
		[() => sparring.findings(wrong(undefined)), "task of findings must be a string, not undefined"],
		[() => sparring.status(wrong(5)), "runId of status must be a string, not the number 5"],
		[() => sparring.prune(wrong(null)), "options of prune must be an object, not null"],
		[() => sparring.loadState(wrong(undefined)), "taskId of loadState must be a string"],
		[() => sparring.validate(wrong({ kind: "zzz" })), "source.kind of validate must be one of "],
		[() => sparring.load(wrong({ kind: "value" })), "source.value of load must be an object"],
	];
	for (const [call, message] of calls)
		expect((await refusal(call)).slice(0, `usage: ${message}`.length)).toBe(`usage: ${message}`);
	expect(await sparring.runs()).toEqual([]);
	expect(existsSync(join(directory, ".sparring"))).toBe(false);
});

test("a stream tells of wrong arguments by its iteration, and takes no unknown source for the workflow file", async () => {
	const { sparring } = await opened();
	const of = (options: unknown) => () => sparring.stream(wrong(options)).next();
	expect(await refusal(of({ source: { kind: "zzz" } }))).toBe(
		'usage: source.kind of stream must be one of "file", "task-file", "words", "value", "loaded", not the string "zzz"',
	);
	expect(await refusal(of({ source: { kind: "toString" } }))).toContain("usage: source.kind");
	expect(await refusal(of(undefined))).toContain("usage: options of stream must be an object");
	expect(await refusal(of({ signal: 5 }))).toContain("usage: signal of stream");
	await expect(sparring.stream(wrong({ signal: 5 })).report).rejects.toThrow("signal of stream");
	expect(await sparring.runs()).toEqual([]);
});

test("a call whose signal is aborted already rejects with its reason and makes no run", async () => {
	const { sparring } = await opened();
	const reason = new Error("not today");
	const signal = AbortSignal.abort(reason);
	const source = { kind: "file" } as const;
	await expect(sparring.runTask("one", { signal })).rejects.toBe(reason);
	await expect(sparring.runParallel(["one"], { signal })).rejects.toBe(reason);
	await expect(sparring.run({ source, signal })).rejects.toBe(reason);
	await expect(sparring.resume({ signal })).rejects.toBe(reason);
	await expect(sparring.resume("one", { signal })).rejects.toBe(reason);
	await expect(sparring.stream({ source, signal }).next()).rejects.toBe(reason);
	const soon = new AbortController();
	const begun = sparring.run({ source, signal: soon.signal });
	soon.abort(reason);
	await expect(begun).rejects.toBe(reason);
	expect(await sparring.runs()).toEqual([]);
});

test("openSparring refuses options that are missing or wrong, and agents that cannot be called", async () => {
	const { directory, env } = await opened();
	const agent: Agent = { handsIn: "message", call: () => Promise.reject(new Error("unused")) };
	const open = (options: unknown) => () => openSparring(wrong(options));
	expect(await refusal(open(undefined))).toBe(
		"usage: options of openSparring must be an object, not undefined",
	);
	expect(await refusal(open({ env }))).toContain("directory of openSparring must be a string");
	expect(await refusal(open({ directory }))).toBe(
		"usage: env of openSparring must be an object such as process.env, not undefined",
	);
	for (const dev of [5, undefined, {}, { call: () => null }, { handsIn: "message" }])
		expect(await refusal(open({ directory, env, agents: { coach: agent, dev } }))).toContain(
			"usage: agents.dev of openSparring must be an agent",
		);
});
