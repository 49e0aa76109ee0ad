import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import {
	callTraces,
	MARK_VARIABLE,
	markIn,
	parsePs,
	parseStat,
	readProcTables,
	readPsTable,
	startTicksOf,
} from "./process-table.ts";
import { noTraces } from "./process-traces.ts";

test("a name with spaces and parentheses does not shift the fields", () => {
	const rest = "S 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 1";
	expect(parseStat(`12 (a) b (c)) ${rest}`)).toEqual({
		ppid: 7,
		group: 8,
		session: 9,
		terminal: false,
		ended: false,
		startTicks: 4711,
	});
});

test("a zombie has ended", () => {
	expect(parseStat("1 (x) Z 7 8 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 5 6")?.ended).toBe(true);
});

test("what is no stat line is null", () => {
	expect(parseStat("")).toBeNull();
	expect(parseStat("1 (x) S 1")).toBeNull();
});

test.each([
	[`${MARK_VARIABLE}=r1/a\0PATH=/bin\0`, "r1/a"],
	[`PATH=/bin\0${MARK_VARIABLE}=r1/a`, "r1/a"],
	[`OLD_${MARK_VARIABLE}=no\0${MARK_VARIABLE}=yes\0`, "yes"],
	[`OLD_${MARK_VARIABLE}=no\0`, null],
	["PATH=/bin\0", null],
	["", null],
])("the mark in %j is %j", (environ, mark) => {
	expect(markIn(Buffer.from(environ))).toBe(mark);
});

test("ps output is read, ended processes and odd lines left out", () => {
	const text = "    1     0     1 Ss\n  20     1    20 R+\n  21 1 20 Z\nodd\n";
	expect(parsePs(text).map(({ pid, ppid, group }) => [pid, ppid, group])).toEqual([
		[1, 0, 1],
		[20, 1, 20],
	]);
});

test("ps shows our own process", async () => {
	const { entries } = await readPsTable();
	expect(entries.find(({ pid }) => pid === process.pid)?.ppid).toBe(process.ppid);
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
				readProcTables()({ since, traces: noTraces }).entries.find((entry) => entry.pid === pid);
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
		expect(readProcTables()(call).entries.filter(({ traced }) => traced)).toEqual([]);
	},
);

test("the start of a process that does not exist is 0", () => {
	expect(startTicksOf(2 ** 30)).toBe(0);
});
