import type { Clock } from "../kernel/clock.ts";
import { Capture, WholeLines } from "../process/capture.ts";
import type { Agent, AgentCall, AgentOutcome } from "./agent.ts";
import { RetryLines } from "./retry-line.ts";

/** How long a program retries before people are told, in ms. */
const TOLD_MS = 15_000;

/** How long the network may fail before the call does, in ms. */
const FAILED_MS = 120_000;

/** A program that was silent for so long since its last retry may have got through, and its model thinks. In ms. */
const FRESH_MS = 30_000;

/** Retries further apart are not of one failure; a connection that nobody answers takes two minutes to fail. In ms. */
const APART_MS = 180_000;

/** Characters of the transcript that are kept of a call that is ended. */
const KEPT = 200_000;

/** Retries in a row, with no progress between them. Times in ms since the epoch. */
interface Spell {
	readonly since: number;
	last: number;
	said: string;
	/** Since when it is the network; null after a limit of the account, which is waited for. */
	failing: { readonly since: number; readonly isRepeated: boolean } | null;
	isTold: boolean;
	/** Aborted when it is over. */
	readonly over: AbortController;
}

/** What a call is attended by. */
export interface Attendance {
	readonly clock: Clock;
	/** Told once of each spell of retries that lasts; `said` is not masked. Its promise is awaited before the call's. */
	readonly tell: (said: string, ms: number) => Promise<void>;
}

class Watch {
	readonly #clock: Clock;
	readonly #tell: Attendance["tell"];
	readonly #lines = new RetryLines();
	readonly #stop = new AbortController();
	#spell: Spell | null = null;
	#telling: Promise<unknown> = Promise.resolve();

	constructor({ clock, tell }: Attendance) {
		this.#clock = clock;
		this.#tell = tell;
	}

	/** Aborted once the call has failed. */
	get stop(): AbortSignal {
		return this.#stop.signal;
	}

	/** What was said last of the failure. */
	get said(): string {
		return this.#spell?.said ?? "";
	}

	take(line: string): void {
		const news = this.#lines.read(line);
		if (news.kind === "progress") this.#end();
		if (news.kind !== "retry") return;
		const now = this.#clock.now();
		if (this.#spell !== null && now - this.#spell.last > APART_MS) this.#end();
		const spell = this.#spell ?? this.#begin(now);
		spell.last = now;
		spell.said = news.said;
		const isRepeated = spell.failing !== null;
		spell.failing = news.isLimit ? null : { since: spell.failing?.since ?? now, isRepeated };
		this.#judge(spell);
	}

	async close(): Promise<void> {
		this.#spell?.over.abort();
		await this.#telling;
	}

	#begin(now: number): Spell {
		const over = new AbortController();
		const spell: Spell = { since: now, last: now, said: "", failing: null, isTold: false, over };
		this.#spell = spell;
		void this.#await(spell);
		return spell;
	}

	#end(): void {
		this.#spell?.over.abort();
		this.#spell = null;
	}

	async #await(spell: Spell): Promise<void> {
		try {
			for (const ms of [TOLD_MS, FAILED_MS - TOLD_MS]) {
				await this.#clock.sleep(ms, spell.over.signal);
				if (spell.over.signal.aborted) return;
				this.#judge(spell);
			}
		} catch {
			// It is over.
		}
	}

	#judge(spell: Spell): void {
		const now = this.#clock.now();
		const ms = now - spell.since;
		if (ms >= TOLD_MS && !spell.isTold) {
			spell.isTold = true;
			this.#telling = Promise.all([this.#telling, this.#tell(spell.said, ms)]);
			// Looked at when the call ends.
			this.#telling.catch(() => undefined);
		}
		const { since = now, isRepeated = false } = spell.failing ?? {};
		if (isRepeated && now - since >= FAILED_MS && now - spell.last <= FRESH_MS) this.#stop.abort();
	}
}

/**
 * Makes a call whose program is watched while it works: retries that last 15 s are told, and two minutes of failed
 * requests end the call as `network`, although the program would go on. A limit of the account is told alone.
 *
 * @throws what the agent's call throws when its own signal was aborted
 */
export async function attendedCall(
	agent: Agent,
	call: AgentCall,
	{ signal, ...attendance }: Attendance & { readonly signal: AbortSignal },
): Promise<AgentOutcome> {
	const { clock } = attendance;
	const watch = new Watch(attendance);
	const heard = new Capture(KEPT);
	const lines = new WholeLines({
		add: (text) => {
			for (const line of text.split("\n")) watch.take(line);
		},
	});
	const onOutput = (text: string): void => {
		heard.add(text);
		lines.add(text);
		call.onOutput?.(text);
	};
	const startedAt = clock.now();
	try {
		return await agent.call({ ...call, onOutput }, AbortSignal.any([signal, watch.stop]));
	} catch (error) {
		if (signal.aborted || !watch.stop.aborted) throw error;
		return {
			kind: "failed",
			failure: "network",
			message: `two minutes of network errors: ${watch.said}`,
			output: heard.text(),
			ms: clock.now() - startedAt,
			usage: null,
			hasRetried: true,
		};
	} finally {
		await watch.close();
	}
}
