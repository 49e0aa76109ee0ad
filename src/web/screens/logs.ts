import { Fault } from "../../kernel/fault.ts";
import { logsOf, readLogPart } from "../../library/task-logs.ts";
import type { CasesReply, LogList, LogPart } from "../protocol.ts";
import type { Screens, TaskPlace } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import { findTask } from "./tasks.ts";

const MOST_BYTES = 1_048_576;

export class Logs {
	readonly #ground: ScreenGround;
	// Behind its run and id: nothing else is read.
	readonly #known = new Set<string>();

	constructor(ground: ScreenGround) {
		this.#ground = ground;
	}

	async list(place: TaskPlace): Promise<LogList> {
		const { records, blobs } = await this.#ground.existing();
		const { run, task } = await findTask(records, place);
		const found = await logsOf(blobs, task);
		const logs = found.map(({ path, turn, source, name, changedMs, bytes }) => ({
			path,
			turn,
			source,
			name,
			changed_at: new Date(changedMs).toISOString(),
			bytes,
		}));
		return maskedValue(await this.#ground.masks.of(run), { logs });
	}

	async part(place: TaskPlace, path: string, from: number): Promise<LogPart> {
		const { records, blobs } = await this.#ground.existing();
		const { run } = await findTask(records, place);
		if (!(await this.#isLog(place, path))) {
			throw new Fault(`task ${place.task} of run ${place.run} has no log ${path}`, {
				code: "task-not-found",
				hint: "See which there are: spar logs",
			});
		}
		const { text, next, bytes } = await readLogPart(blobs, { path }, from, MOST_BYTES);
		const masker = await this.#ground.masks.of(run);
		return { from, next, bytes, text: masker.mask(text) };
	}

	// Null for what is no log of the task, or has gone.
	async bytes(place: TaskPlace, path: string): Promise<number | null> {
		if (!(await this.#isLog(place, path))) return null;
		return (await (await this.#ground.store())?.blobs.entry(path))?.bytes ?? null;
	}

	async #isLog(place: TaskPlace, path: string): Promise<boolean> {
		const key = JSON.stringify([place.run, place.task, path]);
		if (this.#known.has(key)) return true;
		const store = await this.#ground.store();
		const task = await store?.records.task(place.run, place.task);
		if (store === null || task === undefined) return false;
		const logs = await logsOf(store.blobs, task);
		const isLog = logs.some((log) => log.path === path);
		if (isLog) this.#known.add(key);
		return isLog;
	}
}

export async function casesOf(
	ground: ScreenGround,
	place: TaskPlace,
	of: Parameters<Screens["cases"]>[1],
): Promise<CasesReply> {
	const { records } = await ground.existing();
	const { run, task } = await findTask(records, place);
	const evidence = await records.evidence(task.runId, task.taskId, of.turn);
	const piece = evidence.find(({ check, purpose }) => check === of.check && purpose === of.purpose);
	if (piece === undefined) {
		throw new Fault(
			`turn ${of.turn} of task ${place.task} has no check ${of.check} (${of.purpose})`,
			{
				code: "task-not-found",
				hint: "The task's page lists the checks of each turn.",
			},
		);
	}
	const masker = await ground.masks.of(run);
	// An id elsewhere is here the name of a test, which anybody may have written.
	const cases = (piece.cases ?? []).map(({ id, status, message }) => ({
		id: masker.mask(id),
		status,
		message: message === undefined ? null : masker.mask(message),
	}));
	return { cases };
}
