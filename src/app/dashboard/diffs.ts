import type { Masker } from "../../kernel/masking.ts";
import type { DiffRange, TaskPlace } from "../../web/screens.ts";
import { bringShared } from "../run/bring-shared.ts";
import { taskDiff } from "../task-diff.ts";
import type { Ground } from "./ground.ts";
import { findTask } from "./tasks.ts";

const MOST_KEPT = 8;

/** A longer one is made each time, in characters. */
const MOST_CHARACTERS = 20_000_000;

interface Kept {
	readonly masker: Masker;
	readonly text: string;
}

/** Diffs of tasks as `spar diff` gives them. Those of commits that are looked at again are not made again. */
export class Diffs {
	readonly #ground: Ground;
	/** By all that a diff depends on; the one that was looked at last at the end. */
	readonly #kept = new Map<string, Kept>();

	constructor(ground: Ground) {
		this.#ground = ground;
	}

	/** @throws Fault `run-not-found`, `task-not-found`, `usage` for a turn that the task does not have */
	async text(place: TaskPlace, { turn, since }: DiffRange): Promise<string> {
		const { records } = await this.#ground.existing();
		const { run, task } = await findTask(records, place);
		const { commit, mergedCommit, turns } = task;
		const key = JSON.stringify([place, turn, since, commit, mergedCommit, turns, run.pruned]);
		const masker = await this.#ground.masks.of(run);
		const kept = this.#kept.get(key);
		this.#kept.delete(key);
		if (kept?.masker === masker) {
			this.#kept.set(key, kept);
			return kept.text;
		}
		const repository = await this.#ground.repository();
		await bringShared(repository, run, { env: this.#ground.env, tasks: [place.task] });
		const wanted = { run, task: place.task, turn: turn ?? undefined, since: since ?? undefined };
		const text = masker.mask(await taskDiff(records, repository, wanted));
		if (text.length <= MOST_CHARACTERS) this.#keep(key, { masker, text });
		return text;
	}

	#keep(key: string, kept: Kept): void {
		this.#kept.set(key, kept);
		const [oldest] = this.#kept.keys();
		if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
	}
}
