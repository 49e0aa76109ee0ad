import type { PlayedCommit } from "./list.ts";

/** Asks for a yes to another expectation; counted apart. */
const OTHER = "other_expected";

/** What the commits of one half say. */
export interface HistoryFigures {
	readonly half: string;
	readonly commits: number;
	/** Their own tests are red here, or nothing could be judged: they count in nothing below. */
	readonly notJudged: number;
	readonly failed: number;
	/** Raise a question other than that something else is expected. */
	readonly asked: number;
	readonly otherExpected: number;
	readonly questions: {
		readonly right: number;
		readonly noise: number;
		readonly false: number;
		readonly open: number;
	};
	readonly variants: number;
	/** Variants that pass without a question. */
	readonly silent: number;
	/** Processor time of a check beside that of one run of the suite; median. 0 without commits. */
	readonly ratio: number;
}

const isJudged = ({ answer }: PlayedCommit): boolean => answer.isGreen && answer.verdict !== "none";

function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Figures of each half, in the order in which the halves are first played. */
export function historyFigures(played: readonly PlayedCommit[]): HistoryFigures[] {
	return [...new Set(played.map(({ half }) => half))].map((half) => {
		const own = played.filter((commit) => commit.half === half);
		const judged = own.filter(isJudged);
		const rules = judged.map(({ answer }) => answer.questions.map(({ rule }) => rule));
		const judgements = judged.flatMap(({ answer }) =>
			answer.questions.map(({ judgement }) => judgement ?? "open"),
		);
		const count = (kind: string) => judgements.filter((one) => one === kind).length;
		const variants = judged.flatMap((commit) => commit.variants);
		return {
			half,
			commits: own.length,
			notJudged: own.length - judged.length,
			failed: judged.filter(({ answer }) => answer.verdict === "fail").length,
			asked: rules.filter((some) => some.some((rule) => rule !== OTHER)).length,
			otherExpected: rules.filter((some) => some.includes(OTHER)).length,
			questions: {
				right: count("right"),
				noise: count("noise"),
				false: count("false"),
				open: count("open"),
			},
			variants: variants.length,
			silent: variants.filter(({ answer }) => answer.verdict === "pass").length,
			ratio: median(judged.map(({ seconds }) => seconds.check / Math.max(seconds.suite, 0.01))),
		};
	});
}
