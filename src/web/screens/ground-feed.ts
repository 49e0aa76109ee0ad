import type { Masker } from "../../masking/masking.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { ActionState } from "../protocol.ts";
import type { EventFilter, Feed, TaskPlace } from "../screens.ts";
import { maskedValue, type ScreenGround } from "./ground.ts";
import type { Logs } from "./logs.ts";

export class GroundFeed implements Feed {
	readonly #ground: ScreenGround;
	readonly #logs: Logs;
	readonly #listeners = new Set<(state: ActionState) => void>();

	constructor(ground: ScreenGround, logs: Logs) {
		this.#ground = ground;
		this.#logs = logs;
	}

	async newest(): Promise<number> {
		return (await (await this.#ground.store())?.records.newestEvent()) ?? 0;
	}

	async eventsAfter(
		after: number,
		{ run, task }: EventFilter,
		limit: number,
	): Promise<{ readonly events: readonly StoredEvent[]; readonly cursor: number }> {
		const records = (await this.#ground.store())?.records;
		if (records === undefined) return { events: [], cursor: after };
		// Read before the events: one that comes in between is behind it, and is not passed over.
		const newest = await records.newestEvent();
		const found = await records.eventsAfter(after, { runId: run, taskId: task }, limit);
		const last = found.at(-1)?.id ?? after;
		const cursor = found.length < limit ? Math.max(newest, last) : last;
		return { events: await this.#masked(found), cursor };
	}

	async #masked(events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
		const byRun = new Map<string, Masker>();
		for (const { run } of events) {
			if (!byRun.has(run)) byRun.set(run, await this.#maskerOf(run));
		}
		// Mostly all are of one run, and looked at as one text.
		const [only, ...others] = byRun.values();
		if (only !== undefined && others.length === 0) return maskedValue(only, events);
		return events.map((event) => maskedValue(byRun.get(event.run) ?? this.#plain(), event));
	}

	#plain(): Masker {
		return this.#ground.masks.plain();
	}

	async #maskerOf(runId: string): Promise<Masker> {
		return (await this.#ground.maskerOf(runId)) ?? this.#plain();
	}

	async pulse(): Promise<string> {
		return await this.#ground.pulse();
	}

	async standings(): Promise<ReadonlyMap<string, string>> {
		const store = await this.#ground.store();
		const standings = new Map<string, string>();
		for (const run of (await store?.records.activeRuns()) ?? []) {
			const holder = await store?.leases.holder(run.runId);
			const words = [run.status, run.cancelRequested, holder?.host, holder?.pid];
			standings.set(run.runId, words.join(" "));
		}
		return standings;
	}

	logBytes(place: TaskPlace, path: string): Promise<number | null> {
		return this.#logs.bytes(place, path);
	}

	onActionEnded(listener: (state: ActionState) => void): () => void {
		this.#listeners.add(listener);
		return () => {
			this.#listeners.delete(listener);
		};
	}

	tellEnded(state: ActionState): void {
		for (const listener of this.#listeners) listener(state);
	}
}
