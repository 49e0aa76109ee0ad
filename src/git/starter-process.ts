import { MARK_VARIABLE } from "../process/process-table.ts";
import { runBoundedChild } from "./bounded-child.ts";
import type { StarterReply, StarterRequest } from "./starter-messages.ts";

// A process that is small, and so starts others quickly: starting a child copies the page tables of its parent. When
// the process that it serves ends, it ends the children that carry a run's mark, waits for the others, and ends.

interface Running {
	readonly controller: AbortController;
	readonly isMarked: boolean;
}

const running = new Map<number, Running>();

function reply(message: StarterReply): void {
	// Without a channel nobody waits for the answer.
	if (process.connected) process.send?.(message);
}

async function run({ id, child }: Extract<StarterRequest, { kind: "run" }>): Promise<void> {
	const controller = new AbortController();
	running.set(id, { controller, isMarked: child.env[MARK_VARIABLE] !== undefined });
	try {
		const end = await runBoundedChild({ ...child, signal: controller.signal });
		reply({ kind: "end", id, end });
	} catch (error) {
		const { message, code } = error as NodeJS.ErrnoException; // `spawn` and `abort` throw errors only.
		reply({ kind: "error", id, message, code });
	} finally {
		running.delete(id);
	}
}

process.on("message", (request: StarterRequest) => {
	if (request.kind === "run") void run(request);
	else running.get(request.id)?.controller.abort(new Error("aborted"));
});
process.on("disconnect", () => {
	for (const { controller, isMarked } of running.values()) {
		if (isMarked) controller.abort(new Error("aborted"));
	}
});
reply({ kind: "ready" });
