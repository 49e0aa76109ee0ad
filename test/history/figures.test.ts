import { expect, test } from "vitest";
import { historyFigures } from "./figures.ts";
import { type Answer, type PlayedCommit, withJudgements } from "./list.ts";

const question = (rule: string, what = "it"): Answer["questions"][number] => {
	return { rule, file: "a.js", what, judgement: null, because: "" };
};

const played = (commit: string, answer: Partial<Answer>): PlayedCommit => ({
	repository: "lib",
	half: "first",
	commit,
	title: commit,
	answer: { verdict: "review", reasons: [], isGreen: true, questions: [], ...answer },
	seconds: { check: 6, suite: 2 },
	variants: [],
});

test("commits that are red here count in no figure, and another expectation is counted apart", () => {
	const answer: Answer = { verdict: "pass", reasons: [], isGreen: true, questions: [] };
	const variants = [
		{ kind: "case-gone", what: "it", answer },
		{ kind: "case-gone", what: "it", answer: { ...answer, verdict: "fail" as const } },
	];
	const commits = [
		played("a", { questions: [question("other_expected")] }),
		played("b", { questions: [question("apparatus"), question("other_expected")] }),
		played("c", { verdict: "fail", isGreen: false }),
		{ ...played("d", { verdict: "fail" }), variants },
	];
	expect(historyFigures(commits)).toEqual([
		{
			half: "first",
			commits: 4,
			notJudged: 1,
			failed: 1,
			asked: 1,
			otherExpected: 2,
			questions: { right: 0, noise: 0, false: 0, open: 3 },
			variants: 2,
			silent: 1,
			ratio: 3,
		},
	]);
});

test("a judgement stays with its question, and another sentence waits for its own", () => {
	const judged = { ...question("apparatus"), judgement: "noise" as const, because: "docs" };
	const before = [played("a", { questions: [judged] })];
	const again = [
		played("a", { questions: [question("apparatus"), question("apparatus", "else")] }),
	];
	expect(withJudgements(again, before)[0]?.answer.questions).toEqual([
		judged,
		question("apparatus", "else"),
	]);
});
