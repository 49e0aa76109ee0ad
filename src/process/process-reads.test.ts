import { expect, test } from "vitest";
import { ProcessReads } from "./process-reads.ts";
import { callTraces, type ProcessTable } from "./process-table.ts";
import { noTraces } from "./process-traces.ts";

const call = (since: number) => callTraces(since, noTraces);
const table = (torn: boolean): ProcessTable => ({ entries: [], torn });

test("calls that ask at the same time share one reading, and one that asks later has its own", async () => {
	let readings = 0;
	const reads = new ProcessReads(() => {
		readings += 1;
		return (asking) => table(asking?.since === 2);
	});
	const asked = [reads.table(call(1)), reads.table(call(2))];
	expect(readings).toBe(0);
	expect(await Promise.all(asked)).toEqual([table(false), table(true)]);
	expect(readings).toBe(1);
	await reads.table(call(1));
	expect(readings).toBe(2);
});

test("where nothing can be read, all who asked learn it, and the next one is answered", async () => {
	let isBroken = true;
	const reads = new ProcessReads(() => {
		if (isBroken) throw new Error("too many open files");
		return () => table(false);
	});
	const failed = { status: "rejected", reason: new Error("too many open files") };
	const asked = [reads.table(call(1)), reads.table(call(1))];
	expect(await Promise.allSettled(asked)).toEqual([failed, failed]);
	isBroken = false;
	expect(await reads.table(call(1))).toEqual(table(false));
});

test.runIf(process.platform === "linux")("this process is among those that are read", async () => {
	const { entries } = await new ProcessReads().table({ since: 0, traces: noTraces });
	expect(entries.map(({ pid }) => pid)).toContain(process.pid);
});
