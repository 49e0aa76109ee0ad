import type { JSX } from "preact";
import { formatDuration } from "../../src/kernel/duration.ts";
import type { TaskHead } from "../../src/web/protocol.ts";
import { money } from "../format/numbers.ts";

type Budget = NonNullable<TaskHead["report"]["budget"]>;

function Bar({
	name,
	spent,
	limit,
	text,
}: {
	readonly name: string;
	readonly spent: number;
	readonly limit: number;
	readonly text: string;
}): JSX.Element {
	return (
		<label class="budget">
			<span class="dim">{name}</span>
			<meter min={0} max={limit} high={limit * 0.8} value={Math.min(spent, limit)} />
			<span class="number">{text}</span>
		</label>
	);
}

export function BudgetBars({ budget }: { readonly budget: Budget | null }): JSX.Element | null {
	if (budget === null || (budget.usd === null && budget.wall === null)) return null;
	const { usd, wall } = budget;
	return (
		<div class="budgets">
			{usd !== null && (
				<Bar
					name="Budget"
					spent={usd.spent ?? 0}
					limit={usd.limit}
					text={`${money(usd.spent)} of ${money(usd.limit)}`}
				/>
			)}
			{wall !== null && (
				<Bar
					name="Time"
					spent={wall.spent_ms}
					limit={wall.limit_ms}
					text={`${formatDuration(wall.spent_ms)} of ${formatDuration(wall.limit_ms)}`}
				/>
			)}
		</div>
	);
}
