import { runBoundedChild } from "./bounded-child.ts";
import { servePid } from "./kinship.ts";
import { MARK_VARIABLE } from "./process-table.ts";
import { runHere } from "./run-here.ts";
import type { StarterMessage, StarterReply, StarterRequest } from "./starter-messages.ts";
import { Unread } from "./unread.ts";

// A process that is small, and so starts others quickly: starting a child copies the page tables of its parent. When
// the process that it serves ends, it ends the children that carry a run's mark, waits for the others, and ends.

type Request<Kind> = Extract<StarterRequest, { readonly kind: Kind }>;

interface Running {
	readonly controller: AbortController;
	readonly isMarked: boolean;
}

const running = new Map<number, Running>();

/** Output that the other side has not read yet, in characters. Programs are not read any further beyond it. */
const MOST_UNREAD = 1_000_000;

const unread = new Unread(MOST_UNREAD);

function reply(message: StarterMessage, size = 0): void {
	// Without a channel nobody waits for the answer.
	if (!process.connected) return;
	unread.sent(size);
	process.send?.(message, undefined, undefined, () => unread.read(size));
}

async function answer(
	id: number,
	isMarked: boolean,
	act: (signal: AbortSignal) => Promise<StarterReply>,
): Promise<void> {
	const controller = new AbortController();
	running.set(id, { controller, isMarked });
	try {
		reply(await act(controller.signal));
	} catch (error) {
		const { message, code } = error as NodeJS.ErrnoException; // `spawn` and `abort` throw errors only.
		reply({ kind: "error", id, message, code });
	} finally {
		running.delete(id);
	}
}

function run({ id, child }: Request<"run">): Promise<void> {
	const isMarked = child.env[MARK_VARIABLE] !== undefined;
	return answer(id, isMarked, async (signal) => {
		return { kind: "end", id, end: await runBoundedChild({ ...child, signal }) };
	});
}

function call({ id, call: sent }: Request<"call">): Promise<void> {
	const { request, hearsStdout, hearsOutput } = sent;
	const hear = (of: "stdout" | "output") => (text: string) => {
		if (text !== "") reply({ kind: "heard", id, of, text }, text.length);
	};
	const listening = {
		...request,
		onStdout: hearsStdout ? hear("stdout") : undefined,
		onOutput: hearsOutput ? hear("output") : undefined,
	};
	return answer(id, true, async (signal) => {
		return { kind: "result", id, result: await runHere(listening, signal, unread.pressure) };
	});
}

function take(request: StarterRequest): void {
	switch (request.kind) {
		case "run":
			void run(request);
			return;
		case "call":
			void call(request);
			return;
		case "abort":
			running.get(request.id)?.controller.abort(new Error("aborted"));
			return;
	}
}

servePid(process.ppid);
process.on("message", take);
process.on("disconnect", () => {
	for (const { controller, isMarked } of running.values()) {
		if (isMarked) controller.abort(new Error("aborted"));
	}
});
reply({ kind: "ready" });
