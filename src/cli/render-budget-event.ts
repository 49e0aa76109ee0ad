import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import type { RunEvent } from "./run-event.ts";

type Data<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];

/**
 * The warning that a budget runs out.
 *
 * @example `"82 % of the budget of the run is spent: $8.20 of $10.00; 1 call of unknown cost is not in it"`
 */
export function renderWarning(warning: Data<"budget-warned">): string {
	const { scope, kind, limit, spent, unknown_cost_calls: unknown } = warning;
	const write = kind === "usd" ? formatUsd : formatDuration;
	const share = Math.floor((spent / limit) * 100);
	const left = unknown === 1 ? "1 call of unknown cost is" : `${unknown} calls of unknown cost are`;
	return (
		`${share} % of the budget of the ${scope} is spent: ${write(spent)} of ${write(limit)}` +
		(kind === "usd" && unknown > 0 ? `; ${left} not in it` : "")
	);
}

/** What an answer added to a budget, after a comma; `""` where it added nothing. */
export function renderAdded(added: Data<"item-answered">["added"]): string {
	if (added === undefined) return "";
	const parts = [
		...(added.usd > 0 ? [formatUsd(added.usd)] : []),
		...(added.wall_ms > 0 ? [formatDuration(added.wall_ms)] : []),
	];
	return `, added to the budget of the ${added.scope}: ${parts.join(" and ")}`;
}
