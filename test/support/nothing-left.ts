import { spawnSync } from "node:child_process";
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

function read(call: () => string): string {
	try {
		return call();
	} catch {
		// It has ended meanwhile, or belongs to somebody else.
		return "";
	}
}

/** Live processes that work in a folder or were given it by a variable, such as HOME. Linux only. */
function processesIn(folder: string): string[] {
	if (process.platform !== "linux") return [];
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.filter((pid) => {
			const home = read(() => readFileSync(`/proc/${pid}/environ`, "utf8"));
			const cwd = read(() => readlinkSync(`/proc/${pid}/cwd`));
			return home.includes(`=${folder}/`) || cwd.startsWith(`${folder}/`);
		})
		.map((pid) => {
			const words = read(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")).split("\0");
			return `process ${pid}: ${words.join(" ").trim().slice(0, 200)}`;
		});
}

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";

/** What must be free there, in bytes: several times what a run takes. Containers often have 64 MiB. */
const ENOUGH = 2 * 1024 ** 3;

/** Whether programs can be kept and started in a folder, and much fits in. */
function isRoomy(place: string): boolean {
	try {
		const { bavail, bsize } = statfsSync(place);
		if (Math.min(bavail * bsize, process.availableMemory()) < ENOUGH) return false;
		const probe = mkdtempSync(join(place, "spar-"));
		try {
			writeFileSync(join(probe, "probe"), "#!/bin/sh\n", { mode: 0o755 });
			return spawnSync(join(probe, "probe")).status === 0;
		} finally {
			rmSync(probe, { recursive: true });
		}
	} catch {
		// There is no such folder, or it is not ours to write to.
		return false;
	}
}

/** A folder for temporary files: the one that the environment names, else one in memory where there is room for it. */
function place(): string {
	return process.env["TMPDIR"] === undefined && isRoomy(MEMORY) ? MEMORY : tmpdir();
}

/** Where shells work that start processes for the tests: they end a moment after the workers that have them. */
export const SHELLS = "shells";

let folder = "";

/** Gives all tests of a run one folder for their temporary files. */
export function setup(): void {
	folder = realpathSync(mkdtempSync(join(place(), "spar-")));
	process.env["TMPDIR"] = folder;
	// Programs are started faster by a process with less memory: its threads share what they allocate from.
	process.env["MALLOC_ARENA_MAX"] ??= "1";
}

/** Fails the run when a test left something in that folder: a process, a repository, a checkout. */
export function teardown(): void {
	const names = readdirSync(folder).filter((name) => name !== SHELLS);
	const left = [...processesIn(folder), ...names];
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	if (left.length > 0) throw new Error(`the tests left behind:\n${left.join("\n")}`);
}
