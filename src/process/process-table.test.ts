import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import {
	MARK_VARIABLE,
	markIn,
	parsePs,
	parseStat,
	readPsTable,
	startTicksOf,
} from "./process-table.ts";

test("a name with spaces and parentheses does not shift the fields", () => {
	const rest = "S 7 8 9 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 1 1";
	expect(parseStat(`12 (a) b (c)) ${rest}`)).toEqual({
		ppid: 7,
		group: 8,
		session: 9,
		terminal: false,
		start: 4711,
	});
});

test("a zombie has ended, unless threads of it go on", () => {
	const withThreads = (count: number) =>
		parseStat(`1 (x) Z 7 8 9 0 0 0 0 0 0 0 0 0 0 0 20 0 ${count} 0 5 6`) === "ended";
	expect([0, 1, 2].map(withThreads)).toEqual([true, true, false]);
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
	expect(markIn(environ)).toBe(mark);
});

test("ps output is read with its marks, ended processes and odd lines left out", () => {
	const text = [
		"    1     0     1 Ss   /sbin/launchd",
		`  20     1    20 R+   node server.js PATH=/bin ${MARK_VARIABLE}=r1:t1:player HOME=/`,
		`  21 1 20 S sh OLD_${MARK_VARIABLE}=no`,
		"  22 1 20 Z    (sh)",
		"odd",
		"",
	].join("\n");
	expect(parsePs(text).map(({ pid, ppid, group, mark }) => [pid, ppid, group, mark()])).toEqual([
		[1, 0, 1, null],
		[20, 1, 20, "r1:t1:player"],
		[21, 1, 20, null],
	]);
});

test("ps shows our own process", async () => {
	const { entries } = await readPsTable();
	expect(entries.find(({ pid }) => pid === process.pid)?.ppid).toBe(process.ppid);
});

test.runIf(process.platform === "linux")("a child that has ended still has its start", async () => {
	const child = spawn("true");
	const ended = once(child, "exit");
	// Nobody notices its end while this process waits for another one.
	spawnSync("sh", ["-c", `until grep -q ') Z' /proc/${child.pid}/stat; do sleep 0.01; done`]);
	expect(startTicksOf(child.pid ?? 0)).toBeGreaterThanOrEqual(startTicksOf(process.pid));
	await ended;
});

test("the start of a process that does not exist is 0", () => {
	expect(startTicksOf(2 ** 30)).toBe(0);
});
