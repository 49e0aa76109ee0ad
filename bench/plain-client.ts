import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlainPlace } from "./plain-process.ts";
import { openPlainScript } from "./plain-turn.ts";
import type { Environment } from "./scratch.ts";

/** The plain script, timed in both ways. */
export interface PlainFloors {
	/** Does the turn in this process and in one of its own, and gives the times in ms. */
	turn(turn: number): Promise<{ readonly here: number; readonly own: number }>;
	close(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("plain-process.ts", import.meta.url));

/**
 * Opens the plain script twice, on projects of their own. In this process it pays for what Sparring has loaded: starting a
 * child takes longer the more memory the parent has. In its own process it does not, which is the fairer floor.
 */
export async function openPlainFloors(
	scratch: string,
	environment: Environment,
): Promise<PlainFloors> {
	const here = await openPlainScript(scratch, environment);
	const folder = join(scratch, "own-process");
	mkdirSync(folder);
	const child = fork(PROGRAM, { env: { ...environment } });
	const ended = once(child, "exit");
	const asked = async (message: PlainPlace | number): Promise<number> => {
		child.send(message);
		const told = new Promise<unknown>((resolve) => child.once("message", resolve));
		const answer = await Promise.race([told, ended]);
		if (!child.connected || typeof answer !== "number") {
			throw new Error("the process with the plain script ended");
		}
		return answer;
	};
	await asked({ scratch: folder, environment });
	return {
		turn: async (turn) => {
			const start = performance.now();
			await here.turn(turn);
			const spent = performance.now() - start;
			return { here: spent, own: await asked(turn) };
		},
		close: async () => {
			here.close();
			if (child.connected) child.disconnect();
			await ended;
		},
	};
}
