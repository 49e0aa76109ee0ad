import { cutTo, oneLine } from "../../git/message.ts";
import { counted } from "../../kernel/counted.ts";
import type { FindingHistoryEntry, FindingReport } from "../../review/finding-report.ts";
import type { Block, Cell } from "./block.ts";
import type { TaskAccount } from "./run-result.ts";

/** Longest text of a table's cell, and of what a side says, in characters. */
const MAX_CELL = 300;
const MAX_WORDS = 1_500;

export function findingBlocks({ findings }: TaskAccount): Block[] {
	if (findings.length === 0) return [];
	const rows = findings.map((finding): Cell[] => [
		finding.id,
		finding.severity,
		outcome(finding),
		placeText(finding),
		cutTo(oneLine(finding.issue), MAX_CELL),
	]);
	const told = findings.filter(
		({ history, suggestion }) => suggestion !== null || history.some(saysSomething),
	);
	const head = ["id", "severity", "outcome", "place", "finding"];
	return [
		{ kind: "heading", level: 4, text: ["Findings"] },
		{ kind: "table", head, rows },
		...(told.length === 0
			? []
			: [
					{
						kind: "details" as const,
						summary: `Suggestions and answers (${counted(told.length, "finding")})`,
						blocks: told.flatMap(lifeBlocks),
					},
				]),
	];
}

function outcome(finding: FindingReport): Cell {
	const { state, ruling, blocking } = finding;
	const by = ruling === null ? "" : ` by ${WHO[ruling.by]}`;
	if (state === "overruled") return `overruled${by}`;
	return blocking ? { strong: `${state}, blocking` } : state;
}

function placeText({ file, line }: FindingReport): Cell {
	if (file === null) return "";
	return { code: cutTo(oneLine(line === null ? file : `${file}:${line}`), MAX_CELL) };
}

const WHO = {
	player: "the player",
	coach: "the coach",
	verifier: "the verifier",
	tie_breaker: "the tie-breaker",
	person: "a person",
} as const satisfies Record<NonNullable<FindingHistoryEntry["by"]>, string>;

const saysSomething = ({ text, state }: FindingHistoryEntry): boolean =>
	text !== null && state !== "answered";

function lifeBlocks({ id, suggestion, history }: FindingReport): Block[] {
	const said = history.filter(
		(entry, at) => saysSomething(entry) && entry.text !== history[at - 1]?.text,
	);
	const items = said.map(({ turn, state, by, text, evidence }): Cell => {
		const when = turn === null ? "" : `turn ${turn}, `;
		const who = by === null ? "" : ` by ${WHO[by]}`;
		const shown = evidence === null ? "" : ` Evidence: ${evidence}`;
		const words = cutTo(oneLine(`${text ?? ""}${shown}`), MAX_WORDS);
		return `${when}${state.replaceAll("_", " ")}${who}: ${words}`;
	});
	const advice =
		suggestion === null ? [] : [cutTo(oneLine(`suggestion: ${suggestion}`), MAX_WORDS)];
	return [
		{ kind: "paragraph", text: [{ strong: id }] },
		{ kind: "list", items: [...advice, ...items] },
	];
}
