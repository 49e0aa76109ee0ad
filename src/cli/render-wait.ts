import { assertNever } from "../kernel/assert-never.ts";
import { counted } from "../kernel/counted.ts";
import { formatClock } from "../kernel/duration.ts";
import { seatName } from "../words/states.ts";
import { oneLine } from "../words/visible-text.ts";
import type { RunEvent } from "./run-event.ts";

type Queued = Extract<RunEvent, { type: "call-queued" }>["data"];
type Retrying = Extract<RunEvent, { type: "call-retrying" }>["data"];

/**
 * Why a call has to wait.
 *
 * @example `"player dev waits: 4 calls of dev at once are allowed (max_parallel)"`
 */
export function renderWait({ role, agent, ...waits }: Queued): string {
	return `${seatName(role, agent)} waits: ${cause({ agent, ...waits })}`;
}

/**
 * That an agent's program tries its requests again.
 *
 * @example `"no progress of player dev for 15s; it says: Reconnecting... 2/5"`
 */
export function renderRetrying({ role, agent, ms, said }: Retrying): string {
	return `no progress of ${seatName(role, agent)} for ${formatClock(ms)}; it says: ${oneLine(said, 200)}`;
}

function cause({ agent, why, limit, until }: Omit<Queued, "role">): string {
	const calls = counted(limit ?? 0, "call");
	const are = limit === 1 ? "is" : "are";
	switch (why) {
		case "max_parallel":
			return `${calls} of ${agent} at once ${are} allowed (max_parallel)`;
		case "requests_per_minute":
			return `${calls} of ${agent} a minute ${are} allowed (requests_per_minute)`;
		case "budget":
			return "the calls under way may use up the budget";
		case "quota":
			return `its account has reached its limit, which is lifted at ${until ?? "an unknown time"}`;
		default:
			return assertNever(why);
	}
}
