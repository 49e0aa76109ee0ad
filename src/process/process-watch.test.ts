import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import {
	callTraces,
	MARK_VARIABLE,
	noTraces,
	type ProcessTable,
	startTicksOf,
} from "./process-table.ts";
import { ProcessWatch, readProcTables } from "./process-watch.ts";

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

const nobody = { traces: noTraces };

const pidsIn = ({ entries }: ProcessTable): number[] => entries.map(({ pid }) => pid);

test.runIf(process.platform === "linux")(
	"a look shows each call the processes that are not older, with their marks, and all parents",
	() => {
		const first = sleeper("watch-test/first");
		const tableFor = readProcTables("quick");
		const table = tableFor({ since: first.since, ...nobody });
		expect(table.entries.find(({ pid }) => pid === first.pid)).toMatchObject({
			mark: "watch-test/first",
			ppid: process.pid,
			group: first.pid,
			session: first.pid,
			start: first.since,
			traced: false,
		});
		expect(pidsIn(tableFor({ since: first.since + 1_000, ...nobody }))).toEqual([]);
		expect(table.setting?.parents.get(process.pid)).toBe(process.ppid);
		expect(table.setting?.safe).toContain(process.pid);
	},
);

test.runIf(process.platform === "linux")(
	"nobody is traced to a call whose start is not known",
	() => {
		const call = callTraces(0, { places: [process.cwd()], pipes: [] });
		expect(readProcTables("thorough")(call).entries.filter(({ traced }) => traced)).toEqual([]);
	},
);

describe.runIf(process.platform === "linux")("one watch for all calls", () => {
	test("shows every call its own, until it is ended", async () => {
		const watch = new ProcessWatch();
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
		const watch = new ProcessWatch();
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
