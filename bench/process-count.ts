import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findProgram } from "../src/process/find-program.ts";
import { runLoop } from "./loop-run.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { type Environment, inScratch } from "./scratch.ts";

/** What a turn starts: git, and shells for the agents and the check. */
const PROGRAMS = ["git", "sh"] as const;

const TURNS = 12;

/** Turns that are left out, which make what the others find. */
const FIRST_TURNS = 4;

/**
 * How many processes a turn starts, of the same task as the one that is timed: programs stand in for git and the shell that
 * note each start and become the real ones.
 */
export function countProcesses(environment: Environment): Promise<Measurement> {
	return inScratch(async (scratch) => {
		const log = join(scratch, "starts");
		writeFileSync(log, "");
		const folder = await standIns(join(scratch, "programs"), log, environment);
		const env = { ...environment, PATH: [folder, environment["PATH"]].join(delimiter) };
		const starts: number[] = [];
		await runLoop({
			scratch,
			turns: TURNS,
			environment: env,
			onTurn: () => {
				starts.push(statSync(log).size);
				return Promise.resolve();
			},
		});
		const counts = starts.map((all, turn) => all - (starts[turn - 1] ?? 0)).slice(FIRST_TURNS);
		return {
			name: "processes that a turn with one check starts",
			value: median(counts),
			floor: 14,
			unit: "processes",
			target: 1,
		};
	});
}

async function standIns(folder: string, log: string, environment: Environment): Promise<string> {
	mkdirSync(folder);
	for (const program of PROGRAMS) {
		const real = findProgram(program, environment["PATH"] ?? "", folder);
		if (real === undefined) throw new Error(`there is no ${program} on the PATH`);
		const file = join(folder, program);
		writeFileSync(file, `#!/bin/sh\nprintf . >> '${log}'\nexec '${real}' "$@"\n`);
		chmodSync(file, 0o755);
	}
	return folder;
}
