import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readProcTable } from "./process-table.ts";
import { runProcess } from "./run-process.ts";

const never = new AbortController().signal;
const PATH = "/usr/local/bin:/usr/bin:/bin";
const QUIET = "< /dev/null > /dev/null 2>&1";

let dir = "";
let place = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-escape-"));
	place = join(dir, "checkout");
	await mkdir(place);
});

afterEach(() => rm(dir, { recursive: true }));

/** A process in a session of its own and without the mark, which tells its number and stays. */
function daemon(redirections: string): string {
	return `env -i setsid bash -c 'echo $$ > ${dir}/pid; exec sleep 300' ${redirections}`;
}

// The call goes on until its start has been looked at: what holds its output is known by the call's own output.
const whenItIsUp = 'until [ -s "$PIDS" ] && [ -e "$PIDS.go" ]; do sleep 0.01; done';

/** Whether the daemon outlives the call of a script; it is then ended. */
async function outlives(script: string, places: readonly string[]): Promise<boolean> {
	const request = {
		command: ["bash", "-c", script] as const,
		cwd: place,
		places,
		env: { PATH, PIDS: join(dir, "pid") },
		timeoutMs: 60_000,
		mark: `escape-test-${process.pid}/${dir}`,
	};
	const running = runProcess(request, never);
	await writeFile(join(dir, "pid.go"), "");
	const result = await running;
	expect(result).toMatchObject({ exitCode: 0, timedOut: false });
	const pid = Number(await readFile(join(dir, "pid"), "utf8"));
	const alive = readProcTable().entries.some((one) => one.pid === pid);
	if (alive) process.kill(pid, "SIGKILL");
	return alive;
}

describe.runIf(process.platform === "linux")("a daemon without session, parents and mark", () => {
	test("that works in the call's checkout ends with the call", async () => {
		expect(await outlives(`(${daemon(QUIET)} &); ${whenItIsUp}`, [place])).toBe(false);
	});

	test("that holds the call's output ends with the call", async () => {
		const script = `cd /; (${daemon("< /dev/null")} &); ${whenItIsUp}`;
		expect(await outlives(script, [])).toBe(false);
	});
});

describe.runIf(process.platform === "linux")("left alone in the call's checkout", () => {
	test("is one of Sparring's own processes, of another call for example", async () => {
		const script = `echo $$ > ${dir}/pid; echo up; exec sleep 300`;
		const ours = spawn("bash", ["-c", script], {
			cwd: place,
			stdio: ["ignore", "pipe", "ignore"],
		});
		const exit = once(ours, "exit");
		await once(ours.stdout, "data");
		expect(await outlives("true", [place])).toBe(true);
		await exit;
	});

	test("is an orphan that is older than the call", async () => {
		const script = `(${daemon(QUIET)} &); ${whenItIsUp}; sleep 0.05`;
		const env = { PATH, PIDS: join(dir, "pid") };
		await writeFile(join(dir, "pid.go"), "");
		await once(spawn("bash", ["-c", script], { cwd: place, env, stdio: "ignore" }), "exit");
		expect(await outlives("true", [place])).toBe(true);
	});
});
