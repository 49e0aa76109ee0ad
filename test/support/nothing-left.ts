import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
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

let folder = "";

/** Gives all tests of a run one folder for their temporary files. */
export function setup(): void {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "spar-")));
	process.env["TMPDIR"] = folder;
}

/** Fails the run when a test left something in that folder: a process, a repository, a checkout. */
export function teardown(): void {
	const left = [...processesIn(folder), ...readdirSync(folder)];
	rmSync(folder, { recursive: true, force: true });
	if (left.length > 0) throw new Error(`the tests left behind:\n${left.join("\n")}`);
}
