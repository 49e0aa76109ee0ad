import { readdirSync, readFileSync } from "node:fs";
import type { TestRepository } from "./repository.ts";

/** Whose processes are looked for: every child of `spar` inherits its HOME. */
type AtHome = Pick<TestRepository, "home">;

function readProc(pid: number, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, "utf8");
	} catch {
		return "";
	}
}

/** A live process; what it is, for the message of a failed test. */
export interface LiveProcess {
	readonly pid: number;
	readonly command: string;
}

/**
 * Every live process that belongs to a test: its HOME is the test's, which every child of `spar` inherits.
 * Linux only. Zombies have no environment any more and do not count.
 */
export function processesOf(repo: AtHome): readonly LiveProcess[] {
	return readdirSync("/proc")
		.map(Number)
		.filter((pid) => Number.isInteger(pid) && pid !== process.pid)
		.filter((pid) => readProc(pid, "environ").split("\0").includes(`HOME=${repo.home}`))
		.map((pid) => ({
			pid,
			command: readProc(pid, "cmdline").split("\0").join(" ").trim(),
		}));
}

/** Kills everything that belongs to a test at one go, as a loss of power would. */
export function killAllOf(repo: AtHome): void {
	for (let found = processesOf(repo); found.length > 0; found = processesOf(repo)) {
		for (const { pid } of found) {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It has ended by itself in between.
			}
		}
	}
}
