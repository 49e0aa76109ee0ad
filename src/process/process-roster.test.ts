import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	lastPidFrom,
	lastPidIn,
	ProcessRoster,
	type ProcFiles,
	type Roll,
} from "./process-roster.ts";
import type { Stat } from "./process-table.ts";

/** A system whose processes a test starts and ends, and which counts how often each was read. */
class System implements ProcFiles {
	readonly processes = new Map<number, Stat>();
	last: number | null = 0;
	reads: number[] = [];
	marks: number[] = [];

	start(pid: number, given: Partial<Stat> = {}): void {
		this.processes.set(pid, { ...SLEEPS, startTicks: pid, ...given });
		this.last = pid;
	}

	pids = (): readonly number[] => [...this.processes.keys()];
	lastPid = (): number | null => this.last;
	stat = (pid: number): Stat | null => {
		this.reads.push(pid);
		return this.processes.get(pid) ?? null;
	};
	mark = (pid: number): string | null => {
		this.marks.push(pid);
		return `mark of ${this.processes.get(pid)?.startTicks}`;
	};

	/** What was read since it was asked last. */
	read(): number[] {
		const read = this.reads;
		this.reads = [];
		return read;
	}
}

const SLEEPS: Omit<Stat, "startTicks"> = {
	ppid: 1,
	group: 1,
	session: 1,
	terminal: false,
	ended: false,
};

/** Longer than a process takes to settle, shorter than what was read stays true. */
const WHILE_MS = 300;

const pidsOf = ({ live }: Roll): number[] => live.map(({ stat }) => stat.pid);

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
	vi.useRealTimers();
});

/** A roster that has read these processes when they were settled. */
function settled(...pids: number[]): { readonly system: System; readonly roster: ProcessRoster } {
	const system = new System();
	for (const pid of pids) system.start(pid);
	const roster = new ProcessRoster(system);
	roster.read();
	vi.advanceTimersByTime(WHILE_MS);
	roster.read();
	system.read();
	return { system, roster };
}

describe("a process", () => {
	test("is read until it is settled, and then no more", () => {
		const system = new System();
		system.start(7);
		const roster = new ProcessRoster(system);
		const read = (ms: number): number[] => {
			vi.advanceTimersByTime(ms);
			expect(pidsOf(roster.read())).toEqual([7]);
			return system.read();
		};
		expect([read(0), read(240), read(20), read(20), read(900)]).toEqual([[7], [7], [7], [], []]);
	});

	test("that is wanted is read in any case", () => {
		const { system, roster } = settled(7, 8);
		roster.read((pid) => pid === 8);
		expect(system.read()).toEqual([8]);
	});

	test("that has ended is not listed, also while its parent has not noticed, if it is wanted", () => {
		const { system, roster } = settled(7, 8, 9);
		system.processes.delete(8);
		system.processes.set(9, { ...SLEEPS, startTicks: 9, ended: true });
		expect(pidsOf(roster.read())).toEqual([7, 9]);
		expect(pidsOf(roster.read((pid) => pid === 9))).toEqual([7]);
	});

	test("whose number was given again is another one, not settled yet", () => {
		const { system, roster } = settled(7, 8);
		system.start(7, { startTicks: 70 });
		const [again] = roster.read().live;
		expect(again).toMatchObject({ stat: { pid: 7, startTicks: 70 }, mark: "mark of 70" });
		system.last = 8;
		system.read();
		roster.read();
		expect(system.read()).toContain(7);
	});

	test("shows the mark that it had when it was read", () => {
		const { system, roster } = settled(7);
		const marks = [roster.read().live[0]?.mark, roster.read().live[0]?.mark];
		expect(marks).toEqual(["mark of 7", "mark of 7"]);
		expect(system.marks).toEqual([7]);
	});
});

describe("all processes are read again", () => {
	test.each([
		["after a pause in which numbers could be used up", 1_001, () => undefined],
		[
			"where one appears without a new number",
			0,
			(system: System) => system.processes.set(5, { ...SLEEPS, startTicks: 1 }),
		],
		[
			"where the system does not tell numbers",
			0,
			(system: System) => {
				system.last = null;
			},
		],
	])("%s", (_when, ms, change) => {
		const { system, roster } = settled(7, 8);
		vi.advanceTimersByTime(ms);
		change(system);
		roster.read();
		expect(system.read()).toEqual(expect.arrayContaining([7, 8]));
	});
});

test("numbers that start over are new as well", () => {
	const { system, roster } = settled(20, 30, 32_000);
	system.start(20, { startTicks: 99 });
	system.last = 25;
	system.processes.set(25, { ...SLEEPS, startTicks: 100 });
	expect(pidsOf(roster.read())).toEqual([20, 30, 32_000, 25]);
	expect(system.read()).toEqual([20, 25]);
});

test("a number that is given while the others are read is new to the next reading", () => {
	const { system, roster } = settled(7, 8);
	system.last = 5;
	roster.read();
	vi.advanceTimersByTime(WHILE_MS);
	roster.read();
	const { stat } = system;
	system.stat = (pid) => {
		if (pid === 8) system.start(7, { startTicks: 70 });
		return stat(pid);
	};
	roster.read((pid) => pid === 8);
	system.read();
	roster.read();
	expect(system.read()).toContain(7);
});

test("a reading in which a process ends is torn", () => {
	const { system, roster } = settled(7);
	system.start(8);
	system.stat = () => null;
	expect(roster.read()).toMatchObject({ torn: true });
	expect(pidsOf(roster.read())).toEqual([7]);
});

test.each([
	["0.20 0.18 0.12 1/80 11206\n", 11_206],
	["0.00 0.00 0.00 0/0 0\n", null],
	["", null],
])("the number given last in %j is %j", (text, last) => {
	expect(lastPidIn(text)).toBe(last);
});

test("without the file, no number is told", () => {
	expect(lastPidFrom("/proc/no-such-file")).toBeNull();
});

test.runIf(process.platform === "linux")("this process is on the roster of the system", () => {
	vi.useRealTimers();
	const roster = new ProcessRoster();
	for (const _reading of [1, 2]) expect(pidsOf(roster.read())).toContain(process.pid);
});

test("that a process has no mark is not kept: it may take one", () => {
	const { system, roster } = settled(7);
	const { mark } = system;
	system.mark = () => null;
	expect(roster.read().live[0]?.mark).toBeNull();
	system.mark = mark;
	expect(roster.read().live[0]?.mark).toBe("mark of 7");
});
