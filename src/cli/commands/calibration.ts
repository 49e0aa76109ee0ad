import { oneLine } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import { scoresText } from "../../words/evidence-text.ts";
import { table } from "../terminal/table.ts";
import { verbCommand } from "../terminal/verb-command.ts";

type Calibration = Awaited<ReturnType<Sparring["calibration"]>>[number];

const MEANINGS = `
good: scored turns that turned out good, as the gate, people and the checks of the assembled tree decided.
mean: their mean score. share: the part of them that turned out good, with its 95 % confidence interval.
verdict: too high: the scores promise more than the interval; too low: less; too few: no verdict yet.
`;

function bucketRows({ buckets }: Calibration): string[][] {
	return buckets
		.filter(({ count }) => count > 0)
		.map(({ from, to, count, good, mean, share, interval, verdict }) => [
			`  ${from.toFixed(1)} to ${to.toFixed(1)}`,
			`${good} of ${count}`,
			mean?.toFixed(2) ?? "-",
			share?.toFixed(2) ?? "-",
			interval === null ? "-" : `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`,
			verdict,
		]);
}

function groupText(group: Calibration, columns: number): string {
	const head = `${oneLine(group.agent)}  ${group.metric}  ${scoresText(group)}`;
	const rows = bucketRows(group);
	if (rows.length === 0) return `${head}\n  too few`;
	return `${head}\n${table([["  score", "good", "mean", "share", "interval", "verdict"], ...rows], columns)}`;
}

export const command = verbCommand("calibration", {
	show: (groups, { columns }) => {
		if (groups.length === 0) return { note: "no scores yet" };
		const texts = groups.map((group) => groupText(group, columns));
		return { text: `${texts.join("\n\n")}\n${MEANINGS.trimEnd()}` };
	},
});
