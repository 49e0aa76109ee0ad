import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { OWN_START } from "../kernel/process-start.ts";
import { ownIdentity, processStartTime, sharesProcesses } from "./process-identity.ts";

test("this process has a start time that does not change", () => {
	const first = processStartTime(process.pid);
	expect(first).toMatch(/./);
	if (process.platform === "linux") expect(OWN_START).toBe(first);
	expect(ownIdentity()).toMatchObject({ host: hostname(), pid: process.pid, started: first });
});

test("a process that was killed has none, though its parent lives", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
	await once(child, "spawn");
	const pid = child.pid ?? 0;
	expect(processStartTime(pid)).toBeDefined();
	child.kill("SIGKILL");
	await once(child, "exit");
	expect(processStartTime(pid)).toBeUndefined();
});

test("where there is no /proc, ps is asked; without an answer there is no process", () => {
	expect(processStartTime(2 ** 22 + 1, "darwin")).toBeUndefined();
});

test("process ids are comparable on one machine, in one start of it, in one namespace", () => {
	const own = ownIdentity();
	expect(sharesProcesses(own, { ...own, pid: 1, started: "1" })).toBe(true);
	for (const part of [{ host: "other" }, { boot: "other" }, { namespace: "other" }]) {
		expect(sharesProcesses(own, { ...own, ...part })).toBe(false);
	}
});
