import type { Blobs } from "../kernel/blobs.ts";
import { ROLES, type Role } from "../kernel/roles.ts";
import { outputFolder, transcriptFolder } from "../places/places.ts";
import { stepsIn } from "../seats/harnesses.ts";
import type { Records, TaskRecord } from "../store/records.ts";
import type { TaskPlace } from "../view/read-task.ts";

/** Program or seat that printed a log. */
export type LogSource = Role | "check" | "setup";

/** A file with what a call, a check or a setup of a task printed; it grows while that runs. */
export interface TaskLog {
	/** Its key among the files of runs, which is its path below \`.sparring\`. */
	readonly path: string;
	/** null of a setup, which is of no turn; 0 before the first. */
	readonly turn: number | null;
	readonly source: LogSource;
	/** The number of the call in its turn, the check with its purpose, or the checkout that was set up. */
	readonly name: string;
	/** Time of its last change, in milliseconds since the epoch. */
	readonly changedMs: number;
	readonly bytes: number;
}

const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

function transcriptOf(file: string): Pick<TaskLog, "turn" | "source" | "name"> | null {
	const [, turn, source = "", name = ""] = /^turn-(\d+)-(\w+)-(\d+)\.log$/.exec(file) ?? [];
	return isRole(source) ? { turn: Number(turn), source, name } : null;
}

function outputOf(file: string): Pick<TaskLog, "turn" | "source" | "name"> | null {
	const [, checkout] = /^setup-(.+)\.log$/.exec(file) ?? [];
	if (checkout !== undefined) return { turn: null, source: "setup", name: checkout };
	const [, turn, name] = /^turn-(\d+)\/(.+)\.log$/.exec(file) ?? [];
	return name === undefined ? null : { turn: Number(turn), source: "check", name };
}

async function logsIn(
	blobs: Blobs,
	folder: string,
	named: (file: string) => Pick<TaskLog, "turn" | "source" | "name"> | null,
): Promise<TaskLog[]> {
	return (await blobs.list(folder)).flatMap(({ key: path, changedMs, bytes }): TaskLog[] => {
		const about = named(path.slice(folder.length + 1));
		return about === null ? [] : [{ path, ...about, changedMs, bytes }];
	});
}

/** The logs of a task, the one that changed last at the end. */
export async function logsOf(blobs: Blobs, task: TaskPlace): Promise<readonly TaskLog[]> {
	const logs = [
		...(await logsIn(blobs, transcriptFolder(task), transcriptOf)),
		...(await logsIn(blobs, outputFolder(task), outputOf)),
	];
	return logs.sort((a, b) => a.changedMs - b.changedMs || a.path.localeCompare(b.path));
}

export async function readLog(
	blobs: Blobs,
	{ path }: Pick<TaskLog, "path">,
	from: number = 0,
): Promise<string> {
	return (await blobs.read(path, from)) ?? "";
}

/**
 * A part of a log from a byte on, of at most `most` bytes. What has gone is empty.
 *
 * @param most 4 or more, so that any character fits
 */
export async function readLogPart(
	blobs: Blobs,
	{ path }: Pick<TaskLog, "path">,
	from: number,
	most: number,
): Promise<{ readonly text: string; readonly next: number; readonly bytes: number }> {
	const part = await blobs.readBytes(path, from, most);
	if (part === undefined) return { text: "", next: 0, bytes: 0 };
	const { bytes, size } = part;
	const isEnd = from + bytes.length >= size;
	const whole = isEnd ? bytes.length : wholeCharacters(bytes);
	const text = Buffer.from(bytes.subarray(0, whole)).toString("utf8");
	return { text, next: from + whole, bytes: size };
}

// Bytes before the last character, where that has more than one and may have been cut.
function wholeCharacters(bytes: Uint8Array): number {
	const last = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
	// Of bytes that are no text all are taken, so that the next part is another one.
	return last > 0 && (bytes[last] ?? 0) >= 0xc0 ? last : bytes.length;
}

/** Last words of a task, for one line. */
export interface LastSaid {
	readonly line: string;
	/** In milliseconds since the epoch. */
	readonly at: number;
}

const LOOKED_AT = 65_536;

// Null where it tells nothing.
function wordsOf(line: string): string | null {
	const own = line.startsWith("{") ? [] : ([{ kind: "says", text: line }] as const);
	const last = (stepsIn(line) ?? own).at(-1);
	if (last === undefined || last.text.trim() === "") return null;
	return last.kind === "says" ? last.text : `${last.kind} ${last.text}`;
}

export async function lastSaid(blobs: Blobs, task: TaskPlace): Promise<LastSaid | null> {
	const newest = (await logsOf(blobs, task)).at(-1);
	if (newest === undefined) return null;
	const text = await readLog(blobs, newest, Math.max(0, newest.bytes - LOOKED_AT));
	// What begins before it is looked at is no whole line.
	const lines = text.split("\n").slice(newest.bytes > LOOKED_AT ? 1 : 0);
	for (const line of lines.reverse()) {
		const words = wordsOf(line);
		if (words !== null) return { line: words, at: newest.changedMs };
	}
	return null;
}

export async function saidInRun(
	{ records, blobs }: { readonly records: Records; readonly blobs: Blobs },
	runId: string,
	taskIds: readonly string[] | undefined,
): Promise<ReadonlyMap<string, LastSaid>> {
	const said = new Map<string, LastSaid>();
	const named = taskIds?.map((id) => records.task(runId, id));
	const tasks = named === undefined ? await records.tasks(runId) : await Promise.all(named);
	for (const task of tasks) {
		const last = task !== undefined && isWorkedOn(task) ? await lastSaid(blobs, task) : null;
		if (task !== undefined && last !== null) said.set(task.taskId, last);
	}
	return said;
}

export const isWorkedOn = ({ status }: Pick<TaskRecord, "status">): boolean =>
	status === "running" || status === "needs_rework";
