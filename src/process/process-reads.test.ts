import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { ProcessReads, readProcTables } from "./process-reads.ts";
import { ProcessRoster } from "./process-roster.ts";
import { callTraces, MARK_VARIABLE, type ProcessTable, startTicksOf } from "./process-table.ts";
import { noTraces } from "./process-traces.ts";

const call = (since: number) => callTraces(since, noTraces);
const unknown = (): boolean => false;
const table = (torn: boolean): ProcessTable => ({ entries: [], torn });

test("calls that ask at the same time share one reading, and one that asks later has its own", async () => {
	let readings = 0;
	const reads = new ProcessReads(() => {
		readings += 1;
		return (asking) => table(asking.since === 2);
	});
	const asked = [reads.table(call(1), unknown), reads.table(call(2), unknown)];
	expect(readings).toBe(0);
	expect(await Promise.all(asked)).toEqual([table(false), table(true)]);
	expect(readings).toBe(1);
	await reads.table(call(1), unknown);
	expect(readings).toBe(2);
});

test("where nothing can be read, all who asked learn it, and the next one is answered", async () => {
	let isBroken = true;
	const reads = new ProcessReads(() => {
		if (isBroken) throw new Error("too many open files");
		return () => table(false);
	});
	const failed = { status: "rejected", reason: new Error("too many open files") };
	const asked = [reads.table(call(1), unknown), reads.table(call(1), unknown)];
	expect(await Promise.allSettled(asked)).toEqual([failed, failed]);
	isBroken = false;
	expect(await reads.table(call(1), unknown)).toEqual(table(false));
});

test("what one of them knows is read for all", async () => {
	const wanted: number[][] = [];
	const reads = new ProcessReads((isWanted) => {
		wanted.push([1, 2, 3].filter(isWanted));
		return () => table(false);
	});
	const knows = (pid: number) => (one: number) => one === pid;
	await Promise.all([reads.table(call(1), knows(1)), reads.table(call(1), knows(3))]);
	expect(wanted).toEqual([[1, 3]]);
});

test.runIf(process.platform === "linux")(
	"a marked child is seen with group and session, and without its mark when it is older than asked",
	async () => {
		const child = spawn("sleep", ["30"], {
			detached: true,
			env: { [MARK_VARIABLE]: "table-test" },
			stdio: "ignore",
		});
		try {
			const pid = child.pid ?? 0;
			const start = startTicksOf(pid);
			const seen = { pid, ppid: process.pid, group: pid, session: pid, start, traced: false };
			const find = (since: number) =>
				readProcTables(new ProcessRoster())({ since, traces: noTraces }).entries.find(
					(entry) => entry.pid === pid,
				);
			expect(find(start)).toEqual({ ...seen, mark: "table-test" });
			expect(find(start + 1)).toEqual({ ...seen, mark: null });
		} finally {
			child.kill("SIGKILL");
			await once(child, "exit");
		}
	},
);

test.runIf(process.platform === "linux")(
	"nobody is traced to a call whose start is not known",
	() => {
		const call = callTraces(0, { places: [process.cwd()], pipes: [] });
		expect(
			readProcTables(new ProcessRoster())(call).entries.filter(({ traced }) => traced),
		).toEqual([]);
	},
);
