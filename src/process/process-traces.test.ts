import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, openSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTraced, readProcTable, startTicksOf, tracesOf } from "./process-table.ts";

let dir = "";
let place = "";
let child: ChildProcess | null = null;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-traces-"));
	place = join(dir, "checkout");
	await mkdir(join(place, "sub"), { recursive: true });
});

afterEach(async () => {
	if (child !== null) {
		const exit = once(child, "exit");
		child.kill("SIGKILL");
		await exit;
	}
	child = null;
	await rm(dir, { recursive: true });
});

/** Starts a process that stays, outside every place unless `options` say otherwise; gives its number. */
async function started(options: SpawnOptions = {}, program = "sleep"): Promise<number> {
	child = spawn(program, ["300"], { cwd: "/", stdio: "ignore", ...options });
	await once(child, "spawn");
	return child.pid ?? 0;
}

interface TraceSource {
	readonly places?: readonly string[];
	/** A process whose output is the call's. */
	readonly root?: number;
	readonly since?: number;
	readonly terminal?: boolean;
}

/** Tells that a process has a trace of a call, which has one place and began with the process. */
function traced(pid: number, { places = [place], terminal, ...call }: TraceSource = {}): boolean {
	const entry = readProcTable().entries.find((one) => one.pid === pid);
	if (entry === undefined) throw new Error(`no process ${pid}`);
	const traces = tracesOf({ root: null, since: entry.start, ...call }, places);
	return isTraced({ ...entry, terminal: terminal ?? entry.terminal }, traces);
}

describe.runIf(process.platform === "linux")("a trace of a call", () => {
	test("is the working directory in one of its places, or below", async () => {
		expect(traced(await started({ cwd: join(place, "sub") }))).toBe(true);
	});

	test("is a place that was named by a link", async () => {
		symlinkSync(place, join(dir, "link"));
		const pid = await started({ cwd: place });
		expect(traced(pid, { places: [join(dir, "gone"), join(dir, "link")] })).toBe(true);
	});

	test("is a working directory that was removed", async () => {
		const pid = await started({ cwd: join(place, "sub") });
		rmdirSync(join(place, "sub"));
		expect(traced(pid)).toBe(true);
	});

	test("is no neighbour whose name starts alike", async () => {
		await mkdir(`${place}-2`);
		expect(traced(await started({ cwd: `${place}-2` }))).toBe(false);
	});

	test("is a program that lies there", async () => {
		copyFileSync("/bin/sleep", join(place, "mine"));
		expect(traced(await started({}, join(place, "mine")))).toBe(true);
	});

	test("is a file there into which it prints", async () => {
		const file = openSync(join(place, "log"), "w");
		const pid = await started({ stdio: ["ignore", file, "ignore"] });
		closeSync(file);
		expect(traced(pid)).toBe(true);
	});

	test("is no file there that is only read, as by a backup", async () => {
		writeFileSync(join(place, "log"), "");
		const file = openSync(join(place, "log"), "r");
		const pid = await started({ stdio: [file, "ignore", "ignore"] });
		closeSync(file);
		expect(traced(pid)).toBe(false);
	});

	test("is the call's output", async () => {
		const pid = await started({ stdio: ["ignore", "pipe", "pipe"] });
		expect(traced(pid, { root: pid, places: [] })).toBe(true);
	});

	test("is no output that went to a file, which others may open", async () => {
		const pid = await started();
		expect(traced(pid, { root: pid, places: [] })).toBe(false);
	});

	test("is nothing of a process with a terminal: a person looks at the checkout", async () => {
		expect(traced(await started({ cwd: place }), { terminal: true })).toBe(false);
	});

	test("is nothing of a process that is older, or of a call whose start is not known", async () => {
		const pid = await started({ cwd: place });
		expect(traced(pid, { since: startTicksOf(pid) + 1 })).toBe(false);
		expect(traced(pid, { since: 0 })).toBe(false);
	});
});
