import { join } from "node:path";
import { killAllOf } from "./processes.ts";
import type { TestRepository } from "./repository.ts";
import type { Seeded } from "./seeded.ts";
import { type SparResult, startSpar } from "./spar.ts";

/** When and how a `spar` process is killed. */
export type Blow =
	/** After so long; `machine` takes every process of the test with it, as a loss of power does. */
	| { readonly kind: "time"; readonly ms: number; readonly victim: "process" | "machine" }
	/** At the n-th effect or transaction of the process itself, before or after it: see `crash-at.mjs`. */
	| {
			readonly kind: "effect" | "commit";
			readonly at: number;
			readonly side: "before" | "after";
	  };

/** How far a blow may lie from the start of the process. */
export interface Reach {
	readonly ms: number;
	readonly effects: number;
	readonly commits: number;
}

export function randomBlow(random: Seeded, reach: Reach): Blow {
	const kind = random.pick(["effect", "commit", "commit", "time"]);
	if (kind !== "time") {
		const limit = kind === "effect" ? reach.effects : reach.commits;
		return { kind, at: random.integer(1, limit), side: random.pick(["before", "after"]) };
	}
	const victim = random.pick(["process", "machine"]);
	return { kind: "time", ms: random.integer(1, reach.ms), victim };
}

/** For `startSpar`: counts effects, and kills at one of them. */
export const CRASH_AT: string = join(import.meta.dirname, "crash-at.mjs");

/** Runs `spar` and deals the blow; a process that ends before it is left alone. */
export async function sparUnder(
	repo: TestRepository,
	args: readonly string[],
	blow: Blow | null,
): Promise<SparResult> {
	if (blow !== null && blow.kind !== "time") {
		const env = { SPAR_TEST_CRASH_AT: `${blow.kind}.${blow.at}.${blow.side}` };
		return startSpar(repo, args, { env, preload: CRASH_AT }).ended;
	}
	const { child, ended } = startSpar(repo, args);
	if (blow === null) return ended;
	const timer = setTimeout(() => {
		if (child.exitCode !== null) return;
		if (blow.victim === "machine") killAllOf(repo);
		else child.kill("SIGKILL");
	}, blow.ms);
	return ended.finally(() => clearTimeout(timer));
}
