import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { toldBy } from "../agents/harness/told-by.ts";
import { ROLES, type Role } from "../kernel/roles.ts";
import type { TaskPlace } from "./read-task.ts";
import { outputPrefix, transcriptPrefix } from "./run-folders.ts";

/** What printed a log. */
export type LogSource = Role | "check" | "setup";

/** A file with what a call, a check or a setup of a task printed; it grows while that runs. */
export interface TaskLog {
	/** Relative to the state directory. */
	readonly path: string;
	/** null of a setup, which is of no turn; 0 before the first. */
	readonly turn: number | null;
	readonly source: LogSource;
	/** The number of the call in its turn, the check with its purpose, or the checkout that was set up. */
	readonly name: string;
	/** When it last changed, in milliseconds since the epoch. */
	readonly changedMs: number;
}

type Named = Pick<TaskLog, "turn" | "source" | "name">;

const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

function transcriptOf(file: string): Named | null {
	const [, turn, source = "", name = ""] = /^turn-(\d+)-(\w+)-(\d+)\.log$/.exec(file) ?? [];
	return isRole(source) ? { turn: Number(turn), source, name } : null;
}

function outputOf(file: string): Named | null {
	const [, checkout] = /^setup-(.+)\.log$/.exec(file) ?? [];
	if (checkout !== undefined) return { turn: null, source: "setup", name: checkout };
	const [, turn, name] = /^turn-(\d+)\/(.+)\.log$/.exec(file) ?? [];
	return name === undefined ? null : { turn: Number(turn), source: "check", name };
}

async function logsIn(
	stateDir: string,
	folder: string,
	named: (file: string) => Named | null,
): Promise<TaskLog[]> {
	const files = await readdir(join(stateDir, folder), { recursive: true }).catch(() => []);
	const logs = files.map(async (file): Promise<TaskLog[]> => {
		const about = named(file);
		const path = `${folder}/${file}`;
		// A file may go while one looks: `spar prune`, or a check that begins again.
		const found = about === null ? null : await stat(join(stateDir, path)).catch(() => null);
		return about === null || found === null ? [] : [{ path, ...about, changedMs: found.mtimeMs }];
	});
	return (await Promise.all(logs)).flat();
}

/** The logs of a task, the one that changed last at the end. */
export async function logsOf(stateDir: string, task: TaskPlace): Promise<readonly TaskLog[]> {
	const logs = [
		...(await logsIn(stateDir, transcriptPrefix(task), transcriptOf)),
		...(await logsIn(stateDir, outputPrefix(task), outputOf)),
	];
	return logs.sort((a, b) => a.changedMs - b.changedMs || a.path.localeCompare(b.path));
}

/** Text of a log from a byte on, to its present end; `""` where it has gone. */
export async function readLog(
	stateDir: string,
	{ path }: Pick<TaskLog, "path">,
	from: number = 0,
): Promise<string> {
	const file = await open(join(stateDir, path)).catch(() => null);
	if (file === null) return "";
	try {
		let text = "";
		const chunks = file.createReadStream({ start: from, autoClose: false, encoding: "utf8" });
		for await (const chunk of chunks) text += String(chunk);
		return text;
	} finally {
		await file.close();
	}
}

/** What was said last, for one line: when, and what. */
export interface LastSaid {
	readonly line: string;
	/** In milliseconds since the epoch. */
	readonly at: number;
}

/** A text's end that is looked at for what was said last, in bytes. */
const LOOKED_AT = 65_536;

/** A line as people read it: of an event of a harness what it tells; null where that is nothing. */
function wordsOf(line: string): string | null {
	if (!line.startsWith("{")) return line.trim() === "" ? null : line;
	try {
		return toldBy(JSON.parse(line));
	} catch {
		return null;
	}
}

/** The last line of the newest log of a task that says something; null where there is none. */
export async function lastSaid(stateDir: string, task: TaskPlace): Promise<LastSaid | null> {
	const newest = (await logsOf(stateDir, task)).at(-1);
	if (newest === undefined) return null;
	const { size } = await stat(join(stateDir, newest.path)).catch(() => ({ size: 0 }));
	const text = await readLog(stateDir, newest, Math.max(0, size - LOOKED_AT));
	// What begins before it is looked at is no whole line.
	const lines = text.split("\n").slice(size > LOOKED_AT ? 1 : 0);
	for (const line of lines.reverse()) {
		const words = wordsOf(line);
		if (words !== null) return { line: words, at: newest.changedMs };
	}
	return null;
}
