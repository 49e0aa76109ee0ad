import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { MARK_VARIABLE, type ProcessEntry, type ProcessTable } from "./process-table.ts";
import { type Belongs, callTree, endMarked, endMarkedIn, membersOf } from "./process-tree.ts";

function entry(pid: number, ppid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
	const own = { group: pid, session: pid, start: pid, terminal: false, mark: () => null };
	return { pid, ppid, ...own, ...rest };
}

const marked = (mark: string): Partial<ProcessEntry> => ({ mark: () => mark });

describe("members of a call", () => {
	const SELF = 100;

	/** The first process, a shell, ourselves in the shell's session, and what the test adds. */
	function pidsOf(belongs: Belongs, ...added: ProcessEntry[]): readonly number[] {
		const entries = [entry(1, 0), entry(50, 1), entry(SELF, 50, { session: 50 }), ...added];
		return membersOf(entries, belongs, SELF).map(({ pid }) => pid);
	}

	test("are who belongs to it, and their descendants, in sessions of their own too", () => {
		const belongs: Belongs = ({ pid }) => pid === 200;
		const added = [entry(202, 201), entry(200, SELF), entry(201, 200), entry(400, 1)];
		expect(pidsOf(belongs, ...added)).toEqual([202, 200, 201]);
	});

	test("are never ourselves, our ancestors or the first process, nor all that these started", () => {
		const entries = [entry(1, 0), entry(50, 1), entry(SELF, 50), entry(60, 50), entry(61, 1)];
		const belongs: Belongs = ({ pid }) => [1, 50, SELF].includes(pid);
		expect(membersOf(entries, belongs, SELF)).toEqual([]);
	});

	test("are told apart from those of other calls, which descend from us as well", () => {
		const isKin = new Map<number, boolean>();
		const belongs: Belongs = ({ pid }, kin) => {
			isKin.set(pid, kin);
			return false;
		};
		pidsOf(belongs, entry(200, SELF), entry(201, 200), entry(300, 1), entry(301, 299));
		expect([...isKin]).toEqual([
			[200, true],
			[201, true],
			[300, false],
			[301, false],
		]);
	});

	test("are found where parents go in a circle", () => {
		const circle = [entry(300, 301), entry(301, 300)];
		expect(pidsOf(({ pid }) => pid === 300, ...circle)).toEqual([300, 301]);
	});
});

function sleeper(): { readonly pid: number; readonly exit: Promise<unknown> } {
	const child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
	return { pid: child.pid ?? 0, exit: once(child, "exit") };
}

/** A process that does not hear SIGTERM. */
async function deaf() {
	const script = "trap '' TERM; echo up; while :; do sleep 0.02; done";
	const child = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
	await once(child.stdout, "data");
	return { pid: child.pid ?? 0, exit: once(child, "exit") };
}

/** The tree of the mark `m`, which is shown one of the tables at each read, and then an empty one. */
function markedTree(reads: ProcessTable[]) {
	const traces = { since: 0, places: [], outputs: [] };
	return callTree(null, "m", traces, async () => reads.shift() ?? { entries: [], torn: false });
}

test("a process that appears while others are killed is killed as well", async () => {
	const [first, late] = [sleeper(), sleeper()];
	const entries = [first, late].map(({ pid }) => entry(pid, 1, marked("m")));
	const tree = markedTree([
		// It finds nothing, but must not be believed.
		{ torn: true, entries: [] },
		{ torn: false, entries: entries.slice(0, 1) },
		{ torn: false, entries },
	]);
	expect(await tree.kill()).toBe(2);
	expect(await Promise.all([first.exit, late.exit])).toEqual([
		[null, "SIGKILL"],
		[null, "SIGKILL"],
	]);
});

test("a group is killed though no look finds anybody of it", async () => {
	const hidden = sleeper();
	const traces = { since: 0, places: [], outputs: [] };
	const tree = callTree(hidden.pid, "m", traces, async () => ({ entries: [], torn: true }));
	expect(await tree.kill()).toBe(0);
	expect(await hidden.exit).toEqual([null, "SIGKILL"]);
});

test("a process of the call that lost its parents when these were asked to end is killed", async () => {
	const parent = sleeper();
	const child = await deaf();
	const orphan = { torn: false, entries: [entry(child.pid, 1)] };
	const both = [entry(parent.pid, 1, marked("m")), entry(child.pid, parent.pid)];
	const tree = markedTree([{ torn: false, entries: both }, orphan, orphan]);
	await tree.ask(0);
	expect(await parent.exit).toEqual([null, "SIGTERM"]);
	expect(await tree.kill()).toBe(2);
	expect(await child.exit).toEqual([null, "SIGKILL"]);
});

test("another's process with the number of one that ended is left alone", async () => {
	const stranger = await deaf();
	const tree = markedTree([
		{ torn: false, entries: [entry(stranger.pid, 1, { ...marked("m"), start: 7 })] },
		{ torn: false, entries: [entry(stranger.pid, 1, { start: 8 })] },
		{ torn: false, entries: [entry(stranger.pid, 1, { start: 8 })] },
	]);
	await tree.ask(0);
	expect(await tree.kill()).toBe(1);
	expect(process.kill(stranger.pid, "SIGKILL")).toBe(true);
	expect(await stranger.exit).toEqual([null, "SIGKILL"]);
});

describe.runIf(process.platform === "linux")("ending by mark", () => {
	const daemonOf = (mark: string) =>
		spawn("bash", ["-c", "setsid sleep 60 & echo started; wait"], {
			detached: true,
			env: { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: mark },
			stdio: ["ignore", "pipe", "ignore"],
		});

	test("every process whose mark starts with the prefix ends, others stay", async () => {
		const prefix = `tree-test-${process.pid}/`;
		const ours = daemonOf(`${prefix}limiter`);
		const other = daemonOf(`tree-test-${process.pid}0/limiter`);
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
