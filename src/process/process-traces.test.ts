import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, openSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isTraced, noTraces, type TraceDepth, tracesOf } from "./process-table.ts";

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

const traced = (pid: number, depth: TraceDepth = "thorough", terminal = false): boolean =>
	isTraced(pid, terminal, tracesOf(null, [place]), depth);

describe.runIf(process.platform === "linux")("a trace of a call", () => {
	test("is the working directory in one of its places, or below", async () => {
		expect(traced(await started({ cwd: join(place, "sub") }), "quick")).toBe(true);
	});

	test("is a place that was named by a link", async () => {
		symlinkSync(place, join(dir, "link"));
		const pid = await started({ cwd: place });
		const traces = tracesOf(null, [join(dir, "gone"), join(dir, "link")]);
		expect(isTraced(pid, false, traces, "quick")).toBe(true);
	});

	test("is a working directory that was removed", async () => {
		const pid = await started({ cwd: join(place, "sub") });
		rmdirSync(join(place, "sub"));
		expect(traced(pid, "quick")).toBe(true);
	});

	test("is no neighbour whose name starts alike", async () => {
		await mkdir(`${place}-2`);
		expect(traced(await started({ cwd: `${place}-2` }))).toBe(false);
	});

	test("is a program that lies there", async () => {
		copyFileSync("/bin/sleep", join(place, "mine"));
		expect(traced(await started({}, join(place, "mine")), "quick")).toBe(true);
	});

	test("is a file there that is open for writing, when it is looked for", async () => {
		const file = openSync(join(place, "log"), "w");
		const pid = await started({ stdio: ["ignore", "ignore", "ignore", file] });
		closeSync(file);
		expect(traced(pid)).toBe(true);
		expect(traced(pid, "quick")).toBe(false);
	});

	test("is no file there that is only read, as by a backup", async () => {
		writeFileSync(join(place, "log"), "");
		const file = openSync(join(place, "log"), "r");
		const pid = await started({ stdio: [file, "ignore", "ignore"] });
		closeSync(file);
		expect(traced(pid)).toBe(false);
	});

	test("is the call's output, which also one with a terminal may hold", async () => {
		const pid = await started({ stdio: ["ignore", "pipe", "pipe"] });
		const traces = tracesOf(pid, []);
		expect(traces.pipes).toHaveLength(2);
		for (const terminal of [true, false])
			expect(isTraced(pid, terminal, traces, "quick")).toBe(true);
	});

	test("is no output that went to a file, which anybody may open", async () => {
		expect(tracesOf(await started(), []).pipes).toEqual([]);
	});

	test("is no place for a process with a terminal: a person looks at the checkout", async () => {
		expect(traced(await started({ cwd: place }), "thorough", true)).toBe(false);
	});

	test("is not found at a process that ended, nor by a call without traces", async () => {
		expect(traced(2 ** 30)).toBe(false);
		expect(isTraced(await started({ cwd: place }), false, noTraces, "thorough")).toBe(false);
	});
});
