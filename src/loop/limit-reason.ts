import type { Reason } from "../human/reason.ts";
import type { TaskState } from "./state.ts";

type LimitReason = Extract<Reason, { readonly kind: "max_turns" }>;

/**
 * Why a task stops at its last turn. The bound is that of the workflow file and what was granted since; refused merges
 * are named, since nobody else asked for those turns.
 *
 * @example after two turns of `max_turns: 1`, of which a refused merge granted one:
 * `{ kind: "max_turns", bound: 2, granted: "refused_merge" }`
 */
export function limitReason({
	bound,
	refusals,
}: Pick<TaskState, "bound" | "refusals">): LimitReason {
	const reached = { kind: "max_turns", bound } as const;
	return refusals === 0 ? reached : { ...reached, granted: "refused_merge" };
}
