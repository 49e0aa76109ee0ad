import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Blobs } from "../kernel/blobs.ts";
import { folderBlobs } from "../store/folder/blobs.ts";
import { lastSaid, logsOf, readLog, readLogPart } from "./task-logs.ts";

const TASK = { runId: "r1", taskId: "one" };

/** A state directory with these files, each changed a second after the one before. */
function stateWith(files: Readonly<Record<string, string | Buffer>>): Blobs {
	const stateDir = mkdtempSync(join(tmpdir(), "logs-"));
	onTestFinished(() => rmSync(stateDir, { recursive: true }));
	for (const [nth, [path, text]] of Object.entries(files).entries()) {
		const file = join(stateDir, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		utimesSync(file, 1_000 + nth, 1_000 + nth);
	}
	return folderBlobs(stateDir);
}

test("logs are told by turn and by what printed them, the newest at the end; other files are none", async () => {
	const blobs = stateWith({
		"runs/r1/evidence/one/setup-player.log": "",
		"runs/r1/evidence/one/turn-0/baseline-tests.log": "",
		"transcripts/r1/one/turn-1-tie_breaker-2.log": "",
		"transcripts/r1/one/turn-1-player-1.log": "",
		"runs/r1/evidence/one/turn-1/turn-checklist/1.log": "",
		"transcripts/r1/one/turn-1-stranger-1.log": "",
		"transcripts/r1/one/notes.txt": "",
		"transcripts/r1/two/turn-1-player-1.log": "",
	});
	const logs = await logsOf(blobs, TASK);
	expect(logs.map(({ turn, source, name }) => [turn, source, name])).toEqual([
		[null, "setup", "player"],
		[0, "check", "baseline-tests"],
		[1, "tie_breaker", "2"],
		[1, "player", "1"],
		[1, "check", "turn-checklist/1"],
	]);
	expect(await logsOf(blobs, { ...TASK, taskId: "none" })).toEqual([]);
});

test("a log is read from a byte on, and one that has gone is empty", async () => {
	const path = "transcripts/r1/one/turn-1-player-1.log";
	const blobs = stateWith({ [path]: "é first\nsecond\n" });
	expect(await readLog(blobs, { path })).toBe("é first\nsecond\n");
	expect(await readLog(blobs, { path }, 9)).toBe("second\n");
	expect(await readLog(blobs, { path }, 99)).toBe("");
	expect(await readLog(blobs, { path: "gone.log" })).toBe("");
});

test.each<[string, string, string | null]>([
	["a plain line", "one\ntwo\n\n", "two"],
	[
		"a tool of a harness",
		'{"type":"tool_use","tool_name":"read","parameters":{"path":"a.js"}}\n{"type":"result"}\n',
		"reads a.js",
	],
	["the end of a long text", `${"x".repeat(70_000)}\nlast\n`, "last"],
	["nothing", "", null],
	["events that tell nothing", '{"type":"result"}\n{"type":\n', null],
])("what was said last is %s", async (_name, text, line) => {
	const blobs = stateWith({
		"runs/r1/evidence/one/turn-0/baseline-tests.log": "older\n",
		"transcripts/r1/one/turn-1-player-1.log": text,
	});
	expect(await lastSaid(blobs, TASK)).toEqual(line === null ? null : { line, at: 1_001_000 });
});

test("a log is read in parts of whole characters, one after the other", async () => {
	const text = "aé€🙂".repeat(50);
	const blobs = stateWith({ "long.log": text });
	const parts: string[] = [];
	let from = 0;
	for (;;) {
		const part = await readLogPart(blobs, { path: "long.log" }, from, 7);
		expect(part.bytes).toBe(Buffer.byteLength(text));
		if (part.text === "") break;
		parts.push(part.text);
		from = part.next;
	}
	expect(parts.join("")).toBe(text);
	expect(parts.every((part) => !part.includes("\ufffd"))).toBe(true);
	expect(parts.length).toBeGreaterThan(50);
});

test("of what is no text each byte is read once, and what has gone is empty", async () => {
	const blobs = stateWith({ "bytes.log": Buffer.alloc(20, 0x80) });
	expect(await readLogPart(blobs, { path: "bytes.log" }, 0, 8)).toMatchObject({ next: 8 });
	const gone = { text: "", next: 0, bytes: 0 };
	expect(await readLogPart(blobs, { path: "none.log" }, 5, 8)).toEqual(gone);
});
