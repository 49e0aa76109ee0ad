import type { Supervision } from "../drive/run-options.ts";
import { isAbort } from "../kernel/is-abort.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { RunReport } from "../view/report.ts";
import type { RunStream } from "./sparring.ts";

export function runStream(
	begin: (supervision: Pick<Supervision, "onEvent" | "signal">) => Promise<RunReport>,
	options: Pick<Supervision, "onEvent" | "signal">,
): RunStream {
	const left = new AbortController();
	const queue = new EventQueue();
	const report = begin({
		onEvent: (event) => {
			options.onEvent?.(event);
			queue.add(event);
		},
		signal: options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal,
	});
	const ended = report.then(
		() => queue.end(null),
		(error: unknown) => queue.end({ error }),
	);
	const events = queue.read();
	return {
		report,
		next: () => events.next(),
		return: async () => {
			left.abort(new Error("the loop over the events of the run was left"));
			await ended;
			// What a reader that was left has not seen is of no use any more.
			const problem = queue.drop();
			if (problem !== null && !isAbort(problem.error, left.signal.reason)) throw problem.error;
			return await events.return(undefined);
		},
		[Symbol.asyncIterator]() {
			return this;
		},
	};
}

interface StreamProblem {
	readonly error: unknown;
}

class EventQueue {
	#waiting: StoredEvent[] = [];
	#ended = false;
	#problem: StreamProblem | null = null;
	#changed = Promise.withResolvers<void>();

	add(event: StoredEvent): void {
		this.#waiting.push(event);
		this.#changed.resolve();
	}

	end(problem: StreamProblem | null): void {
		this.#ended = true;
		this.#problem = problem;
		this.#changed.resolve();
	}

	drop(): StreamProblem | null {
		const problem = this.#problem;
		this.#waiting = [];
		this.#problem = null;
		return problem;
	}

	async *read(): AsyncGenerator<StoredEvent, undefined> {
		for (;;) {
			const batch = this.#waiting;
			this.#waiting = [];
			yield* batch;
			if (this.#waiting.length > 0) continue;
			if (this.#ended) break;
			await this.#changed.promise;
			this.#changed = Promise.withResolvers();
		}
		if (this.#problem !== null) throw this.#problem.error;
		return undefined;
	}
}
