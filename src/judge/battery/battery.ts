import type { Suspicion } from "../../wall/suspicion.ts";
import type { Stand } from "../stand.ts";
import type { MeasureRequest } from "./measure-plan.ts";
import { nearValues } from "./near-values.ts";

/** Work whose checks ran and whose base's tests were replayed. */
export type BatteryRequest = MeasureRequest;

/** Answer of an entry: sentences that are proof, and questions. */
export interface BatteryAnswer {
	readonly violations: readonly string[];
	readonly suspicions: readonly Suspicion[];
}

/** A question that is answered by running tests, or what they call, on variants of the work. */
export interface BatteryEntry {
	/** Its rule, as the table in `docs/architecture/evidence.md` has it. */
	readonly rule: string;
	/** Runs of the project's suite that it takes at most, beyond those of checks and replay. */
	readonly runs: number;
	/** Left out: always. */
	readonly applies?: (request: BatteryRequest) => boolean;
	/** Runs that are stored are not made again. */
	readonly ask: (stand: Stand, request: BatteryRequest) => Promise<Partial<BatteryAnswer>>;
}

/**
 * All that is asked of work once its checks and the base's tests have run, in order. Another question is one file and one
 * entry here.
 */
export const BATTERY: readonly BatteryEntry[] = [
	{
		rule: "near_values",
		// Plain processes of seconds.
		runs: 0,
		ask: async (stand, request) => ({ suspicions: await nearValues(stand, request) }),
	},
];

/** Asks the battery; what is proven ends it. */
export async function askBattery(stand: Stand, request: BatteryRequest): Promise<BatteryAnswer> {
	const suspicions: Suspicion[] = [];
	for (const { ask, applies } of BATTERY) {
		if (applies?.(request) === false) continue;
		const found = await ask(stand, request);
		if ((found.violations ?? []).length > 0) return { violations: [], suspicions, ...found };
		suspicions.push(...(found.suspicions ?? []));
	}
	return { violations: [], suspicions };
}
