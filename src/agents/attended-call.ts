import type { Clock } from "../kernel/clock.ts";
import { Capture, WholeLines } from "../process/capture.ts";
import type { Agent, AgentCall, AgentOutcome } from "./agent.ts";
import { failureOf } from "./failure-of.ts";
import { RetryLines } from "./retry-line.ts";

const TOLD_MS = 15_000;

const FAILED_MS = 120_000;

// A program that was silent for so long since its last retry may have got through, and its model thinks.
const FRESH_MS = 30_000;

// Retries further apart are not of one failure; a connection that nobody answers takes two minutes to fail.
const APART_MS = 180_000;

const KEPT = 200_000;

// Times in ms since the epoch.
interface Spell {
	readonly since: number;
	last: number;
	said: string;
	/** null after a limit of the account, which is waited for. */
	network: { readonly since: number; readonly isRepeated: boolean } | null;
	isTold: boolean;
}

export interface Attendance {
	readonly clock: Clock;
	/** Called once for each spell of retries that lasts; `said` is not masked. The call waits for the promise. */
	readonly tell: (said: string, ms: number) => Promise<void>;
}

class Watch {
	readonly #by: Attendance;
	readonly #lines = new RetryLines();
	readonly #ended = new AbortController();
	readonly failed = new AbortController();
	#spell: Spell | null = null;
	#telling: Promise<unknown> = Promise.resolve();

	constructor(by: Attendance) {
		this.#by = by;
	}

	get said(): string {
		return this.#spell?.said ?? "";
	}

	take(line: string): void {
		const news = this.#lines.read(line);
		const now = this.#by.clock.now();
		if (news.kind === "progress") this.#spell = null;
		if (news.kind !== "retry") return;
		const before = this.#spell !== null && now - this.#spell.last <= APART_MS ? this.#spell : null;
		const spell = before ?? { since: now, last: now, said: "", network: null, isTold: false };
		spell.last = now;
		spell.said = news.said;
		const { network } = spell;
		if (news.isLimit) spell.network = null;
		else if (news.isAside !== true)
			spell.network = { since: network?.since ?? now, isRepeated: network !== null };
		this.#spell = spell;
		if (before === null) for (const ms of [TOLD_MS, FAILED_MS]) void this.#judgeAfter(ms, spell);
		this.#judge(spell, now);
	}

	async end(): Promise<void> {
		this.#ended.abort();
		await this.#telling;
	}

	async #judgeAfter(ms: number, spell: Spell): Promise<void> {
		const { clock } = this.#by;
		// It rejects when the call has ended.
		await clock.sleep(ms, this.#ended.signal).catch(() => undefined);
		if (this.#spell === spell && !this.#ended.signal.aborted) this.#judge(spell, clock.now());
	}

	#judge(spell: Spell, now: number): void {
		const ms = now - spell.since;
		if (ms >= TOLD_MS && !spell.isTold) {
			spell.isTold = true;
			this.#telling = Promise.all([this.#telling, this.#by.tell(spell.said, ms)]);
			// A failure is met when the call ends.
			this.#telling.catch(() => undefined);
		}
		const { since = now, isRepeated = false } = spell.network ?? {};
		const isFresh = now - spell.last <= FRESH_MS;
		if (isRepeated && isFresh && now - since >= FAILED_MS) this.failed.abort();
	}
}

/**
 * Makes a call and watches what its program prints: retries that last 15 s are told, and two minutes of failed requests
 * end the call as `network` or `unavailable`, although the program would go on. Limits of the account end nothing here.
 */
export async function attendedCall(
	agent: Agent,
	call: AgentCall,
	{ signal, ...by }: Attendance & { readonly signal: AbortSignal },
): Promise<AgentOutcome> {
	const watch = new Watch(by);
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
	const startedAt = by.clock.now();
	const either = AbortSignal.any([signal, watch.failed.signal]);
	try {
		return await agent.call({ ...call, onOutput }, either);
	} catch (error) {
		if (signal.aborted || !watch.failed.signal.aborted) throw error;
		const isRefused = failureOf({ text: watch.said }) === "unavailable";
		const failure = isRefused ? "unavailable" : "network";
		const what = isRefused ? "errors of its service" : "network errors";
		const message = `two minutes of ${what}: ${watch.said}`;
		const ms = by.clock.now() - startedAt;
		const output = heard.text();
		return { kind: "failed", failure, message, output, ms, hasRetried: true };
	} finally {
		await watch.end();
	}
}
