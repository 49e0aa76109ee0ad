import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { ProcessRequest } from "./process.ts";
import { endMarked } from "./process-tree.ts";

let calls = 0;

/** Where the calls of a test work. */
export interface CallScene {
	/** New for each test. */
	readonly here: { readonly cwd: string; readonly mark: string };
	readonly request: (
		command: readonly [string, ...string[]],
		rest?: Partial<ProcessRequest>,
	) => ProcessRequest;
	readonly bash: (script: string, rest?: Partial<ProcessRequest>) => ProcessRequest;
}

/** A folder and a mark for the calls of each test of a suite, after which nothing of them is left. */
export function callScene(): CallScene {
	const here = { cwd: "", mark: "" };

	beforeEach(async () => {
		here.cwd = await mkdtemp(join(tmpdir(), "spar-process-"));
		calls += 1;
		here.mark = `process-call-${process.pid}-${calls}/`;
	});

	afterEach(async () => {
		// The guard of the whole suite: whatever the test did, nothing of it is left.
		expect(await endMarked(here.mark)).toBe(0);
		await rm(here.cwd, { recursive: true });
	});

	function request(
		command: readonly [string, ...string[]],
		rest: Partial<ProcessRequest> = {},
	): ProcessRequest {
		const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
		const { cwd, mark } = here;
		return { command, cwd, env, timeoutMs: 60_000, mark: `${mark}call`, ...rest };
	}

	const bash = (script: string, rest: Partial<ProcessRequest> = {}): ProcessRequest =>
		request(["bash", "-c", script], rest);

	return { here, request, bash };
}
