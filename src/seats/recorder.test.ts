import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { readCassette } from "../agents/cassette/read-cassette.ts";
import type { Vault } from "../git/vault.ts";
import type { RecordedCall } from "../loop/context.ts";
import { noMasker } from "../masking/masking.ts";
import { cassetteRecorder } from "./recorder.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-recorder-"));
});
afterEach(() => rm(dir, { recursive: true }));

const call = (task: string, output: string): RecordedCall => ({
	role: "coach",
	agent: "rev",
	task,
	subtask: null,
	turn: 1,
	call: 1,
	outcome: { kind: "answered", report: "{}", output, ms: 1, usage: null },
	change: null,
});

thorough(
	"calls that tasks finish at once are whole lines of the cassette, however long",
	async () => {
		const file = join(dir, "run.jsonl");
		const recorder = cassetteRecorder(file, {
			// No call here changed a file.
			vault: {} as Vault,
			masker: noMasker,
			onNotice: () => undefined,
		});
		const tasks = Array.from({ length: 12 }, (_, nth) => `t${nth}`);
		// Node.js writes a file in pieces of half a megabyte.
		const output = "x".repeat(1_200_000);
		await Promise.all(tasks.map((task) => recorder.record(call(task, output))));
		const { lines } = await readCassette(file);
		expect([...lines.values()].map(({ task }) => task).sort()).toEqual([...tasks].sort());
	},
);

test("a line that cannot be written does not keep the next one from being written", async () => {
	const file = join(dir, "later", "run.jsonl");
	const recorder = cassetteRecorder(file, {
		vault: {} as Vault,
		masker: noMasker,
		onNotice: () => undefined,
	});
	await expect(recorder.record(call("a", ""))).rejects.toThrow("cannot write the cassette");
	await mkdir(join(dir, "later"));
	await recorder.record(call("b", ""));
	expect((await readCassette(file)).lines.size).toBe(1);
});
