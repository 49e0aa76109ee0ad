import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { MARK_VARIABLE, type ProcessEntry, type ProcessTable } from "./process-table.ts";
import { endMarked, endMarkedIn, ProcessTree } from "./process-tree.ts";

function entry(pid: number, ppid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
	return { pid, ppid, group: pid, session: pid, mark: null, start: pid, traced: false, ...rest };
}

test("a process that appears while others are killed is killed as well", async () => {
	const child = () => spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
	const [first, late] = [child(), child()];
	const exits = [once(first, "exit"), once(late, "exit")];
	const reads = [[], [first], [first, late], []];
	const tree = new ProcessTree(null, () => true, [], {
		read: async () => ({
			// The first read is torn and finds nothing: it must not be believed.
			torn: reads.length === 4,
			entries: (reads.shift() ?? []).map(({ pid = 0 }) => entry(pid, 1, { mark: "m" })),
		}),
	});
	expect(await tree.kill()).toBe(2);
	expect(await Promise.all(exits)).toEqual([
		[null, "SIGKILL"],
		[null, "SIGKILL"],
	]);
});

describe("what a glance saw", () => {
	/** A tree with the root 200000 that has seen all tables but the last, which is what it reads. */
	function treeOf(...tables: (readonly ProcessEntry[])[]): ProcessTree {
		const tableOf = (entries: readonly ProcessEntry[] = []): ProcessTable => ({
			entries,
			torn: false,
		});
		const last = tableOf(tables.at(-1));
		const tree = new ProcessTree(ROOT, () => false, [], {
			read: async () => last,
			watch: ({ see }) => {
				for (const table of tables.slice(0, -1)) see(tableOf(table));
				return () => undefined;
			},
		});
		tree.watch();
		return tree;
	}

	const ROOT = 200_000;
	const root = entry(ROOT, process.pid);
	const child = (ppid: number) => entry(ROOT + 1, ppid, { group: ROOT, session: ROOT });
	const daemon = (ppid: number) => entry(ROOT + 2, ppid);

	test("stays known when it has left session, parents and mark", async () => {
		const tree = treeOf([root, child(ROOT), daemon(ROOT + 1)], [root, daemon(1)]);
		expect(await tree.members()).toEqual([ROOT, ROOT + 2]);
		expect(await treeOf([root, daemon(1)]).members()).toEqual([ROOT]);
	});

	test("leads to the session mates of one that ended meanwhile", async () => {
		const mate = entry(ROOT + 3, 1, { group: ROOT + 3, session: ROOT + 2 });
		const tree = treeOf([root, child(ROOT), daemon(ROOT + 1), mate], [mate]);
		expect(await tree.members()).toEqual([ROOT + 3]);
	});

	test("is forgotten once nobody is in its group: the number may be another's", async () => {
		const stranger = entry(ROOT + 2, 1, { start: 1 });
		const tree = treeOf([root, daemon(ROOT)], [root], [root, stranger]);
		expect(await tree.members()).toEqual([ROOT]);
	});
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
			expect(await exit).toEqual([null, "SIGTERM"]);
			expect(await endMarked(prefix)).toBe(0);
			expect(other.exitCode).toBeNull();
		} finally {
			expect(await endMarked(`tree-test-${process.pid}0/`)).toBe(2);
		}
	});

	/** A shell that says `asked` and exits when it gets SIGTERM; or, stubborn, does not hear it. */
	const shell = (mark: string, onTerm: string) =>
		spawn("bash", ["-c", `trap '${onTerm}' TERM; echo started; while :; do sleep 0.01; done`], {
			env: { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: mark },
			stdio: ["ignore", "pipe", "ignore"],
		});

	test("a process is asked first, so that it can put its lock files away", async () => {
		const prefix = `tree-asked-${process.pid}/`;
		const child = shell(`${prefix}git`, "echo asked; exit 3");
		await once(child.stdout, "data");
		const exit = once(child, "exit");
		const said = once(child.stdout, "data");
		await endMarked(prefix);
		expect(String(await said)).toBe("asked\n");
		expect(await exit).toEqual([3, null]);
	});

	thorough("a process that does not hear SIGTERM is killed", async () => {
		const prefix = `tree-deaf-${process.pid}/`;
		const child = shell(`${prefix}git`, "");
		await once(child.stdout, "data");
		const exit = once(child, "exit");
		await endMarked(prefix);
		expect(await exit).toEqual([null, "SIGKILL"]);
	});

	test("of marked processes those that work in a directory are ended, and no others there", async () => {
		const PATH = "/usr/bin:/bin";
		const place = await mkdtemp(join(tmpdir(), "spar-left-"));
		const sleeper = (mark: string | null, cwd: string) => {
			const env = mark === null ? { PATH } : { PATH, [MARK_VARIABLE]: mark };
			return spawn("sleep", ["60"], { env, cwd, stdio: "ignore", detached: true });
		};
		const left = sleeper("r1:t1:player", place);
		const others = [
			sleeper("r1:t1:player", tmpdir()),
			sleeper(null, place),
			sleeper("r1:landing:checks", place),
		];
		await Promise.all([left, ...others].map((child) => once(child, "spawn")));
		const exit = once(left, "exit");
		try {
			expect(await endMarkedIn(place, (mark) => !mark.includes(":landing:"))).toBe(1);
			expect(await exit).toEqual([null, "SIGTERM"]);
			expect(others.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([
				null,
				null,
				null,
			]);
		} finally {
			const ends = others.map((child) => once(child, "exit"));
			for (const child of others) child.kill("SIGKILL");
			await Promise.all(ends);
			await rm(place, { recursive: true });
		}
	});

	test("an empty prefix is a bug", async () => {
		await expect(endMarked("")).rejects.toThrow("every run");
	});
});
