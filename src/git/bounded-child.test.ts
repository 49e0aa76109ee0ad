import { expect, test } from "vitest";
import { type BoundedChild, runBoundedChild } from "./bounded-child.ts";

const shell = (script: string, more: Partial<BoundedChild> = {}) =>
	runBoundedChild({
		program: "sh",
		args: ["-c", script],
		cwd: "/",
		env: { PATH: "/usr/bin:/bin" },
		stdin: "",
		maxStdout: 1_000,
		timeoutMs: 60_000,
		signal: undefined,
		...more,
	});

test("a program that exits returns its output", async () => {
	const end = await shell("cat; echo no >&2; exit 3", { stdin: "in" });
	expect(end).toEqual({
		exitCode: 3,
		stdout: Buffer.from("in"),
		stderr: "no",
		truncated: false,
		timedOut: false,
	});
});

test("a program that times out is ended with its children, even if it ignores SIGTERM", async () => {
	const startedAt = Date.now();
	const end = await shell(
		"trap '' TERM; sh -c 'trap \"\" TERM; sleep 600' & sleep 600; sleep 600",
		{ timeoutMs: 200, graceMs: 100 },
	);
	expect(end).toMatchObject({ exitCode: -1, timedOut: true });
	expect(Date.now() - startedAt).toBeLessThan(20_000);
});

test("an aborted signal ends a program at once and starts no new one", async () => {
	const controller = new AbortController();
	const running = shell("sleep 600", { signal: controller.signal });
	controller.abort(new Error("cancelled"));
	await expect(running).rejects.toThrow("cancelled");
	await expect(shell("true", { signal: controller.signal })).rejects.toThrow("cancelled");
});

test("a program with too much output is ended", async () => {
	const end = await shell("yes", { maxStdout: 10 });
	expect(end).toMatchObject({ truncated: true, exitCode: 0, timedOut: false });
	expect(end.stdout).toHaveLength(10);
});

test("a missing program is an error", async () => {
	await expect(shell("", { program: "no-such-program" })).rejects.toThrow("ENOENT");
});
