import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitUntil } from "../../test/support/wait-until.ts";
import { boundedChildContract } from "./bounded-child.contract.ts";
import { shellChild } from "./bounded-child.fixture.ts";
import type { BoundedChild } from "./bounded-child.ts";
import { processCallContract } from "./process-call.contract.ts";
import { MARK_VARIABLE } from "./process-table.ts";
import { endMarked } from "./process-tree.ts";
import { currentStarter, openStarter, startChild } from "./starter-client.ts";

const shared = openStarter();
boundedChildContract("by a starter", async (child) => {
	await shared.ready;
	return shared.run(child);
});

processCallContract("by a starter", async (request, signal) => {
	await shared.ready;
	return shared.call(request, signal);
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

test("when the starter is killed, whoever waits gets a fault that can be retried", async () => {
	let lost = 0;
	const starter = openStarter(() => {
		lost += 1;
	});
	expect(await starter.ready).toBe(true);
	const running = starter.run(shellChild("echo $$ >&2; sleep 600"));
	process.kill(starter.pid ?? 0, "SIGKILL");
	await expect(running).rejects.toMatchObject({ code: "git-failed", retryable: true });
	expect(lost).toBe(1);
});

test("when the starter is killed, a call counts as killed, and nothing of it is left", async () => {
	const directory = mkdtempSync(join(tmpdir(), "spar-starter-"));
	try {
		const starter = openStarter();
		expect(await starter.ready).toBe(true);
		const mark = `lost-starter-${process.pid}/call`;
		const script = 'trap "" TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 0.05; done';
		const env = { PATH: "/usr/bin:/bin" };
		const command = ["sh", "-c", script] as const;
		const request = { command, cwd: directory, env, timeoutMs: 60_000, mark };
		const running = starter.call(request, new AbortController().signal);
		await waitUntil("it runs", () => existsSync(join(directory, "pid")));
		process.kill(starter.pid ?? 0, "SIGKILL");
		expect(await running).toMatchObject({ started: true, exitCode: null, signal: "SIGKILL" });
		expect(await endMarked(mark)).toBe(0);
	} finally {
		rmSync(directory, { recursive: true });
	}
});

test.runIf(process.platform === "linux")(
	"when the starter is killed, what works in the call's places ends, too, without mark and parents",
	async () => {
		const directory = mkdtempSync(join(tmpdir(), "spar-starter-"));
		try {
			const starter = openStarter();
			expect(await starter.ready).toBe(true);
			const script =
				"env -i setsid sh -c 'echo $$ > left.new; mv left.new left; exec sleep 600' & sleep 600";
			const running = starter.call(
				{
					command: ["sh", "-c", script],
					cwd: directory,
					env: { PATH: "/usr/bin:/bin" },
					timeoutMs: 60_000,
					mark: `lost-places-${process.pid}/call`,
					places: [directory],
				},
				new AbortController().signal,
			);
			await waitUntil("it runs", () => existsSync(join(directory, "left")));
			const left = readFileSync(join(directory, "left"), "utf8").trim();
			process.kill(starter.pid ?? 0, "SIGKILL");
			expect(await running).toMatchObject({ signal: "SIGKILL" });
			const status = existsSync(`/proc/${left}/status`)
				? readFileSync(`/proc/${left}/status`, "utf8")
				: "";
			// Nobody may have asked for its end yet.
			expect(status === "" || /^State:\s+Z/m.test(status)).toBe(true);
		} finally {
			rmSync(directory, { recursive: true });
		}
	},
);

test("a starter that is stopped keeps no call from its end: it is killed", async () => {
	const mark = `stopped-starter-${process.pid}/call`;
	const starter = openStarter(undefined, 200);
	expect(await starter.ready).toBe(true);
	const controller = new AbortController();
	const running = starter.call(
		{
			command: ["sh", "-c", "echo up; sleep 600"],
			cwd: "/",
			env: { PATH: "/usr/bin:/bin" },
			timeoutMs: 60_000,
			mark,
			onStdout: () => {
				process.kill(starter.pid ?? 0, "SIGSTOP");
				controller.abort(new Error("cancelled"));
			},
		},
		controller.signal,
	);
	await expect(running).rejects.toThrow("cancelled");
	expect(await endMarked(mark)).toBe(0);
});

test("a starter that is lost is replaced", async () => {
	const parent = async (): Promise<number> =>
		Number((await startChild(shellChild("echo $PPID"))).stdout.toString());
	const other = async (pid: number): Promise<number> => {
		let seen = await parent();
		while (seen === pid || seen === process.pid) seen = await parent();
		return seen;
	};
	const first = await other(0);
	process.kill(first, "SIGKILL");
	await waitUntil("it is gone", () => currentStarter()?.pid !== first);
	const second = await other(first);
	expect(isAlive(second)).toBe(true);
});

test("after the first few, children are started by another process", async () => {
	const parent = async (): Promise<number> =>
		Number((await startChild(shellChild("echo $PPID"))).stdout.toString());
	// It takes a moment to start; a test before this one in the same process may have started it.
	let seen = await parent();
	while (seen === process.pid) seen = await parent();
	expect(isAlive(seen)).toBe(true);
});

/** Shell that goes on once the process of a pid has ended, also where nobody has asked for its end yet. */
const UNTIL_GONE =
	"until ! kill -0 $SERVED 2>/dev/null || grep -q '^State:.Z' /proc/$SERVED/status 2>/dev/null; do sleep 0.01; done";

/**
 * Kills a process while its starter has a call and three children, two of them marked, and gives the pids. The second of those
 * ends shortly after it.
 */
async function killedServed(
	directory: string,
): Promise<Record<"called" | "marked" | "unmarked" | "starter", number>> {
	const waits = (name: string): BoundedChild =>
		shellChild(
			`echo "$$ $PPID" > ${name}.new; mv ${name}.new ${name}; until [ -e go ]; do sleep 0.05; done; echo done > ${name}.done`,
		);
	const marked = { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: "test" };
	const children = [
		{ ...waits("marked"), env: marked },
		{ ...shellChild(`echo > quick; ${UNTIL_GONE}; echo done > quick.done`), env: marked },
		waits("unmarked"),
	].map((each) => ({ ...each, cwd: directory, signal: null }));
	const { program, args, env } = waits("called");
	const call = {
		command: [program, ...args],
		cwd: directory,
		env,
		timeoutMs: 60_000,
		mark: `killed-served-${process.pid}/call`,
	};
	const script = `
		const { openStarter } = await import(${JSON.stringify(new URL("./starter-client.ts", import.meta.url))});
		const starter = openStarter();
		setInterval(() => undefined, 1_000); // A starter that is not used keeps nothing alive.
		await starter.ready;
		const call = starter.call(${JSON.stringify(call)}, new AbortController().signal);
		const served = (each) => ({ ...each, env: { ...each.env, SERVED: process.pid } });
		await Promise.all([call, ...${JSON.stringify(children)}.map((each) => starter.run(served(each)))]);
	`;
	const served = spawn(process.execPath, ["--input-type=module", "-e", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	try {
		const files = ["marked", "unmarked", "called", "quick"].map((name) => join(directory, name));
		await waitUntil("the children run", () => files.every(existsSync));
		const [[marked = 0, starter = 0] = [], [unmarked = 0] = [], [called = 0] = []] = files.map(
			(file) => readFileSync(file, "utf8").split(" ").map(Number),
		);
		expect([called, marked, unmarked, starter].every(isAlive)).toBe(true);
		return { called, marked, unmarked, starter };
	} finally {
		served.kill("SIGKILL");
	}
}

test("when the process that it serves ends, a starter ends its calls and soon what carries a run's mark, and waits for the rest", async () => {
	const directory = mkdtempSync(join(tmpdir(), "spar-starter-"));
	try {
		const { called, marked, unmarked, starter } = await killedServed(directory);
		await waitUntil("what is a run's has ended", () => !isAlive(called) && !isAlive(marked));
		expect([unmarked, starter].map(isAlive)).toEqual([true, true]);
		// A git that is in the middle of its work is not asked to end: it might leave a lock.
		expect(existsSync(join(directory, "quick.done"))).toBe(true);
		// A merge into the user's own work tree is such a one.
		writeFileSync(join(directory, "go"), "");
		await waitUntil("all have ended", () => !isAlive(unmarked) && !isAlive(starter));
		expect(existsSync(join(directory, "unmarked.done"))).toBe(true);
		for (const name of ["marked", "called"])
			expect(existsSync(join(directory, `${name}.done`))).toBe(false);
	} finally {
		rmSync(directory, { recursive: true });
	}
});
