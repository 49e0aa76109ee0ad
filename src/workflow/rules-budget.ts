import type { FallbackChains } from "./fallback-chains.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import type { TaskField } from "./task-field.ts";
import { seatFields } from "./task-field.ts";

/**
 * Warns of limits in dollars where all agents of the seats, with their fallbacks, are programs of the user's: whether
 * they say what a call costs is up to them.
 */
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
		"budget.usd has no effect unless the programs in the seats report what their calls cost",
		"report it as `usage` (see the agent protocol), or limit the time with `wall`",
	);
}
