import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { get, type Refusal } from "./api.ts";
import { type Batch, live } from "./live.ts";

const LEAST_GAP_MS = 300;
const GAP_FACTOR = 4;

export class Resource<Value> {
	/** null until it was read. */
	readonly value = signal<Value | null>(null);
	readonly refusal = signal<Refusal | null>(null);
	readonly #path: string;
	#isBusy = false;
	/** Rises with each wish to read again. */
	#wanted = 0;
	#isOver = false;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#gapMs = LEAST_GAP_MS;
	#endedAt = Number.NEGATIVE_INFINITY;

	constructor(path: string) {
		this.#path = path;
	}

	/** Reads it again, soon. */
	readonly reload = (): void => {
		this.#wanted += 1;
		this.#soon();
	};

	/** Puts a value in its place that a reply to something else brought. */
	readonly put = (value: Value): void => {
		this.value.value = value;
	};

	end(): void {
		this.#isOver = true;
		clearTimeout(this.#timer);
	}

	#soon(): void {
		if (this.#isBusy || this.#timer !== undefined || this.#isOver) return;
		const waitMs = Math.max(0, this.#endedAt + this.#gapMs - performance.now());
		if (waitMs === 0) {
			void this.#read();
			return;
		}
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			void this.#read();
		}, waitMs);
	}

	async #read(): Promise<void> {
		this.#isBusy = true;
		const version = this.#wanted;
		const startedAt = performance.now();
		const reply = await get<Value>(this.#path);
		this.#isBusy = false;
		this.#endedAt = performance.now();
		this.#gapMs = Math.max(LEAST_GAP_MS, (this.#endedAt - startedAt) * GAP_FACTOR);
		if (this.#isOver) return;
		this.refusal.value = reply.ok ? null : reply.refusal;
		if (reply.ok) this.value.value = reply.value;
		if (version !== this.#wanted) this.#soon();
	}
}

const everything = ({ events }: Batch): boolean => events.length > 0;

export const aboutRun =
	(run: string) =>
	({ events, news }: Batch): boolean =>
		events.some((event) => event.run === run) ||
		news.some(
			(heard) =>
				(heard.type === "run-changed" || heard.type === "action-ended") &&
				heard.data.run_id === run,
		);

/**
 * Reads a path for as long as the component is there.
 *
 * @param path of the protocol; another one is another resource
 * @param changes whether a batch may have changed it; default: any event
 */
export function useResource<Value>(
	path: string,
	changes: (batch: Batch) => boolean = everything,
): Resource<Value> {
	const reader = useMemo(() => new Resource<Value>(path), [path]);
	useEffect(() => {
		reader.reload();
		const stop = live.listen((batch) => {
			if (changes(batch)) reader.reload();
		});
		return () => {
			stop();
			reader.end();
		};
	}, [reader]);
	return reader;
}
