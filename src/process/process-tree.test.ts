import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { MARK_VARIABLE, type ProcessEntry } from "./process-table.ts";
import { endMarked, ProcessTree, type TreeQuery, treeMembers } from "./process-tree.ts";

const SELF = 100;

function entry(pid: number, ppid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
	return { pid, ppid, group: pid, session: pid, mark: null, ...rest };
}

/** The first process, a shell, ourselves in the shell's session, and what the test adds. */
function pidsOf(query: Partial<TreeQuery>, ...added: ProcessEntry[]): readonly number[] {
	const entries = [entry(1, 0), entry(50, 1), entry(SELF, 50, { session: 50 }), ...added];
	const full = { root: null, groups: new Set<number>(), isMarked: () => false, ...query };
	return treeMembers(entries, full, SELF).pids;
}

describe("members of a call's tree", () => {
	test("the root and its descendants, in sessions of their own too", () => {
		expect(pidsOf({ root: 200 }, entry(202, 201), entry(200, SELF), entry(201, 200))).toEqual([
			200, 201, 202,
		]);
	});

	test("a bearer of the mark whose parents are gone, and its session", () => {
		const added = [entry(300, 1, { mark: "m" }), entry(301, 1, { session: 300, group: 301 })];
		expect(pidsOf({ isMarked: (mark) => mark === "m" }, ...added)).toEqual([300, 301]);
	});

	test("a group that was seen before leads to its members", () => {
		expect(
			pidsOf({ groups: new Set([200]) }, entry(205, 1, { group: 200, session: null })),
		).toEqual([205]);
	});

	test("never ourselves, our ancestors or the first process, even with the mark", () => {
		const entries = [
			entry(1, 0, { mark: "m" }),
			entry(50, 1, { mark: "m" }),
			entry(SELF, 50, { mark: "m", session: 50 }),
		];
		const query = { root: null, groups: new Set([1, 50]), isMarked: () => true };
		const found = treeMembers(entries, query, SELF);
		expect(found.pids).toEqual([]);
		expect([...found.groups]).toEqual([]);
	});

	test("a marked process in our own session does not make our session a member", () => {
		const marked = entry(60, 50, { session: 50, group: 50, mark: "m" });
		const neighbour = entry(61, 50, { session: 50, group: 50 });
		expect(pidsOf({ isMarked: () => true }, marked, neighbour)).toEqual([60]);
	});

	test("strangers are left alone", () => {
		expect(pidsOf({ root: 200 }, entry(200, SELF), entry(400, 1, { mark: "other" }))).toEqual([
			200,
		]);
	});
});

test("a process that appears while others are killed is killed as well", async () => {
	const child = () => spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
	const [first, late] = [child(), child()];
	const exits = [once(first, "exit"), once(late, "exit")];
	const reads = [[], [first], [first, late], []];
	const tree = new ProcessTree(
		null,
		() => true,
		async () => ({
			// The first read is torn and finds nothing: it must not be believed.
			torn: reads.length === 4,
			entries: (reads.shift() ?? []).map(({ pid = 0 }) => entry(pid, 1, { mark: "m" })),
		}),
	);
	expect(await tree.kill()).toBe(2);
	expect(await Promise.all(exits)).toEqual([
		[null, "SIGKILL"],
		[null, "SIGKILL"],
	]);
});

describe.runIf(process.platform === "linux")("ending by mark", () => {
	const marked = (mark: string) =>
		spawn("bash", ["-c", "setsid sleep 60 & echo started; wait"], {
			detached: true,
			env: { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: mark },
			stdio: ["ignore", "pipe", "ignore"],
		});

	test("every process whose mark starts with the prefix ends, others stay", async () => {
		const prefix = `tree-test-${process.pid}/`;
		const ours = marked(`${prefix}limiter`);
		const other = marked(`tree-test-${process.pid}0/limiter`);
		try {
			await Promise.all([once(ours.stdout, "data"), once(other.stdout, "data")]);
			const exit = once(ours, "exit");
			expect(await endMarked(prefix)).toBe(2);
			expect(await exit).toEqual([null, "SIGKILL"]);
			expect(await endMarked(prefix)).toBe(0);
			expect(other.exitCode).toBeNull();
		} finally {
			expect(await endMarked(`tree-test-${process.pid}0/`)).toBe(2);
		}
	});

	test("an empty prefix is a bug", async () => {
		await expect(endMarked("")).rejects.toThrow("every run");
	});
});
