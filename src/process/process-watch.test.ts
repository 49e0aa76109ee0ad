import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { ProcessRoster } from "./process-roster.ts";
import { MARK_VARIABLE, type ProcessTable, startTicksOf } from "./process-table.ts";
import { noTraces } from "./process-traces.ts";
import { ProcessGlances, ProcessWatch } from "./process-watch.ts";

const children: ChildProcess[] = [];

function sleeper(mark: string): { readonly pid: number; readonly since: number } {
	const child = spawn("sleep", ["30"], {
		detached: true,
		env: { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: mark },
		stdio: "ignore",
	});
	children.push(child);
	const pid = child.pid ?? 0;
	return { pid, since: startTicksOf(pid) };
}

async function end(child: ChildProcess): Promise<void> {
	const exit = once(child, "exit");
	child.kill("SIGKILL");
	await exit;
}

afterEach(async () => {
	await Promise.all(children.splice(0).map(end));
});

const nobody = { traces: noTraces, known: () => [] };

const pidsIn = ({ entries }: ProcessTable): number[] => entries.map(({ pid }) => pid);

describe.runIf(process.platform === "linux")("a glance", () => {
	test("shows each call the processes that are not older, with their marks, and all parents", () => {
		const first = sleeper("watch-test/first");
		const glance = new ProcessGlances(new ProcessRoster()).glance(first.since);
		const table = glance.tableFor({ since: first.since, ...nobody });
		expect(table.entries.find(({ pid }) => pid === first.pid)).toMatchObject({
			mark: "watch-test/first",
			ppid: process.pid,
			session: first.pid,
		});
		expect(pidsIn(glance.tableFor({ since: first.since + 1_000, ...nobody }))).toEqual([]);
		expect(table.setting?.parents.get(process.pid)).toBe(process.ppid);
		expect(table.setting?.safe).toContain(process.pid);
	});

	test("sees processes that came and went since the one before", async () => {
		const glances = new ProcessGlances(new ProcessRoster());
		const { since } = sleeper("watch-test/old");
		const seen = () => pidsIn(glances.glance(since).tableFor({ since, ...nobody }));
		seen();
		const { pid } = sleeper("watch-test/new");
		expect(seen()).toContain(pid);
		await Promise.all(children.splice(1).map(end));
		expect(seen()).not.toContain(pid);
	});

	test("reads a process as an elder only while a younger call is the oldest", () => {
		const glances = new ProcessGlances(new ProcessRoster());
		const { pid, since } = sleeper("watch-test/elder");
		const call = { since, ...nobody };
		expect(pidsIn(glances.glance(since + 1_000).tableFor(call))).not.toContain(pid);
		expect(pidsIn(glances.glance(since).tableFor(call))).toContain(pid);
	});
});

describe.runIf(process.platform === "linux")("one watch for all calls", () => {
	test("shows every call its own, until it is ended", async () => {
		const watch = new ProcessWatch(new ProcessRoster());
		const calls = ["watch-test/a", "watch-test/b"].map((mark) => {
			const { pid, since } = sleeper(mark);
			const shown = Promise.withResolvers<ProcessTable>();
			const unwatch = watch.add({ since, ...nobody, see: shown.resolve });
			return { pid, shown: shown.promise, unwatch };
		});
		const keepsAlive = setInterval(() => undefined, 1_000);
		for (const { pid, shown } of calls) expect(pidsIn(await shown)).toContain(pid);
		for (const { unwatch } of calls) unwatch();
		clearInterval(keepsAlive);
	});

	test("sees a process that comes later, in a later look", async () => {
		const watch = new ProcessWatch(new ProcessRoster());
		const { since } = sleeper("watch-test/root");
		const waited: { pid: number; found: () => void }[] = [];
		const see = (table: ProcessTable): void => {
			for (const { pid, found } of waited) if (pidsIn(table).includes(pid)) found();
		};
		const unwatch = watch.add({ since, ...nobody, see });
		const keepsAlive = setInterval(() => undefined, 1_000);
		for (const mark of ["watch-test/one", "watch-test/two"]) {
			const { promise, resolve } = Promise.withResolvers<undefined>();
			waited.push({ pid: sleeper(mark).pid, found: () => resolve(undefined) });
			await promise;
		}
		unwatch();
		clearInterval(keepsAlive);
		expect(waited).toHaveLength(2);
	});
});
