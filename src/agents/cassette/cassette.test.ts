import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { maskerFor, noMasker } from "../../masking/masking.ts";
import {
	type AgentMakers,
	contractCall,
	describeAgentContract,
	REPORT,
} from "../agent.contract.ts";
import type { Agent, AgentCall, AgentOutcome } from "../agent.ts";
import { applyFiles, cassetteAgent } from "./cassette-agent.ts";
import { readCassette } from "./read-cassette.ts";
import { appendLine, type RecordedFile, recordedLine } from "./recorded-line.ts";

const KEY = { role: "coach", task: "t", turn: 1, call: 1 };

async function playing(dir: string, ...lines: readonly object[]): Promise<Agent> {
	const path = join(dir, "cassette.jsonl");
	await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
	return cassetteAgent(await readCassette(path));
}

const startsNothing = { leftOut: "a cassette starts no process and waits for nothing" };
const makers: AgentMakers = {
	answers: (dir) => playing(dir, { ...KEY, report: REPORT }, { ...KEY, call: 2, report: REPORT }),
	fails: (dir) => playing(dir, { ...KEY, outcome: "rate_limit" }),
	answersNothing: (dir) => playing(dir, KEY),
	reportsNoJson: (dir) => playing(dir, { ...KEY, report: "not { JSON" }),
	floods: { leftOut: "the transcript was capped when it was recorded" },
	hangs: startsNothing,
	leavesChildren: startsNothing,
	talksOn: startsNothing,
	diesHalfWay: startsNothing,
	failsHavingSpent: (dir) =>
		playing(dir, { ...KEY, outcome: "rate_limit", usage: { input_tokens: 7 } }),
};

describeAgentContract("the cassette adapter", makers, [
	...(["floods", "hangs", "leavesChildren", "diesHalfWay", "talksOn"] as const),
]);

const never = new AbortController().signal;
let dir = "";
let path = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-cassette-"));
	path = join(dir, "recording.jsonl");
});

afterEach(() => rm(dir, { recursive: true }));

const answered: AgentOutcome = {
	kind: "answered",
	report: '{"decision":"approve"}',
	output: "ok",
	ms: 7,
	usage: { inputTokens: 1, outputTokens: null, costUsd: 0.5, model: "m" },
};

describe("playing", () => {
	test("a call is found by role, task, subtask, turn and call, whatever the agent's name", async () => {
		const agent = await playing(
			dir,
			{ ...KEY, agent: "somebody", report: { is: "task" } },
			{ ...KEY, subtask: "s", report: { is: "subtask" } },
			{ ...KEY, role: "player", report: { is: "player" } },
		);
		const report = async (rest: Partial<AgentCall>): Promise<unknown> => {
			const outcome = await agent.call(await contractCall(dir, rest), never);
			return outcome.kind === "answered" ? outcome.report : outcome.message;
		};
		expect(await report({})).toBe('{"is":"task"}');
		expect(await report({ subtask: "s" })).toBe('{"is":"subtask"}');
		expect(await report({ role: "player" })).toBe('{"is":"player"}');
		expect(await report({ turn: 2, subtask: "s" })).toBe(
			"no recorded call 1 of coach for task t, subtask s, turn 2",
		);
		expect(await report({ call: 2 })).toBe("no recorded call 2 of coach for task t, turn 1");
	});

	test("of repeated lines the last counts", async () => {
		const agent = await playing(dir, { ...KEY, output: "first" }, { ...KEY, output: "last" });
		expect((await agent.call(await contractCall(dir), never)).output).toBe("last");
	});

	test("a recorded failure fails, any other outcome is an answer", async () => {
		const failing = await playing(dir, { ...KEY, outcome: "timeout", files: { x: "1" }, ms: 5 });
		expect(await failing.call(await contractCall(dir), never)).toEqual({
			kind: "failed",
			failure: "timeout",
			message: "the recorded call failed: timeout",
			output: "",
			ms: 5,
			usage: null,
		});
		expect(readFileSync(join(dir, "x"), "utf8")).toBe("1");
		const other = await playing(dir, { ...KEY, outcome: "done" });
		expect((await other.call(await contractCall(dir), never)).kind).toBe("answered");
	});

	test("files that would leave the checkout fail the call", async () => {
		await applyFiles(dir, { up: { link: "..", mode: "120000" } });
		const lines = { ...KEY, files: { "up/x": "1" } };
		const agent = await playing(dir, lines);
		expect(await agent.call(await contractCall(dir), never)).toMatchObject({
			kind: "failed",
			failure: "unknown",
			message: expect.stringContaining("symbolic link") as unknown,
		});
	});

	test("an error that is no fault is not hidden", async () => {
		const agent = await playing(dir, { ...KEY, files: { x: "1" } });
		const call = await contractCall(dir);
		await expect(agent.call({ ...call, cwd: join(dir, "gone") }, never)).rejects.toThrow("ENOENT");
	});
});

