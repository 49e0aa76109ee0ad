import { openPlainScript, type PlainScript } from "./plain-turn.ts";
import type { Environment } from "./scratch.ts";

// The plain script in a process of its own, as somebody would run it who has nothing but the script. It is opened by the
// first message; for each number of a turn that follows, it does the turn and answers how long that took, in ms.

/** Where the script works. */
export interface PlainPlace {
	readonly scratch: string;
	readonly environment: Environment;
}

let plain: PlainScript | null = null;

async function answer(message: PlainPlace | number): Promise<void> {
	const start = performance.now();
	if (typeof message === "number") await plain?.turn(message);
	else plain = await openPlainScript(message.scratch, message.environment);
	process.send?.(performance.now() - start);
}

process.on("message", (message: PlainPlace | number) => {
	void answer(message);
});
process.on("disconnect", () => {
	plain?.close();
});
