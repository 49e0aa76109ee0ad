import { signal } from "@preact/signals";
import type { StoredEvent, StreamMessages } from "../../src/web/protocol.ts";
import { api, get, sessionEnded, steady } from "./api.ts";

export const liveState = signal<"live" | "connecting" | "paused">("connecting");

type StreamNews = {
	[Name in Exclude<keyof StreamMessages, "message">]: {
		readonly type: Name;
		readonly data: StreamMessages[Name];
	};
}[Exclude<keyof StreamMessages, "message">];

export interface Batch {
	readonly events: readonly StoredEvent[];
	readonly news: readonly StreamNews[];
}

interface FollowedLog {
	readonly run: string;
	readonly task: string;
	readonly path: string;
}

type Listener = (batch: Batch) => void;

const NEWS = ["caught-up", "run-changed", "log-grown", "action-ended"] as const;

const RETRY_MS = 2_000;

/**
 * The one stream of this page. It is open while the page is seen and closed while it is not: browsers grant a host six
 * connections. The browser connects again by itself, and asks for what it missed by the last id. What comes is handed on
 * once a frame.
 */
class Live {
	readonly #listeners = new Set<Listener>();
	#source: EventSource | null = null;
	#log: FollowedLog | null = null;
	/** Id of the newest event that was seen; null: begin with now. */
	#after: number | null = null;
	#events: StoredEvent[] = [];
	#news: StreamNews[] = [];
	#frame = 0;
	#retry: ReturnType<typeof setTimeout> | undefined;

	/** Opens the stream, and follows the page's visibility from now on. */
	start(): void {
		document.addEventListener("visibilitychange", () => this.#follow());
		this.#follow();
	}

	/** Calls a listener with each batch until the returned function is called. */
	listen(listener: Listener): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Also hears of the growth of one log; null: of none. */
	follow(log: FollowedLog | null): void {
		this.#log = log;
		if (this.#source !== null) this.#open();
	}

	#follow(): void {
		if (document.visibilityState === "hidden") {
			this.#close();
			liveState.value = "paused";
		} else if (this.#source === null) {
			this.#open();
		}
	}

	#close(): void {
		clearTimeout(this.#retry);
		this.#source?.close();
		this.#source = null;
	}

	#open(): void {
		this.#close();
		liveState.value = "connecting";
		const query = new URLSearchParams();
		if (this.#after !== null) query.set("after", String(this.#after));
		if (this.#log !== null) {
			query.set("log", this.#log.path);
			query.set("run", this.#log.run);
			query.set("task", this.#log.task);
		}
		const source = new EventSource(`/api/stream?${query}`);
		this.#source = source;
		source.addEventListener("open", () => {
			liveState.value = "live";
		});
		source.addEventListener("error", () => this.#failed(source));
		source.addEventListener("message", (message: MessageEvent<string>) => {
			// A message without a name is an event, as the protocol says.
			const event = JSON.parse(steady(message.data)) as StoredEvent;
			if (this.#after !== null && event.id <= this.#after) return;
			this.#after = event.id;
			this.#events.push(event);
			this.#soon();
		});
		for (const type of NEWS) {
			source.addEventListener(type, (message: MessageEvent<string>) => {
				const data: unknown = JSON.parse(steady(message.data));
				// The data of each name are what the protocol gives it.
				const heard = { type, data } as StreamNews;
				if (heard.type === "caught-up") this.#after ??= heard.data.cursor;
				this.#news.push(heard);
				this.#soon();
			});
		}
	}

	#failed(source: EventSource): void {
		if (source !== this.#source || sessionEnded.value) return;
		liveState.value = "connecting";
		if (source.readyState !== EventSource.CLOSED) return;
		this.#close();
		// A stream does not say why it was refused; another request does, where the session has ended.
		void get(api("session"));
		this.#retry = setTimeout(() => {
			if (!sessionEnded.value) this.#follow();
		}, RETRY_MS);
	}

	#soon(): void {
		if (this.#frame !== 0) return;
		this.#frame = requestAnimationFrame(() => {
			this.#frame = 0;
			const batch = { events: this.#events, news: this.#news };
			this.#events = [];
			this.#news = [];
			for (const listener of this.#listeners) listener(batch);
		});
	}
}

export const live = new Live();