describe("an invalid cassette is a fault that names the line", () => {
	test.each([
		["half a line", '{"role": "coa', "the line is not JSON"],
		["a list", "[]", "the line must be a JSON object"],
		["an unknown role", { ...KEY, role: "boss" }, '"role" must be one of player, coach'],
		["no task", { role: "coach", turn: 1 }, '"task" must be a string'],
		["no turn", { role: "coach", task: "t" }, '"turn" must be a whole number of at least 1'],
		["turn 0", { ...KEY, turn: 0 }, '"turn" must be a whole number of at least 1'],
		["half a call", { ...KEY, call: 1.5 }, '"call" must be a whole number of at least 1'],
		["a subtask that is a number", { ...KEY, subtask: 1 }, '"subtask" must be a string'],
		["a report that is a list", { ...KEY, report: [] }, '"report" must be an object, a string'],
		["files that are a list", { ...KEY, files: [] }, '"files" must be an object of paths'],
		["a path outside", { ...KEY, files: { "../x": "" } }, '"../x" leaves the checkout'],
		["a number as content", { ...KEY, files: { x: 1 } }, '"x" must be null, a string or an object'],
		[
			"an unknown mode",
			{ ...KEY, files: { x: { base64: "", mode: "160000" } } },
			'"x" must be null, a string or an object',
		],
		["empty content", { ...KEY, files: { x: {} } }, 'with "base64" or "link"'],
		["negative ms", { ...KEY, ms: -1 }, '"ms" must be null or a number of at least 0'],
		["usage as a text", { ...KEY, usage: "much" }, '"usage" must be an object or null'],
		["tokens as a text", { ...KEY, usage: { input_tokens: "1" } }, '"input_tokens" must be'],
	])("%s", async (_name, line, message) => {
		await writeFile(path, `\n${typeof line === "string" ? line : JSON.stringify(line)}\n`);
		await expect(readCassette(path)).rejects.toMatchObject({
			name: "Fault",
			code: "cassette-invalid",
			message: expect.stringMatching(/^.*recording\.jsonl:2 /) as unknown,
		});
		await expect(readCassette(path)).rejects.toThrow(message);
	});

	test("a file that is missing, a folder or no UTF-8", async () => {
		await expect(readCassette(path)).rejects.toThrow("cannot be read (ENOENT)");
		await expect(readCassette(dir)).rejects.toThrow("cannot be read (EISDIR)");
		await writeFile(path, Buffer.from([0xff]));
		await expect(readCassette(path)).rejects.toThrow("is not UTF-8 text");
	});
});

test("blank lines, other line ends and a byte order mark are fine", async () => {
	await writeFile(path, `\ufeff\r\n${JSON.stringify(KEY)}\r\n\n  \n`);
	expect((await readCassette(path)).lines.size).toBe(1);
});

