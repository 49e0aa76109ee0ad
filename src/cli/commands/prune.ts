import { formatBytes } from "../../kernel/bytes.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { PruneReport } from "../../landing/archive-work.ts";
import { verbCommand } from "../terminal/verb-command.ts";

function leftOverLine({
	directory,
	root,
	bytes,
	removed,
}: PruneReport["left_over"][number]): string {
	const what = `${oneLine(directory)} (${formatBytes(bytes)}), checkouts of ${oneLine(root)}, which is gone`;
	return removed ? `removed ${what}` : `left ${what}: remove it with spar prune --force`;
}

function setupLines({ results, bytes }: PruneReport["setup_cache"]): string[] {
	if (results === 0 && bytes === 0) return [];
	return [
		`removed ${results === 1 ? "a result" : `${results} results`} of setup: ${formatBytes(bytes)} freed`,
	];
}

export const command = verbCommand("prune", {
	show: (report) => {
		const { set_aside: aside } = report;
		const isDry = report.dry_run === true;
		const lines = [
			...(aside === undefined
				? []
				: [`moved the database of an older version to ${aside}; branches of its runs stay in git`]),
			...report.archived.map(({ branch, ref }) => `archived ${branch} as ${ref}`),
			...report.freed.map(({ run_id, bytes }) => `pruned ${run_id}: ${formatBytes(bytes)} freed`),
			...report.kept.map(({ run_id, reason }) => `kept ${run_id}: ${oneLine(reason, 1_000)}`),
			...report.left_over.map(leftOverLine),
			...setupLines(report.setup_cache),
		].map((line) => (isDry ? `would have ${line}` : line));
		if (report.freed_bytes > 0)
			lines.push(`${formatBytes(report.freed_bytes)} ${isDry ? "would be " : ""}freed in all`);
		if (lines.length === 0) return { note: "nothing to prune" };
		return { text: lines.join("\n") };
	},
});
