import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { waitUntil } from "../../test/support/wait-until.ts";
import { MARK_VARIABLE } from "../process/process-table.ts";
import { boundedChildContract } from "./bounded-child.contract.ts";
import type { BoundedChild } from "./bounded-child.ts";
import { openStarter, startChild } from "./starter-client.ts";

const shared = openStarter();
boundedChildContract("by a starter", async (child) => {
	await shared.ready;
	return shared.run(child);
});

const child = (script: string): BoundedChild => ({
	program: "sh",
	args: ["-c", script],
	cwd: "/",
	env: { PATH: "/usr/bin:/bin" },
	stdin: "",
	maxStdout: 1_000,
	timeoutMs: 60_000,
	signal: undefined,
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
	const running = starter.run(child("echo $$ >&2; sleep 600"));
	process.kill(starter.pid ?? 0, "SIGKILL");
	await expect(running).rejects.toMatchObject({ code: "git-failed", retryable: true });
	expect(lost).toBe(1);
});

test("after the first few, children are started by another process", async () => {
	const parent = async (): Promise<number> =>
		Number((await startChild(child("echo $PPID"))).stdout.toString());
	// It takes a moment to start; a test before this one in the same process may have started it.
	let seen = await parent();
	while (seen === process.pid) seen = await parent();
	expect(isAlive(seen)).toBe(true);
});

/** Kills a process while a child that its starter started waits, and gives the pids of child and starter. */
async function killedServed(
	directory: string,
	waits: BoundedChild,
): Promise<{ readonly inner: number; readonly starter: number }> {
	const file = join(directory, "pid");
	const script = `
		const { openStarter } = await import(${JSON.stringify(new URL("./starter-client.ts", import.meta.url))});
		const starter = openStarter();
		setInterval(() => undefined, 1_000); // A starter that is not used keeps nothing alive.
		await starter.ready;
		await starter.run(${JSON.stringify({ ...waits, signal: null })});
	`;
	const served = spawn(process.execPath, ["--input-type=module", "-e", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	try {
		await waitUntil("the child runs", () => existsSync(file));
		const [inner = 0, starter = 0] = readFileSync(file, "utf8").split(" ").map(Number);
		expect([inner, starter].map(isAlive)).toEqual([true, true]);
		return { inner, starter };
	} finally {
		served.kill("SIGKILL");
	}
}

const directories: string[] = [];
afterEach(() => {
	for (const each of directories.splice(0)) rmSync(each, { recursive: true });
});

function directory(): string {
	const made = mkdtempSync(join(tmpdir(), "spar-starter-"));
	directories.push(made);
	return made;
}

test("a starter and the marked children that it started end with the process that they serve", async () => {
	const place = directory();
	const waits = child(
		`echo "$$ $PPID" > ${place}/new; mv ${place}/new ${place}/pid; exec sleep 600`,
	);
	const { inner, starter } = await killedServed(place, {
		...waits,
		env: { PATH: "/usr/bin:/bin", [MARK_VARIABLE]: "test" },
	});
	await waitUntil("both have ended", () => !isAlive(inner) && !isAlive(starter));
});

test("a child without a mark, such as a merge into the user's own work tree, runs to its end", async () => {
	const place = directory();
	const go = `until [ -e ${place}/go ]; do sleep 0.05; done; echo done > ${place}/done`;
	const waits = child(`echo "$$ $PPID" > ${place}/new; mv ${place}/new ${place}/pid; ${go}`);
	const { inner, starter } = await killedServed(place, waits);
	writeFileSync(join(place, "go"), "");
	await waitUntil("both have ended", () => !isAlive(inner) && !isAlive(starter));
	expect(readFileSync(join(place, "done"), "utf8")).toBe("done\n");
});
