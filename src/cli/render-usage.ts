import type { BudgetReport, TaskReport, UsageReport } from "../app/sparring.ts";
import { counted } from "../kernel/counted.ts";
import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";

const UNKNOWN = "unknown";

/**
 * What calls cost, for a person.
 *
 * @example `"$0.42"`, `"$0.42, 3 calls of unknown cost"`, and `"unknown"` where no call's cost is known; `""` without
 * calls
 */
export function renderCost(usage: UsageReport): string {
	if (usage.calls === 0) return "";
	if (usage.cost_usd === null) return UNKNOWN;
	const known = formatUsd(usage.cost_usd);
	if (usage.unknown_cost_calls === 0) return known;
	return `${known}, ${counted(usage.unknown_cost_calls, "call")} of unknown cost`;
}

/** All that was used up as one line; `""` when there were no calls. */
export function renderUsage(usage: UsageReport): string {
	if (usage.calls === 0) return "";
	const { input_tokens: input, output_tokens: output } = usage;
	const tokens =
		input === null && output === null ? "" : `; ${input ?? "?"} tokens in, ${output ?? "?"} out`;
	const cost = usage.cost_usd === null ? "cost unknown" : renderCost(usage);
	return `${counted(usage.calls, "call")}, ${formatDuration(usage.ms)}; ${cost}${tokens}`;
}

/** What the calls of a verifier cost; `""` without calls. */
export function renderVerifierUsage(verification: TaskReport["verification_result"]): string {
	const { calls = 0, cost_usd: cost = null } = verification?.usage ?? {};
	if (calls === 0) return "";
	return `verification: ${counted(calls, "call")}, ${cost === null ? "cost unknown" : formatUsd(cost)}`;
}

/**
 * A budget with what is used of it; a spent amount that nobody knows is called so.
 *
 * @example `"$0.42 of $10.00, 4m 5s of 4h 0m"`
 */
export function renderBudget({ usd, wall }: BudgetReport): string {
	return [
		...(usd === null
			? []
			: [
					`${usd.spent === null ? "no known cost" : formatUsd(usd.spent)} of ${formatUsd(usd.limit)}`,
				]),
		...(wall === null
			? []
			: [`${formatDuration(wall.spent_ms)} of ${formatDuration(wall.limit_ms)}`]),
	].join(", ");
}
