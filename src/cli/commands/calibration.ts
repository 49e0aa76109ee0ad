import type { Sparring } from "../../library/sparring.ts";
import { scoresText } from "../../words/evidence-text.ts";
import { oneLine } from "../../words/visible-text.ts";
import { type JsonFlag, sparringCommand } from "../terminal/command.ts";
import { lineWidth, printJson } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";

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

export const command = sparringCommand<JsonFlag>(
	{
		examples: [
			"spar calibration",
			"spar calibration --json",
			"spar calibration --json | jq '.[].agent'",
		],
		access: "read",
		options: { "--json": "print JSON" },
	},
	async ({ shell, sparring, flags }) => {
		const groups = await sparring.calibration();
		if (flags.json === true) printJson(shell, groups);
		else if (groups.length === 0) shell.err.print("no scores yet\n");
		else
			shell.out.print(
				`${groups.map((group) => groupText(group, lineWidth(shell.out))).join("\n\n")}\n${MEANINGS}`,
			);
	},
);
