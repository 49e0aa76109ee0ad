import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";
import { seatFields } from "./task-field.ts";

/** Warns of limits in dollars where no agent of a seat, nor its fallbacks, says what a call costs. */
export function reportIdleBudgets(
	root: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	warn(root.at("budget").at("usd"), tasks, chains, report);
	for (const task of tasks) warn(task.field.at("budget").at("usd"), [task], chains, report);
}

function warn(
	usd: Field,
	tasks: readonly TaskField[],
	chains: FallbackChains,
	report: Reporter,
): void {
	if (!usd.present) return;
	const agents = tasks.flatMap(({ field }) => {
		const { player, coach } = seatFields(field);
		return [...chains.of(player.text), ...chains.of(coach.text)];
	});
	if (agents.length === 0 || agents.some((name) => chains.adapter(name) !== "command")) return;
	report.warning(
		usd,
		"budget.usd has no effect: no agent in a seat reports what its calls cost",
		"programs of adapter command report no cost; limit the time with `wall`",
	);
}
