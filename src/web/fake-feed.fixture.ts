import type { StoredEvent } from "../trace/event.ts";
import type { ActionState } from "./protocol.ts";
import type { EventFilter, Feed } from "./screens.ts";

/** An event of a run that says nothing else. */
export const anEvent = (id: number, run = "r1", task: string | null = null): StoredEvent => ({
	...({ type: "run-resumed", turn: null, node: null, data: { owner: "o" } } as const),
	timestamp: "2026-11-22T05:00:00.000Z",
	id,
	run,
	task,
});

/** A feed that a test writes into. */
export class FakeFeed implements Feed {
	readonly events: StoredEvent[] = [];
	readonly standing = new Map<string, string>();
	readonly listeners = new Set<(state: ActionState) => void>();
	bytes: number | null = 0;
	written = 0;

	write(...events: readonly StoredEvent[]): void {
		this.events.push(...events);
		this.written += 1;
	}

	newest(): Promise<number> {
		return Promise.resolve(this.#newest());
	}

	#newest(): number {
		return this.events.at(-1)?.id ?? 0;
	}

	eventsAfter(
		after: number,
		{ run, task }: EventFilter,
		limit: number,
	): ReturnType<Feed["eventsAfter"]> {
		const found = this.events.filter(
			(event) =>
				event.id > after &&
				(run === null || event.run === run) &&
				(task === null || event.task === task),
		);
		const events = found.slice(0, limit);
		const cursor = events.length < limit ? this.#newest() : (events.at(-1)?.id ?? after);
		return Promise.resolve({ events, cursor: Math.max(after, cursor) });
	}

	pulse(): Promise<string> {
		return Promise.resolve(String(this.written));
	}

	standings(): ReturnType<Feed["standings"]> {
		return Promise.resolve(new Map(this.standing));
	}

	logBytes(): ReturnType<Feed["logBytes"]> {
		return Promise.resolve(this.bytes);
	}

	onActionEnded(listener: (state: ActionState) => void): () => void {
		this.listeners.add(listener);
		return () => {
			this.listeners.delete(listener);
		};
	}
}
