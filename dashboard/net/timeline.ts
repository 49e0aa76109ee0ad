import { batch, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { EventsPage, StoredEvent } from "../../src/web/protocol.ts";
import { type EventLine, eventLine } from "../format/event-line.ts";
import { Ring } from "../rows/ring.ts";
import { api, get } from "./api.ts";
import { live } from "./live.ts";

/** Lines that are kept; older ones are forgotten, so that a page that is open for days stays small. */
const ROOM = 20_000;
const PAGE = 4_000;

export class Timeline {
	readonly lines = new Ring<EventLine>(ROOM);
	/** Rises when lines were added. */
	readonly version = signal(0);
	readonly isComplete = signal(false);
	readonly #run: string;
	readonly #task: string | null;
	/** Called with every event, in order, each once. */
	readonly #each: (event: StoredEvent) => void;
	#last = 0;
	#early: StoredEvent[] | null = [];
	#isOver = false;

	constructor(run: string, task: string | null, each: (event: StoredEvent) => void) {
		this.#run = run;
		this.#task = task;
		this.#each = each;
	}

	take(events: readonly StoredEvent[]): void {
		const mine = events.filter(
			({ run, task }) => run === this.#run && (this.#task === null || task === this.#task),
		);
		if (mine.length === 0) return;
		if (this.#early === null) this.#add(mine);
		else this.#early.push(...mine);
	}

	async read(): Promise<void> {
		let after: number | null = 0;
		while (after !== null && !this.#isOver) {
			const query = new URLSearchParams({ after: String(after), limit: String(PAGE) });
			if (this.#task !== null) query.set("task", this.#task);
			const reply: Awaited<ReturnType<typeof get<EventsPage>>> = await get<EventsPage>(
				`${api("runs", this.#run, "events")}?${query}`,
			);
			if (!reply.ok) break;
			this.#add(reply.value.events);
			after = reply.value.next;
		}
		const early = this.#early ?? [];
		this.#early = null;
		this.#add(early);
		this.isComplete.value = true;
	}

	end(): void {
		this.#isOver = true;
	}

	#add(events: readonly StoredEvent[]): void {
		batch(() => {
			for (const event of events) this.#tell(event);
			this.version.value += 1;
		});
	}

	#tell(event: StoredEvent): void {
		if (event.id <= this.#last) return;
		this.#last = event.id;
		this.#each(event);
		const line = eventLine(event);
		if (line !== null) this.lines.add(line);
	}
}

const nothing = (): void => {};

export function useTimeline(
	run: string,
	task: string | null,
	each: (event: StoredEvent) => void = nothing,
): Timeline {
	const reader = useMemo(() => new Timeline(run, task, each), [run, task]);
	useEffect(() => {
		const stop = live.listen(({ events }) => reader.take(events));
		void reader.read();
		return () => {
			stop();
			reader.end();
		};
	}, [reader]);
	return reader;
}
