import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { placesOf, runDirectory } from "../places/places.ts";
import { run } from "../store/record-builders.contract.ts";
import { taskFault, workThrough } from "./work-on-task.ts";

const FAILED = new Fault("git add failed", { code: "git-failed", hint: "See above." });

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "task-fault-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const placesIn = () => placesOf(join(home, "project"), { SPAR_CHECKOUTS: join(home, "checkouts") });

async function told(error: unknown, hasVault = true): Promise<unknown> {
	const places = placesIn();
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

test("a file that is missing in the run's directory, and the directory with it, says that; any other error stays", async () => {
	const missing = (at: string) => Object.assign(new Error("ENOENT"), { code: "ENOENT", path: at });
	expect(await told(missing("/elsewhere/a"), false)).not.toBeInstanceOf(Fault);
	const directory = runDirectory(placesIn(), run().runId);
	expect(await told(missing(join(directory, "one/checks")), false)).toMatchObject({
		code: "checkout-lost",
	});
	expect(await told(missing(join(directory, "one/checks")))).not.toBeInstanceOf(Fault);
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

/** Works until one of the faults is left over; tells how often. */
async function timesWorked(faults: readonly Error[], signal = new AbortController().signal) {
	let times = 0;
	const told: string[] = [];
	const end = workThrough(
		() => {
			const fault = faults[times];
			times += 1;
			return fault === undefined ? Promise.resolve() : Promise.reject(fault);
		},
		{
			clock: { sleep: () => Promise.resolve() },
			signal,
			onRetry: ({ message }) => {
				told.push(message);
				return Promise.resolve();
			},
		},
	);
	const error: unknown = await end.then(
		() => null,
		(reason: unknown) => reason,
	);
	return { times, told, error };
}

const PASSES = new Fault("an object vanished", { code: "git-failed", retryable: true });

test("a task goes on where a remote did not answer once, and not where it refuses", async () => {
	const away = new Fault("no answer", { code: "remote-unreachable", retryable: true });
	const refused = new Fault("a hook said no", { code: "push-refused" });
	expect(await timesWorked([away])).toMatchObject({ times: 2, error: null });
	expect(await timesWorked([refused])).toMatchObject({ times: 1, error: refused });
});

test("a task goes on where git failed in a way that passes, three times at most", async () => {
	expect(await timesWorked([PASSES])).toEqual({ times: 2, told: [PASSES.message], error: null });
	expect(await timesWorked([PASSES, PASSES, PASSES])).toMatchObject({ times: 3, error: PASSES });
});

test("a task rests where git fails for good, where something else fails, and where the run ends", async () => {
	for (const error of [
		FAILED,
		new Error("a bug"),
		new Fault("f", { code: "disk-full", retryable: true }),
	])
		expect(await timesWorked([error])).toEqual({ times: 1, told: [], error });
	const ended = AbortSignal.abort();
	expect(await timesWorked([PASSES], ended)).toMatchObject({ times: 1, error: PASSES });
});
