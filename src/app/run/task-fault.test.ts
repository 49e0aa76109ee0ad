import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { run } from "../../store/record-builders.contract.ts";
import { makeRunDirectory, placesOf } from "../places.ts";
import { taskFault } from "./task-fault.ts";

const FAILED = new Fault("git add failed", { code: "git-failed", hint: "See above." });

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "task-fault-"));
});
afterEach(() => rmSync(home, { recursive: true }));

async function told(error: unknown, hasVault = true): Promise<unknown> {
	const places = placesOf(join(home, "project"), { SPAR_CHECKOUTS: join(home, "checkouts") });
	const directory = await makeRunDirectory(places, run().runId);
	if (hasVault) mkdirSync(join(directory, "vault.git"), { recursive: true });
	return taskFault(error, { run: run(), places });
}

test("a git command that failed says how the run goes on", async () => {
	expect(await told(FAILED)).toMatchObject({
		message: "git add failed",
		code: "git-failed",
		hint: `See above. Then continue with \`spar resume ${run().runId}\`.`,
	});
});

test("a git command that failed for want of the run's directory says that", async () => {
	const fault = await told(FAILED, false);
	expect(fault).toMatchObject({ code: "checkout-lost", cause: FAILED });
	expect(String(fault)).toContain("was removed while the run worked there");
});

test("what says how to go on, and what is no fault of git, stays as it is", async () => {
	const clear = new Fault("git is slow", { code: "git-failed", hint: "Wait, then resume." });
	for (const error of [clear, new Error("a bug"), new Fault("full", { code: "disk-full" })])
		expect(await told(error)).toBe(error);
});