describe("recording", () => {
	const record = async (outcome: AgentOutcome, files: readonly RecordedFile[] = []) =>
		recordedLine(await contractCall(dir), outcome, files, noMasker).line;

	test("what was recorded is played back", async () => {
		await appendLine(path, await record(answered));
		const agent = cassetteAgent(await readCassette(path));
		expect(await agent.call(await contractCall(dir), never)).toEqual(answered);
	});

	test("a report that is no JSON object is kept verbatim", async () => {
		for (const report of ["not { JSON", "[1]", "null", null]) {
			expect((await record({ ...answered, report, usage: null })).report).toBe(report);
		}
	});

	test("a failure keeps its name", async () => {
		const failed = {
			kind: "failed",
			failure: "network",
			message: "x",
			output: "o",
			ms: 1,
		} as const;
		expect(await record(failed)).toMatchObject({ outcome: "network", report: null, usage: null });
	});

	test("a report in which a key stands twice is kept as it was written", async () => {
		const report = '{"decision":"feedback","decision":"approve"}';
		expect((await record({ ...answered, report })).report).toBe(report);
	});

	test("secrets are masked in the content of files, with the changed paths named", async () => {
		const masker = maskerFor([{ value: "hunter2hunter2", rule: "env" }]);
		const files = [
			{ path: "text", content: Buffer.from("pw=hunter2hunter2"), mode: "100644" },
			{ path: "bytes", content: Buffer.from("\xffhunter2hunter2", "latin1"), mode: "100644" },
			{ path: "clean", content: Buffer.from("x"), mode: "100644" },
		];
		const { line, maskedPaths } = recordedLine(await contractCall(dir), answered, files, masker);
		expect(JSON.stringify(line)).not.toContain("hunter2");
		expect(maskedPaths).toEqual(["text", "bytes"]);
		const bytes = line.files["bytes"];
		const base64 = typeof bytes === "object" && bytes !== null && "base64" in bytes && bytes.base64;
		expect(Buffer.from(String(base64), "base64").toString("latin1")).toMatch(/^\xff\[MASKED:env:/);
	});

	test("half a line that a kill left is removed, and other text is not", async () => {
		const line = await record(answered);
		await appendLine(path, line);
		await appendFile(path, JSON.stringify(line).slice(0, 40));
		await appendLine(path, { ...line, turn: 2 });
		expect((await readCassette(path)).lines.size).toBe(2);
		await writeFile(path, JSON.stringify(line));
		await appendLine(path, { ...line, turn: 2 });
		expect((await readCassette(path)).lines.size).toBe(2);
		await writeFile(path, `${"a long readme ".repeat(10_000)}without an end`);
		await appendLine(path, line);
		expect(await readFile(path, "utf8")).toContain("without an end\n{");
		await writeFile(path, `{"role":"${"x".repeat(200_000)}`);
		await appendLine(path, line);
		expect(await readFile(path, "utf8")).toBe(`${JSON.stringify(line)}\n`);
	});

	test("a place that cannot be written is a fault", async () => {
		await expect(appendLine(dir, await record(answered))).rejects.toMatchObject({
			name: "Fault",
			code: "state-unwritable",
		});
	});

	test("reading back what was written gives the same tree", async () => {
		const name = fc.constantFrom("a", "b c", "ünï", "-x", "new\nline", "__proto__");
		const mode = fc.constantFrom("100644", "100755", "120000");
		const content = fc.oneof(
			fc.uint8Array({ minLength: 1, maxLength: 40 }),
			fc.string({ unit: anyCharacter, minLength: 1 }).map((text) => Buffer.from(text)),
			fc.constant(Buffer.from("\ufeffmark")),
		);
		const file = fc.record({ folder: fc.constantFrom("", "d1/", "d2/e/"), name, mode, content });
		const tree = fc.uniqueArray(file, { selector: ({ folder, name: last }) => folder + last });
		let runs = 0;
		await fc.assert(
			fc.asyncProperty(tree, async (drawn) => {
				runs += 1;
				const target = join(dir, `tree-${runs}`);
				await mkdir(target);
				// A link's target holds no zero byte.
				const files = drawn.map((one) => ({
					path: one.folder + one.name,
					mode: one.mode,
					content: one.mode === "120000" ? one.content.map((byte) => byte || 1) : one.content,
				}));
				const tape = join(dir, `tape-${runs}`);
				await appendLine(tape, await record(answered, files));
				const agent = cassetteAgent(await readCassette(tape));
				await agent.call({ ...(await contractCall(dir)), cwd: target }, never);
				for (const expected of files) expect(stored(target, expected)).toBe(true);
				expect(countFiles(target)).toBe(files.length);
			}),
			{ numRuns: amount(60) },
		);
	});
});

/** Whether the tree holds this file with this content and mode. */
function stored(target: string, { path: at, mode, content }: RecordedFile): boolean {
	const full = join(target, at);
	const bytes = mode === "120000" ? readlinkSync(full, "buffer") : readFileSync(full);
	const isProgram = mode !== "120000" && (statSync(full).mode & 0o100) !== 0;
	return bytes.equals(Buffer.from(content ?? [])) && isProgram === (mode === "100755");
}

/** Not by a recursive listing, which follows a link to a directory. */
function countFiles(target: string): number {
	return readdirSync(target, { withFileTypes: true }).reduce(
		(sum, found) => sum + (found.isDirectory() ? countFiles(join(target, found.name)) : 1),
		0,
	);
}
