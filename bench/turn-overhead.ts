import { runLoop } from "./loop-run.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { openPlainScript } from "./plain-turn.ts";
import { type Environment, inScratch } from "./scratch.ts";

/** Turns that are measured, after those in which everything is made for the first time. */
const MEASURED = 40;
const WARM_UP = 5;

/**
 * A turn of the loop against a plain script, turn by turn in the same process.
 *
 * A turn counts from the entry into `player_turn` to the next one: both agents, the check, every checkout,
 * record, checkpoint and event between.
 */
export function measureTurnOverhead(environment: Environment): Promise<Measurement> {
	return inScratch(async (scratch) => {
		const plain = await openPlainScript(scratch, environment);
		const ours: number[] = [];
		const floor: number[] = [];
		let began = 0;
		try {
			await runLoop({
				scratch,
				turns: WARM_UP + MEASURED + 1,
				environment,
				onTurn: async (turn) => {
					if (turn > WARM_UP + 1) ours.push(performance.now() - began);
					const start = performance.now();
					await plain.turn(turn);
					if (turn > WARM_UP + 1) floor.push(performance.now() - start);
					began = performance.now();
				},
			});
		} finally {
			plain.close();
		}
		return {
			name: "a turn with instant agents, against a plain script",
			value: median(ours),
			floor: median(floor),
			unit: "ms",
			target: 1.5,
		};
	});
}
